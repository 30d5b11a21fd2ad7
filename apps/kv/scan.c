/* kv scan and kv import: the store's keys in order, and with --dump also their values, as a stream with type codes that
 * `tern cat` prints and kv import stores again:
 *
 *   preamble, content "KVDU"; then for each entry: str key, u32 first segment, u32 n, n times bytes
 *
 * A scan that breaks off because the server or the way to it died goes on after the last key that came whole. */
#define TERN_STREAM_CODES 1
#define TERN_STREAM_ORDER TERN_STREAM_PEER

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client.h"
#include "commands.h"
#include "escape.h"
#include "kv.tern.h"
#include "store.h"
#include "utf8.h"

enum { DUMP = 0x4b564455, MAX_TRIES = 3 };

/* ---- Scan ----------------------------------------------------------------------------------------- */

typedef struct scan {
    kv_ScanRequest request;
    tern_writer dump; /* with --dump */
    bool dumping, broken;
    char last[STORE_MAX_KEY_BYTES]; /* the last key that came whole */
    size_t last_len;
    uint64_t n_keys;
    uint64_t incarnation; /* of the server that the scan began with; 0: not yet known */
    int status;
} scan;

static void dump_entry(tern_writer *w, const kv_ScanEntry *e) {
    tern_put_str(w, e->key);
    tern_put_u32(w, e->first);
    tern_put_u32(w, (uint32_t)e->vals.len);
    for (size_t i = 0; i < e->vals.len; i++) tern_put_bytes(w, e->vals.data[i]);
}

static void print_entry(const kv_ScanEntry *e) {
    escape_print(stdout, e->key.data, e->key.len);
    printf("\t%" PRIu64 "\n", e->value_bytes);
}

static void scan_entry(tern_stream stream, const kv_ScanEntry *e, void *user) {
    scan *s = user;
    if (e->key.len > sizeof s->last) {
        tern_stream_cancel(stream);
        return;
    }
    if (s->dumping)
        dump_entry(&s->dump, e);
    else
        print_entry(e);
    if ((s->dumping && s->dump.err) || ferror(stdout)) {
        s->broken = true;
        tern_stream_cancel(stream);
        return;
    }
    if (s->request.values && e->first + e->vals.len < e->n_segments) return;
    if (e->key.len) memcpy(s->last, e->key.data, e->key.len); /* an empty one may have no address */
    s->last_len = e->key.len;
    s->n_keys++;
}

static void scan_ended(tern_stream stream, int status, void *user) {
    (void)stream;
    ((scan *)user)->status = status;
}

/* One call from where the last one broke off. Returns its status, or an error. */
static int scan_once(client *c, scan *s, uint64_t limit) {
    static const kv_Store_Scan_events events = {.on_message = scan_entry, .on_end = scan_ended};
    tern_stream stream;
    if (s->last_len) s->request.after = (tern_str){s->last, s->last_len};
    if (limit) s->request.limit = limit - s->n_keys;
    int err = kv_Store_Scan(c->session, &s->request, NULL, &events, s, &stream);
    if (err) return err;
    tern_result_free(c->result);
    err = tern_stream_wait_result(stream, &c->result);
    return err < 0 ? err : s->status;
}

/* A server that has started again holds other data, or none: a scan cannot go on there. */
static bool is_another_server(const client *c, scan *s) {
    uint64_t before = s->incarnation;
    if (tern_session_get_incarnation(c->session, &s->incarnation)) return false;
    return before && s->incarnation != before;
}

static int scan_all(client *c, scan *s) {
    uint64_t limit = s->request.limit, before;
    int status, tries = 0;
    do {
        before = s->n_keys;
        status = scan_once(c, s, limit);
        if (is_another_server(c, s)) status = TERN_STATUS_ABORTED;
        tries = s->n_keys > before ? 1 : tries + 1;
    } while (status == TERN_STATUS_UNAVAILABLE && tries < MAX_TRIES && (!limit || s->n_keys < limit));
    if (s->dumping && tern_writer_fini(&s->dump)) s->broken = true;
    if (s->broken) {
        cli_complain("cannot write to stdout");
        return CLI_LOCAL;
    }
    return status ? client_complain(c, "scan", status) : CLI_OK;
}

int scan_main(int argc, char **argv) {
    const char *prefix = "", *after = "";
    uint64_t limit = 0;
    bool dump = false;
    const cli_option options[] = {
        {"--prefix", CLI_TEXT, &prefix, "only keys that begin so"},
        {"--after", CLI_TEXT, &after, "only keys behind this one"},
        {"--limit", CLI_COUNT, &limit, "so many keys at most (default: all)"},
        {"--dump", CLI_FLAG, &dump, "write keys and values for kv import, not a list"},
    };
    const cli_command command = {
        "scan",
        "ADDRESS",
        "Shows the keys in the order of their bytes, each with its value's length, as they come.",
        1,
        1,
        options,
        sizeof options / sizeof *options};
    client c;
    int code = cli_parse(&command, &argc, argv);
    if (code != CLI_GO_ON) return code;
    if (!utf8_valid(prefix, strlen(prefix)) || !utf8_valid(after, strlen(after)))
        return cli_usage_error("keys are UTF-8");
    scan *s = calloc(1, sizeof *s);
    if (!s) return CLI_LOCAL;
    s->dumping = dump;
    s->request =
        (kv_ScanRequest){.after = tern_str_of(after), .prefix = tern_str_of(prefix), .values = dump, .limit = limit};
    if (!(code = client_open(&c, argv[1]))) {
        if (dump && !tern_writer_init(&s->dump, tern_sink_fd(STDOUT_FILENO), 0)) tern_put_preamble(&s->dump, DUMP);
        code = scan_all(&c, s);
        client_close(&c);
    }
    free(s);
    return code;
}

/* ---- Import --------------------------------------------------------------------------------------- */

typedef struct importing {
    uint64_t n_entries, value_bytes;
    int status;
    bool ended;
    client *c;
    int code; /* of an end that is not OK */
} importing;

static void import_answer(tern_stream stream, const kv_ImportResponse *response, void *user) {
    importing *i = user;
    (void)stream;
    i->n_entries = response->n_entries;
    i->value_bytes = response->value_bytes;
}

static void import_ended(tern_stream stream, int status, void *user) {
    importing *i = user;
    (void)stream;
    i->status = status;
    i->ended = true;
    if (status) i->code = client_complain(i->c, "import", status);
}

/* The next entry of a dump, its memory from the arena. False at the end or after an error of the reader's. */
static bool read_entry(tern_reader *r, tern_arena *arena, kv_ImportEntry *e) {
    if (tern_reader_at_end(r)) return false;
    *e = (kv_ImportEntry){.key = tern_get_str(r, arena)};
    e->append = tern_get_u32(r) != 0;
    uint32_t n = tern_get_u32(r);
    for (uint32_t i = 0; i < n && !r->err; i++) {
        tern_bytes *segment = kv_ImportEntry_add_vals(e, arena);
        if (!segment) {
            tern_reader_fail(r, TERN_ERR_NOMEM);
            break;
        }
        *segment = tern_get_bytes(r, arena);
    }
    return !r->err;
}

static int write_entry(tern_stream stream, const kv_ImportEntry *e, const importing *i) {
    for (;;) {
        int err = kv_Store_Import_write_request(stream, e);
        if (err != TERN_ERR_FULL) return err;
        err = tern_stream_wait_writable(stream);
        if (err || i->ended) return err ? err : TERN_ERR_CLOSED;
    }
}

static int import_damaged(const tern_reader *r) {
    char why[200];
    cli_complain("the dump is damaged: %s", tern_reader_explain(r, why, sizeof why));
    return CLI_DATA;
}

/* Everything of the dump into one call, up to a damaged place. Returns an exit code. */
static int import_all(client *c, tern_reader *r) {
    static const kv_Store_Import_events events = {.on_message = import_answer, .on_end = import_ended};
    importing i = {.c = c};
    tern_stream stream;
    tern_arena arena;
    kv_ImportEntry e;
    tern_get_preamble(r, DUMP);
    if (r->err) return import_damaged(r);
    int err = kv_Store_Import(c->session, NULL, &events, &i, &stream);
    if (err) return client_complain(c, "import", err);
    tern_arena_init(&arena, 1 << 20, 0);
    while (!err && !i.ended && !r->err && read_entry(r, &arena, &e)) {
        err = write_entry(stream, &e, &i);
        tern_arena_reset(&arena);
    }
    tern_arena_fini(&arena);
    if (r->err) import_damaged(r);
    if (r->err && !i.ended && !err) err = write_entry(stream, &(kv_ImportEntry){.is_cut = true}, &i);
    if (!i.ended && !err) err = tern_stream_finish(stream);
    if (!i.ended) tern_stream_wait(stream);
    if (i.status) return i.code;
    printf("%" PRIu64 " entries, %s\n", i.n_entries, cli_format_bytes(i.value_bytes).text);
    return r->err ? CLI_DATA : CLI_OK;
}

int import_main(int argc, char **argv) {
    const cli_command command = {
        "import",
        "ADDRESS [FILE]",
        "Stores what kv scan --dump wrote, from FILE (or stdin, also as -). Keys that are not in it stay.",
        1,
        2,
        NULL,
        0};
    client c;
    tern_reader r;
    int code = cli_parse(&command, &argc, argv);
    if (code != CLI_GO_ON) return code;
    int fd = argc == 2 || strcmp(argv[2], "-") == 0 ? STDIN_FILENO : open(argv[2], O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        cli_complain("%s: %s", argv[2], cli_errno_text(errno));
        return CLI_LOCAL;
    }
    if (!(code = client_open(&c, argv[1]))) {
        tern_reader_init(&r, tern_source_fd(fd), 0);
        tern_reader_set_max(&r, STORE_MAX_SEGMENT_BYTES);
        code = import_all(&c, &r);
        tern_reader_fini(&r);
        client_close(&c);
    }
    if (fd != STDIN_FILENO) close(fd);
    return code;
}
