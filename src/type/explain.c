/* Why a message cannot be walked, in words: the path of a cycle, of a NULL in a list, of what is missing.
 *
 * Invariant: steps[0..n_steps) are the messages around the one that is looked at, the top one first, each with the
 * field and the element by which the next one is reached. What is wrong leaves them as they are, for the words. */
#include "type/bound.h"
#include "type/field.h"
#include "type/object.h"

typedef enum trouble { FINE, TOO_DEEP, TOO_MANY, NULL_ELEMENT, MISSING, NO_OBJECT } trouble;

typedef struct step {
    const tern_type *type;
    const void *msg;
    const tern_field *field;
    size_t index;
} step;

typedef struct explainer {
    size_t left; /* elements that may still be met */
    uint32_t n_steps;
    step steps[MESSAGE_MAX_DEPTH]; /* entries of maps are levels, as they are on the wire */
} explainer;

/* ---- The walk ------------------------------------------------------------------------------------ */

static trouble walk_message(explainer *e, const tern_type *type, const void *msg);

static trouble walk_list(explainer *e, step *s, const tern_list *list) {
    const tern_type *sub = s->type->subs[s->field->sub];
    if (!walk_take(&e->left, list->len)) return TOO_MANY;
    if (sub->flags & TERN_TYPE_MAP_ENTRY && !field_is_message(&sub->fields[1])) return FINE;
    for (s->index = 0; s->index < list->len; s->index++) {
        const void *element = list_message(s->field, list, s->index);
        trouble found = element ? walk_message(e, sub, element) : NULL_ELEMENT;
        if (found) return found;
    }
    return FINE;
}

static trouble walk_field(explainer *e, step *s) {
    const tern_field *field = s->field;
    const void *member = field_member(field, s->msg);
    bool required = field->flags & TERN_FIELD_REQUIRED;
    if (!field_is_message(field)) return required && !field_set(s->type, field, s->msg) ? MISSING : FINE;
    if (field->flags & TERN_FIELD_REPEATED) return walk_list(e, s, member);
    if (!field_set(s->type, field, s->msg)) return FINE;
    const void *child = *(const void *const *)member;
    if (!child) return required ? MISSING : FINE;
    return walk_take(&e->left, 1) ? walk_message(e, s->type->subs[field->sub], child) : TOO_MANY;
}

static trouble walk_message(explainer *e, const tern_type *type, const void *msg) {
    if (object_form_of(&type, msg) == OBJECT_WRONG) return NO_OBJECT;
    if (e->n_steps == MESSAGE_MAX_DEPTH) return TOO_DEEP;
    step *s = &e->steps[e->n_steps++];
    *s = (step){.type = type, .msg = msg};
    for (uint32_t i = 0; i < type->n_fields; i++) {
        s->field = &type->fields[i];
        trouble found = walk_field(e, s);
        if (found) return found;
    }
    e->n_steps--;
    return FINE;
}

/* The first message among the steps that is around itself: step *to is step *from once more. */
static bool find_cycle(const explainer *e, uint32_t *from, uint32_t *to) {
    for (*to = 1; *to < e->n_steps; ++*to)
        for (*from = 0; *from < *to; ++*from)
            if (e->steps[*from].msg == e->steps[*to].msg && e->steps[*from].type == e->steps[*to].type) return true;
    return false;
}

static int error_of(trouble found) {
    if (found == FINE) return 0;
    return found == NULL_ELEMENT || found == MISSING || found == NO_OBJECT ? TERN_ERR_INVALID : TERN_ERR_LIMIT;
}

/* ---- Words --------------------------------------------------------------------------------------- */

/* Text into room for cap bytes; what does not fit is dropped. */
typedef struct words {
    char *out;
    size_t len, cap;
} words;

static void say(words *w, const char *text) {
    for (; *text; text++)
        if (w->len + 1 < w->cap) w->out[w->len++] = *text;
}

static void say_number(words *w, uint64_t value) {
    char digits[21], *p = digits + sizeof digits - 1;
    *p = 0;
    do {
        *--p = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    say(w, p);
}

/* A key as it begins, in ASCII. */
static void say_text(words *w, const tern_str *text) {
    enum { LONGEST = 32 };
    static const char hex[] = "0123456789abcdef";
    say(w, "\"");
    for (size_t i = 0; i < text->len && i < LONGEST; i++) {
        uint8_t c = (uint8_t)text->data[i];
        char plain[] = {(char)c, 0}, escaped[] = {'\\', 'x', hex[c >> 4], hex[c & 15], 0};
        say(w, c >= ' ' && c <= '~' && c != '"' && c != '\\' ? plain : escaped);
    }
    say(w, text->len > LONGEST ? "...\"" : "\"");
}

static void say_key(words *w, const tern_field *key, const void *value) {
    int64_t number = 0;
    switch (key->kind) {
    case TERN_STRING: say_text(w, value); return;
    case TERN_BOOL: say(w, *(const uint8_t *)value ? "true" : "false"); return;
    case TERN_UINT32:
    case TERN_FIXED32: number = tern__load32(value); break;
    case TERN_UINT64:
    case TERN_FIXED64: say_number(w, tern__load64(value)); return;
    default: number = key->elem_bytes == 4 ? (int32_t)tern__load32(value) : (int64_t)tern__load64(value); break;
    }
    if (number < 0) say(w, "-");
    say_number(w, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

/* By what the message behind a step is reached from the step's own. The value of an entry is what its key names. */
static void say_step(words *w, const step *s, bool first) {
    const tern_field *field = s->field;
    if (s->type->flags & TERN_TYPE_MAP_ENTRY) return;
    if (!first) say(w, ".");
    say(w, s->type->field_names[field - s->type->fields]);
    if (!(field->flags & TERN_FIELD_REPEATED)) return;
    say(w, "[");
    if (field->flags & TERN_FIELD_MAP) {
        const tern_field *key = &s->type->subs[field->sub]->fields[0];
        const tern_list *map = field_member(field, s->msg);
        say_key(w, key, field_member(key, list_message(field, map, s->index)));
    } else {
        say_number(w, s->index);
    }
    say(w, "]");
}

/* The path through the first n steps. */
static void say_path(words *w, const explainer *e, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) say_step(w, &e->steps[i], i == 0);
}

static void say_trouble(words *w, const explainer *e, trouble found) {
    uint32_t from, to;
    switch (found) {
    case FINE: break;
    case NULL_ELEMENT:
        say_path(w, e, e->n_steps);
        say(w, " is NULL");
        break;
    case NO_OBJECT:
        say_path(w, e, e->n_steps);
        say(w, " leads into a heap, but to no message, or into that of another thread");
        break;
    case MISSING:
        say_path(w, e, e->n_steps);
        say(w, " is required and not set");
        break;
    case TOO_MANY:
        say(w, "more than ");
        say_number(w, TERN_MESSAGE_MAX_ELEMENTS);
        say(w, " elements, counted as often as they are reached");
        break;
    default:
        if (find_cycle(e, &from, &to)) {
            say_path(w, e, to);
            say(w, " points back to ");
            say_path(w, e, from);
            say(w, from == 0 ? "the message itself: a cycle" : ": a cycle");
        } else {
            say(w, "too many messages around ");
            say_path(w, e, e->n_steps);
        }
    }
}

int tern_message_explain(const tern_type *type, const void *msg, char *out, size_t cap) {
    explainer e;
    words w = {out, 0, cap};
    bool too_many;
    e.left = TERN_MESSAGE_MAX_ELEMENTS;
    e.n_steps = 0;
    (void)tern__message_bound(type, msg, &too_many);
    trouble found = too_many ? TOO_MANY : walk_message(&e, type, msg);
    say_trouble(&w, &e, found);
    if (cap) out[w.len] = 0;
    return error_of(found);
}
