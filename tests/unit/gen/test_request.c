/* Requests that no honest protoc sends: each is answered with an error and no file. They are built as structs,
 * encoded, and given to the generator as bytes. */
#include "gen/gen.h"
#include "gen/schema.h"
#include "tap.h"

typedef google_protobuf_compiler_CodeGeneratorRequest request_type;
typedef google_protobuf_FileDescriptorProto file_type;
typedef google_protobuf_DescriptorProto message_type;
typedef google_protobuf_FieldDescriptorProto field_type;

static tern_arena arena;
static request_type request;
static file_type *file;
static message_type *message;
static field_type *field;
static tern_str warnings; /* of the last run */

#define S(text) tern_str_of(text)

/* x.proto: package p; message M { int32 a = 1; } */
static void begin(void) {
    tern_arena_init(&arena, 1 << 16, 0);
    memset(&request, 0, sizeof request);
    *google_protobuf_compiler_CodeGeneratorRequest_add_file_to_generate(&request, &arena) = S("x.proto");
    file = google_protobuf_compiler_CodeGeneratorRequest_add_proto_file(&request, &arena);
    google_protobuf_FileDescriptorProto_set_name(file, S("x.proto"));
    google_protobuf_FileDescriptorProto_set_package(file, S("p"));
    google_protobuf_FileDescriptorProto_set_syntax(file, S("proto3"));
    message = google_protobuf_FileDescriptorProto_add_message_type(file, &arena);
    google_protobuf_DescriptorProto_set_name(message, S("M"));
    field = google_protobuf_DescriptorProto_add_field(message, &arena);
    google_protobuf_FieldDescriptorProto_set_name(field, S("a"));
    google_protobuf_FieldDescriptorProto_set_number(field, 1);
    google_protobuf_FieldDescriptorProto_set_type(field, TERN_INT32);
    google_protobuf_FieldDescriptorProto_set_label(field, 1);
}

/* Runs the request; what came back. */
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

/* Ends the case that begin() began and the caller spoiled. */
static void check_error(const char *wanted) {
    google_protobuf_compiler_CodeGeneratorResponse response = run();
    char error[2048];
    snprintf(error, sizeof error, "%.*s", (int)response.error.len, response.error.len ? response.error.data : "");
    size_t n_files = response.file.len;
    tern_arena_fini(&arena);
    bool found = strstr(error, wanted) != NULL;
    if (!found) printf("# wanted: %.200s\n# got: %s\n", wanted, error);
    CHECK(found);
    CHECK_EQ(n_files, 0);
}

static void request__honest_gives_two_files(void) {
    begin();
    google_protobuf_compiler_CodeGeneratorResponse response = run();
    CHECK(!response.has.error);
    CHECK_EQ(response.supported_features, 1);
    CHECK_EQ(response.file.len, 2);
    CHECK(tern_str_eq(response.file.data[0].name, S("x.tern.h")));
    CHECK(tern_str_eq(response.file.data[1].name, S("x.tern.c")));
    tern_arena_fini(&arena);
}

static void request__same_output_each_time(void) {
    begin();
    google_protobuf_compiler_CodeGeneratorResponse a = run(), b = run();
    for (size_t i = 0; i < 2; i++) CHECK(tern_str_eq(a.file.data[i].content, b.file.data[i].content));
    tern_arena_fini(&arena);
}

static void request__names_that_are_no_identifiers(void) {
    static const char *const bad[] = {"", "1a", "a b", "a;", "a\n", "\xc3\xa4", "a.b", "*/"};
    for (size_t i = 0; i < TERN__COUNT(bad); i++) {
        begin();
        message->name = S(bad[i]);
        check_error("not an identifier");
        begin();
        field->name = S(bad[i]);
        check_error("not an identifier");
    }
    begin();
    file->package = S("p..q");
    check_error("package is not");
    begin();
    char *longer = tern_arena_zalloc(&arena, 1001);
    memset(longer, 'a', 1000);
    message->name = S(longer);
    check_error("too long");
}

static void request__paths_that_would_break_out(void) {
    static const char *const bad[] = {"",          "/etc/x.proto", "../x.proto", "a/../../x.proto",
                                      "a\".proto", "a\nb.proto",   "a*/b"};
    for (size_t i = 0; i < TERN__COUNT(bad); i++) {
        begin();
        file->name = S(bad[i]);
        check_error("path is empty, absolute");
    }
}

static void request__fields_that_make_no_sense(void) {
    static const struct {
        int32_t number, type, label;
        const char *error;
    } cases[] = {{0, 5, 1, "number out of range"},
                 {-1, 5, 1, "number out of range"},
                 {536870912, 5, 1, "number out of range"},
                 {1, 0, 1, "unknown type"},
                 {1, 19, 1, "unknown type"},
                 {1, -5, 1, "unknown type"},
                 {1, 5, 0, "unknown label"},
                 {1, 5, 4, "unknown label"},
                 {1, 5, 2, "no required fields"},
                 {1, 11, 1, "type of field a cannot"},
                 {1, 14, 1, "type of field a cannot"},
                 {1, 10, 1, "proto3 has no groups"}};
    for (size_t i = 0; i < TERN__COUNT(cases); i++) {
        begin();
        field->number = cases[i].number;
        field->type = cases[i].type;
        field->label = cases[i].label;
        check_error(cases[i].error);
    }
}

static void request__references(void) {
    static const char *const bad[] = {".p.None", "p.M", ".p", ".", "", ".p.M."};
    for (size_t i = 0; i < TERN__COUNT(bad); i++) {
        begin();
        field->type = TERN_MESSAGE;
        google_protobuf_FieldDescriptorProto_set_type_name(field, S(bad[i]));
        check_error("type of field a cannot be found");
    }
    begin(); /* a message where an enum should be */
    field->type = TERN_ENUM;
    google_protobuf_FieldDescriptorProto_set_type_name(field, S(".p.M"));
    check_error("type of field a cannot be found");
    begin();
    google_protobuf_FieldDescriptorProto_set_oneof_index(field, 3);
    check_error("oneof that is not there");
}

static void request__things_twice(void) {
    begin();
    field_type *second = google_protobuf_DescriptorProto_add_field(message, &arena);
    *second = message->field.data[0];
    second->number = 2;
    check_error("a is defined twice");
    begin();
    second = google_protobuf_DescriptorProto_add_field(message, &arena);
    *second = message->field.data[0];
    second->name = S("b");
    check_error("field number 1 is used twice");
    begin();
    google_protobuf_DescriptorProto_set_name(google_protobuf_FileDescriptorProto_add_message_type(file, &arena),
                                             S("M"));
    check_error("p.M is defined twice");
    begin();
    *google_protobuf_compiler_CodeGeneratorRequest_add_proto_file(&request, &arena) = request.proto_file.data[0];
    request.proto_file.data[1] = request.proto_file.data[0];
    check_error("the file is there twice");
    begin();
    google_protobuf_DescriptorProto_add_enum_type(message, &arena)->name = S("E");
    google_protobuf_DescriptorProto_make_options(message, &arena);
    message->enum_type.data[0].has.name = 1;
    check_error("the enum has no values");
}

static void request__c_names_across_files(void) {
    begin();
    file_type *other = google_protobuf_compiler_CodeGeneratorRequest_add_proto_file(&request, &arena);
    google_protobuf_FileDescriptorProto_set_name(other, S("y.proto"));
    google_protobuf_DescriptorProto_set_name(google_protobuf_FileDescriptorProto_add_message_type(other, &arena),
                                             S("p_M"));
    check_error("C name p_M is also the name of a type in x.proto");
}

static void request__files_and_syntax(void) {
    begin();
    file->syntax = S("editions");
    google_protobuf_SourceCodeInfo_Location *at = google_protobuf_SourceCodeInfo_add_location(
        google_protobuf_FileDescriptorProto_make_source_code_info(file, &arena), &arena);
    static int32_t path[] = {12}, span[] = {6, 0, 20};
    at->path = (tern_list_i32){path, 1, 0};
    at->span = (tern_list_i32){span, 3, 0};
    check_error("x.proto:7:1: only syntax proto2 and proto3 are supported, not editions");
    begin();
    *google_protobuf_compiler_CodeGeneratorRequest_add_file_to_generate(&request, &arena) = S("none.proto");
    check_error("is not in the request");
    begin();
    google_protobuf_FieldDescriptorProto_set_default_value(field, S("1"));
    check_error("proto3 has no defaults");
}

static void request__defaults_of_another_kind(void) {
    static const struct {
        int32_t type;
        const char *text;
    } bad[] = {{TERN_INT32, "2147483648"},
               {TERN_INT32, "x"},
               {TERN_INT32, ""},
               {TERN_UINT32, "-1"},
               {TERN_UINT64, "18446744073709551616"},
               {TERN_INT64, "1;"},
               {TERN_DOUBLE, "1.5f"},
               {TERN_BOOL, "1"},
               {TERN_BYTES, "\\"},
               {TERN_BYTES, "\\x"},
               {TERN_FLOAT, "evil()"}};
    for (size_t i = 0; i < TERN__COUNT(bad); i++) {
        begin();
        file->syntax = S("proto2");
        field->type = bad[i].type;
        google_protobuf_FieldDescriptorProto_set_default_value(field, S(bad[i].text));
        check_error("default of field a is not a value");
    }
}

static void request__too_many_errors_are_counted(void) {
    begin();
    for (int i = 0; i < 100; i++)
        google_protobuf_DescriptorProto_set_name(google_protobuf_FileDescriptorProto_add_message_type(file, &arena),
                                                 S("M"));
    check_error("and 50 more errors");
}

/* Time stays bounded when a hundred thousand methods want one name. */
static void request__names_that_collide_too_often(void) {
    begin();
    google_protobuf_ServiceDescriptorProto *s = google_protobuf_FileDescriptorProto_add_service(file, &arena);
    google_protobuf_ServiceDescriptorProto_set_name(s, S("S"));
    for (int i = 0; i < 100000; i++)
        google_protobuf_MethodDescriptorProto_set_name(google_protobuf_ServiceDescriptorProto_add_method(s, &arena),
                                                       S("Get"));
    check_error("too many names collide with Get in C");
}

static void request__files_beyond_the_bound(void) {
    begin();
    for (int i = 0; i < GEN_MAX_FILES; i++)
        google_protobuf_compiler_CodeGeneratorRequest_add_proto_file(&request, &arena);
    check_error("too many files");
}

static void set_oneof(field_type *f, int32_t index) { google_protobuf_FieldDescriptorProto_set_oneof_index(f, index); }

/* M { oneof pick { int32 a = 1; } } */
static void begin_oneof(const char *name) {
    begin();
    google_protobuf_OneofDescriptorProto_set_name(google_protobuf_DescriptorProto_add_oneof_decl(message, &arena),
                                                  S(name));
    set_oneof(field, 0);
}

static void request__oneofs(void) {
    begin_oneof("pick");
    CHECK_EQ(run().file.len, 2);
    field->label = 3;
    check_error("a member of a oneof is repeated or required");
    begin_oneof("pi ck");
    check_error("a oneof's name is not an identifier");
    begin_oneof("a");
    check_error("a is defined twice");
    begin_oneof("pick");
    set_oneof(field, -1);
    check_error("a field refers to a oneof that is not there");
    begin_oneof("pick"); /* an optional of proto3 is no member, whatever else the oneof holds */
    google_protobuf_FieldDescriptorProto_set_proto3_optional(field, true);
    google_protobuf_compiler_CodeGeneratorResponse response = run();
    CHECK_EQ(response.file.len, 2);
    CHECK(!memmem(response.file.data[0].content.data, response.file.data[0].content.len, "union", 5));
    tern_arena_fini(&arena);
}

/* M { map<int32, int32> a = 1; }, its entry type in `entry`. */
static message_type *entry;

static field_type *add_entry_field(const char *name, int32_t number) {
    field_type *f = google_protobuf_DescriptorProto_add_field(entry, &arena);
    google_protobuf_FieldDescriptorProto_set_name(f, S(name));
    google_protobuf_FieldDescriptorProto_set_number(f, number);
    google_protobuf_FieldDescriptorProto_set_type(f, TERN_INT32);
    google_protobuf_FieldDescriptorProto_set_label(f, 1);
    return f;
}

static void begin_map(void) {
    begin();
    entry = google_protobuf_DescriptorProto_add_nested_type(message, &arena);
    google_protobuf_DescriptorProto_set_name(entry, S("AEntry"));
    google_protobuf_MessageOptions_set_map_entry(google_protobuf_DescriptorProto_make_options(entry, &arena), true);
    google_protobuf_DescriptorProto_reserve_field(entry, 4, &arena);
    add_entry_field("key", 1);
    add_entry_field("value", 2);
    field->label = 3;
    field->type = TERN_MESSAGE;
    google_protobuf_FieldDescriptorProto_set_type_name(field, S(".p.M.AEntry"));
}

static void request__maps(void) {
    static const int32_t no_keys[] = {TERN_DOUBLE, TERN_FLOAT, TERN_BYTES, TERN_ENUM, TERN_MESSAGE, TERN_GROUP, 0, 99};
    begin_map();
    CHECK_EQ(run().file.len, 2);
    tern_arena_fini(&arena);
    for (size_t i = 0; i < TERN__COUNT(no_keys); i++) {
        begin_map();
        entry->field.data[0].type = no_keys[i];
        check_error("entry of a map is not a key and a value");
    }
    begin_map();
    entry->field.data[1].type = TERN_GROUP;
    check_error("entry of a map is not a key and a value");
    begin_map();
    entry->field.data[1].number = 3;
    check_error("entry of a map is not a key and a value");
    begin_map();
    entry->field.data[1].label = 3;
    check_error("entry of a map is not a key and a value");
    begin_map();
    entry->field.len = 1;
    check_error("entry of a map is not a key and a value");
    begin_map();
    add_entry_field("more", 3);
    check_error("entry of a map is not a key and a value");
    begin_map();
    entry->field.data[0].name = S("kay");
    check_error("entry of a map is not a key and a value");
}

static void request__entries_where_none_belong(void) {
    begin_map();
    field->label = 1;
    check_error("field a has the type of a map's entry and is no map");
    begin_map(); /* a map whose entry belongs to another message */
    message = google_protobuf_FileDescriptorProto_add_message_type(file, &arena);
    google_protobuf_DescriptorProto_set_name(message, S("N"));
    *google_protobuf_DescriptorProto_add_field(message, &arena) = file->message_type.data[0].field.data[0];
    check_error("field a has the type of a map's entry and is no map");
    begin();
    google_protobuf_MessageOptions_set_map_entry(google_protobuf_DescriptorProto_make_options(message, &arena), true);
    check_error("the entry of a map is in no message");
    begin_map();
    google_protobuf_ServiceDescriptorProto *s = google_protobuf_FileDescriptorProto_add_service(file, &arena);
    google_protobuf_ServiceDescriptorProto_set_name(s, S("S"));
    google_protobuf_MethodDescriptorProto *m = google_protobuf_ServiceDescriptorProto_add_method(s, &arena);
    google_protobuf_MethodDescriptorProto_set_name(m, S("Get"));
    google_protobuf_MethodDescriptorProto_set_input_type(m, S(".p.M.AEntry"));
    google_protobuf_MethodDescriptorProto_set_output_type(m, S(".p.M"));
    check_error("message type of method Get cannot be found");
}

/* Ten thousand oneofs of one member each, and one of ten thousand: as fast as plain fields. */
static void request__many_oneofs(void) {
    begin();
    google_protobuf_DescriptorProto_reserve_field(message, 20001, &arena);
    for (int i = 0; i < 10000; i++) {
        google_protobuf_OneofDescriptorProto_set_name(google_protobuf_DescriptorProto_add_oneof_decl(message, &arena),
                                                      S(gen_format(&arena, "o%d", i)));
        for (int k = 0; k < 2; k++) {
            field_type *more = google_protobuf_DescriptorProto_add_field(message, &arena);
            *more = message->field.data[0];
            more->name = S(gen_format(&arena, "%c%d", 'm' + k, i));
            more->number = 2 + 2 * i + k;
            set_oneof(more, k ? 0 : i);
        }
    }
    CHECK_EQ(run().file.len, 2);
    tern_arena_fini(&arena);
}

/* 5000 strings make a struct beyond what a table can say about a list's element. */
static void request__elements_that_are_too_large(void) {
    begin();
    for (int i = 0; i < 5000; i++) {
        field_type *more = google_protobuf_DescriptorProto_add_field(message, &arena);
        *more = message->field.data[0];
        more->name = S(gen_format(&arena, "a%d", i));
        more->number = i + 2;
        more->type = TERN_STRING;
    }
    CHECK_EQ(run().file.len, 2);
    field_type *self = google_protobuf_DescriptorProto_add_field(message, &arena);
    *self = message->field.data[0];
    self->name = S("self");
    self->number = 6000;
    self->type = TERN_MESSAGE;
    google_protobuf_FieldDescriptorProto_set_type_name(self, S(".p.M"));
    CHECK_EQ(run().file.len, 2);
    self->label = 3;
    check_error("has too many fields to be repeated");
}

static void request__no_request_at_all(void) {
    tern_bytes out;
    tern_arena_init(&arena, 0, 0);
    CHECK(gen_run_bytes(&arena, "\xff", 1, &out, NULL) < 0);
    CHECK(gen_run_bytes(&arena, "\x00\x00", 2, &out, NULL) < 0);
    CHECK_EQ(gen_run_bytes(&arena, "", 0, &out, NULL), 0);
    tern_arena_fini(&arena);
}

TAP_MAIN(TEST(request__honest_gives_two_files), TEST(request__same_output_each_time),
         TEST(request__names_that_are_no_identifiers), TEST(request__paths_that_would_break_out),
         TEST(request__fields_that_make_no_sense), TEST(request__references), TEST(request__things_twice),
         TEST(request__c_names_across_files), TEST(request__files_and_syntax), TEST(request__defaults_of_another_kind),
         TEST(request__too_many_errors_are_counted), TEST(request__names_that_collide_too_often),
         TEST(request__files_beyond_the_bound), TEST(request__elements_that_are_too_large), TEST(request__oneofs),
         TEST(request__maps), TEST(request__entries_where_none_belong), TEST(request__many_oneofs),
         TEST(request__no_request_at_all))
