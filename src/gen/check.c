/* What the generator does not support, or what no honest protoc sends, becomes an error that names file,
 * line and column. After a clean check a file's descriptors hold valid names, kinds, labels and numbers. */
#include "gen/gen.h"

enum { FILE_EXTENSION = 7, MESSAGE_EXTENSION = 6, MESSAGE_ONEOF = 8, MESSAGE_FIELD_TAG = 2, MESSAGE_ENUM_TAG = 4 };
enum {
    MESSAGE_NESTED_TAG = 3,
    FILE_MESSAGE_TAG = 4,
    FILE_ENUM_TAG = 5,
    FILE_SERVICE_TAG = 6,
    METHOD_TAG = 2,
    VALUE_TAG = 2
};
enum { NUMBER_MAX = 536870911 };

bool is_map_entry(const google_protobuf_DescriptorProto *desc) { return desc->options && desc->options->map_entry; }

static bool is_map(const gen *g, const google_protobuf_FieldDescriptorProto *field) {
    const gen_symbol *symbol = model_find(g, field->type_name);
    return field->type == TERN_MESSAGE && symbol && symbol->map_entry;
}

static bool kind_is_known(int32_t kind) { return kind >= TERN_DOUBLE && kind <= TERN_SINT64 && kind != 10; }

static void check_field(gen *g, gen_file *file, const google_protobuf_FieldDescriptorProto *field, gen_path path) {
    const char *name = name_is_valid(field->name) ? gen_cstr(g, field->name) : NULL;
    if (!name)
        gen_error(g, file, path, "a field's name is not an identifier, or too long");
    else if (field->type == google_protobuf_FieldDescriptorProto_Type_TYPE_GROUP)
        gen_error(g, file, path, "field %s is a group; groups are not supported", name);
    else if (is_map(g, field))
        gen_error(g, file, path, "field %s is a map; maps are not supported", name);
    else if (!kind_is_known(field->type))
        gen_error(g, file, path, "field %s has an unknown type", name);
    else if (field->number < 1 || field->number > NUMBER_MAX)
        gen_error(g, file, path, "field %s has a number out of range", name);
    else if (field->label < 1 || field->label > 3)
        gen_error(g, file, path, "field %s has an unknown label", name);
    else if (file->proto3 && field->label == google_protobuf_FieldDescriptorProto_Label_LABEL_REQUIRED)
        gen_error(g, file, path, "field %s is required; proto3 has no required fields", name);
    else if (file->proto3 && field->has.default_value)
        gen_error(g, file, path, "field %s has a default; proto3 has no defaults", name);
}

/* Oneofs that hold real fields are refused, once each; those that only carry a proto3 optional are not. */
static void check_oneofs(gen *g, gen_file *file, const google_protobuf_DescriptorProto *message, gen_path path) {
    uint8_t *reported = gen_alloc(g->arena, message->oneof_decl.len);
    for (size_t i = 0; i < message->field.len; i++) {
        const google_protobuf_FieldDescriptorProto *field = &message->field.data[i];
        if (!field->has.oneof_index || field->proto3_optional) continue;
        size_t index = (size_t)field->oneof_index;
        if (field->oneof_index < 0 || index >= message->oneof_decl.len) {
            gen_error(g, file, path, "a field refers to a oneof that is not there");
        } else if (!reported[index]) {
            reported[index] = 1;
            tern_str name = message->oneof_decl.data[index].name;
            gen_error(g, file, gen_path_add(g, path, MESSAGE_ONEOF, index), "oneof %s: oneofs are not supported",
                      name_is_valid(name) ? gen_cstr(g, name) : "?");
        }
    }
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
        gen_path at = gen_path_add(g, path, VALUE_TAG, i);
        if (!name_is_valid(desc->value.data[i].name))
            gen_error(g, file, at, "a value's name is not an identifier, or too long");
        check_unique(g, file, &seen, desc->value.data[i].name, at);
    }
}

/* Recursion is bounded by the depth limit of the decoder that read the request. */
static void check_message(gen *g, gen_file *file, const google_protobuf_DescriptorProto *desc, gen_path path) {
    hash_map seen = {0};
    if (desc->options && desc->options->message_set_wire_format)
        gen_error(g, file, path, "message_set_wire_format is not supported");
    for (size_t i = 0; i < desc->extension.len; i++)
        gen_error(g, file, gen_path_add(g, path, MESSAGE_EXTENSION, i), "extensions are not supported");
    check_oneofs(g, file, desc, path);
    for (size_t i = 0; i < desc->field.len; i++) {
        gen_path at = gen_path_add(g, path, MESSAGE_FIELD_TAG, i);
        check_field(g, file, &desc->field.data[i], at);
        check_unique(g, file, &seen, desc->field.data[i].name, at);
    }
    for (size_t i = 0; i < desc->enum_type.len; i++)
        check_enum(g, file, &desc->enum_type.data[i], gen_path_add(g, path, MESSAGE_ENUM_TAG, i));
    for (size_t i = 0; i < desc->nested_type.len; i++)
        if (!is_map_entry(&desc->nested_type.data[i]))
            check_message(g, file, &desc->nested_type.data[i], gen_path_add(g, path, MESSAGE_NESTED_TAG, i));
}

static void check_service(gen *g, gen_file *file, const google_protobuf_ServiceDescriptorProto *desc, gen_path path) {
    hash_map seen = {0};
    for (size_t i = 0; i < desc->method.len; i++) {
        const google_protobuf_MethodDescriptorProto *method = &desc->method.data[i];
        gen_path at = gen_path_add(g, path, METHOD_TAG, i);
        check_unique(g, file, &seen, method->name, at);
        if (method->client_streaming || method->server_streaming)
            gen_error(g, file, at, "method %s: streaming methods are not supported",
                      name_is_valid(method->name) ? gen_cstr(g, method->name) : "?");
    }
}

void check_file(gen *g, gen_file *file) {
    const google_protobuf_FileDescriptorProto *desc = file->desc;
    gen_path top = {0};
    for (size_t i = 0; i < desc->extension.len; i++)
        gen_error(g, file, gen_path_add(g, top, FILE_EXTENSION, i), "extensions are not supported");
    for (size_t i = 0; i < desc->enum_type.len; i++)
        check_enum(g, file, &desc->enum_type.data[i], gen_path_add(g, top, FILE_ENUM_TAG, i));
    for (size_t i = 0; i < desc->message_type.len; i++)
        check_message(g, file, &desc->message_type.data[i], gen_path_add(g, top, FILE_MESSAGE_TAG, i));
    for (size_t i = 0; i < desc->service.len; i++)
        check_service(g, file, &desc->service.data[i], gen_path_add(g, top, FILE_SERVICE_TAG, i));
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
