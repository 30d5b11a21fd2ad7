/* Schemas that are not supported, through protoc: each is refused with the place and the reason, and nothing
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
    char output[4096];
    int status = generate(schema, output, sizeof output);
    if (status == 0 || !strstr(output, reason)) printf("# wanted: %s\n# got: %s\n", reason, output);
    CHECK(status != 0);
    CHECK(strstr(output, reason));
    CHECK(!was_written());
}

static void errors__each_unsupported_thing(void) {
    static const char *const cases[][2] = {
        {"syntax = \"proto3\";\nmessage M {\n  map<string, int32> counts = 1;\n}\n",
         "x.proto:3:3: field counts is a map; maps are not supported"},
        {"syntax = \"proto3\";\nmessage M {\n  int32 a = 1;\n  oneof choice {\n    int32 b = 2;\n    string c = 3;\n  "
         "}\n}\n",
         "x.proto:4:3: oneof choice: oneofs are not supported"},
        {"syntax = \"proto2\";\nmessage M {\n  optional group G = 1 { optional int32 a = 1; }\n}\n",
         "x.proto:3:3: field g is a group; groups are not supported"},
        {"syntax = \"proto2\";\nmessage M { extensions 100 to 200; }\nextend M {\n  optional int32 e = 100;\n}\n",
         "x.proto:4:3: extensions are not supported"},
        {"syntax = \"proto2\";\nmessage M { extensions 100 to 200;\n  extend M { optional int32 e = 100; }\n}\n",
         "x.proto:3:14: extensions are not supported"},
        {"syntax = \"proto3\";\nmessage M {}\nservice S {\n  rpc Up(stream M) returns (M);\n}\n",
         "x.proto:4:3: method Up: streaming methods are not supported"},
        {"syntax = \"proto3\";\nmessage M {}\nservice S {\n  rpc A(M) returns (M);\n  rpc Down(M) returns (stream "
         "M);\n}\n",
         "x.proto:5:3: method Down: streaming methods are not supported"},
        {"syntax = \"proto2\";\nmessage M {\n  option message_set_wire_format = true;\n  extensions 4 to max;\n}\n",
         "x.proto:2:1: message_set_wire_format is not supported"},
    };
    CHECK(mkdtemp(folder));
    for (size_t i = 0; i < TERN__COUNT(cases); i++) check_refused(cases[i][0], cases[i][1]);
}

static void errors__all_of_them_at_once(void) {
    char output[4096];
    const char *schema = "syntax = \"proto3\";\nmessage M {\n  map<int32, M> a = 1;\n  map<int32, M> b = 2;\n"
                         "  oneof x { int32 c = 3; }\n  optional int32 d = 4;\n}\n";
    CHECK(generate(schema, output, sizeof output) != 0);
    CHECK(strstr(output, "x.proto:3:3: ") && strstr(output, "x.proto:4:3: ") && strstr(output, "x.proto:5:3: "));
    CHECK(!strstr(output, "_d"));
    CHECK(!was_written());
}

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

static void errors__a_supported_schema_is_written(void) {
    char output[4096], command[64];
    int status = generate("syntax = \"proto3\";\nmessage M { optional int32 a = 1; }\n", output, sizeof output);
    bool written = was_written();
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK_EQ(system(command), 0);
    CHECK_EQ(status, 0);
    CHECK(written);
}

TAP_MAIN(TEST(errors__each_unsupported_thing), TEST(errors__all_of_them_at_once), TEST(errors__parameters_are_refused),
         TEST(errors__a_supported_schema_is_written))
