/* Protobuf's text format, written as protobuf's C++ library prints it.
 *
 * Lines are ended lazily: `pending` says that a line, or the blank that stands for it in single-line form, is due
 * before whatever comes next, so that nothing trails. Depth is counted as in JSON. */
#include <math.h>

#include "base/sized.h"
#include "codec/text_fields.h"
#include "codec/text_number.h"
#include "codec/text_writer.h"
#include "tern/json.h"
#include "type/bound.h"
#include "type/object.h"

enum {
    UNKNOWN_MAX_DEPTH = 10 /* bytes within unknown bytes are taken for messages this deep, as C++ does */
};

typedef struct text_printer {
    text_writer w;
    tern_text_options o;
    walk_budget budget;
    uint32_t depth_left;
    uint32_t level; /* of indentation */
    bool pending;
} text_printer;

static void put_text_message(text_printer *p, const tern_type *type, const void *msg);

/* ---- Layout -------------------------------------------------------------------------------------- */

static void put_raw_text(text_printer *p, const char *text) { tern__text_puts(&p->w, text); }

static void begin_line(text_printer *p) {
    if (p->o.single_line) {
        if (p->pending) put_raw_text(p, " ");
    } else {
        tern__text_put_spaces(&p->w, 2 * (size_t)p->level);
    }
    p->pending = false;
}

static void end_line(text_printer *p) {
    if (!p->o.single_line) put_raw_text(p, "\n");
    p->pending = true;
}

static void open_brace(text_printer *p) {
    put_raw_text(p, " {");
    end_line(p);
    p->level++;
}

static void close_brace(text_printer *p) {
    p->level--;
    begin_line(p);
    put_raw_text(p, "}");
    end_line(p);
}

/* ---- Values -------------------------------------------------------------------------------------- */

static void put_escaped(text_printer *p, uint8_t c) {
    switch (c) {
    case '\n': put_raw_text(p, "\\n"); return;
    case '\r': put_raw_text(p, "\\r"); return;
    case '\t': put_raw_text(p, "\\t"); return;
    case '"':
    case '\'':
    case '\\': break;
    default: {
        char octal[4] = {'\\', (char)('0' + (c >> 6)), (char)('0' + (c >> 3 & 7)), (char)('0' + (c & 7))};
        tern__text_put(&p->w, octal, sizeof octal);
        return;
    }
    }
    char plain[2] = {'\\', (char)c};
    tern__text_put(&p->w, plain, sizeof plain);
}

static void put_text_string(text_printer *p, const void *data_, size_t len) {
    const char *data = data_;
    size_t start = 0;
    put_raw_text(p, "\"");
    for (size_t i = 0; i < len; i++) {
        uint8_t c = (uint8_t)data[i];
        if (c >= 0x20 && c < 0x7f && c != '"' && c != '\'' && c != '\\') continue;
        tern__text_put(&p->w, data + start, i - start);
        put_escaped(p, c);
        start = i + 1;
    }
    if (len) tern__text_put(&p->w, data + start, len - start);
    put_raw_text(p, "\"");
}

static void put_text_floating(text_printer *p, double number, const char *text, size_t len) {
    if (isnan(number))
        put_raw_text(p, "nan");
    else if (isinf(number))
        put_raw_text(p, number > 0 ? "inf" : "-inf");
    else
        tern__text_put(&p->w, text, len);
}

static void put_float(text_printer *p, const void *value) {
    char text[NUMBER_TEXT_BYTES];
    float number;
    memcpy(&number, value, sizeof number);
    put_text_floating(p, (double)number, text, isfinite(number) ? tern__number_print_float(number, text) : 0);
}

static void put_double(text_printer *p, const void *value) {
    char text[NUMBER_TEXT_BYTES];
    double number;
    memcpy(&number, value, sizeof number);
    put_text_floating(p, number, text, isfinite(number) ? tern__number_print_double(number, text) : 0);
}

static void put_text_enum(text_printer *p, const tern_enum *enumeration, int32_t number) {
    const char *name = tern_enum_name(enumeration, number);
    if (name)
        put_raw_text(p, name);
    else
        tern__text_put_i64(&p->w, number);
}

static void put_scalar(text_printer *p, const tern_type *type, const tern_field *field, const void *value) {
    const tern_bytes *view = value;
    switch (field->kind) {
    case TERN_STRING:
    case TERN_BYTES: put_text_string(p, view->data, view->len); break;
    case TERN_ENUM: put_text_enum(p, type->enums[field->sub], (int32_t)tern__load32(value)); break;
    case TERN_FLOAT: put_float(p, value); break;
    case TERN_DOUBLE: put_double(p, value); break;
    default: tern__text_put_integer(&p->w, field->kind, value); break;
    }
}

/* A group is named after its type, whose name is the field's with its capitals. */
static void put_text_name(text_printer *p, const tern_type *type, const tern_field *field) {
    const char *name = type->field_names[field - type->fields];
    if (field->kind == TERN_GROUP) {
        name = type->subs[field->sub]->name;
        const char *dot = strrchr(name, '.');
        if (dot) name = dot + 1;
    }
    put_raw_text(p, name);
}

static void count_text_elements(text_printer *p, size_t n) {
    int err = walk_spend(&p->budget, n);
    if (err) tern__text_fail(&p->w, err);
}

/* A field with one value; of a message, the message, where NULL is an empty one. */
static void put_text_field(text_printer *p, const tern_type *type, const tern_field *field, const void *value) {
    begin_line(p);
    put_text_name(p, type, field);
    if (kind_is_message(field->kind)) {
        open_brace(p);
        if (value) put_text_message(p, type->subs[field->sub], value);
        close_brace(p);
    } else {
        put_raw_text(p, ": ");
        put_scalar(p, type, field, value);
        end_line(p);
    }
}

static void put_single(text_printer *p, const tern_type *type, const tern_field *field, const void *msg) {
    bool message = kind_is_message(field->kind);
    if (message) count_text_elements(p, 1);
    put_text_field(p, type, field, message ? child_of(field, msg) : member_of(field, msg));
}

static void put_text_list(text_printer *p, const tern_type *type, const tern_field *field, const tern_list *list) {
    if (kind_is_message(field->kind)) count_text_elements(p, list->len);
    for (size_t i = 0; i < list->len && !p->w.err; i++) {
        const void *value = list_message(field, list, i);
        if (value)
            put_text_field(p, type, field, value);
        else
            tern__text_fail(&p->w, TERN_ERR_INVALID);
    }
}

/* ---- Maps ---------------------------------------------------------------------------------------- */

static int compare_views(const tern_bytes *a, const tern_bytes *b) {
    size_t len = a->len < b->len ? a->len : b->len;
    int order = len ? memcmp(a->data, b->data, len) : 0;
    return order ? order : (a->len > b->len) - (a->len < b->len);
}

static int compare_keys(unsigned kind, const void *a, const void *b) {
    switch (kind) {
    case TERN_STRING: return compare_views(a, b);
    case TERN_BOOL: return *(const uint8_t *)a - *(const uint8_t *)b;
    case TERN_UINT32:
    case TERN_FIXED32: return (tern__load32(a) > tern__load32(b)) - (tern__load32(a) < tern__load32(b));
    case TERN_UINT64:
    case TERN_FIXED64: return (tern__load64(a) > tern__load64(b)) - (tern__load64(a) < tern__load64(b));
    case TERN_INT64:
    case TERN_SINT64:
    case TERN_SFIXED64: {
        int64_t x = (int64_t)tern__load64(a), y = (int64_t)tern__load64(b);
        return (x > y) - (x < y);
    }
    default: {
        int32_t x = (int32_t)tern__load32(a), y = (int32_t)tern__load32(b);
        return (x > y) - (x < y);
    }
    }
}

static void sift_key_down(const void **keys, size_t at, size_t n, unsigned kind) {
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && compare_keys(kind, keys[child], keys[child + 1]) < 0) child++;
        if (compare_keys(kind, keys[at], keys[child]) >= 0) return;
        const void *held = keys[at];
        keys[at] = keys[child];
        keys[child] = held;
    }
}

/* Heapsort: no more memory, and no order of keys that makes it slow. */
static void sort_keys(const void **keys, size_t n, unsigned kind) {
    for (size_t i = n / 2; i-- > 0;) sift_key_down(keys, i, n, kind);
    for (size_t left = n; left-- > 1;) {
        const void *last = keys[left];
        keys[left] = keys[0];
        keys[0] = last;
        sift_key_down(keys, 0, left, kind);
    }
}

static void put_text_entry(text_printer *p, const tern_type *type, const tern_field *field, const void *entry) {
    const tern_type *sub = type->subs[field->sub];
    begin_line(p);
    put_text_name(p, type, field);
    open_brace(p);
    put_single(p, sub, &sub->fields[0], entry);
    put_single(p, sub, &sub->fields[1], entry);
    close_brace(p);
}

static void put_text_map(text_printer *p, const tern_type *type, const tern_field *field, const tern_map *map) {
    const tern_field *key = &type->subs[field->sub]->fields[0];
    const uint8_t *data = map->data;
    const void **keys = NULL;
    count_text_elements(p, map->len);
    if (p->o.scratch && !p->w.err) {
        keys = map->len <= SIZE_MAX / sizeof *keys ? tern_arena_alloc(p->o.scratch, map->len * sizeof *keys) : NULL;
        if (!keys) {
            tern__text_fail(&p->w, TERN_ERR_NOMEM);
            return;
        }
        for (size_t i = 0; i < map->len; i++) keys[i] = member_of(key, data + i * field->elem_bytes);
        sort_keys(keys, map->len, key->kind);
    }
    for (size_t i = 0; i < map->len && !p->w.err; i++)
        put_text_entry(p, type, field, keys ? (const uint8_t *)keys[i] - key->offset : data + i * field->elem_bytes);
}

/* ---- Unknown fields ------------------------------------------------------------------------------ */

static bool are_fields(const tern_unknown *bytes) {
    tern_unknown_field field;
    size_t at = 0;
    while (tern_unknown_next(bytes, &at, &field)) {
    }
    return at == bytes->len;
}

static void put_unknown_fields(text_printer *p, const tern_unknown *unknown, uint32_t depth);

/* A group, or bytes that may be a message. */
static void put_unknown_content(text_printer *p, const tern_unknown_field *field, uint32_t depth) {
    tern_unknown inner = {field->content.data, (uint32_t)field->content.len, 0};
    bool group = field->wire == WIRE_START;
    if (depth == 0 || (!group && (inner.len == 0 || !are_fields(&inner)))) {
        put_raw_text(p, ": ");
        put_text_string(p, field->content.data, field->content.len);
        end_line(p);
        return;
    }
    open_brace(p);
    put_unknown_fields(p, &inner, depth - 1);
    close_brace(p);
}

static void put_unknown_fields(text_printer *p, const tern_unknown *unknown, uint32_t depth) {
    tern_unknown_field field;
    for (size_t at = 0; !p->w.err && tern_unknown_next(unknown, &at, &field);) {
        begin_line(p);
        tern__text_put_u64(&p->w, field.number);
        if (field.wire == WIRE_LEN || field.wire == WIRE_START) {
            put_unknown_content(p, &field, depth);
            continue;
        }
        put_raw_text(p, field.wire == WIRE_VARINT ? ": " : ": 0x");
        if (field.wire == WIRE_VARINT)
            tern__text_put_u64(&p->w, field.value);
        else
            tern__text_put_hex(&p->w, field.value, field.wire == WIRE_64 ? 16 : 8);
        end_line(p);
    }
}

/* ---- Messages ------------------------------------------------------------------------------------ */

/* Whether a URL can stand in brackets as it is. */
static bool is_plain_url(const tern_str *url) {
    for (size_t i = 0; i < url->len; i++)
        if (url->data[i] <= ' ' || url->data[i] > '~' || url->data[i] == ']') return false;
    return true;
}

static bool is_any(const tern_type *type) {
    return type->flags & TERN_TYPE_OBJECT || strcmp(type->name, "google.protobuf.Any") == 0;
}

/* The content of an Any whose type is known and which decodes; NULL otherwise, then it is printed as it is. */
static const void *look_into_any(text_printer *p, const tern_type *type, const void *msg, const tern_type **sub) {
    if (!p->o.registry || !p->o.scratch || !is_any(type)) return NULL;
    const tern_field *url_field = tern_type_field(type, 1), *content_field = tern_type_field(type, 2);
    if (!url_field || url_field->kind != TERN_STRING || !content_field || content_field->kind != TERN_BYTES)
        return NULL;
    const tern_str *url = member_of(url_field, msg);
    const tern_bytes *content = member_of(content_field, msg);
    size_t start = url->len;
    while (start > 0 && url->data[start - 1] != '/') start--;
    *sub = start && is_plain_url(url)
               ? tern_registry_find(p->o.registry, (tern_str){url->data + start, url->len - start})
               : NULL;
    if (!*sub) return NULL;
    void *inner = tern_arena_alloc(p->o.scratch, (*sub)->size_bytes);
    int err =
        inner ? tern_protobuf_decode(*sub, content->data, content->len, p->o.scratch, TERN_DECODE_ALIAS, NULL, inner)
              : TERN_ERR_NOMEM;
    if (err == TERN_ERR_NOMEM) tern__text_fail(&p->w, err);
    return err ? NULL : inner;
}

/* An object in a heap. */
static bool put_text_typed(text_printer *p, const tern_type *type, const void *msg) {
    begin_line(p);
    put_raw_text(p, "[");
    put_raw_text(p, object_url_prefix);
    put_raw_text(p, type->name);
    put_raw_text(p, "]");
    open_brace(p);
    put_text_message(p, type, msg);
    close_brace(p);
    return true;
}

static bool put_text_any(text_printer *p, const tern_type *type, const void *msg) {
    const tern_type *sub = type;
    object_form form = object_form_of(&sub, msg);
    if (form == OBJECT_TYPED) return put_text_typed(p, sub, msg);
    if (form == OBJECT_WRONG) tern__text_fail(&p->w, TERN_ERR_INVALID);
    if (form == OBJECT_WRONG) return true;
    const void *inner = look_into_any(p, type, msg, &sub);
    if (!inner) return false;
    const tern_str *url = member_of(tern_type_field(type, 1), msg);
    begin_line(p);
    put_raw_text(p, "[");
    tern__text_put(&p->w, url->data, url->len);
    put_raw_text(p, "]");
    open_brace(p);
    put_text_message(p, sub, inner);
    close_brace(p);
    return true;
}

static void put_fields(text_printer *p, const tern_type *type, const void *msg) {
    for (uint32_t i = 0; i < type->n_fields && !p->w.err; i++) {
        const tern_field *field = &type->fields[i];
        if (!member_is_set(type, field, msg)) continue;
        if (field->flags & TERN_FIELD_MAP)
            put_text_map(p, type, field, member_of(field, msg));
        else if (!(field->flags & TERN_FIELD_REPEATED))
            put_single(p, type, field, msg);
        else
            put_text_list(p, type, field, member_of(field, msg));
    }
}

static void put_text_message(text_printer *p, const tern_type *type, const void *msg) {
    if (p->depth_left == 0) tern__text_fail(&p->w, TERN_ERR_LIMIT);
    if (p->w.err) return;
    p->depth_left--;
    if (!put_text_any(p, type, msg)) {
        put_fields(p, type, msg);
        const tern_unknown *unknown = message_unknown(type, msg);
        if (!p->o.hide_unknown && unknown) put_unknown_fields(p, unknown, UNKNOWN_MAX_DEPTH);
    }
    p->depth_left++;
}

/* ---- Entry points -------------------------------------------------------------------------------- */

/* Prints into what p->w names: returns 0, or an error when nothing was begun. */
static int print_text(text_printer *p, const tern_type *type, const void *msg, const tern_text_options *options) {
    tern_text_options_init(&p->o);
    if (options && tern__sized_read(&p->o, sizeof p->o, options) != TERN__SIZED_FINE) return TERN_ERR_INVALID;
    if (p->w.arena) p->o.scratch = p->w.arena;
    p->depth_left = MESSAGE_MAX_DEPTH;
    walk_budget_init(&p->budget, type, msg);
    put_text_message(p, type, msg);
    return 0;
}

int64_t tern_text_encode(const tern_type *type, const void *msg, const tern_text_options *options, char *out,
                         size_t cap) {
    text_printer p = {.w = {.data = out, .cap = cap}};
    int err = print_text(&p, type, msg, options);
    return err ? err : tern__text_finish_room(&p.w);
}

int tern_text_print(const tern_type *type, const void *msg, const tern_text_options *options, tern_arena *arena,
                    tern_str *text) {
    text_printer p = {.w = {.arena = arena}};
    int err = print_text(&p, type, msg, options);
    return err ? err : tern__text_finish_arena(&p.w, text);
}
