/* JSON decoding, straight from the text into the struct, by the type table.
 *
 * Invariants: the scanner never passes its end; memory comes from the arena alone, and every element, entry and
 * sub-message is counted against the limit first; depth counts messages as the protobuf decoder does, so that what is
 * decoded here can be encoded there. */
#include "codec/complete.h"
#include "codec/json_reader.h"
#include "codec/limits.h"
#include "codec/text_number.h"
#include "type/walk.h"

/* An Any may name its type after its other members. How often the same bytes are then read is bounded. */
enum { LOOKAHEAD_FACTOR = 16 };

/* Any message in its JSON form into msg, which is zeroed. */
static bool read_json_message(json_reader *r, const tern_type *type, void *msg);

/* A zeroed message from the arena, counted; NULL after an error. */
static void *new_json_message(json_reader *r, const tern_type *type) {
    if (!json_take_elements(r, 1)) return NULL;
    void *msg = tern_arena_alloc(r->s.arena, type->size_bytes);
    if (!msg) {
        tern__json_fail(&r->s, TERN_ERR_NOMEM, "out of memory");
        return NULL;
    }
    return memset(msg, 0, type->size_bytes);
}

/* ---- Numbers ------------------------------------------------------------------------------------- */

/* A number, bare or as a string. */
static bool read_number_text(json_reader *r, tern_str *text) {
    if (tern__json_peek(&r->s) != '"') return tern__json_number(&r->s, text);
    if (!tern__json_string(&r->s, false, text)) return false;
    return tern__number_valid(*text) ? true : refuse(r, "the string holds no number");
}

static bool is_signed_kind(unsigned kind) {
    return kind == TERN_INT32 || kind == TERN_INT64 || kind == TERN_SINT32 || kind == TERN_SINT64 ||
           kind == TERN_SFIXED32 || kind == TERN_SFIXED64 || kind == TERN_ENUM;
}

/* Stores an integer of a kind that is 4 or 8 bytes wide, if it fits. */
static bool store_integer(json_reader *r, tern_str text, unsigned kind, size_t elem_bytes, void *out) {
    uint64_t magnitude, max = elem_bytes == 4 ? UINT32_MAX : UINT64_MAX;
    bool negative = false, is_signed = is_signed_kind(kind);
    if (!tern__number_read_integer(text, &magnitude, &negative)) return refuse(r, "not an integer of 64 bits");
    if (is_signed) max = negative ? max / 2 + 1 : max / 2;
    if (magnitude > max || (negative && magnitude && !is_signed)) return refuse(r, "the integer is out of range");
    uint64_t value = negative ? 0 - magnitude : magnitude;
    memcpy(out, &value, elem_bytes);
    return true;
}

static bool read_integer(json_reader *r, unsigned kind, size_t elem_bytes, void *out) {
    tern_str text;
    return read_number_text(r, &text) && store_integer(r, text, kind, elem_bytes, out);
}

static bool is_special(tern_str text, double *value) {
    if (tern_str_eq(text, tern_str_of("NaN")))
        *value = __builtin_nan("");
    else if (tern_str_eq(text, tern_str_of("Infinity")))
        *value = __builtin_inf();
    else if (tern_str_eq(text, tern_str_of("-Infinity")))
        *value = -__builtin_inf();
    else
        return false;
    return true;
}

static bool read_floating(json_reader *r, unsigned kind, void *out) {
    tern_str text;
    double number = 0;
    float single = 0;
    bool quoted = tern__json_peek(&r->s) == '"';
    if (quoted ? !tern__json_string(&r->s, false, &text) : !tern__json_number(&r->s, &text)) return false;
    if (quoted && is_special(text, &number)) {
        single = (float)number;
    } else {
        if (quoted && !tern__number_valid(text)) return refuse(r, "the string holds no number");
        int err = kind == TERN_FLOAT ? tern__number_read_float(text, r->s.arena, &single)
                                     : tern__number_read_double(text, r->s.arena, &number);
        if (err == TERN_ERR_NOMEM) return tern__json_fail(&r->s, err, "out of memory");
        if (err) return refuse(r, "the number is out of range");
    }
    if (kind == TERN_FLOAT)
        memcpy(out, &single, sizeof single);
    else
        memcpy(out, &number, sizeof number);
    return true;
}

/* ---- Other scalars ------------------------------------------------------------------------------- */

static bool read_bool(json_reader *r, void *out) {
    bool value = tern__json_peek(&r->s) == 't';
    if (!tern__json_word(&r->s, value ? "true" : "false")) return false;
    *(uint8_t *)out = value;
    return true;
}

/* A name or a number. A number that a closed enum does not list is no value. */
static bool read_json_enum(json_reader *r, const tern_enum *enumeration, void *out) {
    tern_str text;
    int32_t number = 0;
    char c = tern__json_peek(&r->s);
    if (c == 'n' && tern__wkt_is_null(enumeration)) {
        if (!tern__json_word(&r->s, "null")) return false;
    } else if (c == '"') {
        if (!tern__json_string(&r->s, false, &text)) return false;
        if (tern_enum_number(enumeration, text, &number) != 0) {
            r->dropped = r->o.ignore_unknown;
            return r->dropped ? true : refuse(r, "the enum has no value of this name");
        }
    } else {
        if (!read_integer(r, TERN_ENUM, sizeof number, &number)) return false;
        if (enumeration->closed && !tern_enum_name(enumeration, number)) {
            r->dropped = r->o.ignore_unknown;
            return r->dropped ? true : refuse(r, "the enum has no value of this number");
        }
    }
    memcpy(out, &number, sizeof number);
    return true;
}

static bool read_scalar(json_reader *r, const tern_type *type, const tern_field *field, void *out) {
    switch (field->kind) {
    case TERN_BOOL: return read_bool(r, out);
    case TERN_STRING: return tern__json_string(&r->s, true, out);
    case TERN_BYTES: return tern__json_read_bytes(r, out);
    case TERN_ENUM: return read_json_enum(r, type->enums[field->sub], out);
    case TERN_FLOAT:
    case TERN_DOUBLE: return read_floating(r, field->kind, out);
    default: return read_integer(r, field->kind, field->elem_bytes, out);
    }
}

/* ---- Fields -------------------------------------------------------------------------------------- */

/* Whether a field takes null as a value of its own: google.protobuf.Value and NullValue. */
static bool takes_null(const tern_type *type, const tern_field *field) {
    if (field->kind == TERN_ENUM) return tern__wkt_is_null(type->enums[field->sub]);
    return field->kind == TERN_MESSAGE && tern__wkt_of(type->subs[field->sub]) == WKT_VALUE;
}

/* Within a list or map there is nothing that null could leave unset. */
static bool check_null(json_reader *r, const tern_type *type, const tern_field *field) {
    if (tern__json_peek(&r->s) != 'n' || takes_null(type, field)) return true;
    return refuse(r, "null in a list or map");
}

static bool out_of_memory(json_reader *r) { return tern__json_fail(&r->s, TERN_ERR_NOMEM, "out of memory"); }

/* A message of a list of pointers, which was counted as an element. */
static bool read_pointed_to(json_reader *r, const tern_type *sub, void *element) {
    void *msg = tern_arena_zalloc(r->s.arena, sub->size_bytes);
    if (!msg) return out_of_memory(r);
    memcpy(element, &msg, sizeof msg);
    return read_json_message(r, sub, msg);
}

static bool read_list_value(json_reader *r, const tern_type *type, const tern_field *field, void *out) {
    if (!kind_is_message(field->kind)) return read_scalar(r, type, field, out);
    const tern_type *sub = type->subs[field->sub];
    return holds_pointers(field) ? read_pointed_to(r, sub, out) : read_json_message(r, sub, out);
}

static bool read_list(json_reader *r, const tern_type *type, const tern_field *field, tern_list *list) {
    if (!tern__json_expect(&r->s, '[')) return false;
    for (size_t n = 0; tern__json_next(&r->s, ']', &n);) {
        if (!json_take_elements(r, 1) || !check_null(r, type, field)) return false;
        if (tern_list_reserve(list, list->len + 1, field->elem_bytes, r->s.arena) != 0) return out_of_memory(r);
        void *out = (uint8_t *)list->data + list->len * field->elem_bytes;
        r->dropped = false;
        if (!read_list_value(r, type, field, out)) return false;
        if (!r->dropped) list->len++;
        r->dropped = false;
    }
    return !r->s.err;
}

/* A key or value of a map while it is read: a number, a view, or a pointer to a message. */
typedef union slot {
    uint64_t number;
    tern_bytes view;
    void *message;
} slot;

static bool read_key(json_reader *r, const tern_field *key, slot *out) {
    tern_str text;
    if (key->kind == TERN_STRING) return tern__json_name(&r->s, true, (tern_str *)(void *)&out->view);
    if (!tern__json_name(&r->s, false, &text)) return false;
    if (key->kind != TERN_BOOL) {
        if (!tern__number_valid(text)) return refuse(r, "the key is no number");
        return store_integer(r, text, key->kind, key->elem_bytes, out);
    }
    bool is_true = tern_str_eq(text, tern_str_of("true"));
    if (!is_true && !tern_str_eq(text, tern_str_of("false"))) return refuse(r, "the key is neither true nor false");
    out->number = is_true;
    return true;
}

static bool read_entry_value(json_reader *r, const tern_type *entry, slot *out) {
    const tern_field *field = &entry->fields[1];
    r->dropped = false;
    if (!check_null(r, entry, field)) return false;
    if (!kind_is_message(field->kind)) return read_scalar(r, entry, field, out);
    out->message = new_json_message(r, entry->subs[field->sub]);
    return out->message && read_json_message(r, entry->subs[field->sub], out->message);
}

static bool insert_entry(json_reader *r, const tern_type *entry, tern_map *map, const slot *key, const slot *value) {
    size_t before = map->len;
    uint8_t *place = tern_map_insert(entry, map, key, r->s.arena);
    if (!place) return tern__json_fail(&r->s, TERN_ERR_NOMEM, "out of memory");
    if (map->len == before) return refuse(r, "the map has this key already");
    memcpy(place + entry->fields[1].offset, value, entry->fields[1].elem_bytes);
    return true;
}

/* Keys and values are read before the entry is made, so that a dropped one leaves no trace. An entry is a level of
 * depth because it is a message on the wire. */
static bool read_map(json_reader *r, const tern_type *entry, tern_map *map) {
    if (!tern__json_expect(&r->s, '{')) return false;
    if (r->s.depth_left == 0) return tern__json_fail(&r->s, TERN_ERR_LIMIT, "nested too deep");
    r->s.depth_left--;
    for (size_t n = 0; tern__json_next(&r->s, '}', &n);) {
        slot key = {0}, value = {0};
        if (!json_take_elements(r, 1) || !read_key(r, &entry->fields[0], &key)) return false;
        if (!read_entry_value(r, entry, &value)) return false;
        if (!r->dropped && !insert_entry(r, entry, map, &key, &value)) return false;
        r->dropped = false;
    }
    r->s.depth_left++;
    return !r->s.err;
}

static bool read_json_child(json_reader *r, const tern_type *sub, void *member) {
    void *child = new_json_message(r, sub);
    if (!child || !read_json_message(r, sub, child)) return false;
    memcpy(member, &child, sizeof child);
    return true;
}

/* The value of a field, which is not null: a list, a map, a message or a scalar. The case of a oneof is set. */
static bool read_json_field(json_reader *r, const tern_type *type, const tern_field *field, void *msg) {
    void *member = (uint8_t *)msg + field->offset;
    if (field->flags & TERN_FIELD_MAP) return read_map(r, type->subs[field->sub], member);
    if (field->flags & TERN_FIELD_REPEATED) return read_list(r, type, field, member);
    uint32_t *which = field->flags & TERN_FIELD_ONEOF ? (uint32_t *)(void *)((uint8_t *)msg + field->has * 4u) : NULL;
    if (which && *which) return refuse(r, "another member of the oneof is set already");
    slot value = {0};
    r->dropped = false;
    if (kind_is_message(field->kind)) {
        if (!read_json_child(r, type->subs[field->sub], &value)) return false;
    } else if (!read_scalar(r, type, field, &value)) {
        return false;
    }
    if (!r->dropped) {
        memcpy(member, &value, kind_is_message(field->kind) ? sizeof(void *) : field->elem_bytes);
        if (which) *which = field->number;
        if (field->flags & TERN_FIELD_HAS) *presence_word(type, field, msg) |= 1u << field->has % 32;
    }
    r->dropped = false;
    return true;
}

/* ---- Objects ------------------------------------------------------------------------------------- */

/* Whether `key` is the lowerCamelCase of a field's name. */
static bool is_camel_case_of(const char *name, tern_str key) {
    size_t n = 0;
    for (bool upper = false; *name; name++) {
        char c = upper && *name >= 'a' && *name <= 'z' ? (char)(*name - 'a' + 'A') : *name;
        upper = c == '_';
        if (upper) continue;
        if (n == key.len || key.data[n++] != c) return false;
    }
    return n == key.len;
}

static bool is_same(const char *name, tern_str key) {
    for (size_t i = 0; i < key.len; i++)
        if (name[i] != key.data[i] || name[i] == 0) return false;
    return name[key.len] == 0;
}

static bool is_name_of(const tern_type *type, uint32_t i, tern_str key) {
    const char *name = type->field_names[i], *json_name = type->json_names ? type->json_names[i] : NULL;
    return (json_name ? is_same(json_name, key) : is_camel_case_of(name, key)) || is_same(name, key);
}

/* The field that a member names, or NULL. Most texts have their members in the order of the fields: *from, where
 * the search starts, is left after the field found. */
static const tern_field *find_named_field(const tern_type *type, tern_str key, uint32_t *from) {
    for (uint32_t n = 0, i = *from; n < type->n_fields; n++, i++) {
        if (i >= type->n_fields) i = 0;
        if (!is_name_of(type, i, key)) continue;
        *from = i + 1;
        return &type->fields[i];
    }
    return NULL;
}

/* Which fields of a message came. Small messages need no memory for this set. */
typedef struct seen_set {
    uint64_t small[4];
    uint64_t *words;
} seen_set;

static bool seen_init(json_reader *r, const tern_type *type, seen_set *seen) {
    memset(seen->small, 0, sizeof seen->small);
    seen->words = seen->small;
    if (type->n_fields <= 64 * TERN__COUNT(seen->small)) return true;
    seen->words = tern_arena_zalloc(r->s.arena, (type->n_fields + 63) / 64 * sizeof(uint64_t));
    return seen->words ? true : tern__json_fail(&r->s, TERN_ERR_NOMEM, "out of memory");
}

static bool read_member(json_reader *r, const tern_type *type, const tern_field *field, seen_set *seen, void *msg) {
    size_t i = (size_t)(field - type->fields);
    if (seen->words[i / 64] >> i % 64 & 1) return refuse(r, "the member comes twice");
    seen->words[i / 64] |= (uint64_t)1 << i % 64;
    bool single = !(field->flags & TERN_FIELD_REPEATED);
    if (tern__json_peek(&r->s) == 'n' && !(single && takes_null(type, field))) return tern__json_word(&r->s, "null");
    return read_json_field(r, type, field, msg);
}

/* The members of an object whose opening brace was taken, its closing brace too. A member of the name `except`, unless
 * NULL, is skipped. */
static bool read_json_members(json_reader *r, const tern_type *type, const char *except, void *msg) {
    seen_set seen;
    uint32_t from = 0, n_excepted = 0;
    if (!seen_init(r, type, &seen)) return false;
    for (size_t n = 0; tern__json_next(&r->s, '}', &n);) {
        tern_str name;
        tern__json_peek(&r->s);
        const char *at = r->s.p;
        if (!tern__json_name(&r->s, false, &name)) return false;
        const tern_field *field = NULL;
        bool skipped = except && tern_str_eq(name, tern_str_of(except));
        if (skipped && n_excepted++) return refuse(r, "the member comes twice");
        if (!skipped && !(field = find_named_field(type, name, &from)) && !r->o.ignore_unknown) {
            r->s.p = at;
            return refuse(r, "the message has no field of this name");
        }
        if (field ? !read_member(r, type, field, &seen, msg) : !tern__json_skip(&r->s)) return false;
    }
    return !r->s.err;
}

/* ---- Well-known types ------------------------------------------------------------------------------ */

/* A google.protobuf.Value: what it holds shows in its first character. */
static bool read_dynamic(json_reader *r, const tern_type *type, void *msg) {
    uint32_t number = VALUE_NUMBER;
    switch (tern__json_peek(&r->s)) {
    case 'n': number = VALUE_NULL; break;
    case '"': number = VALUE_STRING; break;
    case 't':
    case 'f': number = VALUE_BOOL; break;
    case '{': number = VALUE_STRUCT; break;
    case '[': number = VALUE_LIST; break;
    default: break;
    }
    const tern_field *field = tern_type_field(type, number);
    if (number != VALUE_NULL) return read_json_field(r, type, field, msg);
    if (!tern__json_word(&r->s, "null")) return false;
    memcpy((uint8_t *)msg + field->has * 4u, &number, sizeof number);
    return true;
}

/* Reads ahead for the member "@type", to leave the scanner where it was. An object without members has none, nor
 * needs one: *url is then empty. */
static bool find_url(json_reader *r, tern_str *url) {
    const char *start = r->s.p;
    *url = (tern_str){NULL, 0};
    for (size_t n = 0; tern__json_next(&r->s, '}', &n);) {
        tern_str name;
        if (!tern__json_name(&r->s, false, &name)) return false;
        if (tern_str_eq(name, tern_str_of("@type"))) {
            if (!tern__json_string(&r->s, true, url)) return false;
            if (url->len == 0) return refuse(r, "\"@type\" is empty");
            break;
        }
        if (!tern__json_skip(&r->s)) return false;
        if ((size_t)(r->s.p - start) > r->lookahead_left)
            return tern__json_fail(&r->s, TERN_ERR_LIMIT, "\"@type\" comes too late, too often");
    }
    if (r->s.err) return false;
    r->lookahead_left -= (size_t)(r->s.p - start) < r->lookahead_left ? (size_t)(r->s.p - start) : r->lookahead_left;
    r->s.p = start;
    return true;
}

static const tern_type *type_of_url(json_reader *r, tern_str url) {
    size_t start = url.len;
    while (start > 0 && url.data[start - 1] != '/') start--;
    if (start == 0) {
        refuse(r, "\"@type\" is no URL of a type");
        return NULL;
    }
    const tern_type *type = tern_registry_find(r->o.registry, (tern_str){url.data + start, url.len - start});
    if (!type) tern__json_fail(&r->s, TERN_ERR_NOT_FOUND, "\"@type\" names a type that is not registered");
    return type;
}

/* The content of an Any whose type has a form of its own stands under "value". */
static bool read_value_member(json_reader *r, const tern_type *type, void *msg) {
    size_t n_values = 0, n_types = 0;
    for (size_t n = 0; tern__json_next(&r->s, '}', &n);) {
        tern_str name;
        if (!tern__json_name(&r->s, false, &name)) return false;
        bool is_type = tern_str_eq(name, tern_str_of("@type")), is_value = tern_str_eq(name, tern_str_of("value"));
        if ((is_type && n_types++) || (is_value && n_values++)) return refuse(r, "the member comes twice");
        if (!is_type && !is_value && !r->o.ignore_unknown) return refuse(r, "only \"value\" is expected");
        if (is_value ? !read_json_message(r, type, msg) : !tern__json_skip(&r->s)) return false;
    }
    if (r->s.err) return false;
    return n_values ? true : refuse(r, "\"value\" is missing");
}

/* The content of an Any is encoded as protobuf. */
static bool pack(json_reader *r, const tern_type *type, const void *content, tern_bytes *out) {
    int64_t len = tern_protobuf_size(type, content);
    if (len == TERN_ERR_INVALID) return refuse(r, "a required field is missing");
    if (len < 0) return tern__json_fail(&r->s, (int)len, "the content of an Any is too large");
    void *data = tern_arena_alloc(r->s.arena, (size_t)len);
    if (!data) return tern__json_fail(&r->s, TERN_ERR_NOMEM, "out of memory");
    if (tern_protobuf_encode(type, content, data, (size_t)len) != len)
        return tern__json_fail(&r->s, TERN_ERR_LIMIT, "the content of an Any is too large");
    *out = (tern_bytes){data, (size_t)len};
    return true;
}

static bool read_any(json_reader *r, const tern_type *type, void *msg) {
    tern_str url;
    if (!tern__json_expect(&r->s, '{') || !find_url(r, &url)) return false;
    if (url.len == 0) {
        size_t n = 0;
        if (tern__json_next(&r->s, '}', &n)) return refuse(r, "\"@type\" is missing");
        return !r->s.err;
    }
    const tern_type *sub = type_of_url(r, url);
    void *content = sub ? new_json_message(r, sub) : NULL;
    if (!content) return false;
    bool ok = tern__wkt_of(sub) == WKT_NONE ? read_json_members(r, sub, "@type", content)
                                            : read_value_member(r, sub, content);
    if (!ok || !pack(r, sub, content, member_numbered(type, 2, msg))) return false;
    memcpy(member_numbered(type, 1, msg), &url, sizeof url);
    return true;
}

static bool read_well_known(json_reader *r, wkt which, const tern_type *type, void *msg) {
    switch (which) {
    case WKT_ANY: return read_any(r, type, msg);
    case WKT_DURATION: return tern__json_read_time(r, type, true, msg);
    case WKT_TIMESTAMP: return tern__json_read_time(r, type, false, msg);
    case WKT_FIELD_MASK: return tern__json_read_field_mask(r, type, msg);
    case WKT_VALUE: return read_dynamic(r, type, msg);
    default: return read_json_field(r, type, tern_type_field(type, 1), msg);
    }
}

/* ---- Messages -------------------------------------------------------------------------------------- */

static bool read_json_message(json_reader *r, const tern_type *type, void *msg) {
    if (r->s.depth_left == 0) return tern__json_fail(&r->s, TERN_ERR_LIMIT, "nested too deep");
    r->s.depth_left--;
    wkt which = tern__wkt_of(type);
    bool ok = which == WKT_NONE ? tern__json_expect(&r->s, '{') && read_json_members(r, type, NULL, msg)
                                : read_well_known(r, which, type, msg);
    r->s.depth_left++;
    return ok;
}

/* ---- Entry point --------------------------------------------------------------------------------- */

static tern_json_error describe_error(const json_scan *s) {
    tern_json_error error = {.offset = (size_t)(s->at - s->begin), .line = 1, .column = 1, .text = s->why};
    for (const char *p = s->begin; p < s->at; p++) {
        error.column++;
        if (*p != '\n') continue;
        error.line++;
        error.column = 1;
    }
    return error;
}

static void report_error(const json_reader *r) {
    tern_json_error error = describe_error(&r->s);
    tern__sized_write(r->o.error, r->o.error_size, &error, sizeof error);
}

static bool decode_json(json_reader *r, const tern_type *type, size_t len, void *msg) {
    if (len > r->limits->max_bytes) return tern__json_fail(&r->s, TERN_ERR_LIMIT, "the text is too long");
    if (!read_json_message(r, type, msg) || !tern__json_end(&r->s)) return false;
    int err = tern__message_check_complete(type, msg, r->limits->max_elements);
    return err ? tern__json_fail(&r->s, err, "a required field is missing") : true;
}

int tern_json_decode(const tern_type *type, const void *data, size_t len, const tern_json_options *options,
                     tern_arena *arena, void *msg) {
    json_reader r = {.s = {.arena = arena}};
    tern_limits own;
    tern_json_options_init(&r.o);
    if (options && tern__sized_read(&r.o, sizeof r.o, options) != TERN__SIZED_FINE) return TERN_ERR_INVALID;
    r.limits = tern__limits_of(r.o.limits, &own);
    if (!r.limits) return TERN_ERR_INVALID;
    if (len == 0) data = ""; /* so that no arithmetic is done on NULL */
    r.s.begin = r.s.p = data;
    r.s.end = r.s.begin + len;
    r.s.depth_left = r.limits->max_depth < DECODE_DEPTH_CEILING ? r.limits->max_depth : DECODE_DEPTH_CEILING;
    r.elements_left = r.limits->max_elements;
    r.lookahead_left = len < SIZE_MAX / LOOKAHEAD_FACTOR ? len * LOOKAHEAD_FACTOR : SIZE_MAX;
    memset(msg, 0, type->size_bytes);
    bool ok = decode_json(&r, type, len, msg);
    if (!ok && r.o.error) report_error(&r);
    return ok ? 0 : r.s.err;
}
