/* See samples.h. */
#include "samples.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "types.h"

/* ---- Shapes: a walk over the type table, which says whose contents were cut out */

typedef struct expander {
    const uint8_t *in, *in_end;
    uint8_t *out; /* NULL: only count */
    size_t len;
    uint64_t random;
} expander;

static bool pass(expander *e, size_t n) {
    if ((size_t)(e->in_end - e->in) < n) return false;
    if (e->out) memcpy(e->out + e->len, e->in, n);
    e->in += n;
    e->len += n;
    return true;
}

static bool pass_varint(expander *e, uint64_t *value) {
    *value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (e->in == e->in_end) return false;
        uint8_t byte = *e->in;
        *value |= (uint64_t)(byte & 0x7F) << shift;
        pass(e, 1);
        if (byte < 0x80) return true;
    }
    return false;
}

static void letters(expander *e, uint64_t n) {
    for (uint64_t i = 0; e->out && i < n; i++) {
        e->random = e->random * 6364136223846793005u + 1442695040888963407u;
        uint32_t pick = (uint32_t)(e->random >> 33) % 52;
        e->out[e->len + i] = (uint8_t)(pick < 26 ? 'A' + pick : 'a' + pick - 26);
    }
    e->len += n;
}

static bool expand(expander *e, const tern_type *type, size_t end, unsigned depth);

static bool expand_delimited(expander *e, const tern_type *type, const tern_field *field, unsigned depth) {
    uint64_t n;
    if (!pass_varint(e, &n) || n > 1u << 30) return false;
    if (field->kind == TERN_MESSAGE) return expand(e, type->subs[field->sub], e->len + n, depth + 1);
    if (field->kind == TERN_STRING || field->kind == TERN_BYTES) {
        letters(e, n);
        return true;
    }
    return pass(e, n);
}

/* Until the output has grown to `end` bytes, or to the end of the shape. */
static bool expand(expander *e, const tern_type *type, size_t end, unsigned depth) {
    if (depth > 100) return false;
    while (e->len < end && e->in < e->in_end) {
        uint64_t tag, value;
        if (!pass_varint(e, &tag)) return false;
        const tern_field *field = tern_type_field(type, (uint32_t)(tag >> 3));
        bool ok = false;
        switch (tag & 7) {
        case 0: ok = pass_varint(e, &value); break;
        case 1: ok = pass(e, 8); break;
        case 2: ok = field && expand_delimited(e, type, field, depth); break;
        case 5: ok = pass(e, 4); break;
        default: break;
        }
        if (!ok) return false;
    }
    return end == SIZE_MAX || e->len == end;
}

static bool expand_shape(sample *s, const uint8_t *shape, size_t len) {
    const tern_type *type = hyper_type(s->type);
    expander e = {.in = shape, .in_end = shape + len};
    if (!type || !expand(&e, type, SIZE_MAX, 0)) return false;
    s->data = malloc(e.len + 1);
    if (!s->data) return false;
    e = (expander){.in = shape, .in_end = shape + len, .out = s->data, .random = e.len};
    if (!expand(&e, type, SIZE_MAX, 0)) return false;
    s->len = e.len;
    return true;
}

/* ---- The numbers of ints.proto */

enum { N_INTS = 64, N_DEEP = 16 };

static size_t put_varint(uint8_t *out, uint64_t value) {
    size_t n = 0;
    for (; value >= 0x80; value >>= 7) out[n++] = (uint8_t)(value | 0x80);
    out[n++] = (uint8_t)value;
    return n;
}

/* Small numbers of one byte or two, and of every kind that Mixed has: bools must be 0 or 1, and 0 is not sent. */
static uint64_t int_value(bool mixed, unsigned i) {
    if (!mixed) return 0x7FFFFFFFFFFFFFF0u;
    return i % 4 == 3 ? 1 : i % 2 ? 1 + i : 100 + 5 * i;
}

static size_t put_flat(uint8_t *out, bool mixed) {
    size_t n = 0;
    for (unsigned i = 0; i < N_INTS; i++) {
        /* Of Mixed's kinds only every eighth is a bool; the others would be 1 needlessly often. */
        uint64_t value = mixed && i % 8 == 7 ? 200 + i : int_value(mixed, i);
        n += put_varint(out + n, (uint64_t)(i + 1) << 3);
        n += put_varint(out + n, value);
    }
    return n;
}

/* From the innermost level outwards, each in front of its own numbers' end. */
static size_t put_deep(uint8_t *out, bool mixed) {
    uint8_t inner[4096];
    size_t n_inner = 0;
    for (unsigned level = N_DEEP; level-- > 0;) {
        size_t n = 0;
        for (unsigned i = 0; i < N_INTS / N_DEEP; i++) {
            n += put_varint(out + n, (uint64_t)(i + 1) << 3);
            n += put_varint(out + n, int_value(mixed, level * (N_INTS / N_DEEP) + i));
        }
        if (n_inner > 0) {
            n += put_varint(out + n, 5u << 3 | 2);
            n += put_varint(out + n, n_inner);
            memcpy(out + n, inner, n_inner);
            n += n_inner;
        }
        memcpy(inner, out, n);
        n_inner = n;
    }
    return n_inner;
}

static size_t put_packed(uint8_t *out) {
    uint8_t values[N_INTS * 10];
    size_t n = 0;
    for (unsigned i = 0; i < N_INTS; i++) n += put_varint(values + n, int_value(false, i));
    size_t head = put_varint(out, 1u << 3 | 2);
    head += put_varint(out + head, n);
    memcpy(out + head, values, n);
    return head + n;
}

static bool make_ints(sample *s) {
    s->data = malloc(4096);
    if (!s->data) return false;
    bool mixed = strncmp(s->type, "ints.Mixed", 10) == 0;
    if (strcmp(s->type, "ints.Packed") == 0)
        s->len = put_packed(s->data);
    else if (strstr(s->type, "Deep"))
        s->len = put_deep(s->data, mixed);
    else
        s->len = put_flat(s->data, mixed);
    return true;
}

/* ---- The lot */

static sample *append(samples *all, const char *type) {
    sample *list = realloc(all->list, (all->n + 1) * sizeof *list);
    if (!list) return NULL;
    all->list = list;
    sample *s = &list[all->n++];
    *s = (sample){0};
    memcpy(s->type, type, strnlen(type, sizeof s->type - 1));
    return s;
}

static size_t from_hex(char *text) {
    size_t n = 0;
    for (unsigned byte; sscanf(text + 2 * n, "%2x", &byte) == 1; n++) text[n] = (char)byte;
    return n;
}

static bool load_shapes(samples *all, FILE *file) {
    static char line[8192];
    while (fgets(line, sizeof line, file)) {
        char *space = strchr(line, ' ');
        if (!space) return false;
        *space = 0;
        sample *s = append(all, line);
        if (!s || !expand_shape(s, (uint8_t *)space + 1, from_hex(space + 1))) return false;
    }
    return true;
}

bool samples_load(samples *all, const char *shapes_path) {
    static const char *const ints[] = {"ints.Flat", "ints.FlatDeep", "ints.Mixed", "ints.MixedDeep", "ints.Packed"};
    *all = (samples){0};
    FILE *file = fopen(shapes_path, "r");
    if (!file) return false;
    bool ok = load_shapes(all, file);
    fclose(file);
    for (size_t i = 0; ok && i < sizeof ints / sizeof *ints; i++) {
        sample *s = append(all, ints[i]);
        ok = s && make_ints(s);
    }
    return ok;
}

void samples_free(samples *all) {
    for (size_t i = 0; i < all->n; i++) free(all->list[i].data);
    free(all->list);
    *all = (samples){0};
}
