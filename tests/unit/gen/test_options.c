/* The options of tern/options.proto: what a schema asks for stands in the tables, and options that no honest protoc
 * sends end in an error. */
#include "gen/gen.h"
#include "gen/schema.h"
#include "options.tern.h"
#include "tap.h"

enum { EXTENSION = 51740, REF_EXTENSION = 51741 };

#define S(text) tern_str_of(text)
#define BYTES(literal) tern_bytes_of(literal, sizeof(literal) - 1)

/* ---- Compiled by protoc ---------------------------------------------------------------------------- */

static void options__flags_of_methods(void) {
    enum { SHARED = TERN_METHOD_RECEIVE_SHARED, BORROW = TERN_METHOD_BORROW };
    CHECK_EQ(test_options_Store_Put_method.flags, SHARED);
    CHECK_EQ(test_options_Store_Get_method.flags, BORROW);
    CHECK_EQ(test_options_Store_Swap_method.flags, SHARED | BORROW);
    CHECK_EQ(test_options_Store_Not_method.flags, 0);
    CHECK_EQ(test_options_Store_None_method.flags, 0);
    CHECK_EQ(test_options_Store_Copy_method.flags, BORROW); /* streaming */
    static const uint32_t expected[] = {SHARED, BORROW, SHARED | BORROW, 0, 0};
    CHECK_EQ(test_options_Store_service.n_methods, TERN__COUNT(expected));
    for (size_t i = 0; i < TERN__COUNT(expected); i++) {
        CHECK_EQ(test_options_Store_service.methods[i].flags, expected[i]);
        CHECK(test_options_Store_service.methods[i].reserved == NULL);
    }
}

/* ---- Requests made here ---------------------------------------------------------------------------- */

static tern_arena arena;
static google_protobuf_compiler_CodeGeneratorRequest request;
static google_protobuf_FileDescriptorProto *options_file;
static google_protobuf_MethodDescriptorProto *method;
static google_protobuf_FieldDescriptorProto *field;
static google_protobuf_DescriptorProto *message;
static google_protobuf_FileDescriptorProto *file;
static tern_str warnings;

static google_protobuf_FileDescriptorProto *add_file(const char *name, const char *package) {
    google_protobuf_FileDescriptorProto *added =
        google_protobuf_compiler_CodeGeneratorRequest_add_proto_file(&request, &arena);
    google_protobuf_FileDescriptorProto_set_name(added, S(name));
    google_protobuf_FileDescriptorProto_set_package(added, S(package));
    google_protobuf_FileDescriptorProto_set_syntax(added, S("proto3"));
    return added;
}

static void add_extension(const char *name, const char *extendee, int32_t number) {
    google_protobuf_FieldDescriptorProto *e = google_protobuf_FileDescriptorProto_add_extension(options_file, &arena);
    google_protobuf_FieldDescriptorProto_set_name(e, S(name));
    google_protobuf_FieldDescriptorProto_set_extendee(e, S(extendee));
    google_protobuf_FieldDescriptorProto_set_number(e, number);
    google_protobuf_FieldDescriptorProto_set_label(e, 1);
    google_protobuf_FieldDescriptorProto_set_type(e, TERN_MESSAGE);
    google_protobuf_FieldDescriptorProto_set_type_name(e, S(".tern.Options"));
}

/* tern/options.proto, and x.proto: package p; message M { int32 a = 1; } service V { rpc Get(M) returns (M); } */
static void begin(const char *package, int32_t number) {
    tern_arena_init(&arena, 1 << 16, 0);
    memset(&request, 0, sizeof request);
    google_protobuf_compiler_CodeGeneratorRequest_reserve_proto_file(&request, 2, &arena);
    options_file = add_file("tern/options.proto", package);
    add_extension("method", ".google.protobuf.MethodOptions", number);
    add_extension("field", ".google.protobuf.FieldOptions", number);
    *google_protobuf_compiler_CodeGeneratorRequest_add_file_to_generate(&request, &arena) = S("x.proto");
    file = add_file("x.proto", "p");
    message = google_protobuf_FileDescriptorProto_add_message_type(file, &arena);
    google_protobuf_DescriptorProto_set_name(message, S("M"));
    field = google_protobuf_DescriptorProto_add_field(message, &arena);
    google_protobuf_FieldDescriptorProto_set_name(field, S("a"));
    google_protobuf_FieldDescriptorProto_set_number(field, 1);
    google_protobuf_FieldDescriptorProto_set_type(field, TERN_INT32);
    google_protobuf_FieldDescriptorProto_set_label(field, 1);
    google_protobuf_ServiceDescriptorProto *service = google_protobuf_FileDescriptorProto_add_service(file, &arena);
    google_protobuf_ServiceDescriptorProto_set_name(service, S("V"));
    method = google_protobuf_ServiceDescriptorProto_add_method(service, &arena);
    google_protobuf_MethodDescriptorProto_set_name(method, S("Get"));
    google_protobuf_MethodDescriptorProto_set_input_type(method, S(".p.M"));
    google_protobuf_MethodDescriptorProto_set_output_type(method, S(".p.M"));
    google_protobuf_MethodDescriptorProto_make_options(method, &arena);
    google_protobuf_FieldDescriptorProto_make_options(field, &arena);
}

/* One more unknown field of wire type 2. */
static void add_option(tern_unknown *to, uint32_t number, tern_bytes content) {
    uint8_t bytes[64];
    size_t n = 0;
    for (uint32_t tag = number << 3 | 2;; tag >>= 7) {
        bytes[n++] = (uint8_t)(tag | (tag >= 0x80 ? 0x80 : 0));
        if (tag < 0x80) break;
    }
    bytes[n++] = (uint8_t)content.len;
    memcpy(bytes + n, content.data, content.len);
    tern_unknown_append(to, bytes, n + content.len, &arena);
}

static void add_method_option(tern_bytes content) { add_option(&method->options->unknown, EXTENSION, content); }

static google_protobuf_compiler_CodeGeneratorResponse run(void) {
    google_protobuf_compiler_CodeGeneratorResponse response = {0};
    tern_bytes bytes;
    int64_t size = google_protobuf_compiler_CodeGeneratorRequest_size(&request);
    void *data = tern_arena_alloc(&arena, (size_t)size);
    google_protobuf_compiler_CodeGeneratorRequest_encode(&request, data, (size_t)size);
    if (gen_run_bytes(&arena, data, (size_t)size, &bytes, &warnings) == 0)
        google_protobuf_compiler_CodeGeneratorResponse_decode(bytes.data, bytes.len, &arena, TERN_DECODE_ALIAS,
                                                              &response);
    return response;
}

static bool contains(tern_str in, const char *wanted) {
    return in.len && memmem(in.data, in.len, wanted, strlen(wanted)) != NULL;
}

/* Ends a case: the request is honest, its method has these flags in both tables, and the warnings are these. */
static void check_flags(const char *flags, const char *wanted_warnings) {
    google_protobuf_compiler_CodeGeneratorResponse response = run();
    char both[2][100];
    snprintf(both[0], sizeof both[0], "u,\n    %s\n    NULL, /* reserved */\n};", flags);
    snprintf(both[1], sizeof both[1], "u,\n        %s\n        NULL, /* reserved */\n    },", flags);
    bool two = response.file.len == 2, found = two, quiet = tern_str_eq(warnings, S(wanted_warnings));
    for (int i = 0; i < 2; i++) found = found && contains(response.file.data[1].content, both[i]);
    if (!quiet) printf("# wanted: %s\n# got: %.*s\n", wanted_warnings, (int)warnings.len, warnings.data);
    if (!two) printf("# %.*s\n", (int)response.error.len, response.error.data);
    tern_arena_fini(&arena);
    CHECK(two);
    CHECK(found);
    CHECK(quiet);
}

/* Ends a case: nothing is made, and this is the error. */
static void check_error(const char *wanted) {
    google_protobuf_compiler_CodeGeneratorResponse response = run();
    bool none = response.file.len == 0, found = tern_str_eq(response.error, S(wanted));
    if (!found) printf("# wanted: %s\n# got: %.*s\n", wanted, (int)response.error.len, response.error.data);
    tern_arena_fini(&arena);
    CHECK(none);
    CHECK(found);
}

/* Ends a case: the header has this text, and the source that. */
static void check_made(const char *in_header, const char *in_source) {
    google_protobuf_compiler_CodeGeneratorResponse response = run();
    bool two = response.file.len == 2, header = two && contains(response.file.data[0].content, in_header),
         source = two && contains(response.file.data[1].content, in_source);
    if (!two) printf("# %.*s\n", (int)response.error.len, response.error.data);
    tern_arena_fini(&arena);
    CHECK(two);
    CHECK(header);
    CHECK(source);
}

static void options__in_one_statement_or_several(void) {
    begin("tern", EXTENSION);
    check_flags("0, /* flags */", "");
    begin("tern", EXTENSION);
    add_method_option(BYTES("\x08\1"));
    check_flags("TERN_METHOD_RECEIVE_SHARED,", "");
    begin("tern", EXTENSION);
    add_method_option(BYTES("\x10\1"));
    add_option(&method->options->unknown, EXTENSION + 1, BYTES("other"));
    add_method_option(BYTES("\x08\1"));
    check_flags("TERN_METHOD_RECEIVE_SHARED | TERN_METHOD_BORROW,", "");
    begin("tern", EXTENSION);
    add_method_option(BYTES("\x10\1"));
    add_method_option(BYTES("\x10\0")); /* the last one counts */
    check_flags("0, /* flags */", "");
    begin("tern", EXTENSION);
    add_method_option(BYTES(""));
    add_option(&field->options->unknown, EXTENSION, BYTES(""));
    check_flags("0, /* flags */", "");
}

/* The number is somebody else's unless tern's own extension is there: whatever it holds means nothing to us. */
static void options__of_others(void) {
    begin("mine", EXTENSION);
    add_method_option(BYTES("\x08\1\xff"));
    add_option(&field->options->unknown, EXTENSION, BYTES("x"));
    check_flags("0, /* flags */", "");
    begin("tern", EXTENSION + 1);
    add_method_option(BYTES("\x08\1"));
    check_flags("0, /* flags */", "");
    begin("tern", EXTENSION);
    options_file->extension.len = 1; /* that of methods */
    add_option(&field->options->unknown, EXTENSION, BYTES("x"));
    add_method_option(BYTES("\x08\1"));
    check_flags("TERN_METHOD_RECEIVE_SHARED,", "");
}

static void options__malformed(void) {
    static const char wanted[] = "x.proto: the options (tern.method) of method Get are malformed";
    begin("tern", EXTENSION);
    add_method_option(BYTES("\x08"));
    check_error(wanted);
    begin("tern", EXTENSION);
    add_method_option(BYTES("\x08\1"));
    tern_unknown_append(&method->options->unknown, "\xe0\xa1\x19\1", 4, &arena); /* 51740: a number */
    check_error(wanted);
    begin("tern", EXTENSION);
    add_option(&field->options->unknown, EXTENSION, BYTES("\x0b"));
    check_error("x.proto: the options (tern.field) of field a are malformed");
}

static void options__of_another_type(void) {
    begin("tern", EXTENSION);
    add_method_option(BYTES("\x12\3yes"));
    check_error("x.proto: option 2 of (tern.method), which method Get has, is of an unexpected type");
}

static void options__newer_than_this_generator(void) {
    begin("tern", EXTENSION);
    add_method_option(BYTES("\x78\7\x10\1"));
    check_flags("TERN_METHOD_BORROW,",
                "x.proto: warning: option 15 of (tern.method), which method Get has, is newer than "
                "this protoc-gen-tern; it has no effect\n");
    begin("tern", EXTENSION);
    add_option(&field->options->unknown, EXTENSION, BYTES("\x08\1"));
    check_error("x.proto: option 1 of (tern.field), which field a has, is newer than this protoc-gen-tern");
}

/* The warnings of one run are bounded. */
static void options__many_warnings_are_counted(void) {
    size_t n_lines = 0;
    begin("tern", EXTENSION);
    for (int i = 0; i < 100; i++) add_method_option(BYTES("\x78\7"));
    CHECK_EQ(run().file.len, 2);
    for (size_t i = 0; i < warnings.len; i++) n_lines += warnings.data[i] == '\n';
    bool counted = contains(warnings, "\nand 50 more warnings\n");
    tern_arena_fini(&arena);
    CHECK_EQ(n_lines, GEN_MAX_ERRORS + 1);
    CHECK(counted);
}

/* ---- Of files --------------------------------------------------------------------------------------- */

static void begin_file_option(void) {
    begin("tern", EXTENSION);
    add_extension("file", ".google.protobuf.FileOptions", EXTENSION);
    google_protobuf_FileDescriptorProto_make_options(file, &arena);
}

static void file__heap_functions(void) {
    begin_file_option();
    add_option(&file->options->unknown, EXTENSION, BYTES("\x08\1"));
    check_made("#include \"tern/codec.h\"\n#include \"tern/graph.h\"\n", "");
    begin_file_option();
    add_option(&file->options->unknown, EXTENSION, BYTES("\x08\1"));
    check_made("static inline p_M *p_M_new(tern_heap *heap) {", "");
    for (int set = 0; set < 2; set++) { /* neither 0 nor the number of somebody else */
        begin_file_option();
        if (!set) options_file->extension.len--;
        add_option(&file->options->unknown, EXTENSION, set ? BYTES("\x08\0") : BYTES("\x08\1"));
        google_protobuf_compiler_CodeGeneratorResponse response = run();
        bool made = response.file.len == 2, heap = made && contains(response.file.data[0].content, "heap");
        tern_arena_fini(&arena);
        CHECK(made);
        CHECK(!heap);
    }
}

/* What declares the options may come behind the file that has them. */
static void file__order_of_files(void) {
    begin_file_option();
    add_option(&file->options->unknown, EXTENSION, BYTES("\x08\1"));
    google_protobuf_FileDescriptorProto first = request.proto_file.data[0];
    request.proto_file.data[0] = request.proto_file.data[1];
    request.proto_file.data[1] = first;
    check_made("p_M_new(tern_heap *heap)", "");
}

/* Types that are called like a function give way, where there is one, also for those who import them. */
static void file__names_give_way(void) {
    for (int heap = 0; heap < 2; heap++) {
        begin_file_option();
        google_protobuf_DescriptorProto *inner = google_protobuf_DescriptorProto_add_nested_type(message, &arena);
        google_protobuf_DescriptorProto_set_name(inner, S("new"));
        google_protobuf_FieldDescriptorProto_set_type(field, TERN_MESSAGE);
        google_protobuf_FieldDescriptorProto_set_type_name(field, S(".p.M.new"));
        if (heap) add_option(&file->options->unknown, EXTENSION, BYTES("\x08\1"));
        check_made(heap ? "    p_M_new_ *a;\n" : "    p_M_new *a;\n", heap ? "&p_M_new__type" : "&p_M_new_type");
    }
}

static void file__misused(void) {
    begin_file_option();
    add_option(&file->options->unknown, EXTENSION, BYTES("\x08"));
    check_error("x.proto: the options (tern.file) of file x.proto are malformed");
    begin_file_option();
    add_option(&file->options->unknown, EXTENSION, BYTES("\x0a\0"));
    check_error("x.proto: option 1 of (tern.file), which file x.proto has, is of an unexpected type");
    begin_file_option();
    add_option(&file->options->unknown, EXTENSION, BYTES("\x78\1"));
    check_error("x.proto: option 15 of (tern.file), which file x.proto has, is newer than this protoc-gen-tern");
}

/* ---- Of messages ------------------------------------------------------------------------------------ */

static void begin_message_option(void) {
    begin("tern", EXTENSION);
    add_extension("message", ".google.protobuf.MessageOptions", EXTENSION);
    google_protobuf_DescriptorProto_make_options(message, &arena);
}

static void message__no_unknown(void) {
    begin_message_option();
    add_option(&message->options->unknown, EXTENSION, BYTES("\x08\1"));
    check_made("struct p_M {\n    int32_t a;\n};", "    TERN_TYPE_NO_UNKNOWN,\n");
    begin_message_option();
    add_option(&message->options->unknown, EXTENSION, BYTES("\x08\1"));
    check_made("struct p_M {", "    TERN_NO_UNKNOWN(offsetof(p_M, a)),\n");
    begin_message_option();
    add_option(&message->options->unknown, EXTENSION, BYTES("\x08\1"));
    check_made("struct p_M {", "TERN_TABLES_1_NO_UNKNOWN(p_M);\n");
    begin_message_option();
    google_protobuf_FieldDescriptorProto_set_type(field, TERN_BOOL);
    add_option(&message->options->unknown, EXTENSION, BYTES("\x08\1"));
    check_made("    bool a;\n    uint8_t unknown[3];", "    TERN_NO_UNKNOWN(0),\n");
    begin_message_option();
    add_option(&message->options->unknown, EXTENSION, BYTES("\x08\0"));
    check_made("    tern_unknown unknown;\n", "    offsetof(p_M, unknown),\n");
    begin_message_option();
    options_file->extension.len--; /* the number is somebody else's */
    add_option(&message->options->unknown, EXTENSION, BYTES("\x08\1"));
    check_made("    tern_unknown unknown;\n", "TERN_TABLES_1(p_M);\n");
}

static void message__misused(void) {
    begin_message_option();
    add_option(&message->options->unknown, EXTENSION, BYTES("\x08\1"));
    google_protobuf_FileDescriptorProto_set_syntax(file, S("proto2"));
    CHECK(google_protobuf_DescriptorProto_add_extension_range(message, &arena) != NULL);
    check_error("x.proto: (tern.message).no_unknown: message p.M has extensions, which are unknown fields");
    begin_message_option();
    add_option(&message->options->unknown, EXTENSION, BYTES("\x0a\0"));
    check_error("x.proto: option 1 of (tern.message), which message p.M has, is of an unexpected type");
    begin_message_option();
    add_option(&message->options->unknown, EXTENSION, BYTES("\x78\1"));
    check_error("x.proto: option 15 of (tern.message), which message p.M has, is newer than this protoc-gen-tern");
    begin_message_option();
    add_option(&message->options->unknown, EXTENSION, BYTES("\x08"));
    check_error("x.proto: the options (tern.message) of message p.M are malformed");
}

/* ---- tern.Object ------------------------------------------------------------------------------------ */

/* x.proto as before, and tern/object.proto or one of another name, with a message of these fields. */
static void begin_object(const char *path, int32_t first_type, int32_t second_type) {
    begin("tern", EXTENSION);
    google_protobuf_FileDescriptorProto *objects = add_file(path, "tern");
    google_protobuf_DescriptorProto *object = google_protobuf_FileDescriptorProto_add_message_type(objects, &arena);
    google_protobuf_DescriptorProto_set_name(object, S("Object"));
    for (int32_t i = 1; i <= 2; i++) {
        google_protobuf_FieldDescriptorProto *f = google_protobuf_DescriptorProto_add_field(object, &arena);
        google_protobuf_FieldDescriptorProto_set_name(f, S(i == 1 ? "type_url" : "value"));
        google_protobuf_FieldDescriptorProto_set_number(f, i);
        google_protobuf_FieldDescriptorProto_set_label(f, 1);
        google_protobuf_FieldDescriptorProto_set_type(f, i == 1 ? first_type : second_type);
    }
    file = &request.proto_file.data[1]; /* the list may have moved */
    message = &file->message_type.data[0];
    field = &message->field.data[0];
    google_protobuf_FieldDescriptorProto_set_type(field, TERN_MESSAGE);
    google_protobuf_FieldDescriptorProto_set_type_name(field, S(".tern.Object"));
}

static void object__fields_are_pointers(void) {
    begin_object("tern/object.proto", TERN_STRING, TERN_BYTES);
    check_made("    void *a;\n", "TERN_MESSAGE, TERN_FIELD_OBJECT, sizeof(void *)");
    begin_object("tern/object.proto", TERN_STRING, TERN_BYTES);
    google_protobuf_FieldDescriptorProto_set_label(field, 3);
    check_made("    void **data;\n", "TERN_FIELD_REPEATED | TERN_FIELD_POINTERS | TERN_FIELD_OBJECT, sizeof(void *)");
    begin_object("tern/object.proto", TERN_STRING, TERN_BYTES);
    check_made("#include \"tern/object.tern.h\"", "TERN_TABLES_1_OBJECTS(p_M);");
    begin_object("mine/object.proto", TERN_STRING, TERN_BYTES); /* somebody else's */
    check_made("    tern_Object *a;\n", "TERN_TABLES_1(p_M);");
}

static void object__misused(void) {
    begin_object("tern/object.proto", TERN_STRING, TERN_STRING);
    *google_protobuf_compiler_CodeGeneratorRequest_add_file_to_generate(&request, &arena) = S("tern/object.proto");
    check_error("tern/object.proto: this is not the tern.Object that this protoc-gen-tern knows");
    begin_object("tern/object.proto", TERN_STRING, TERN_BYTES);
    google_protobuf_FileDescriptorProto_set_syntax(file, S("proto2"));
    google_protobuf_FieldDescriptorProto_set_type(field, TERN_GROUP);
    check_error("x.proto: field a is a group of tern.Object");
}

/* ---- (tern.ref) ------------------------------------------------------------------------------------- */

/* As begin(), with the option declared and field a of this type. */
static void begin_ref(int32_t label, int32_t type, const char *type_name) {
    begin("tern", EXTENSION);
    add_extension("ref", ".google.protobuf.FieldOptions", REF_EXTENSION);
    google_protobuf_FieldDescriptorProto_set_label(field, label);
    google_protobuf_FieldDescriptorProto_set_type(field, type);
    if (type_name) google_protobuf_FieldDescriptorProto_set_type_name(field, S(type_name));
}

static void add_ref(bool value) {
    tern_unknown_append(&field->options->unknown, value ? "\xe8\xa1\x19\1" : "\xe8\xa1\x19\0", 4, &arena);
}

/* Field a becomes map<int32, T>. */
static void make_map(int32_t type, const char *type_name) {
    static const char *const names[] = {"key", "value"};
    google_protobuf_DescriptorProto *entry = google_protobuf_DescriptorProto_add_nested_type(message, &arena);
    google_protobuf_DescriptorProto_set_name(entry, S("AEntry"));
    google_protobuf_MessageOptions_set_map_entry(google_protobuf_DescriptorProto_make_options(entry, &arena), true);
    for (int i = 0; i < 2; i++) {
        google_protobuf_FieldDescriptorProto *f = google_protobuf_DescriptorProto_add_field(entry, &arena);
        google_protobuf_FieldDescriptorProto_set_name(f, S(names[i]));
        google_protobuf_FieldDescriptorProto_set_number(f, i + 1);
        google_protobuf_FieldDescriptorProto_set_label(f, 1);
        google_protobuf_FieldDescriptorProto_set_type(f, i ? type : TERN_INT32);
        if (i && type_name) google_protobuf_FieldDescriptorProto_set_type_name(f, S(type_name));
    }
}

static void ref__of_a_list(void) {
    begin_ref(3, TERN_MESSAGE, ".p.M");
    add_ref(true);
    check_made("p_M **data;", "TERN_FIELD_REPEATED | TERN_FIELD_POINTERS, sizeof(p_M *)");
    begin_ref(3, TERN_MESSAGE, ".p.M");
    add_ref(true);
    check_made("p_M_add_a(p_M *msg, tern_arena *arena)", "TERN_TABLES_1_POINTERS(p_M);");
    begin_ref(3, TERN_MESSAGE, ".p.M");
    add_ref(true);
    add_ref(false); /* the last one counts */
    check_made("p_M_list a;", "TERN_FIELD_REPEATED, sizeof(p_M)");
    begin_ref(3, TERN_MESSAGE, ".p.M");
    check_made("p_M_list a;", "TERN_TABLES_1(p_M);");
}

/* Entries hold pointers anyway: only the function that sets one differs. */
static void ref__of_a_map(void) {
    begin_ref(3, TERN_MESSAGE, ".p.M.AEntry");
    make_map(TERN_MESSAGE, ".p.M");
    add_ref(true);
    check_made("int p_M_put_a(p_M *msg, int32_t key, p_M *value, tern_arena *arena)", "TERN_TABLES_1(p_M);");
    begin_ref(3, TERN_MESSAGE, ".p.M.AEntry");
    make_map(TERN_MESSAGE, ".p.M");
    check_made("p_M *p_M_put_a(p_M *msg, int32_t key, tern_arena *arena)", "TERN_FIELD_REPEATED | TERN_FIELD_MAP,");
}

static void ref__misused(void) {
    begin_ref(1, TERN_INT32, NULL);
    add_ref(true);
    check_error("x.proto: (tern.ref) is for lists and maps of messages; field a is no message");
    begin_ref(3, TERN_STRING, NULL);
    add_ref(true);
    check_error(
        "x.proto: (tern.ref) is for lists and maps of messages; field a is a list of values that are no messages");
    begin_ref(1, TERN_MESSAGE, ".p.M");
    add_ref(true);
    check_error(
        "x.proto: (tern.ref) is for lists and maps of messages; field a is a single message, which is a pointer "
        "without it");
    begin_ref(3, TERN_GROUP, ".p.M");
    google_protobuf_FileDescriptorProto_set_syntax(file, S("proto2"));
    add_ref(true);
    check_error("x.proto: (tern.ref) is for lists and maps of messages; field a is a group");
    begin_ref(3, TERN_MESSAGE, ".p.M.AEntry");
    make_map(TERN_BYTES, NULL);
    add_ref(true);
    check_error("x.proto: (tern.ref) is for lists and maps of messages; field a is a map whose values are no messages");
    begin_ref(1, TERN_INT32, NULL);
    add_ref(false);
    check_made("int32_t a;", "TERN_INT32, 0,");
}

static void ref__malformed(void) {
    begin_ref(3, TERN_MESSAGE, ".p.M");
    add_option(&field->options->unknown, REF_EXTENSION, BYTES("\1"));
    check_error("x.proto: the option (tern.ref) of field a is malformed");
}

/* Without tern's own declaration the number is somebody else's. */
static void ref__of_others(void) {
    begin("tern", EXTENSION);
    add_ref(true);
    check_made("int32_t a;", "TERN_INT32, 0,");
    begin("mine", EXTENSION);
    add_extension("ref", ".google.protobuf.FieldOptions", REF_EXTENSION);
    add_ref(true);
    check_made("int32_t a;", "TERN_INT32, 0,");
}

/* A struct that is too large for an element of a list can be pointed to. */
static void ref__of_large_structs(void) {
    for (int ref = 0; ref < 2; ref++) {
        begin_ref(3, TERN_MESSAGE, ".p.M");
        for (int i = 0; i < 9000; i++) {
            google_protobuf_FieldDescriptorProto *f = google_protobuf_DescriptorProto_add_field(message, &arena);
            char name[20];
            int len = snprintf(name, sizeof name, "f%d", i);
            char *copy = tern_arena_alloc(&arena, (size_t)len);
            google_protobuf_FieldDescriptorProto_set_name(f, (tern_str){memcpy(copy, name, (size_t)len), (size_t)len});
            google_protobuf_FieldDescriptorProto_set_number(f, i + 2);
            google_protobuf_FieldDescriptorProto_set_type(f, TERN_INT64);
            google_protobuf_FieldDescriptorProto_set_label(f, 1);
        }
        field = &message->field.data[0]; /* the list has moved */
        if (ref) add_ref(true);
        if (ref)
            check_made("p_M **data;", "TERN_FIELD_POINTERS");
        else
            check_error("x.proto: message p.M has too many fields to be repeated");
    }
}

TAP_MAIN(TEST(object__fields_are_pointers), TEST(object__misused), TEST(file__heap_functions),
         TEST(file__order_of_files), TEST(file__names_give_way), TEST(file__misused), TEST(message__no_unknown),
         TEST(message__misused), TEST(ref__of_a_list), TEST(ref__of_a_map), TEST(ref__misused), TEST(ref__malformed),
         TEST(ref__of_others), TEST(ref__of_large_structs), TEST(options__flags_of_methods),
         TEST(options__in_one_statement_or_several), TEST(options__of_others), TEST(options__malformed),
         TEST(options__of_another_type), TEST(options__newer_than_this_generator),
         TEST(options__many_warnings_are_counted))
