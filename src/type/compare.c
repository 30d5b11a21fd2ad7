/* Comparing a type with the outline of another, which may come from a peer.
 *
 * Both graphs are walked together from their roots: a pair (our type, their type) is compared field by field, and the
 * types of message fields that both have make further pairs. Each pair is met once, so recursive types end.
 * Every byte of the outline has been checked by index_types() before the walk reads it. */
#include "base/base.h"
#include "base/sized.h"
#include "type/field.h"
#include "type/outline.h"

enum { NUMBER_MAX = (1 << 29) - 1 };

/* Bounds the work: each pair walks one of their types, and one type may be in many pairs. */
enum { OUTLINE_MAX_BYTES = 256 << 10 };

typedef struct pair {
    const tern_type *ours;
    uint32_t theirs; /* place in the outline */
} pair;

typedef struct comparison {
    const uint8_t *types[OUTLINE_MAX_TYPES]; /* where each of their types begins */
    uint32_t n_types;
    pair pairs[OUTLINE_MAX_TYPES]; /* met, in order */
    uint32_t n_pairs;
    int verdict;
    tern_type_conflict *conflict; /* the first of the verdict */
} comparison;

typedef struct their_field {
    uint32_t number, sub;
    uint8_t what;
} their_field;

/* At most 32 bits, in at most 5 bytes; NULL when it is none. */
static const uint8_t *read_outline_number(const uint8_t *p, const uint8_t *end, uint32_t *out) {
    uint64_t value = 0;
    for (unsigned shift = 0; p < end && shift < 35; shift += 7) {
        uint8_t byte = *p++;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte >= 0x80) continue;
        *out = (uint32_t)value;
        return value <= UINT32_MAX ? p : NULL;
    }
    return NULL;
}

/* The field behind number `field->number`. */
static const uint8_t *read_field(const uint8_t *p, const uint8_t *end, their_field *field) {
    uint32_t step;
    p = read_outline_number(p, end, &step);
    if (!p || p == end || step == 0 || step > NUMBER_MAX - field->number) return NULL;
    field->number += step;
    field->what = *p++;
    field->sub = 0;
    uint8_t kind = field->what & OUTLINE_KIND;
    if (field->what & ~(OUTLINE_KIND | OUTLINE_REPEATED) || kind < TERN_DOUBLE || kind > TERN_SINT64) return NULL;
    return outline_has_sub(field->what) ? read_outline_number(p, end, &field->sub) : p;
}

static bool index_types(comparison *c, const uint8_t *p, const uint8_t *end) {
    while (p < end) {
        their_field field = {0};
        uint32_t n_fields;
        if (c->n_types == OUTLINE_MAX_TYPES) return false;
        c->types[c->n_types++] = p;
        p = read_outline_number(p, end, &n_fields);
        for (uint32_t i = 0; p && i < n_fields; i++) p = read_field(p, end, &field);
        if (!p) return false;
    }
    return c->n_types > 0;
}

/* Kinds that both formats write alike. */
static unsigned same_wire(unsigned kind) {
    switch (kind) {
    case TERN_UINT32:
    case TERN_ENUM: return TERN_INT32;
    case TERN_UINT64: return TERN_INT64;
    case TERN_SFIXED32: return TERN_FIXED32;
    case TERN_SFIXED64: return TERN_FIXED64;
    case TERN_BYTES: return TERN_STRING;
    default: return kind;
    }
}

static void found(comparison *c, int verdict, const tern_type *type, uint32_t number, unsigned ours, unsigned theirs) {
    if (verdict <= c->verdict) return;
    c->verdict = verdict;
    *c->conflict = (tern_type_conflict){.type = type,
                                        .number = number,
                                        .our_kind = ours & OUTLINE_KIND,
                                        .their_kind = theirs & OUTLINE_KIND,
                                        .our_list = (ours & OUTLINE_REPEATED) != 0,
                                        .their_list = (theirs & OUTLINE_REPEATED) != 0};
}

static void meet(comparison *c, const tern_type *ours, uint32_t theirs) {
    if (theirs >= c->n_types) return; /* not described */
    for (uint32_t i = 0; i < c->n_pairs; i++)
        if (c->pairs[i].ours == ours && c->pairs[i].theirs == theirs) return;
    if (c->n_pairs < OUTLINE_MAX_TYPES) c->pairs[c->n_pairs++] = (pair){ours, theirs};
}

static void compare_field(comparison *c, const tern_type *type, const tern_field *ours, const their_field *theirs) {
    uint8_t what = outline_byte(ours);
    bool alike = same_wire(ours->kind) == same_wire(theirs->what & OUTLINE_KIND) &&
                 ((what ^ theirs->what) & OUTLINE_REPEATED) == 0;
    if (!alike)
        found(c, TERN_SCHEMA_CONFLICT, type, ours->number, what, theirs->what);
    else if (field_is_message(ours))
        meet(c, type->subs[ours->sub], theirs->sub);
}

/* Fields that one side lacks are harmless above all that it knows. Below, hybrid messages that hold them are
 * refused. */
static void compare_pair(comparison *c, const tern_type *type, const uint8_t *p, const uint8_t *end) {
    const tern_field *ours = type->fields, *ours_end = ours + type->n_fields;
    their_field theirs = {0};
    uint32_t n_theirs = 0;
    p = read_outline_number(p, end, &n_theirs);
    for (uint32_t i = 0; i < n_theirs && theirs.number < type->max_number; i++) {
        p = read_field(p, end, &theirs);
        for (; ours < ours_end && ours->number < theirs.number; ours++)
            found(c, TERN_SCHEMA_PROTOBUF, type, ours->number, outline_byte(ours), 0);
        if (ours < ours_end && ours->number == theirs.number)
            compare_field(c, type, ours++, &theirs);
        else if (theirs.number < type->max_number)
            found(c, TERN_SCHEMA_PROTOBUF, type, theirs.number, 0, theirs.what);
    }
}

static int compare_outline(const tern_type *type, const void *outline, size_t len, tern_type_conflict *conflict) {
    comparison c;
    const uint8_t *start = outline, *end = start + len;
    c.n_types = c.n_pairs = 0;
    c.verdict = TERN_SCHEMA_FITS;
    c.conflict = conflict;
    if (len > OUTLINE_MAX_BYTES) return TERN_ERR_LIMIT;
    if (!index_types(&c, start, end)) return TERN_ERR_MALFORMED;
    meet(&c, type, 0);
    for (uint32_t i = 0; i < c.n_pairs; i++) compare_pair(&c, c.pairs[i].ours, c.types[c.pairs[i].theirs], end);
    return c.verdict;
}

int tern_type_compare_sized(const tern_type *type, const void *outline, size_t len, tern_type_conflict *conflict,
                            size_t conflict_size) {
    tern_type_conflict own = {0};
    int verdict = compare_outline(type, outline, len, &own);
    if (conflict) tern__sized_write(conflict, conflict_size, &own, sizeof own);
    return verdict;
}
