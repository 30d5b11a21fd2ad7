/* kv get, del, list and stats: one call after the other, each waited for. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "client.h"
#include "commands.h"
#include "escape.h"
#include "kv.tern.h"
#include "utf8.h"

/* Parse, connect and run `one` on each argument from argv[2] on; the worst exit code counts. */
typedef int each_key_fn(client *c, const char *key);

static int each_key(const cli_command *command, int argc, char **argv, each_key_fn *one) {
    client c;
    int code = cli_parse(command, &argc, argv);
    if (code != CLI_GO_ON) return code;
    for (int i = 2; i < argc; i++)
        if (!utf8_valid(argv[i], strlen(argv[i]))) return cli_usage_error("a key is not UTF-8: %s", argv[i]);
    code = client_open(&c, argv[1]);
    if (code) return code;
    for (int i = 2; i < argc && code != CLI_SERVER; i++) {
        int got = one(&c, argv[i]);
        if (got > code) code = got;
    }
    client_close(&c);
    return code;
}

/* Hands every segment of a value, in order, to fn with its number. Returns an exit code, after a complaint. */
typedef void segment_fn(uint32_t number, tern_bytes segment);

static int each_segment(client *c, const char *key, segment_fn *fn) {
    kv_ListRequest req = {.key = tern_str_of(key)};
    uint64_t version = 0;
    uint32_t n_segments;
    do {
        const kv_ListResponse *rsp;
        tern_call_opts opts = client_call_and_tell(c);
        int status = kv_Store_List_wait(c->session, &req, &opts, &rsp);
        if (status != TERN_STATUS_OK) return client_complain(c, key, status);
        if (rsp->vals.len == 0 || (req.first > 0 && rsp->version != version)) {
            tern_release(rsp);
            return client_complain(c, key, TERN_STATUS_ABORTED);
        }
        for (size_t i = 0; i < rsp->vals.len; i++) fn(req.first + (uint32_t)i, rsp->vals.data[i]);
        req.first += (uint32_t)rsp->vals.len;
        version = rsp->version;
        n_segments = rsp->n_segments;
        tern_release(rsp);
    } while (req.first < n_segments);
    return CLI_OK;
}

static void write_segment(uint32_t number, tern_bytes segment) {
    (void)number;
    if (segment.len > 0) fwrite(segment.data, 1, segment.len, stdout);
}

static int get_one(client *c, const char *key) { return each_segment(c, key, write_segment); }

int get_main(int argc, char **argv) {
    const cli_command command = {"get",
                                 "ADDRESS KEY...",
                                 "Writes the values of the keys to stdout, one after the other as they are.\n"
                                 "Exit code 1: a key is not there.",
                                 2,
                                 INT_MAX,
                                 NULL,
                                 0};
    return each_key(&command, argc, argv, get_one);
}

static void print_segment(uint32_t number, tern_bytes segment) {
    printf("  segment %" PRIu32 ": %zu bytes\n", number, segment.len);
}

static int list_one(client *c, const char *key) {
    escape_print(stdout, key, strlen(key));
    putchar('\n');
    return each_segment(c, key, print_segment);
}

int list_main(int argc, char **argv) {
    const cli_command command = {
        "list", "ADDRESS KEY...", "Shows the segments of each value. Exit code 1: a key is not there.",
        2,      INT_MAX,          NULL,
        0};
    return each_key(&command, argc, argv, list_one);
}

static int del_one(client *c, const char *key) {
    tern_str name = tern_str_of(key);
    kv_DeleteRequest req = {.keys = {.data = &name, .len = 1}};
    const kv_DeleteResponse *rsp;
    tern_call_opts opts = client_call_and_tell(c);
    int status = kv_Store_Delete_wait(c->session, &req, &opts, &rsp);
    if (status != TERN_STATUS_OK) return client_complain(c, key, status);
    uint32_t n = rsp->n_deleted;
    tern_release(rsp);
    return n > 0 ? CLI_OK : client_complain(c, key, TERN_STATUS_NOT_FOUND);
}

int del_main(int argc, char **argv) {
    const cli_command command = {
        "del", "ADDRESS KEY...", "Deletes the keys. Exit code 1: a key was not there.", 2, INT_MAX, NULL, 0};
    return each_key(&command, argc, argv, del_one);
}

int stats_main(int argc, char **argv) {
    bool json = false;
    const cli_option options[] = {{"--json", CLI_FLAG, &json, "print one JSON object"}};
    const cli_command command = {"stats", "ADDRESS", "Shows the server's counters.", 1, 1, options, 1};
    client c;
    int code = cli_parse(&command, &argc, argv);
    if (code != CLI_GO_ON) return code;
    if ((code = client_open(&c, argv[1])) != 0) return code;
    kv_StatsRequest req = {0};
    const kv_StatsResponse *rsp;
    tern_call_opts opts = client_call_and_tell(&c);
    int status = kv_Store_Stats_wait(c.session, &req, &opts, &rsp);
    if (status != TERN_STATUS_OK) {
        code = client_complain(&c, "stats", status);
    } else {
        /* The schema names the counters; all but the id are 64 bits wide. */
        const tern_type *type = &kv_StatsResponse_type;
        const char *before = json ? "{" : "";
        for (uint32_t i = 0; i < type->n_fields; i++) {
            if (type->fields[i].kind != TERN_UINT64) continue;
            uint64_t value;
            memcpy(&value, (const char *)rsp + type->fields[i].offset, sizeof value);
            if (json)
                printf("%s\"%s\":%" PRIu64, before, type->field_names[i], value);
            else
                printf("%-16s %" PRIu64 "\n", type->field_names[i], value);
            before = ",";
        }
        if (json) printf("}\n");
        tern_release(rsp);
    }
    client_close(&c);
    return code;
}
