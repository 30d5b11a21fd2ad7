/* C names.
 *
 * A type's name is its full name with dots turned into underscores. Every type owns that name and the ones
 * derived from it (kv_Foo_type, kv_Foo_set_x, ...). When one of them is taken by a type that comes earlier in
 * the same file, or is reserved, the type's own name gets underscores at its end until all are free. The rule
 * looks at nothing outside the file, so that a type is called the same wherever it is imported. */
#include "gen/names.h"

#include "gen/location.h"

enum { NAME_MAX_BYTES = 512 };

/* Keywords of C up to C23 and C++ up to C++20, type names that generated structs use, and macros that
 * C's headers or the compilers define. */
static const char *const reserved[] = {"BIG_ENDIAN",
                                       "BUFSIZ",
                                       "BYTE_ORDER",
                                       "CHAR_BIT",
                                       "CLOCKS_PER_SEC",
                                       "EAGAIN",
                                       "EDOM",
                                       "EILSEQ",
                                       "EINTR",
                                       "EINVAL",
                                       "ENOMEM",
                                       "EOF",
                                       "ERANGE",
                                       "EXIT_FAILURE",
                                       "EXIT_SUCCESS",
                                       "FALSE",
                                       "FILE",
                                       "INFINITY",
                                       "LITTLE_ENDIAN",
                                       "MAXFLOAT",
                                       "MB_CUR_MAX",
                                       "MB_LEN_MAX",
                                       "M_1_PI",
                                       "M_2_PI",
                                       "M_2_SQRTPI",
                                       "M_E",
                                       "M_LN10",
                                       "M_LN2",
                                       "M_LOG10E",
                                       "M_LOG2E",
                                       "M_PI",
                                       "M_PI_2",
                                       "M_PI_4",
                                       "M_SQRT1_2",
                                       "M_SQRT2",
                                       "NAN",
                                       "NULL",
                                       "PDP_ENDIAN",
                                       "RAND_MAX",
                                       "SEEK_CUR",
                                       "SEEK_END",
                                       "SEEK_SET",
                                       "TRUE",
                                       "_Alignas",
                                       "_Alignof",
                                       "_Atomic",
                                       "_BitInt",
                                       "_Bool",
                                       "_Complex",
                                       "_Decimal128",
                                       "_Decimal32",
                                       "_Decimal64",
                                       "_Generic",
                                       "_Imaginary",
                                       "_Noreturn",
                                       "_Static_assert",
                                       "_Thread_local",
                                       "alignas",
                                       "alignof",
                                       "and",
                                       "and_eq",
                                       "asm",
                                       "assert",
                                       "auto",
                                       "bitand",
                                       "bitor",
                                       "bool",
                                       "break",
                                       "case",
                                       "catch",
                                       "char",
                                       "char16_t",
                                       "char32_t",
                                       "char8_t",
                                       "class",
                                       "co_await",
                                       "co_return",
                                       "co_yield",
                                       "compl",
                                       "concept",
                                       "const",
                                       "const_cast",
                                       "consteval",
                                       "constexpr",
                                       "constinit",
                                       "continue",
                                       "decltype",
                                       "default",
                                       "delete",
                                       "do",
                                       "double",
                                       "dynamic_cast",
                                       "else",
                                       "enum",
                                       "errno",
                                       "explicit",
                                       "export",
                                       "extern",
                                       "false",
                                       "float",
                                       "for",
                                       "friend",
                                       "goto",
                                       "has",
                                       "i386",
                                       "if",
                                       "inline",
                                       "int",
                                       "int16_t",
                                       "int32_t",
                                       "int64_t",
                                       "int8_t",
                                       "linux",
                                       "long",
                                       "math_errhandling",
                                       "mutable",
                                       "namespace",
                                       "new",
                                       "noexcept",
                                       "not",
                                       "not_eq",
                                       "nullptr",
                                       "offsetof",
                                       "operator",
                                       "or",
                                       "or_eq",
                                       "private",
                                       "protected",
                                       "public",
                                       "register",
                                       "reinterpret_cast",
                                       "requires",
                                       "restrict",
                                       "return",
                                       "short",
                                       "signed",
                                       "size_t",
                                       "sizeof",
                                       "static",
                                       "static_assert",
                                       "static_cast",
                                       "stderr",
                                       "stdin",
                                       "stdout",
                                       "struct",
                                       "switch",
                                       "template",
                                       "this",
                                       "thread_local",
                                       "throw",
                                       "true",
                                       "try",
                                       "typedef",
                                       "typeid",
                                       "typename",
                                       "typeof",
                                       "typeof_unqual",
                                       "uint16_t",
                                       "uint32_t",
                                       "uint64_t",
                                       "uint8_t",
                                       "union",
                                       "unix",
                                       "unknown",
                                       "unsigned",
                                       "using",
                                       "virtual",
                                       "void",
                                       "volatile",
                                       "wchar_t",
                                       "while",
                                       "xor",
                                       "xor_eq"};

/* Macros that come in families: TERN_*, INT32_MAX and its like, FP_NAN, HUGE_VAL, SIGINT. */
static bool is_macro_family(const char *name) {
    static const char *const starts[] = {"TERN_", "FP_", "HUGE_VAL", "MATH_ERR", "SIG", "SNAN"};
    static const char *const endings[] = {"_MAX", "_MIN", "_WIDTH", "_C"};
    static const char *const sized[] = {"INT",    "UINT",  "SIZE", "PTRDIFF", "WCHAR", "WINT",  "CHAR",
                                        "SCHAR",  "UCHAR", "SHRT", "USHRT",   "LONG",  "ULONG", "LLONG",
                                        "ULLONG", "SSIZE", "FLT",  "DBL",     "LDBL"};
    size_t len = strlen(name);
    bool starts_like_one = false;
    for (const char *p = name; *p; p++)
        if (*p >= 'a' && *p <= 'z') return false;
    for (size_t i = 0; i < TERN__COUNT(starts); i++)
        if (strncmp(name, starts[i], strlen(starts[i])) == 0) return name[len - 1] != '_';
    for (size_t i = 0; i < TERN__COUNT(sized); i++) starts_like_one |= strncmp(name, sized[i], strlen(sized[i])) == 0;
    for (size_t i = 0; starts_like_one && i < TERN__COUNT(endings); i++) {
        size_t ending = strlen(endings[i]);
        if (len > ending && strcmp(name + len - ending, endings[i]) == 0) return true;
    }
    return false;
}

bool name_is_reserved(const char *name) {
    if (is_macro_family(name)) return true;
    if (strncmp(name, "tern_", 5) == 0 && name[strlen(name) - 1] != '_') return true;
    for (size_t i = 0; i < TERN__COUNT(reserved); i++)
        if (strcmp(reserved[i], name) == 0) return true;
    return false;
}

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

bool name_is_valid(tern_str name) {
    if (name.len == 0 || name.len > NAME_MAX_BYTES || !is_letter(name.data[0])) return false;
    for (size_t i = 1; i < name.len; i++)
        if (!is_letter(name.data[i]) && !(name.data[i] >= '0' && name.data[i] <= '9')) return false;
    return true;
}

/* ---- Choosing names ------------------------------------------------------------------------------ */

/* The names derived from a type's, as hashes. They are made twice, to look and then to take. */
typedef struct derived {
    gen *g;
    gen_file *file;
    hash_map *names;
    bool take;
    bool free; /* so far */
} derived;

static void derived_add(derived *d, uint64_t hash) {
    if (d->take)
        hash_map_put(d->names, hash, d->file, d->g->arena);
    else if (hash_map_get(d->names, hash) == d->file)
        d->free = false;
}

static uint64_t hash_str(uint64_t hash, tern_str s) {
    for (size_t i = 0; i < s.len; i++) hash = (hash ^ (unsigned char)s.data[i]) * UINT64_C(1099511628211);
    return hash;
}

/* What a name gets at its end: "_" when the name is one of the others but for underscores at its end, so no name that
 * this makes was there before, and none is made twice. The list of the others ends with NULL. */
static const char *avoid(tern_str name, const char *const *others) {
    size_t len = name.len;
    while (len > 0 && name.data[len - 1] == '_') len--;
    for (; *others; others++)
        if (len == strlen(*others) && memcmp(name.data, *others, len) == 0) return "_";
    return "";
}

static const char *value_ending(tern_str value) {
    static const char *const others[] = {"enum", "_values", "_tables", NULL};
    return avoid(value, others);
}

static const char *case_ending(tern_str field) {
    static const char *const others[] = {"case", "NOT_SET", NULL};
    return avoid(field, others);
}

const char *name_value(gen *g, tern_str value) {
    return gen_format(g->arena, "%s%s", gen_cstr(g, value), value_ending(value));
}

const char *name_case(gen *g, tern_str field) {
    return gen_format(g->arena, "%s%s", gen_cstr(g, field), case_ending(field));
}

/* What is derived from a message's name alone, and from it with the name of a field. */
static const char *const message_suffixes[] = {"",        "_list",  "_type",   "_size",    "_encode",
                                               "_decode", "_copy",  "_equal",  "__fields", "__names",
                                               "__json",  "__subs", "__enums", "__tables"};
static const char *const entry_suffixes[] = {"",       "_map",   "_type",   "__fields", "__names",
                                             "__json", "__subs", "__enums", "__tables"};
static const char *const message_verbs[] = {"_reserve_", "_add_", "_make_", "_set_",   "_clear_",
                                            "_has_",     "_get_", "_put_",  "_remove_"};
static const char *const oneof_verbs[] = {"_clear_", "_which_"};
/* More of both, of messages in files with functions for heaps. */
static const char *const heap_suffixes[] = {"_new"};
static const char *const heap_verbs[] = {"_heap_reserve_", "_heap_add_",  "_heap_put_",
                                         "_heap_index_",   "_heap_make_", "_heap_set_"};

/* What is derived from the name of a oneof: its case enum with the constants. */
static void derive_oneof(derived *d, uint64_t hash, const char *name, const gen_message *m, size_t index,
                         const uint32_t *next) {
    uint64_t prefix = hash_text(hash_text(hash_text(hash, "_"), name), "_");
    derived_add(d, hash_text(prefix, "case"));
    derived_add(d, hash_text(prefix, "NOT_SET"));
    for (uint32_t k = next[index]; k; k = next[m->desc->oneof_decl.len + k - 1]) {
        tern_str member = m->desc->field.data[k - 1].name;
        derived_add(d, hash_text(hash_str(prefix, member), case_ending(member)));
    }
}

/* Names made of the message's with each of the suffixes, and with each of the verbs and the name of a field. */
static void derive_functions(derived *d, uint64_t hash, const google_protobuf_DescriptorProto *desc,
                             const char *const *suffixes, size_t n_suffixes, const char *const *verbs, size_t n_verbs) {
    for (size_t i = 0; i < n_suffixes; i++) derived_add(d, hash_text(hash, suffixes[i]));
    for (size_t i = 0; i < n_verbs; i++) {
        uint64_t verb = hash_text(hash, verbs[i]);
        for (size_t k = 0; k < desc->field.len; k++) derived_add(d, hash_str(verb, desc->field.data[k].name));
    }
}

static void derive_fields(derived *d, uint64_t hash, const gen_message *m) {
    const google_protobuf_DescriptorProto *desc = m->desc;
    derive_functions(d, hash, desc, message_suffixes, TERN__COUNT(message_suffixes), message_verbs,
                     TERN__COUNT(message_verbs));
    if (m->file->heap_functions)
        derive_functions(d, hash, desc, heap_suffixes, TERN__COUNT(heap_suffixes), heap_verbs, TERN__COUNT(heap_verbs));
    for (size_t i = 0; i < TERN__COUNT(oneof_verbs); i++) {
        uint64_t verb = hash_text(hash, oneof_verbs[i]);
        for (size_t k = 0; k < desc->oneof_decl.len; k++) derived_add(d, hash_str(verb, desc->oneof_decl.data[k].name));
    }
}

/* Lists of the members of each oneof, as indices from 1: next[oneof] is the last one, next[n_oneofs + k - 1] the one
 * before member k; 0 ends. */
static uint32_t *list_members(gen *g, const google_protobuf_DescriptorProto *desc) {
    size_t n_oneofs = desc->oneof_decl.len;
    uint32_t *next = gen_alloc(g->arena, (n_oneofs + desc->field.len) * sizeof *next);
    for (size_t i = 0; i < desc->field.len; i++) {
        int64_t oneof = field_oneof(desc, &desc->field.data[i]);
        if (oneof < 0) continue;
        next[n_oneofs + i] = next[oneof];
        next[oneof] = (uint32_t)i + 1;
    }
    return next;
}

void name_oneofs(gen *g, gen_message *m) {
    hash_map taken = {0};
    size_t n = m->desc->oneof_decl.len;
    if (n == 0) return;
    m->oneof_names = gen_alloc(g->arena, n * sizeof *m->oneof_names);
    m->oneof_members = list_members(g, m->desc);
    derived own = {.g = g, .file = m->file, .names = &taken, .take = true};
    derive_fields(&own, HASH_START, m);
    for (size_t i = 0; i < n; i++) {
        if (!m->oneof_members[i]) continue;
        const char *wanted = gen_cstr(g, m->desc->oneof_decl.data[i].name), *name = wanted;
        derived look = {.g = g, .file = m->file, .names = &taken};
        for (int tries = 0; !look.free && tries < name_tries(g); tries++) {
            look.free = true;
            derive_oneof(&look, HASH_START, name, m, i, m->oneof_members);
            if (!look.free) name = gen_format(g->arena, "%s_", name);
        }
        if (!look.free) name_give_up(g, m->file, wanted);
        derive_oneof(&own, HASH_START, name, m, i, m->oneof_members);
        m->oneof_names[i] = name;
    }
}

static void derive_message(derived *d, uint64_t hash, const void *message) {
    const gen_message *m = message;
    if (m->is_entry) {
        for (size_t i = 0; i < TERN__COUNT(entry_suffixes); i++) derived_add(d, hash_text(hash, entry_suffixes[i]));
        return;
    }
    derive_fields(d, hash, m);
    for (size_t i = 0; m->oneof_names && i < m->desc->oneof_decl.len; i++)
        if (m->oneof_names[i]) derive_oneof(d, hash, m->oneof_names[i], m, i, m->oneof_members);
}

static void derive_enum(derived *d, uint64_t hash, const void *desc_) {
    static const char *const suffixes[] = {"", "_enum", "__values", "__tables"};
    const google_protobuf_EnumDescriptorProto *desc = desc_;
    uint64_t prefix = hash_text(hash, "_");
    for (size_t i = 0; i < TERN__COUNT(suffixes); i++) derived_add(d, hash_text(hash, suffixes[i]));
    for (size_t i = 0; i < desc->value.len; i++) {
        tern_str value = desc->value.data[i].name;
        derived_add(d, hash_text(hash_str(prefix, value), value_ending(value)));
    }
}

const char *const name_method_endings[] = {"",         "_method",        "_handler",        "_done",
                                           "_wait",    "_reply",         "_events",         "_server_events",
                                           "_accept",  "_write_request", "_write_response", "__handle",
                                           "__finish", "__take",         "__take_request",  NULL};

const char *const name_service_endings[] = {"",          "_service",  "_handlers", "_serve",
                                            "_serve_on", "__methods", "__tables",  NULL};

static void derive_service(derived *d, uint64_t hash, const void *desc_) {
    const google_protobuf_ServiceDescriptorProto *desc = desc_;
    uint64_t prefix = hash_text(hash, "_");
    for (size_t i = 0; name_service_endings[i]; i++) derived_add(d, hash_text(hash, name_service_endings[i]));
    for (size_t i = 0; i < desc->method.len; i++) {
        uint64_t method = hash_str(prefix, desc->method.data[i].name);
        for (size_t k = 0; name_method_endings[k]; k++) derived_add(d, hash_text(method, name_method_endings[k]));
    }
}

/* A name in a space that is not the schema's: C's and libc's short lower-case names, or tern's own. */
static bool is_foreign(const char *name) {
    bool lower = true, underscore = false;
    size_t len = strlen(name);
    for (const char *p = name; *p; p++) {
        lower &= !(*p >= 'A' && *p <= 'Z');
        underscore |= *p == '_';
    }
    if (strncmp(name, "tern_", 5) == 0 || (len > 2 && strcmp(name + len - 2, "_t") == 0)) return lower;
    return (lower && !underscore) || name_is_reserved(name);
}

int name_tries(const gen *g) { return g->n_errors < GEN_MAX_ERRORS ? GEN_MAX_UNDERSCORES : 1; }

void name_give_up(gen *g, gen_file *file, const char *name) {
    gen_error(g, file, (gen_path){0}, "too many names collide with %s in C", name);
}

static const char *choose(gen *g, gen_file *file, const char *wanted, const void *desc,
                          void (*derive)(derived *d, uint64_t hash, const void *desc)) {
    const char *name = is_foreign(wanted) ? gen_format(g->arena, "%s_", wanted) : wanted;
    bool free = false;
    for (int tries = 0; !free && tries < name_tries(g); tries++) {
        derived d = {.g = g, .file = file, .names = &g->c_names, .free = true};
        derive(&d, hash_text(HASH_START, name), desc);
        free = d.free;
        if (!free) name = gen_format(g->arena, "%s_", name);
    }
    if (!free) name_give_up(g, file, wanted);
    const gen_file *other = hash_map_get(&g->c_names, hash_text(HASH_START, name));
    if (other && other != file)
        gen_error(g, file, (gen_path){0}, "the C name %s is also the name of a type in %s", name, other->path);
    derived d = {.g = g, .file = file, .names = &g->c_names, .take = true};
    derive(&d, hash_text(HASH_START, name), desc);
    return name;
}

const char *name_message(gen *g, const char *wanted, const gen_message *message) {
    return choose(g, message->file, wanted, message, derive_message);
}

const char *name_enum(gen *g, gen_file *file, const char *wanted, const google_protobuf_EnumDescriptorProto *desc) {
    return choose(g, file, wanted, desc, derive_enum);
}

const char *name_service(gen *g, gen_file *file, const char *wanted,
                         const google_protobuf_ServiceDescriptorProto *desc) {
    return choose(g, file, wanted, desc, derive_service);
}

const char *name_member(gen *g, gen_file *file, hash_map *taken, const char *wanted) {
    const char *name = wanted;
    int tries = 0;
    while (name_is_reserved(name) || hash_map_get(taken, hash_text(HASH_START, name))) {
        name = gen_format(g->arena, "%s_", name);
        if (++tries < name_tries(g)) continue;
        name_give_up(g, file, wanted);
        break;
    }
    hash_map_put(taken, hash_text(HASH_START, name), wanted, g->arena);
    return name;
}
