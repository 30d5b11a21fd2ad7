/* Schemas that are refused, through protoc: each is refused with the place and the reason, and nothing
 * is written. PROTOC and PLUGIN come from the build. */
#include <unistd.h>

#include "base/base.h"
#include "tap.h"

static char folder[] = "/tmp/tern-errors-XXXXXX";

/* Runs protoc on the schema; its exit status, and what it said in output[0..cap). */
static int generate(const char *schema, char *output, size_t cap) {
    char command[1024], path[64];
    snprintf(path, sizeof path, "%s/x.proto", folder);
    FILE *file = fopen(path, "w");
    if (!file) return -1;
    fputs(schema, file);
    fclose(file);
    snprintf(command, sizeof command,
             "cd %s && '%s' -I . -I /usr/include --plugin=protoc-gen-tern='%s' --tern_out=. x.proto 2>&1", folder,
             PROTOC, PLUGIN);
    FILE *pipe = popen(command, "r");
    if (!pipe) return -1;
    size_t n = fread(output, 1, cap - 1, pipe);
    output[n] = 0;
    return pclose(pipe);
}

static bool was_written(void) {
    char path[64];
    snprintf(path, sizeof path, "%s/x.tern.h", folder);
    return access(path, F_OK) == 0;
}

static void check_refused(const char *schema, const char *reason) {
    char output[8192];
    int status = generate(schema, output, sizeof output);
    if (status == 0 || !strstr(output, reason)) printf("# wanted: %s\n# got: %s\n", reason, output);
    CHECK(status != 0);
    CHECK(strstr(output, reason));
    CHECK(!was_written());
}

/* protoc itself lets these pass. */
static void errors__place_and_reason(void) {
    char schema[2048], name[600];
    CHECK(mkdtemp(folder));
    memset(name, 'A', sizeof name);
    snprintf(schema, sizeof schema, "syntax = \"proto3\";\n\n  message %.*s {}\n", 513, name);
    check_refused(schema, "x.proto:3:3: a name is not an identifier, or too long");
    snprintf(schema, sizeof schema, "syntax = \"proto3\";\nmessage M {\n  message N {\n   uint32 %.*s = 1;\n  }\n}\n",
             513, name);
    check_refused(schema, "x.proto:4:4: a field's name is not an identifier, or too long");
    snprintf(schema, sizeof schema, "syntax = \"proto2\";\nmessage M {\n oneof %.*s { int32 a = 1; }\n}\n", 513, name);
    check_refused(schema, "x.proto:3:2: a oneof's name is not an identifier, or too long");
}

/* protoc 3.21 knows no editions and says so itself; a later one asks us (test_request.c). */
static void errors__editions(void) { check_refused("edition = \"2023\";\nmessage M {}\n", "x.proto:1:1: "); }

static void errors__parameters_are_refused(void) {
    char command[1024], output[1024];
    snprintf(command, sizeof command,
             "cd %s && echo 'syntax = \"proto3\";' > p.proto && "
             "'%s' --plugin=protoc-gen-tern='%s' --tern_out=fast:. p.proto 2>&1",
             folder, PROTOC, PLUGIN);
    FILE *pipe = popen(command, "r");
    CHECK(pipe);
    output[fread(output, 1, sizeof output - 1, pipe)] = 0;
    CHECK(pclose(pipe) != 0);
    CHECK(strstr(output, "takes no parameters"));
}

/* A schema that was compiled with a later tern/options.proto, which has one more option for methods and one for
 * fields. */
static void errors__options_of_a_later_version(void) {
    static const char start[] = "syntax = \"proto3\";\nimport \"tern/options.proto\";\n";
    char command[1024], schema[1024], output[8192];
    snprintf(command, sizeof command,
             "cd %s && mkdir -p tern && sed -e 's/bool borrow = 2;/& bool later = 777;/' -e 's/reserved 1, 2;/bool "
             "more = 3;/' "
             "'%s/tern/options.proto' >tern/options.proto",
             folder, INCLUDE);
    CHECK_EQ(system(command), 0);
    snprintf(schema, sizeof schema, "%smessage M { bool a = 1 [(tern.field).more = true]; }\n", start);
    check_refused(schema,
                  "x.proto:3:13: option 3 of (tern.field), which field a has, is newer than this protoc-gen-tern");
    snprintf(
        schema, sizeof schema,
        "%smessage M {}\nservice S {\n  rpc Get(M) returns (M) { option (tern.method) = { later: true borrow: true }; "
        "}\n}\n",
        start);
    int status = generate(schema, output, sizeof output);
    bool told = strstr(output, "x.proto:5:3: warning: option 777 of (tern.method), which method Get has, is newer than "
                               "this protoc-gen-tern; it has no effect\n");
    if (!told) printf("# got: %s\n", output);
    CHECK_EQ(status, 0);
    CHECK(told);
    snprintf(command, sizeof command, "cd %s && grep -q TERN_METHOD_BORROW x.tern.c && rm x.tern.c x.tern.h", folder);
    CHECK_EQ(system(command), 0);
}

static void errors__a_supported_schema_is_written(void) {
    char output[4096], command[64];
    int status = generate("syntax = \"proto3\";\nmessage M { optional int32 a = 1; }\n", output, sizeof output);
    bool written = was_written();
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK_EQ(system(command), 0);
    CHECK_EQ(status, 0);
    CHECK(written);
}

TAP_MAIN(TEST(errors__place_and_reason), TEST(errors__editions), TEST(errors__parameters_are_refused),
         TEST(errors__options_of_a_later_version), TEST(errors__a_supported_schema_is_written))
