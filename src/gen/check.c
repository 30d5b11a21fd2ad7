/* What no honest protoc sends becomes an error that names file,
 * line and column. After a clean check a file's descriptors hold valid names, kinds, labels and numbers. */
#include "gen/check.h"

#include "gen/location.h"
#include "gen/names.h"

enum { NUMBER_MAX = 536870911 };

static bool kind_is_known(int32_t kind) { return kind >= TERN_DOUBLE && kind <= TERN_SINT64; }

static void check_field(gen *g, gen_file *file, const google_protobuf_FieldDescriptorProto *field, gen_path path) {
    const char *name = name_is_valid(field->name) ? gen_cstr(g, field->name) : NULL;
    if (!name)
        gen_error(g, file, path, "a field's name is not an identifier, or too long");
    else if (!kind_is_known(field->type))
        gen_error(g, file, path, "field %s has an unknown type", name);
    else if (file->proto3 && field->type == TERN_GROUP)
        gen_error(g, file, path, "field %s is a group; proto3 has no groups", name);
    else if (field->number < 1 || field->number > NUMBER_MAX)
        gen_error(g, file, path, "field %s has a number out of range", name);
    else if (field->label < 1 || field->label > 3)
        gen_error(g, file, path, "field %s has an unknown label", name);
    else if (file->proto3 && field->label == google_protobuf_FieldDescriptorProto_Label_LABEL_REQUIRED)
        gen_error(g, file, path, "field %s is required; proto3 has no required fields", name);
    else if (file->proto3 && field->has.default_value)
        gen_error(g, file, path, "field %s has a default; proto3 has no defaults", name);
}

static void check_oneof_member(gen *g, gen_file *file, const google_protobuf_DescriptorProto *message,
                               const google_protobuf_FieldDescriptorProto *field, gen_path path) {
    if (!field->has.oneof_index) return;
    if (field->oneof_index < 0 || (size_t)field->oneof_index >= message->oneof_decl.len)
        gen_error(g, file, path, "a field refers to a oneof that is not there");
    else if (field->label != google_protobuf_FieldDescriptorProto_Label_LABEL_OPTIONAL)
        gen_error(g, file, path, "a member of a oneof is repeated or required");
}

/* A map's key is a number that is not floating, a bool or a string; its value anything singular but a group. */
static void check_map_entry(gen *g, gen_file *file, const google_protobuf_DescriptorProto *entry, gen_path path) {
    static const char *const names[] = {"key", "value"};
    bool sound = entry->field.len == 2 && entry->nested_type.len == 0 && entry->enum_type.len == 0 &&
                 entry->oneof_decl.len == 0 && entry->extension.len == 0;
    for (size_t i = 0; sound && i < 2; i++) {
        const google_protobuf_FieldDescriptorProto *field = &entry->field.data[i];
        sound = tern_str_eq(field->name, tern_str_of(names[i])) && field->number == (int32_t)i + 1 &&
                field->label == google_protobuf_FieldDescriptorProto_Label_LABEL_OPTIONAL && !field->has.oneof_index &&
                kind_is_known(field->type) && field->type != TERN_GROUP;
    }
    int32_t key = sound ? entry->field.data[0].type : TERN_BYTES;
    if (!sound || key == TERN_DOUBLE || key == TERN_FLOAT || key == TERN_BYTES || key == TERN_ENUM ||
        key == TERN_MESSAGE)
        gen_error(g, file, path, "the entry of a map is not a key and a value");
}

/* Reports a name that occurs before in `seen`. */
static void check_unique(gen *g, gen_file *file, hash_map *seen, tern_str name, gen_path path) {
    if (!name_is_valid(name)) return;
    const char *copy = gen_cstr(g, name);
    uint64_t hash = hash_text(HASH_START, copy);
    if (hash_map_get(seen, hash)) gen_error(g, file, path, "%s is defined twice", copy);
    hash_map_put(seen, hash, copy, g->arena);
}

static void check_enum(gen *g, gen_file *file, const google_protobuf_EnumDescriptorProto *desc, gen_path path) {
    hash_map seen = {0};
    if (desc->value.len == 0) gen_error(g, file, path, "the enum has no values");
    for (size_t i = 0; i < desc->value.len; i++) {
        gen_path at = gen_path_add(g, path, ENUM_VALUE, i);
        if (!name_is_valid(desc->value.data[i].name))
            gen_error(g, file, at, "a value's name is not an identifier, or too long");
        check_unique(g, file, &seen, desc->value.data[i].name, at);
    }
}

/* Recursion is bounded by the depth limit of the decoder that read the request. */
static void check_message(gen *g, gen_file *file, const google_protobuf_DescriptorProto *desc, gen_path path) {
    hash_map seen = {0};
    for (size_t i = 0; i < desc->field.len; i++) {
        gen_path at = gen_path_add(g, path, MESSAGE_FIELD, i);
        check_field(g, file, &desc->field.data[i], at);
        check_oneof_member(g, file, desc, &desc->field.data[i], at);
        check_unique(g, file, &seen, desc->field.data[i].name, at);
    }
    for (size_t i = 0; i < desc->oneof_decl.len; i++) {
        gen_path at = gen_path_add(g, path, MESSAGE_ONEOF, i);
        if (!name_is_valid(desc->oneof_decl.data[i].name))
            gen_error(g, file, at, "a oneof's name is not an identifier, or too long");
        check_unique(g, file, &seen, desc->oneof_decl.data[i].name, at);
    }
    for (size_t i = 0; i < desc->enum_type.len; i++)
        check_enum(g, file, &desc->enum_type.data[i], gen_path_add(g, path, MESSAGE_ENUM, i));
    for (size_t i = 0; i < desc->nested_type.len; i++) {
        const google_protobuf_DescriptorProto *nested = &desc->nested_type.data[i];
        gen_path at = gen_path_add(g, path, MESSAGE_NESTED, i);
        if (is_map_entry(nested))
            check_map_entry(g, file, nested, at);
        else
            check_message(g, file, nested, at);
    }
}

static void check_service(gen *g, gen_file *file, const google_protobuf_ServiceDescriptorProto *desc, gen_path path) {
    hash_map seen = {0};
    for (size_t i = 0; i < desc->method.len; i++)
        check_unique(g, file, &seen, desc->method.data[i].name, gen_path_add(g, path, SERVICE_METHOD, i));
}

void check_file(gen *g, gen_file *file) {
    const google_protobuf_FileDescriptorProto *desc = file->desc;
    gen_path top = {0};
    for (size_t i = 0; i < desc->enum_type.len; i++)
        check_enum(g, file, &desc->enum_type.data[i], gen_path_add(g, top, FILE_ENUM, i));
    for (size_t i = 0; i < desc->message_type.len; i++) {
        gen_path at = gen_path_add(g, top, FILE_MESSAGE, i);
        check_message(g, file, &desc->message_type.data[i], at);
        if (is_map_entry(&desc->message_type.data[i])) gen_error(g, file, at, "the entry of a map is in no message");
    }
    for (size_t i = 0; i < desc->service.len; i++)
        check_service(g, file, &desc->service.data[i], gen_path_add(g, top, FILE_SERVICE, i));
}

void check_method_ids(gen *g, const gen_file *file) {
    hash_map seen = {0};
    for (const gen_service *s = file->services; s; s = s->next)
        for (size_t i = 0; i < s->n_methods; i++) {
            uint64_t id = (uint64_t)tern_method_id(s->methods[i].schema_name) << 1;
            const gen_method *other = hash_map_get(&seen, id);
            if (other)
                gen_error(g, s->file, s->methods[i].path, "methods %s and %s have the same id; rename one",
                          other->schema_name, s->methods[i].schema_name);
            hash_map_put(&seen, id, &s->methods[i], g->arena);
        }
}
