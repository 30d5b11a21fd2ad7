/* JSON encoding, straight from the type table and the struct into a text.
 *
 * Every message that is entered is counted against MESSAGE_MAX_DEPTH, the content of an Any too. After an error the
 * writer ignores what is put, so that the walk needs no checks but before it goes deeper. */
#include <math.h>

#include "base/sized.h"
#include "codec/json_wkt.h"
#include "codec/text_fields.h"
#include "codec/text_number.h"
#include "codec/text_writer.h"
#include "codec/utf8.h"
#include "tern/json.h"
#include "type/bound.h"
#include "type/object.h"

enum { INDENT_MAX = 16 };

typedef struct json_printer {
    text_writer w;
    tern_json_options o;
    walk_budget budget;
    uint32_t depth_left;
    uint32_t level; /* of indentation */
} json_printer;

static void put_json_message(json_printer *p, const tern_type *type, const void *msg);

/* ---- Layout -------------------------------------------------------------------------------------- */

static void put_raw_json(json_printer *p, const char *text) { tern__text_puts(&p->w, text); }

static void put_line(json_printer *p) {
    if (p->o.indent == 0) return;
    put_raw_json(p, "\n");
    tern__text_put_spaces(&p->w, (size_t)p->level * p->o.indent);
}

static void open_bracket(json_printer *p, const char *bracket) {
    put_raw_json(p, bracket);
    p->level++;
}

static void close_bracket(json_printer *p, const char *bracket, bool empty) {
    p->level--;
    if (!empty) put_line(p);
    put_raw_json(p, bracket);
}

/* Before each member or element. */
static void begin_item(json_printer *p, bool *empty) {
    if (!*empty) put_raw_json(p, ",");
    *empty = false;
    put_line(p);
}

static void put_colon(json_printer *p) { put_raw_json(p, p->o.indent ? ": " : ":"); }

/* ---- Strings ------------------------------------------------------------------------------------- */

static void put_escape(json_printer *p, char c) {
    const char *named = "\"\"\\\\\bb\ff\nn\rr\tt"; /* pairs */
    for (; *named; named += 2) {
        if (c != named[0]) continue;
        put_raw_json(p, "\\");
        tern__text_put(&p->w, named + 1, 1);
        return;
    }
    put_raw_json(p, "\\u");
    tern__text_put_hex(&p->w, (uint8_t)c, 4);
}

static void put_json_string(json_printer *p, const char *data, size_t len) {
    if (len && !tern__utf8_valid(data, len)) {
        tern__text_fail(&p->w, TERN_ERR_UTF8);
        return;
    }
    put_raw_json(p, "\"");
    size_t start = 0;
    for (size_t i = 0; i < len; i++) {
        if ((uint8_t)data[i] >= 0x20 && data[i] != '"' && data[i] != '\\') continue;
        tern__text_put(&p->w, data + start, i - start);
        put_escape(p, data[i]);
        start = i + 1;
    }
    if (len) tern__text_put(&p->w, data + start, len - start);
    put_raw_json(p, "\"");
}

static void put_base64(json_printer *p, const uint8_t *data, size_t len) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    put_raw_json(p, "\"");
    for (size_t i = 0; i < len; i += 3) {
        size_t n = len - i < 3 ? len - i : 3;
        uint32_t word = (uint32_t)data[i] << 16;
        if (n > 1) word |= (uint32_t)data[i + 1] << 8;
        if (n > 2) word |= data[i + 2];
        char four[4] = {letters[word >> 18], letters[word >> 12 & 63], n > 1 ? letters[word >> 6 & 63] : '=',
                        n > 2 ? letters[word & 63] : '='};
        tern__text_put(&p->w, four, sizeof four);
    }
    put_raw_json(p, "\"");
}

static void put_camel_case(json_printer *p, const char *name) {
    put_raw_json(p, "\"");
    for (bool upper = false; *name; name++) {
        char c = upper && *name >= 'a' && *name <= 'z' ? (char)(*name - 'a' + 'A') : *name;
        upper = c == '_';
        if (!upper) tern__text_put(&p->w, &c, 1);
    }
    put_raw_json(p, "\"");
}

static void put_json_name(json_printer *p, const tern_type *type, const tern_field *field) {
    size_t i = (size_t)(field - type->fields);
    const char *name = type->field_names[i];
    if (!p->o.proto_names && type->json_names && type->json_names[i]) name = type->json_names[i];
    if (p->o.proto_names || name != type->field_names[i])
        put_json_string(p, name, strlen(name)); /* what a schema sets as a json_name may hold anything */
    else
        put_camel_case(p, name);
    put_colon(p);
}

/* ---- Values -------------------------------------------------------------------------------------- */

static void put_json_floating(json_printer *p, unsigned kind, const void *value) {
    char text[NUMBER_TEXT_BYTES];
    float single = 0;
    double number;
    if (kind == TERN_FLOAT) {
        memcpy(&single, value, sizeof single);
        number = (double)single;
    } else {
        memcpy(&number, value, sizeof number);
    }
    if (isnan(number)) {
        put_raw_json(p, "\"NaN\"");
    } else if (isinf(number)) {
        put_raw_json(p, number > 0 ? "\"Infinity\"" : "\"-Infinity\"");
    } else {
        size_t len =
            kind == TERN_FLOAT ? tern__number_print_float(single, text) : tern__number_print_double(number, text);
        tern__text_put(&p->w, text, len);
    }
}

static void put_json_enum(json_printer *p, const tern_enum *enumeration, int32_t number) {
    if (number == 0 && tern__wkt_is_null(enumeration)) {
        put_raw_json(p, "null");
        return;
    }
    const char *name = p->o.enum_numbers ? NULL : tern_enum_name(enumeration, number);
    if (name)
        put_json_string(p, name, strlen(name));
    else
        tern__text_put_i64(&p->w, number);
}

static void put_quoted_integer(json_printer *p, unsigned kind, const void *value) {
    put_raw_json(p, "\"");
    tern__text_put_integer(&p->w, kind, value);
    put_raw_json(p, "\"");
}

/* One value of a field as it lies in a struct or list; of a message the message itself. */
static void put_value(json_printer *p, const tern_type *type, const tern_field *field, const void *value) {
    const tern_bytes *view = value;
    switch (field->kind) {
    case TERN_STRING: put_json_string(p, view->data, view->len); break;
    case TERN_BYTES: put_base64(p, view->data, view->len); break;
    case TERN_MESSAGE:
    case TERN_GROUP: put_json_message(p, type->subs[field->sub], value); break;
    case TERN_ENUM: put_json_enum(p, type->enums[field->sub], (int32_t)tern__load32(value)); break;
    case TERN_FLOAT:
    case TERN_DOUBLE: put_json_floating(p, field->kind, value); break;
    case TERN_INT64:
    case TERN_UINT64:
    case TERN_SINT64:
    case TERN_FIXED64:
    case TERN_SFIXED64: put_quoted_integer(p, field->kind, value); break;
    default: tern__text_put_integer(&p->w, field->kind, value); break;
    }
}

static void put_key(json_printer *p, const tern_field *key, const void *value) {
    const tern_str *view = value;
    if (key->kind == TERN_STRING)
        put_json_string(p, view->data, view->len);
    else
        put_quoted_integer(p, key->kind, value);
}

static void count_json_elements(json_printer *p, size_t n) {
    int err = walk_spend(&p->budget, n);
    if (err) tern__text_fail(&p->w, err);
}

/* An entry's message may be missing: that is the empty one. */
static void put_entry_value(json_printer *p, const tern_type *entry, const void *msg) {
    static const uint64_t zeros[64];
    const tern_field *field = &entry->fields[1];
    const void *value = member_of(field, msg);
    if (kind_is_message(field->kind) && !(value = child_of(field, msg))) {
        if (entry->subs[field->sub]->size_bytes > sizeof zeros) {
            put_raw_json(p, "{}");
            return;
        }
        value = zeros;
    }
    if (kind_is_message(field->kind)) count_json_elements(p, 1);
    put_value(p, entry, field, value);
}

static void put_json_map(json_printer *p, const tern_type *entry, const tern_map *map, size_t entry_bytes) {
    bool empty = true;
    count_json_elements(p, map->len);
    open_bracket(p, "{");
    for (size_t i = 0; i < map->len && !p->w.err; i++) {
        const uint8_t *msg = (const uint8_t *)map->data + i * entry_bytes;
        begin_item(p, &empty);
        put_key(p, &entry->fields[0], member_of(&entry->fields[0], msg));
        put_colon(p);
        put_entry_value(p, entry, msg);
    }
    close_bracket(p, "}", empty);
}

static void put_json_list(json_printer *p, const tern_type *type, const tern_field *field, const tern_list *list) {
    bool empty = true;
    open_bracket(p, "[");
    if (kind_is_message(field->kind)) count_json_elements(p, list->len);
    for (size_t i = 0; i < list->len && !p->w.err; i++) {
        const void *value = list_message(field, list, i);
        begin_item(p, &empty);
        if (value)
            put_value(p, type, field, value);
        else
            tern__text_fail(&p->w, TERN_ERR_INVALID);
    }
    close_bracket(p, "]", empty);
}

static void put_singular(json_printer *p, const tern_type *type, const tern_field *field, const void *msg) {
    if (kind_is_message(field->kind)) {
        count_json_elements(p, 1);
        put_value(p, type, field, child_of(field, msg));
    } else {
        put_value(p, type, field, member_of(field, msg));
    }
}

/* Whatever a member holds; of a singular message, which must be there, the message. */
static void put_member(json_printer *p, const tern_type *type, const tern_field *field, const void *msg) {
    const void *member = member_of(field, msg);
    if (field->flags & TERN_FIELD_MAP)
        put_json_map(p, type->subs[field->sub], member, field->elem_bytes);
    else if (field->flags & TERN_FIELD_REPEATED)
        put_json_list(p, type, field, member);
    else
        put_singular(p, type, field, msg);
}

/* Fields that print_defaults asks for though they are not set. */
static bool has_default(const tern_field *field) {
    if (field->flags & TERN_FIELD_REPEATED) return true;
    return !(field->flags & (TERN_FIELD_HAS | TERN_FIELD_ONEOF | TERN_FIELD_REQUIRED)) && !kind_is_message(field->kind);
}

static void put_members(json_printer *p, const tern_type *type, const void *msg, bool *empty) {
    for (uint32_t i = 0; i < type->n_fields && !p->w.err; i++) {
        const tern_field *field = &type->fields[i];
        if (!member_is_set(type, field, msg) && !(p->o.print_defaults && has_default(field))) continue;
        begin_item(p, empty);
        put_json_name(p, type, field);
        put_member(p, type, field, msg);
    }
}

/* ---- Well-known types ---------------------------------------------------------------------------- */

static const void *const_member_numbered(const tern_type *type, uint32_t number, const void *msg) {
    return member_of(tern_type_field(type, number), msg);
}

static void put_time(json_printer *p, const tern_type *type, const void *msg, bool duration) {
    int64_t seconds = (int64_t)tern__load64(const_member_numbered(type, 1, msg));
    int32_t nanos = (int32_t)tern__load32(const_member_numbered(type, 2, msg));
    put_raw_json(p, "\"");
    if (duration)
        tern__wkt_put_duration(&p->w, seconds, nanos);
    else
        tern__wkt_put_timestamp(&p->w, seconds, nanos);
    put_raw_json(p, "\"");
}

static void put_field_mask(json_printer *p, const tern_type *type, const void *msg) {
    const tern_list_str *paths = const_member_numbered(type, 1, msg);
    put_raw_json(p, "\"");
    for (size_t i = 0; i < paths->len && !p->w.err; i++) {
        if (i) put_raw_json(p, ",");
        if (paths->data[i].len == 0)
            tern__text_fail(&p->w, TERN_ERR_INVALID); /* it would be no path at all */
        else if (!tern__utf8_valid(paths->data[i].data, paths->data[i].len))
            tern__text_fail(&p->w, TERN_ERR_UTF8);
        tern__wkt_put_path(&p->w, paths->data[i]);
    }
    put_raw_json(p, "\"");
}

/* A Value in which nothing is set has no form of its own; null is nearest. */
static void put_dynamic(json_printer *p, const tern_type *type, const void *msg) {
    for (uint32_t number = VALUE_NULL; number <= VALUE_LIST; number++) {
        const tern_field *field = tern_type_field(type, number);
        if (!member_is_set(type, field, msg)) continue;
        double value = 0;
        if (number == VALUE_NUMBER) memcpy(&value, member_of(field, msg), sizeof value);
        if (!isfinite(value)) tern__text_fail(&p->w, TERN_ERR_INVALID);
        if (number == VALUE_NULL) break;
        put_member(p, type, field, msg);
        return;
    }
    put_raw_json(p, "null");
}

/* The type behind an Any's URL: the name after its last slash. */
static const tern_type *find_type_of_url(const tern_registry *registry, tern_str url) {
    size_t start = url.len;
    while (start > 0 && url.data[start - 1] != '/') start--;
    return start ? tern_registry_find(registry, (tern_str){url.data + start, url.len - start}) : NULL;
}

static void *decode_content(json_printer *p, const tern_type *type, const tern_bytes *content) {
    void *msg = p->o.scratch ? tern_arena_alloc(p->o.scratch, type->size_bytes) : NULL;
    int err = msg ? tern_protobuf_decode(type, content->data, content->len, p->o.scratch, TERN_DECODE_ALIAS, NULL, msg)
                  : TERN_ERR_NOMEM;
    if (err) tern__text_fail(&p->w, err);
    return err ? NULL : msg;
}

/* The rest of an Any, behind its "@type". */
static void put_json_content(json_printer *p, const tern_type *type, const void *msg, bool *empty) {
    if (tern__wkt_of(type) == WKT_NONE) {
        put_members(p, type, msg, empty);
        return;
    }
    begin_item(p, empty);
    put_raw_json(p, "\"value\"");
    put_colon(p);
    put_json_message(p, type, msg);
}

/* An object in a heap. */
static void put_json_typed(json_printer *p, const tern_type *type, const void *msg) {
    bool empty = true;
    if (p->depth_left == 0) tern__text_fail(&p->w, TERN_ERR_LIMIT);
    if (p->w.err) return;
    p->depth_left--;
    open_bracket(p, "{");
    begin_item(p, &empty);
    put_raw_json(p, "\"@type\"");
    put_colon(p);
    put_raw_json(p, "\"");
    put_raw_json(p, object_url_prefix);
    put_raw_json(p, type->name);
    put_raw_json(p, "\"");
    put_json_content(p, type, msg, &empty);
    close_bracket(p, "}", empty);
    p->depth_left++;
}

static void put_json_any(json_printer *p, const tern_type *type, const void *msg) {
    object_form form = object_form_of(&type, msg);
    if (form == OBJECT_WRONG) tern__text_fail(&p->w, TERN_ERR_INVALID);
    if (form == OBJECT_TYPED) put_json_typed(p, type, msg);
    if (form != OBJECT_ENCODED) return;
    const tern_str *url = const_member_numbered(type, 1, msg);
    const tern_bytes *content = const_member_numbered(type, 2, msg);
    if (url->len == 0 && content->len == 0) {
        put_raw_json(p, "{}");
        return;
    }
    const tern_type *sub = find_type_of_url(p->o.registry, *url);
    if (!sub) {
        tern__text_fail(&p->w, TERN_ERR_NOT_FOUND);
        return;
    }
    const void *inner = decode_content(p, sub, content);
    if (!inner) return;
    bool empty = true;
    open_bracket(p, "{");
    begin_item(p, &empty);
    put_raw_json(p, "\"@type\"");
    put_colon(p);
    put_json_string(p, url->data, url->len);
    put_json_content(p, sub, inner, &empty);
    close_bracket(p, "}", empty);
}

static void put_ordinary(json_printer *p, const tern_type *type, const void *msg) {
    bool empty = true;
    open_bracket(p, "{");
    put_members(p, type, msg, &empty);
    close_bracket(p, "}", empty);
}

static void put_json_message(json_printer *p, const tern_type *type, const void *msg) {
    if (p->depth_left == 0) tern__text_fail(&p->w, TERN_ERR_LIMIT);
    if (p->w.err) return;
    p->depth_left--;
    switch (tern__wkt_of(type)) {
    case WKT_ANY: put_json_any(p, type, msg); break;
    case WKT_DURATION: put_time(p, type, msg, true); break;
    case WKT_TIMESTAMP: put_time(p, type, msg, false); break;
    case WKT_FIELD_MASK: put_field_mask(p, type, msg); break;
    case WKT_VALUE: put_dynamic(p, type, msg); break;
    case WKT_LIST_VALUE:
    case WKT_STRUCT:
    case WKT_WRAPPER: put_member(p, type, tern_type_field(type, 1), msg); break;
    case WKT_NONE: put_ordinary(p, type, msg); break;
    }
    p->depth_left++;
}

/* ---- Entry points -------------------------------------------------------------------------------- */

/* Prints into what p->w names: returns 0, or an error when nothing was begun. */
static int print_json(json_printer *p, const tern_type *type, const void *msg, const tern_json_options *options) {
    tern_json_options_init(&p->o);
    if (options && tern__sized_read(&p->o, sizeof p->o, options) != TERN__SIZED_FINE) return TERN_ERR_INVALID;
    if (p->o.indent > INDENT_MAX) return TERN_ERR_INVALID;
    if (p->w.arena) p->o.scratch = p->w.arena;
    p->depth_left = MESSAGE_MAX_DEPTH;
    walk_budget_init(&p->budget, type, msg);
    put_json_message(p, type, msg);
    return 0;
}

int64_t tern_json_encode(const tern_type *type, const void *msg, const tern_json_options *options, char *out,
                         size_t cap) {
    json_printer p = {.w = {.data = out, .cap = cap}};
    int err = print_json(&p, type, msg, options);
    return err ? err : tern__text_finish_room(&p.w);
}

int tern_json_print(const tern_type *type, const void *msg, const tern_json_options *options, tern_arena *arena,
                    tern_str *text) {
    json_printer p = {.w = {.arena = arena}};
    int err = print_json(&p, type, msg, options);
    return err ? err : tern__text_finish_arena(&p.w, text);
}
