/* What the generator knows of a request: files with their messages, enums and services, and the run itself.
 *
 * Everything lives in one arena until the run is over. The request is not trusted: names, references and
 * numbers are checked before they are used, whoever sent them. */
#ifndef TERN_GEN_SCHEMA_H
#define TERN_GEN_SCHEMA_H

#include "base/base.h"
#include "gen/hash_map.h"
#include "gen/text.h"
#include "google/protobuf/compiler/plugin.tern.h"
#include "google/protobuf/descriptor.tern.h"
#include "tern/codec.h"

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
    bool ref;            /* (tern.ref): of a list, also TERN_FIELD_POINTERS; of a map, that values are set by pointer */
    uint32_t sub;        /* index into the message's subs or enums */
    uint32_t kind : 8;   /* a tern_kind */
    uint32_t flags : 24; /* TERN_FIELD_* */
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
    bool is_object;         /* tern.Object */
    bool no_unknown;        /* (tern.message).no_unknown */
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
    uint32_t flags; /* TERN_METHOD_* */
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
    bool used;           /* by the file being generated: its header is included */
    bool heap_functions; /* (tern.file).heap_functions */
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
    text errors, warnings;
    size_t n_errors, n_warnings;
} gen;

/* After GEN_MAX_ERRORS errors, or as many warnings, they are only counted. */
enum { GEN_MAX_ERRORS = 50, GEN_MAX_FILES = 10000, GEN_MAX_UNDERSCORES = 64 };

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

/* Whether it is the synthetic entry type of a map. */
static inline bool is_map_entry(const google_protobuf_DescriptorProto *desc) {
    return desc->options && desc->options->map_entry;
}

/* The index of the oneof that a field is a member of, or -1; a proto3 optional is a member of none. */
static inline int64_t field_oneof(const google_protobuf_DescriptorProto *message,
                                  const google_protobuf_FieldDescriptorProto *field) {
    bool member = field->has.oneof_index && !field->proto3_optional && field->oneof_index >= 0 &&
                  (size_t)field->oneof_index < message->oneof_decl.len;
    return member ? field->oneof_index : -1;
}

/* NUL-terminated copy. */
static inline const char *gen_cstr(gen *g, tern_str s) {
    char *out = gen_alloc(g->arena, s.len + 1);
    if (s.len) memcpy(out, s.data, s.len);
    return out;
}

#endif
