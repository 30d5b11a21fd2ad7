/* Whether a walk over a message ends within its bounds (bound.h).
 *
 * Most fields lead to no message. Which ones do is worked out once for each type, and remembered for a few of them, so
 * that a message costs what its sub-messages and lists of them cost. */
#include "type/bound.h"

#include "type/field.h"
#include "type/object.h"

/* A type, and a bit for each of its fields that leads to messages; the last bit stands for all fields from there on. */
typedef struct known_type {
    const tern_type *type;
    uint64_t followed;
} known_type;

enum { KNOWN_TYPES = 16, LAST_BIT = 63 };

typedef struct bounder {
    size_t left;
    known_type known[KNOWN_TYPES];
} bounder;

static __attribute__((noinline)) uint64_t learn_type(known_type *place, const tern_type *type) {
    *place = (known_type){.type = type};
    for (uint32_t i = 0; i < type->n_fields; i++)
        if (field_is_message(&type->fields[i])) place->followed |= (uint64_t)1 << (i < LAST_BIT ? i : LAST_BIT);
    return place->followed;
}

static inline uint64_t followed_of(bounder *b, const tern_type *type) {
    known_type *place = &b->known[(uintptr_t)type / sizeof *type % KNOWN_TYPES];
    return place->type == type ? place->followed : learn_type(place, type);
}

static int bound_message(bounder *b, const tern_type *type, const void *msg, uint32_t depth_left);

static inline int bound_elements(bounder *b, size_t n) {
    if (walk_take(&b->left, n)) return 0;
    b->left = SIZE_MAX; /* says that elements ran out */
    return TERN_ERR_LIMIT;
}

/* A list that is not empty. */
static __attribute__((noinline)) int bound_list(bounder *b, const tern_type *sub, const tern_field *field,
                                                const tern_list *list, uint32_t depth_left) {
    bool is_level = !(sub->flags & TERN_TYPE_MAP_ENTRY);
    int err = bound_elements(b, list->len);
    if (err) return err;
    if (is_level && depth_left == 0) return TERN_ERR_LIMIT;
    if (!holds_pointers(field) && followed_of(b, sub) == 0) return 0;
    for (size_t i = 0; i < list->len && !err; i++) {
        const void *element = list_message(field, list, i);
        err = element ? bound_message(b, sub, element, depth_left - is_level) : TERN_ERR_INVALID;
    }
    return err;
}

/* A field that holds messages. */
static inline int bound_field(bounder *b, const tern_type *type, const tern_field *field, const void *msg,
                              uint32_t depth_left) {
    const void *member = field_member(field, msg);
    if (field->flags & TERN_FIELD_REPEATED) {
        if (((const tern_list *)member)->len == 0) return 0;
        return bound_list(b, type->subs[field->sub], field, member, depth_left);
    }
    const void *child = *(const void *const *)member;
    if (!child || !field_set(type, field, msg)) return 0;
    int err = bound_elements(b, 1);
    if (err) return err;
    return depth_left > 0 ? bound_message(b, type->subs[field->sub], child, depth_left - 1) : TERN_ERR_LIMIT;
}

/* The fields from LAST_BIT on, of which any may hold messages. */
static __attribute__((noinline)) int bound_last(bounder *b, const tern_type *type, const void *msg,
                                                uint32_t depth_left) {
    int err = 0;
    for (uint32_t i = LAST_BIT; i < type->n_fields && !err; i++)
        if (field_is_message(&type->fields[i])) err = bound_field(b, type, &type->fields[i], msg, depth_left);
    return err;
}

static int bound_message(bounder *b, const tern_type *type, const void *msg, uint32_t depth_left) {
    int err = 0;
    if (object_form_of(&type, msg) == OBJECT_WRONG) return TERN_ERR_INVALID;
    uint64_t followed = followed_of(b, type);
    for (uint64_t rest = followed << 1 >> 1; rest && !err; rest &= rest - 1)
        err = bound_field(b, type, &type->fields[__builtin_ctzll(rest)], msg, depth_left);
    return followed >> LAST_BIT && !err ? bound_last(b, type, msg, depth_left) : err;
}

int tern__message_bound(const tern_type *type, const void *msg, bool *too_many) {
    bounder b = {.left = TERN_MESSAGE_MAX_ELEMENTS};
    int err = bound_message(&b, type, msg, MESSAGE_MAX_DEPTH - 1);
    if (too_many) *too_many = b.left == SIZE_MAX;
    return err;
}

int tern__walk_spend_more(walk_budget *budget, size_t n) {
    if (budget->is_counted) return TERN_ERR_LIMIT;
    int err = tern__message_bound(budget->type, budget->msg, NULL);
    if (err) return err;
    budget->is_counted = true;
    budget->left += TERN_MESSAGE_MAX_ELEMENTS - WALK_MANY;
    return walk_take(&budget->left, n) ? 0 : TERN_ERR_LIMIT;
}
