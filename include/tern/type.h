/* Type tables: what every format of tern knows about a message.
 *
 * protoc-gen-tern emits, for each message, a C struct and one constant tern_type. Codecs read the
 * table and the struct and nothing else, so a new format never needs new generated code.
 *
 * How a field lies in its struct, by label and kind:
 *   singular scalar, enum, bool    the C type (int32_t, uint64_t, float, double, bool; enums int32_t)
 *   string, bytes                  tern_str, tern_bytes: a view, never owned by the struct
 *   singular message, group        a pointer; NULL when absent; a `void *` for tern.Object
 *   repeated                       a list {data, len, cap} of the above; messages are stored by value, or as pointers
 *                                  where the schema says (tern.ref) = true
 *   map                            a list of entries {key, value} with an index behind it (tern_map)
 *   oneof                          an anonymous union of its members, and before it `<oneof>_case`, which
 *                                  holds the number of the member that is set, or 0
 *   presence                       one bit per field with explicit presence, in `struct { uint32_t
 *                                  name : 1; ... } has`, so that m.has.x reads, writes and prints well
 *   fields that the schema lacks   `unknown`, as they came (tern_unknown); or nothing, where the schema says
 *                                  (tern.message).no_unknown
 *
 * A zeroed struct is the empty message. Tables are constant and may be read from any thread. */
#ifndef TERN_TYPE_H
#define TERN_TYPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tern/err.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tern_arena;

/* A string: UTF-8, not necessarily NUL-terminated. */
typedef struct tern_str {
    const char *data;
    size_t len; /* bytes */
} tern_str;

typedef struct tern_bytes {
    const void *data;
    size_t len; /* bytes */
} tern_bytes;

/* Lists of scalars; generated code declares the same shape for each message type. All lists have this
 * one layout, so that codecs handle them alike. cap is 0 when the list borrows its data. */
#define TERN__LIST(name, type)                                                                                         \
    typedef struct name {                                                                                              \
        type *data;                                                                                                    \
        size_t len, cap; /* elements */                                                                                \
    } name
TERN__LIST(tern_list, void);
TERN__LIST(tern_list_i32, int32_t);
TERN__LIST(tern_list_i64, int64_t);
TERN__LIST(tern_list_u32, uint32_t);
TERN__LIST(tern_list_u64, uint64_t);
TERN__LIST(tern_list_f32, float);
TERN__LIST(tern_list_f64, double);
TERN__LIST(tern_list_bool, bool);
TERN__LIST(tern_list_str, tern_str);
TERN__LIST(tern_list_bytes, tern_bytes);

/* A map: a list of entries, each a struct {key, value}, in the order in which the keys first came. It begins like
 * a list. `index` is a hash table in the arena, made when a map has grown by tern_map_insert() or decoding; NULL
 * without one. Entries may be appended by hand: the table knows how many it covers and for which storage it was made,
 * and the others are searched linearly until the next insertion. Who changes keys, order or length otherwise sets it to
 * NULL. Of equal keys the last one counts. */
#define TERN__MAP(name, entry)                                                                                         \
    typedef struct name {                                                                                              \
        entry *data;                                                                                                   \
        size_t len, cap; /* entries */                                                                                 \
        struct tern_map_index *index;                                                                                  \
    } name
TERN__MAP(tern_map, void);

/* The fields of a message that its type does not know (extensions are such), encoded as in protobuf, in the order
 * in which they came; the protobuf codec keeps them and writes them again. A zeroed one is empty. */
typedef struct tern_unknown {
    const uint8_t *data;
    uint32_t len; /* bytes */
    uint32_t cap; /* bytes of the arena behind data; 0 when it borrows, from the input for instance */
} tern_unknown;

/* A field's type in the schema, with the numbers of google.protobuf.FieldDescriptorProto.Type. */
typedef enum tern_kind {
    TERN_DOUBLE = 1,
    TERN_FLOAT = 2,
    TERN_INT64 = 3,
    TERN_UINT64 = 4,
    TERN_INT32 = 5,
    TERN_FIXED64 = 6,
    TERN_FIXED32 = 7,
    TERN_BOOL = 8,
    TERN_STRING = 9,
    TERN_GROUP = 10, /* a message with another framing in protobuf */
    TERN_MESSAGE = 11,
    TERN_BYTES = 12,
    TERN_UINT32 = 13,
    TERN_ENUM = 14,
    TERN_SFIXED32 = 15,
    TERN_SFIXED64 = 16,
    TERN_SINT32 = 17,
    TERN_SINT64 = 18
} tern_kind;

enum {
    TERN_FIELD_REPEATED = 1,  /* the struct holds a list */
    TERN_FIELD_PACKED = 2,    /* protobuf writes the list packed; both forms are always read */
    TERN_FIELD_HAS = 4,       /* explicit presence: bit `has` of the presence words says set or not */
    TERN_FIELD_UTF8 = 8,      /* a string that must be valid UTF-8 (proto3) */
    TERN_FIELD_REQUIRED = 16, /* proto2 required */
    TERN_FIELD_ONEOF = 32,    /* set when the oneof's case word, at byte offset has * 4, holds the field's number */
    TERN_FIELD_MAP = 64,      /* the struct holds a tern_map; its sub-type has key = 1 and value = 2; also REPEATED */
    TERN_FIELD_CLOSED = 128,  /* of an enum: values that it does not list are unknown fields (proto2) */

    /* A list of pointers to messages, where other lists hold the messages themselves; also REPEATED, never MAP. No
     * format shows the difference. Pointers may be shared, and none is NULL: who meets a NULL says TERN_ERR_INVALID. */
    TERN_FIELD_POINTERS = 512,

    /* Of type tern.Object: the member is a `void *`, to a message of any type if it lies in a heap, else to a
     * tern_Object (tern/object.proto). A list of such is POINTERS. */
    TERN_FIELD_OBJECT = 2048,

    /* Reserved: no generator sets these flags yet, and tern_type_check() refuses a table that has one of them. Where
     * the values of such fields lie is known at run time alone, so it will stand beside the constant tables. */
    TERN_FIELD_GRAPH = 256,  /* a message that lies in a heap of objects and is sent with what it points to */
    TERN_FIELD_DEVICE = 1024 /* the value may lie in the memory of a device */
};

/* One field. Tables are written with TERN_FIELD(), which works out the last four. */
typedef struct tern_field {
    uint32_t number;     /* in the schema, from 1 */
    uint32_t offset;     /* of the member in the struct, bytes */
    uint32_t kind : 8;   /* a tern_kind */
    uint32_t flags : 24; /* TERN_FIELD_* */
    uint16_t sub;        /* index into tern_type.subs for messages, into .enums for enums; else 0 */
    uint16_t has;        /* presence bit, counted from bit 0 of the first presence word; of a oneof, see there */
    uint16_t elem_bytes; /* size of one value in the struct or list */
    uint16_t tag;        /* as protobuf writes it, little-endian: two bytes, or one in the upper half */
    uint8_t tag_bytes;   /* 1 or 2; 0 when it is longer */
    uint8_t shape;       /* the kind, plus TERN_SHAPE_*; TERN_SHAPE_OTHER for what has rules of its own */
    uint16_t unused;     /* 0 */
} tern_field;

enum {
    TERN_SHAPE_OTHER = 0, /* lists, maps, members of oneofs, groups, presence bits from 64 on, tags of three bytes */
    TERN_SHAPE_HAS = 32,  /* explicit presence */
    TERN_SHAPE_TAG2 = 64  /* a tag of two bytes */
};

/* One row of a table: a tern_field from its first seven members, which are constants. */
#define TERN_FIELD(number, offset, sub, has, kind, flags, elem_bytes)                                                  \
    {                                                                                                                  \
        number, offset, kind, flags, sub, has, elem_bytes, TERN__TAG(((number)&2047) * 8 + TERN__WIRE(kind, flags)),   \
            (number) > 2047 ? 0                                                                                        \
            : (number) > 15 ? 2                                                                                        \
                            : 1,                                                                                       \
            TERN__SHAPE(number, has, kind, flags), 0                                                                   \
    }
/* The wire type; an octal digit for each kind, the lowest for 0. */
#define TERN__WIRE(kind, flags) ((flags)&TERN_FIELD_PACKED ? 2 : (int)(015002232051000510u >> 3 * (kind)&7))
#define TERN__TAG(tag) (uint16_t)((tag) < 0x80 ? (tag) << 8 : (tag) + ((tag)&0x3f80) + 0x80)
#define TERN__SHAPE(number, has, kind, flags)                                                                          \
    ((number) > 2047 || (kind) == TERN_GROUP || (flags) & (TERN_FIELD_REPEATED | TERN_FIELD_ONEOF | TERN_FIELD_OBJECT) \
         ? TERN_SHAPE_OTHER                                                                                            \
     : !((flags)&TERN_FIELD_HAS)            ? (kind) | TERN__SHAPE_TAG(number)                                         \
     : (has) < 64 && (kind) != TERN_MESSAGE ? (kind) | TERN_SHAPE_HAS | TERN__SHAPE_TAG(number)                        \
                                            : TERN_SHAPE_OTHER)
#define TERN__SHAPE_TAG(number) ((number) > 15 ? TERN_SHAPE_TAG2 : 0)

typedef struct tern_enum_value {
    int32_t number;
    const char *name; /* "RED" */
} tern_enum_value;

typedef struct tern_enum {
    const char *name;              /* full name, "kv.Color" */
    const tern_enum_value *values; /* n_values, ascending by number; aliases in the order of declaration */
    uint32_t n_values;
    bool closed; /* proto2: other numbers are unknown */
} tern_enum;

enum {
    TERN_TYPE_MAP_ENTRY = 1, /* the entry of a map: key = 1, value = 2; its struct holds no unknown fields */
    TERN_TYPE_REQUIRED = 2,  /* it, or a type that it can contain, has required fields */
    /* Its struct holds no unknown fields: those that arrive are dropped. unknown_offset is TERN_NO_UNKNOWN() then. */
    TERN_TYPE_NO_UNKNOWN = 4,
    TERN_TYPE_OBJECT = 8 /* it is tern.Object */
};

/* The unknown_offset of such a type, from the offset of a member of at least 4 bytes: encoders look there as if the
 * member were the length of unknown fields, and ask for the flag when it is not 0. Other types cost them nothing. */
#define TERN_NO_UNKNOWN(offset) ((uint32_t)((offset)-offsetof(tern_unknown, len)))

/* The layout of all tables: tern_type, tern_field, tern_enum, tern_method and tern_service.
 *
 * Tables are compiled into programs and read by a library that may be older or newer. Generated code names the layout
 * of its tables: with a library that does not know this layout the program does not start, and the linker or loader
 * says which symbol is missing. A library that knows several tells them apart by tern_type.version.
 *
 * Tables that were made otherwise carry the version too. tern_type_check() reads it; so does each function that serves
 * a method (tern_serve(), <Service>_serve() and the like), and so do calls and streams, with the first of a method. The
 * codecs, and all functions of this header but tern_type_check(), read tables unchecked: whoever hands them a table
 * that was made at run time checks it once before. */
#define TERN_TYPE_VERSION 1
TERN_API extern const char tern__tables_1;
#define TERN_TABLES_1(name) static const char *const name##__tables __attribute__((used)) = &tern__tables_1

/* The same for tables of which a field is TERN_FIELD_POINTERS: a library that takes such a list for one of structs does
 * not have this symbol. */
TERN_API extern const char tern__tables_1_pointers;
#define TERN_TABLES_1_POINTERS(name)                                                                                   \
    static const char *const name##__tables __attribute__((used)) = &tern__tables_1_pointers

/* The same for tables of which a type is TERN_TYPE_NO_UNKNOWN, whatever else they have. */
TERN_API extern const char tern__tables_1_no_unknown;
#define TERN_TABLES_1_NO_UNKNOWN(name)                                                                                 \
    static const char *const name##__tables __attribute__((used)) = &tern__tables_1_no_unknown

/* The same for tables of which a field is TERN_FIELD_OBJECT, whatever else they have. */
TERN_API extern const char tern__tables_1_objects;
#define TERN_TABLES_1_OBJECTS(name)                                                                                    \
    static const char *const name##__tables __attribute__((used)) = &tern__tables_1_objects

typedef struct tern_type tern_type;
struct tern_type {
    uint32_t version;               /* TERN_TYPE_VERSION */
    uint32_t flags;                 /* TERN_TYPE_* */
    const char *name;               /* full name, "kv.GetRequest" */
    const tern_field *fields;       /* n_fields, ascending by number */
    const char *const *field_names; /* n_fields, as in the schema */
    const char *const *json_names;  /* n_fields, NULL where it is the usual lowerCamelCase; NULL if all are */
    const tern_type *const *subs;   /* message types that the fields refer to */
    const tern_enum *const *enums;  /* enums that the fields refer to */
    uint32_t n_fields;
    uint32_t n_dense;        /* fields[i].number == i + 1 for all i < n_dense: found without a search */
    uint32_t size_bytes;     /* sizeof the struct */
    uint32_t has_offset;     /* of the presence words in the struct; meaningless when n_has is 0 */
    uint32_t n_has;          /* presence bits in use */
    uint32_t max_number;     /* greatest field number; 0 when there are no fields */
    uint32_t n_required;     /* fields that are TERN_FIELD_REQUIRED: decoders refuse a message without them */
    uint32_t unknown_offset; /* of the tern_unknown in the struct; meaningless in a map entry; see TERN_NO_UNKNOWN() */
};

/* What a schema may ask for a method (tern/options.proto). A library that does not know one of these flags takes no
 * notice of it: they say how messages are carried, never what they mean. */
enum {
    TERN_METHOD_RECEIVE_SHARED = 1, /* requests are to be received in memory that same-host peers may read */
    TERN_METHOD_BORROW = 2          /* large bytes fields may stay in the sender's pool while the receiver reads them */
};

/* One method of a service. `id` names it on the wire: FNV-1a, 32 bit, of "package.Service/Method". */
typedef struct tern_method {
    const char *name; /* "kv.Store/Get" */
    const tern_type *request, *response;
    uint32_t id;
    uint32_t flags;       /* TERN_METHOD_* */
    const void *reserved; /* NULL */
} tern_method;

typedef struct tern_service {
    const char *name; /* "kv.Store" */
    const tern_method *methods;
    uint32_t n_methods;
} tern_service;

/* The field with this number, or NULL. */
static inline const tern_field *tern_type_field(const tern_type *type, uint32_t number);

/* Look a field up by its name in the schema; NULL when there is none. Linear; for tools. */
TERN_API const tern_field *tern_type_field_by_name(const tern_type *type, const char *name);

/* Whether this library can read a table and all tables that it refers to (the first 512 of them). Returns 0, or
 * TERN_ERR_VERSION: one of them has another version than TERN_TYPE_VERSION, or has a flag or a kind of field that this
 * library does not know; then use the library for which the tables were made, or make them anew. Any thread. */
TERN_API int tern_type_check(const tern_type *type);

/* FNV-1a, 32 bit, of a NUL-terminated string: the rule behind tern_method.id. */
TERN_API uint32_t tern_method_id(const char *full_name);

/* The first name of an enum's value, or NULL when it lists no such number; and back: 0, or TERN_ERR_NOT_FOUND. */
TERN_API const char *tern_enum_name(const tern_enum *enumeration, int32_t number);
TERN_API int tern_enum_number(const tern_enum *enumeration, tern_str name, int32_t *number);

/* ---- Whole messages ------------------------------------------------------------------------------
 * Pointers make any graph of structs, and all that reads messages, encoders among them, takes it for a tree: what two
 * pointers share is read twice, and what has no end as a tree is refused. Two bounds hold: 100 messages around another,
 * and TERN_MESSAGE_MAX_ELEMENTS in all. */

/* Messages within a message, the elements of lists of messages and the entries of maps, each counted as often as it is
 * reached. Decoders have limits of their own (tern_limits), by default the same. */
enum { TERN_MESSAGE_MAX_ELEMENTS = 16 << 20 };

/* Why a message cannot be encoded, copied or printed, in words, for whoever got TERN_ERR_LIMIT or TERN_ERR_INVALID:
 *
 *   left.kids[3].up points back to left: a cycle
 *   kids[3] is NULL
 *   scores["tea"].name is required and not set
 *
 * A path names fields as the schema does, with indices of lists and keys of maps; one that is too long for `out` is
 * cut. out has room for cap bytes, a NUL included, and may be NULL when cap is 0. The first trouble is named that a
 * walk meets which goes by the order of the fields. Returns TERN_ERR_LIMIT for a cycle, for nesting (as in protobuf,
 * where the entry of a map is a level, too) and for too many elements; TERN_ERR_INVALID for a NULL in a list of
 * pointers and for a required field (proto2) that is not set; 0, with an empty text, when it found none of these.
 * Nothing is allocated. Time is linear in what is reached, at most a second. Any thread. */
TERN_API int tern_message_explain(const tern_type *type, const void *msg, char *out, size_t cap);

/* A deep copy of src into *dst, which is overwritten and must not be src. Strings, lists, sub-messages, maps and
 * unknown fields come from the arena; nothing points into src afterwards, and no two pointers of the copy are the same.
 * Returns 0, or TERN_ERR_NOMEM, TERN_ERR_LIMIT beyond the bounds above, TERN_ERR_INVALID for a NULL in a list of
 * pointers, with *dst then unspecified. */
TERN_API int tern_message_copy(const tern_type *type, const void *src, struct tern_arena *arena, void *dst);

/* Whether two messages say the same: presence and values alike, numbers by their bits (so NaN equals itself, and 0.0
 * is not -0.0), lists in order, maps in any order, unknown fields byte by byte; a map entry's message that is NULL
 * is an empty one. What is beyond the bounds above is unequal, and a NULL in a list of pointers equals nothing. Time is
 * linear: a large map that lacks its index gets one from the pool for as long as the call takes (when there is no
 * memory for that, it is searched linearly). */
TERN_API bool tern_message_equal(const tern_type *type, const void *a, const void *b);

/* ---- Maps ----------------------------------------------------------------------------------------
 * `entry` is the map's entry type, `map` a tern_map, `key` points to a key as the entry struct holds it. Generated
 * code wraps them as <Message>_get_<field>, _put_, _remove_. */

/* The entry with this key, or NULL. Constant time with an index, linear without. */
TERN_API void *tern_map_find(const tern_type *entry, const void *map, const void *key);

/* The entry with this key; a new one, its key set and its value zeroed, when there is none. NULL when memory is out.
 * The key's bytes are borrowed. Entries move when the map grows. */
TERN_API void *tern_map_insert(const tern_type *entry, void *map, const void *key, struct tern_arena *arena);

/* Takes the entry out, and any others of the same key, keeping the order of the rest. Linear. False when there is
 * none. */
TERN_API bool tern_map_remove(const tern_type *entry, void *map, const void *key);

/* ---- Unknown fields ------------------------------------------------------------------------------ */

typedef struct tern_unknown_field {
    uint32_t number;
    uint32_t wire;      /* the wire type: 0 varint, 1 eight bytes, 2 bytes, 3 group, 5 four bytes */
    uint64_t value;     /* of wire types 0, 1 and 5 */
    tern_bytes content; /* of wire type 2 the bytes; of a group the fields in it, without its end */
    tern_bytes encoded; /* the whole field, tag included */
} tern_unknown_field;

/* The field at *at, which starts at 0 and is moved on. False at the end, or where the bytes are no field (then
 * *at stays below unknown->len). Extensions are read this way, by number. */
TERN_API bool tern_unknown_next(const tern_unknown *unknown, size_t *at, tern_unknown_field *field);

/* Appends encoded fields, copied into the arena. Returns 0, TERN_ERR_NOMEM, or TERN_ERR_LIMIT beyond 2^31 bytes. */
TERN_API int tern_unknown_append(tern_unknown *unknown, const void *data, size_t len, struct tern_arena *arena);

/* ---- Registry ------------------------------------------------------------------------------------ */

/* Types by full name, for what names them at run time (google.protobuf.Any). The caller's own array. */
typedef struct tern_registry {
    const tern_type *const *types;
    size_t n_types;
} tern_registry;

/* Linear; NULL when there is none, or no registry. */
TERN_API const tern_type *tern_registry_find(const tern_registry *registry, tern_str name);

/* ---- Fingerprints (docs/wire-format.md) -----------------------------------------------------------
 * Whether two programs' tables for a message agree, over all types that it reaches (the first 512 of them). Field
 * numbers, kinds and lists count; names, presence, oneofs, packing and pointers in lists do not, since no format shows
 * them or all forms are read. */

/* 64 bits that are the same for the same schema. Different ones may still fit: a schema may have grown. */
TERN_API uint64_t tern_type_fingerprint(const tern_type *type);

/* Writes the outline, which the other side can compare with its own table; about three bytes per field. Returns its
 * length; when that is above cap, nothing whole was written. */
TERN_API size_t tern_type_outline(const tern_type *type, void *out, size_t cap);

typedef enum tern_schema_verdict {
    TERN_SCHEMA_FITS = 0,     /* each side reads what the other writes, in every format */
    TERN_SCHEMA_PROTOBUF = 1, /* in protobuf only: one side lacks a field below others that it knows */
    TERN_SCHEMA_CONFLICT = 2  /* a field has another type here than there */
} tern_schema_verdict;

/* The first field that led to the verdict; zero when all fits. */
typedef struct tern_type_conflict {
    const tern_type *type;        /* ours */
    uint32_t number;              /* of the field */
    uint8_t our_kind, their_kind; /* a tern_kind; 0 where the field does not exist */
    bool our_list, their_list;
} tern_type_conflict;

/* Compares our type with another's outline. Returns a tern_schema_verdict; TERN_ERR_MALFORMED when the bytes are no
 * outline, TERN_ERR_LIMIT when there are more than 256 KB of them. conflict may be NULL. */
static inline int tern_type_compare(const tern_type *type, const void *outline, size_t len,
                                    tern_type_conflict *conflict);
TERN_API int tern_type_compare_sized(const tern_type *type, const void *outline, size_t len,
                                     tern_type_conflict *conflict, size_t conflict_size);

/* Views of NUL-terminated strings and of anything. The view borrows. */
static inline tern_str tern_str_of(const char *text);
static inline tern_bytes tern_bytes_of(const void *data, size_t len);
static inline bool tern_str_eq(tern_str a, tern_str b);
static inline bool tern_bytes_eq(tern_bytes a, tern_bytes b);

/* Make room for at least n elements in a list whose elements are elem_bytes wide, growing by
 * doubling; memory comes from the arena and old storage stays there until its reset. Elements from
 * len to n are zeroed. Returns 0 or TERN_ERR_NOMEM (the list is unchanged). Generated code wraps it as
 * <Message>_reserve_<field>. */
TERN_API int tern_list_reserve(void *list, size_t n, size_t elem_bytes, struct tern_arena *arena);

/* ---- Inline bodies ------------------------------------------------------------------------------ */

TERN_API const tern_field *tern__type_field_search(const tern_type *type, uint32_t number);

static inline const tern_field *tern_type_field(const tern_type *type, uint32_t number) {
    if (number - 1 < type->n_dense) return &type->fields[number - 1];
    return tern__type_field_search(type, number);
}

static inline int tern_type_compare(const tern_type *type, const void *outline, size_t len,
                                    tern_type_conflict *conflict) {
    return tern_type_compare_sized(type, outline, len, conflict, sizeof *conflict);
}

static inline tern_str tern_str_of(const char *text) {
    tern_str s = {text, text ? strlen(text) : 0};
    return s;
}

static inline tern_bytes tern_bytes_of(const void *data, size_t len) {
    tern_bytes b = {data, len};
    return b;
}

static inline bool tern_str_eq(tern_str a, tern_str b) {
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

static inline bool tern_bytes_eq(tern_bytes a, tern_bytes b) {
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

#ifdef __cplusplus
}
#endif
#endif
