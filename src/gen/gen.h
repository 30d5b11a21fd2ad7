/* protoc-gen-tern: from a CodeGeneratorRequest to C.
 *
 *   gen.c       the request: files, what to generate, the response
 *   model.c     messages, enums and services with their names
 *   resolve.c   what they refer to: fields, maps, oneofs, methods; what is required anywhere below
 *   check.c     what is not supported, or makes no sense, becomes an error with file, line and column
 *   names.c     C names: keywords, collisions
 *   location.c  where things stand in the .proto, and their comments
 *   text.c      text that grows
 *   literal.c   default values as C expressions
 *   emit_*.c    the output
 *
 * Everything lives in one arena until the run is over. The request is not trusted: names, references and
 * numbers are checked before they are used, whoever sent them. */
#ifndef TERN_GEN_GEN_H
#define TERN_GEN_GEN_H

#include "base/base.h"
#include "google/protobuf/compiler/plugin.tern.h"
#include "google/protobuf/descriptor.tern.h"
#include "tern/codec.h"

/* ---- text.c -------------------------------------------------------------------------------------- */

/* Output under construction. Past TEXT_MAX_BYTES it stops growing and says so in `overflow`. */
typedef struct text {
    char *data; /* in the arena */
    size_t len, cap;
    tern_arena *arena;
    bool overflow;
} text;

enum { TEXT_MAX_BYTES = 256 << 20 };

__attribute__((format(printf, 2, 3))) void text_add(text *t, const char *format, ...);
void text_add_bytes(text *t, const void *data, size_t len);

/* Memory that never fails: out of memory ends the program with a message. */
void *gen_alloc(tern_arena *arena, size_t bytes);
__attribute__((format(printf, 2, 3))) const char *gen_format(tern_arena *arena, const char *format, ...);

/* ---- names.c ------------------------------------------------------------------------------------- */

/* A map from 64-bit hashes of names to pointers. Hashes stand for the names themselves. */
typedef struct hash_map {
    struct hash_entry {
        uint64_t hash; /* 0: free */
        const void *value;
    } * entries;
    size_t n, cap;
} hash_map;

const void *hash_map_get(const hash_map *map, uint64_t hash);

/* Adds or replaces. */
void hash_map_put(hash_map *map, uint64_t hash, const void *value, tern_arena *arena);

/* FNV-1a, 64 bit, continued from `hash`; HASH_START begins. */
#define HASH_START UINT64_C(14695981039346656037)
uint64_t hash_text(uint64_t hash, const char *string);

/* Whether a schema name is an identifier of moderate length. */
bool name_is_valid(tern_str name);

/* Whether a member of a generated struct may have this name. */
bool name_is_reserved(const char *name);

/* ---- The model ----------------------------------------------------------------------------------- */

typedef struct gen_file gen_file;
typedef struct gen_message gen_message;
typedef struct gen_enum gen_enum;

/* Where something stands in its file: a path of SourceCodeInfo.Location. */
typedef struct gen_path {
    const int32_t *steps;
    size_t n;
} gen_path;

typedef struct gen_oneof gen_oneof;

typedef struct gen_field {
    const google_protobuf_FieldDescriptorProto *desc;
    const char *name;        /* of the member */
    const char *schema_name; /* in the .proto */
    gen_path path;
    const gen_message *message; /* when of kind message or group; the entry type of a map */
    const gen_enum *enumeration;
    gen_oneof *oneof;       /* that it is a member of, or NULL */
    struct gen_field *next; /* member of the same oneof */
    const char *case_name;  /* "kv_Foo_pick_a" */
    uint32_t number;
    uint32_t has_bit;
    uint32_t sub; /* index into the message's subs or enums */
    uint8_t kind; /* a tern_kind */
    uint8_t flags;
} gen_field;

/* A oneof with members. One that only carries a proto3 optional has none and is no gen_oneof. */
struct gen_oneof {
    const char *schema_name; /* "pick" */
    const char *c_name;      /* "kv_Foo_pick", to which _case, _NOT_SET and the members' names are appended */
    const char *member;      /* "pick_case" */
    gen_path path;
    gen_field *first, **tail;
    gen_oneof *next; /* in the message */
};

struct gen_message {
    gen_file *file;
    const gen_message *parent; /* that it is nested in */
    const google_protobuf_DescriptorProto *desc;
    const char *full_name; /* "kv.Outer.Inner" */
    const char *c_name;    /* "kv_Outer_Inner" */
    gen_path path;
    gen_field *fields; /* in the order of declaration; resolved for generated files only */
    gen_field **by_number;
    size_t n_fields;
    const char **oneof_names;      /* of each oneof_decl: "pick", as in C; NULL without real members */
    const uint32_t *oneof_members; /* lists of them, see names.c */
    gen_oneof *oneofs;
    const gen_message **subs;
    const gen_enum **enums;
    size_t n_subs, n_enums, n_has, n_required;
    bool is_entry;          /* of a map */
    bool required_below;    /* it or what it can contain has required fields */
    struct gen_user *users; /* the messages with a field of this type */
    gen_message *work;      /* next in a list under way */
    gen_message *next;      /* in the file, outer before inner */
};

struct gen_enum {
    gen_file *file;
    const google_protobuf_EnumDescriptorProto *desc;
    const char *full_name;
    const char *c_name;
    const char **value_names; /* "kv_Color_RED" */
    hash_map values;          /* the same, by name in the schema */
    gen_path path;
    gen_enum *next;
};

typedef struct gen_method {
    const google_protobuf_MethodDescriptorProto *desc;
    const char *name;        /* "Get": the member of the handlers struct */
    const char *c_name;      /* "kv_Store_Get" */
    const char *schema_name; /* "kv.Store/Get" */
    const gen_message *request, *response;
    bool streaming; /* either way */
    gen_path path;
} gen_method;

typedef struct gen_service {
    gen_file *file;
    const google_protobuf_ServiceDescriptorProto *desc;
    const char *full_name;
    const char *c_name;
    gen_method *methods;
    size_t n_methods;
    size_t n_stubs; /* methods that are not streaming */
    gen_path path;
    struct gen_service *next;
} gen_service;

struct gen_file {
    const google_protobuf_FileDescriptorProto *desc;
    const char *path; /* "a/b.proto" */
    const char *stem; /* "a/b" */
    const char *package;
    bool proto3;
    bool generate;
    bool used; /* by the file being generated: its header is included */
    gen_message *messages;
    gen_enum *enums;
    gen_service *services;
    const google_protobuf_SourceCodeInfo_Location **locations; /* sorted by path; built when first needed */
};

/* What a full name (".kv.Color") stands for: a message, an enum, or, with neither set, a service. */
typedef struct gen_symbol {
    gen_message *message;
    gen_enum *enumeration;
} gen_symbol;

typedef struct gen {
    tern_arena *arena;
    gen_file *files;
    size_t n_files;
    hash_map files_by_path; /* of gen_file */
    hash_map symbols;       /* of gen_symbol, by full name without the first dot */
    hash_map c_names;       /* of the gen_file that took the C name */
    text errors;
    size_t n_errors;
} gen;

/* Runs a request and fills the response; both are messages of the arena. */
void gen_run(tern_arena *arena, const google_protobuf_compiler_CodeGeneratorRequest *request,
             google_protobuf_compiler_CodeGeneratorResponse *response);

/* The same from bytes to bytes, the plugin's whole work. 0, or a TERN_ERR_* when the request is none. */
int gen_run_bytes(tern_arena *arena, const void *request, size_t len, tern_bytes *response);

/* One more error, at a place of a file; file may be NULL. After GEN_MAX_ERRORS they are only counted. */
enum { GEN_MAX_ERRORS = 50, GEN_MAX_FILES = 10000, GEN_MAX_UNDERSCORES = 64 };
__attribute__((format(printf, 4, 5))) void gen_error(gen *g, gen_file *file, gen_path path, const char *format, ...);

/* NUL-terminated copy. */
const char *gen_cstr(gen *g, tern_str s);

/* path, then two more steps: the member numbered `field` of the parent's descriptor, element `index`. */
gen_path gen_path_add(gen *g, gen_path path, int32_t field, size_t index);

/* model.c: enter a file's types under their names. */
void model_add_file(gen *g, gen_file *file);

/* The type a reference (".kv.Color") means, or NULL. */
const gen_symbol *model_find(const gen *g, tern_str reference);

/* resolve.c: when all files are in, find out what requires something below it; then resolve a file's references. */
void resolve_required(gen *g);
void resolve_file(gen *g, gen_file *file);

/* Numbers of the members of descriptors, as location paths use them. */
enum {
    FILE_MESSAGE = 4,
    FILE_ENUM = 5,
    FILE_SERVICE = 6,
    FILE_SYNTAX = 12,
    MESSAGE_FIELD = 2,
    MESSAGE_NESTED = 3,
    MESSAGE_ENUM = 4,
    MESSAGE_ONEOF = 8,
    ENUM_VALUE = 2,
    SERVICE_METHOD = 2
};

/* check.c: everything that can be said about a file before names are resolved. */
void check_file(gen *g, gen_file *file);
void check_method_ids(gen *g, const gen_file *file);

/* Whether it is the synthetic entry type of a map. */
bool is_map_entry(const google_protobuf_DescriptorProto *desc);

/* The index of the oneof that a field is a member of, or -1; a proto3 optional is a member of none. */
int64_t field_oneof(const google_protobuf_DescriptorProto *message, const google_protobuf_FieldDescriptorProto *field);

/* names.c: the C name for a type: `wanted`, with underscores appended until it and every name derived from
 * it are free in this file. */
const char *name_message(gen *g, const char *wanted, const gen_message *message);
const char *name_enum(gen *g, gen_file *file, const char *wanted, const google_protobuf_EnumDescriptorProto *desc);
/* What the C names that come with a method end in; the last is NULL. */
extern const char *const name_method_endings[];

const char *name_service(gen *g, gen_file *file, const char *wanted,
                         const google_protobuf_ServiceDescriptorProto *desc);

/* What stands after the C name of an enum and an underscore for one of its values, and after that of a oneof for
 * one of its members: the name in the schema, with one more underscore where it would be taken by tern. */
const char *name_value(gen *g, tern_str value);
const char *name_case(gen *g, tern_str field);

/* Names the oneofs of a message, so that what is derived from them differs from what is derived from its other
 * members: fills message->oneof_names. */
void name_oneofs(gen *g, gen_message *message);

/* How many underscores to try on one name, so that time stays bounded; when nothing will be written anyway, few.
 * And the report when they were not enough. */
int name_tries(const gen *g);
void name_give_up(gen *g, gen_file *file, const char *name);

/* A member's name, free among those in `taken` and not reserved; it is entered there. */
const char *name_member(gen *g, gen_file *file, hash_map *taken, const char *wanted);

/* ---- location.c ---------------------------------------------------------------------------------- */

/* The place of a path, or of the nearest thing around it; NULL when the request carries none. */
const google_protobuf_SourceCodeInfo_Location *location_find(gen *g, gen_file *file, gen_path path, bool exact);

/* The comment of a thing, as a C comment of its own line or lines; nothing when it has none. */
void emit_comment(gen *g, text *t, gen_file *file, gen_path path, const char *indent);

/* ---- literal.c ----------------------------------------------------------------------------------- */

/* The explicit default of a field as a C expression (for strings and bytes, an initializer), and in `before` the
 * declarations that it needs. False when it is not a value of the field's kind. */
bool literal_default(gen *g, const gen_field *field, text *before, text *out);

/* A quoted C string with everything unusual escaped. */
void literal_string(text *out, const char *data, size_t len);

/* ---- emit_*.c ------------------------------------------------------------------------------------ */

void emit_header(gen *g, text *t, gen_file *file);
void emit_structs(gen *g, text *t, const gen_file *file);
void emit_helpers(gen *g, text *t, const gen_message *message);
void emit_service_header(gen *g, text *t, const gen_service *service);
void emit_source(gen *g, text *t, gen_file *file);
void emit_service_source(text *t, const gen_service *service);
void emit_stream_header(gen *g, text *t, const gen_service *service, const gen_method *method);
void emit_stream_source(text *t, const gen_method *method);
void emit_stream_serve(text *t, const gen_method *method); /* a part of the service's serve function */

/* A number that fits 32 bits, as C wants it. */
void emit_int32(text *t, int32_t number);

/* The C type of one value of a field, and the type of the list of such. */
const char *emit_value_type(const gen_field *field);
const char *emit_list_type(gen *g, const gen_field *field);

#endif
