/*   field = u32 | bytes | list of bytes     bytes = length u32, bytes     list = count u32, bytes ... */
#include "dump_format.h"

#include "codec/format_hybrid.h"
#include "codec/format_protobuf.h"

/* What is done with each part of a message, in its order. */
typedef struct walk {
    size_t threshold;
    tern__format_plan *plan; /* the first pass; else NULL */
    uint8_t *head;           /* the second: where the next byte is written */
    const uint8_t *begin;
    tern__format_value *values;
} walk;

static void dump_word(walk *w, uint32_t word) {
    if (w->plan) w->plan->head_bytes += sizeof word;
    if (w->head) memcpy(w->head, &word, sizeof word);
    if (w->head) w->head += sizeof word;
}

static void dump_value(walk *w, const tern_bytes *value) {
    dump_word(w, (uint32_t)value->len);
    bool inplace = value->len && value->len >= w->threshold && tern_in_pool(value->data);
    if (w->plan) {
        w->plan->n_inplace += inplace;
        w->plan->inplace_bytes += inplace ? (uint32_t)value->len : 0;
        w->plan->head_bytes += inplace ? 0 : (uint32_t)value->len;
        w->plan->copied_bytes += inplace ? 0 : (uint32_t)value->len;
    } else if (inplace) {
        *w->values++ = (tern__format_value){value->data, (uint32_t)value->len, (uint32_t)(w->head - w->begin)};
    } else if (value->len) {
        memcpy(w->head, value->data, value->len);
        w->head += value->len;
    }
}

static void dump_fields(walk *w, const tern_type *type, const void *msg) {
    for (uint32_t i = 0; i < type->n_fields; i++) {
        const void *member = (const uint8_t *)msg + type->fields[i].offset;
        if (type->fields[i].kind == TERN_UINT32) {
            dump_word(w, tern__load32(member));
        } else if (type->fields[i].flags & TERN_FIELD_REPEATED) {
            const tern_list_bytes *list = member;
            dump_word(w, (uint32_t)list->len);
            for (size_t k = 0; k < list->len; k++) dump_value(w, &list->data[k]);
        } else {
            dump_value(w, member);
        }
    }
}

static bool is_dumpable(const tern_type *type) {
    for (uint32_t i = 0; i < type->n_fields; i++) {
        bool list = type->fields[i].flags & TERN_FIELD_REPEATED;
        if (type->fields[i].kind != TERN_BYTES && (list || type->fields[i].kind != TERN_UINT32)) return false;
    }
    return true;
}

static int plan_dump(const tern_type *type, const void *msg, size_t threshold, tern__format_plan *plan) {
    if (!is_dumpable(type)) return TERN_ERR_UNSUPPORTED;
    *plan = (tern__format_plan){.head_bytes = 0};
    memcpy(plan->state, &threshold, sizeof threshold);
    walk w = {.threshold = threshold, .plan = plan};
    dump_fields(&w, type, msg);
    return 0;
}

static int write_dump(const tern_type *type, const void *msg, const tern__format_plan *plan, uint8_t *head,
                      const tern__format_sink *sink) {
    walk w = {.head = head, .begin = head, .values = sink ? sink->values : NULL};
    memcpy(&w.threshold, plan->state, sizeof w.threshold);
    dump_fields(&w, type, msg);
    return 0;
}

typedef struct input {
    const uint8_t *at, *end;
} input;

static bool take_word(input *in, uint32_t *word) {
    if ((size_t)(in->end - in->at) < sizeof *word) return false;
    memcpy(word, in->at, sizeof *word);
    in->at += sizeof *word;
    return true;
}

static bool take_value(input *in, tern_bytes *value) {
    uint32_t len;
    if (!take_word(in, &len) || len > (size_t)(in->end - in->at)) return false;
    *value = (tern_bytes){in->at, len};
    in->at += len;
    return true;
}

static int take_list(input *in, tern_list_bytes *list, tern_arena *arena) {
    uint32_t n;
    if (!take_word(in, &n) || n > (size_t)(in->end - in->at) / sizeof n) return TERN_ERR_TRUNCATED;
    *list = (tern_list_bytes){n ? tern_arena_alloc(arena, n * sizeof(tern_bytes)) : NULL, n, n};
    if (n && !list->data) return TERN_ERR_NOMEM;
    for (uint32_t i = 0; i < n; i++)
        if (!take_value(in, &list->data[i])) return TERN_ERR_TRUNCATED;
    return 0;
}

static int decode_dump(const tern_type *type, const tern_bytes *pieces, size_t n, tern_arena *arena,
                       const tern_limits *limits, void *msg) {
    (void)limits;
    if (n != 1 || !is_dumpable(type)) return TERN_ERR_UNSUPPORTED;
    input in = {pieces->data, (const uint8_t *)pieces->data + pieces->len};
    memset(msg, 0, type->size_bytes);
    for (uint32_t i = 0; i < type->n_fields; i++) {
        void *member = (uint8_t *)msg + type->fields[i].offset;
        int err = 0;
        if (type->fields[i].flags & TERN_FIELD_REPEATED)
            err = take_list(&in, member, arena);
        else if (!(type->fields[i].kind == TERN_UINT32 ? take_word(&in, member) : take_value(&in, member)))
            err = TERN_ERR_TRUNCATED;
        if (err) return err;
    }
    return in.at == in.end ? 0 : TERN_ERR_MALFORMED;
}

static const tern__format dump = {.name = "dump",
                                  .number = FORMAT_DUMP,
                                  .flags = TERN__FORMAT_SAME_TYPES,
                                  .pieces_per_value = 2,
                                  .plan = plan_dump,
                                  .write = write_dump,
                                  .decode = decode_dump};
const tern__format *const dump_first[] = {&dump, &tern__format_hybrid, &tern__format_protobuf, NULL};
const tern__format *const dump_last[] = {&tern__format_hybrid, &tern__format_protobuf, &dump, NULL};
