/* C names.
 *
 * A type's name is its full name with dots turned into underscores. Every type owns that name and the ones
 * derived from it (kv_Foo_type, kv_Foo_set_x, ...). When one of them is taken by a type that comes earlier in
 * the same file, or is reserved, the type's own name gets underscores at its end until all are free. The rule
 * looks at nothing outside the file, so that a type is called the same wherever it is imported. */
#include "gen/gen.h"

enum { NAME_MAX_BYTES = 512 };

/* Keywords of C up to C23 and C++ up to C++20, type names that generated structs use, and macros that
 * common headers or the compilers define. */
static const char *const reserved[] = {"EOF",           "FALSE",
                                       "FILE",          "NULL",
                                       "TRUE",          "_Alignas",
                                       "_Alignof",      "_Atomic",
                                       "_BitInt",       "_Bool",
                                       "_Complex",      "_Decimal128",
                                       "_Decimal32",    "_Decimal64",
                                       "_Generic",      "_Imaginary",
                                       "_Noreturn",     "_Static_assert",
                                       "_Thread_local", "alignas",
                                       "alignof",       "and",
                                       "and_eq",        "asm",
                                       "assert",        "auto",
                                       "bitand",        "bitor",
                                       "bool",          "break",
                                       "case",          "catch",
                                       "char",          "char16_t",
                                       "char32_t",      "char8_t",
                                       "class",         "co_await",
                                       "co_return",     "co_yield",
                                       "compl",         "concept",
                                       "const",         "const_cast",
                                       "consteval",     "constexpr",
                                       "constinit",     "continue",
                                       "decltype",      "default",
                                       "delete",        "do",
                                       "double",        "dynamic_cast",
                                       "else",          "enum",
                                       "errno",         "explicit",
                                       "export",        "extern",
                                       "false",         "float",
                                       "for",           "friend",
                                       "goto",          "has",
                                       "i386",          "if",
                                       "inline",        "int",
                                       "int32_t",       "int64_t",
                                       "linux",         "long",
                                       "mutable",       "namespace",
                                       "new",           "noexcept",
                                       "not",           "not_eq",
                                       "nullptr",       "offsetof",
                                       "operator",      "or",
                                       "or_eq",         "private",
                                       "protected",     "public",
                                       "register",      "reinterpret_cast",
                                       "requires",      "restrict",
                                       "return",        "short",
                                       "signed",        "size_t",
                                       "sizeof",        "static",
                                       "static_assert", "static_cast",
                                       "stderr",        "stdin",
                                       "stdout",        "struct",
                                       "switch",        "template",
                                       "this",          "thread_local",
                                       "throw",         "true",
                                       "try",           "typedef",
                                       "typeid",        "typename",
                                       "typeof",        "typeof_unqual",
                                       "uint32_t",      "uint64_t",
                                       "union",         "unix",
                                       "unknown",       "unsigned",
                                       "using",         "virtual",
                                       "void",          "volatile",
                                       "wchar_t",       "while",
                                       "xor",           "xor_eq"};

bool name_is_reserved(const char *name) {
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

/* ---- The map ------------------------------------------------------------------------------------- */

uint64_t hash_text(uint64_t hash, const char *string) {
    for (; *string; string++) hash = (hash ^ (unsigned char)*string) * UINT64_C(1099511628211);
    return hash;
}

/* The entry with this hash, or the free one where it belongs. */
static struct hash_entry *hash_map_slot(const hash_map *map, uint64_t hash) {
    size_t i = (size_t)(hash * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (map->cap - 1);
    while (map->entries[i].hash != 0 && map->entries[i].hash != hash) i = (i + 1) & (map->cap - 1);
    return &map->entries[i];
}

const void *hash_map_get(const hash_map *map, uint64_t hash) {
    return map->cap ? hash_map_slot(map, hash | 1)->value : NULL;
}

void hash_map_put(hash_map *map, uint64_t hash, const void *value, tern_arena *arena) {
    if (map->n * 2 >= map->cap) {
        hash_map old = *map;
        map->cap = old.cap ? old.cap * 2 : 32;
        map->entries = gen_alloc(arena, map->cap * sizeof *map->entries);
        for (size_t i = 0; i < old.cap; i++)
            if (old.entries[i].hash) *hash_map_slot(map, old.entries[i].hash) = old.entries[i];
    }
    struct hash_entry *entry = hash_map_slot(map, hash | 1);
    if (entry->hash == 0) map->n++;
    entry->hash = hash | 1;
    entry->value = value;
}

/* ---- Choosing names ------------------------------------------------------------------------------ */

/* The names derived from a type's, as hashes. They are made twice, to look and then to take. */
typedef struct derived {
    gen *g;
    gen_file *file;
    bool take;
    bool free; /* so far */
} derived;

static void derived_add(derived *d, uint64_t hash) {
    const gen_file *owner = hash_map_get(&d->g->c_names, hash);
    if (d->take)
        hash_map_put(&d->g->c_names, hash, d->file, d->g->arena);
    else if (owner == d->file)
        d->free = false;
}

static uint64_t hash_str(uint64_t hash, tern_str s) {
    for (size_t i = 0; i < s.len; i++) hash = (hash ^ (unsigned char)s.data[i]) * UINT64_C(1099511628211);
    return hash;
}

static void derive_message(derived *d, uint64_t hash, const void *desc_) {
    static const char *const suffixes[] = {"",        "_list",    "_type",   "_size", "_encode",
                                           "_decode", "__fields", "__names", "__subs"};
    static const char *const verbs[] = {"_reserve_", "_add_", "_make_", "_set_", "_clear_", "_has_", "_get_"};
    const google_protobuf_DescriptorProto *desc = desc_;
    for (size_t i = 0; i < TERN__COUNT(suffixes); i++) derived_add(d, hash_text(hash, suffixes[i]));
    for (size_t i = 0; i < TERN__COUNT(verbs); i++) {
        uint64_t verb = hash_text(hash, verbs[i]);
        for (size_t k = 0; k < desc->field.len; k++) derived_add(d, hash_str(verb, desc->field.data[k].name));
    }
}

static void derive_enum(derived *d, uint64_t hash, const void *desc_) {
    const google_protobuf_EnumDescriptorProto *desc = desc_;
    uint64_t prefix = hash_text(hash, "_");
    derived_add(d, hash);
    for (size_t i = 0; i < desc->value.len; i++) derived_add(d, hash_str(prefix, desc->value.data[i].name));
}

static void derive_service(derived *d, uint64_t hash, const void *desc_) {
    static const char *const suffixes[] = {"", "_service", "_handlers", "_serve", "__methods"};
    static const char *const verbs[] = {"", "_method", "_handler", "_done", "_wait", "_reply", "__handle", "__finish"};
    const google_protobuf_ServiceDescriptorProto *desc = desc_;
    uint64_t prefix = hash_text(hash, "_");
    for (size_t i = 0; i < TERN__COUNT(suffixes); i++) derived_add(d, hash_text(hash, suffixes[i]));
    for (size_t i = 0; i < desc->method.len; i++) {
        uint64_t method = hash_str(prefix, desc->method.data[i].name);
        for (size_t k = 0; k < TERN__COUNT(verbs); k++) derived_add(d, hash_text(method, verbs[k]));
    }
}

/* A name in a space that is not the schema's: C's and libc's short lower-case names, or tern's own. */
static bool is_foreign(const char *name) {
    bool lower = true, underscore = false;
    for (const char *p = name; *p; p++) {
        lower &= !(*p >= 'A' && *p <= 'Z');
        underscore |= *p == '_';
    }
    if (strncmp(name, "tern_", 5) == 0) return lower;
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
        derived d = {.g = g, .file = file, .free = true};
        derive(&d, hash_text(HASH_START, name), desc);
        free = d.free;
        if (!free) name = gen_format(g->arena, "%s_", name);
    }
    if (!free) name_give_up(g, file, wanted);
    const gen_file *other = hash_map_get(&g->c_names, hash_text(HASH_START, name));
    if (other && other != file)
        gen_error(g, file, (gen_path){0}, "the C name %s is also the name of a type in %s", name, other->path);
    derived d = {.g = g, .file = file, .take = true};
    derive(&d, hash_text(HASH_START, name), desc);
    return name;
}

const char *name_message(gen *g, gen_file *file, const char *wanted, const google_protobuf_DescriptorProto *desc) {
    return choose(g, file, wanted, desc, derive_message);
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
