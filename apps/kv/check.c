/* kv check: fetch every file's value back and compare its SHA-256 with that of the file. Fetches run ahead
 * while files are read and hashed. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "client.h"
#include "commands.h"
#include "kv.tern.h"
#include "progress.h"
#include "sha256.h"
#include "walk.h"

enum {
    N_JOBS = 32,
    IN_FLIGHT_BYTES = 128 << 20, /* beyond the first job: bounds our memory for responses */
    MAX_COMPLAINTS = 10,
    MAX_RESTARTS = 10, /* of a fetch whose value is replaced under it */
};

typedef enum job_state { JOB_FREE, JOB_READY, JOB_WAITING, JOB_FETCHED, JOB_MISSING } job_state;

typedef struct check check;

/* One file whose value is being fetched. */
typedef struct job {
    check *check;
    job_state state;
    int fd;
    char *key;         /* ours */
    uint64_t bytes;    /* the file's size */
    uint32_t first;    /* next segment to fetch */
    uint64_t version;  /* of the pieces so far */
    uint64_t received; /* bytes of value so far */
    unsigned n_restarts;
    sha256 sha; /* of them */
} job;

struct check {
    client client;
    walk walk;
    job jobs[N_JOBS];
    unsigned n_jobs; /* in use of those */
    unsigned n_busy;
    uint64_t in_flight;
    uint64_t n_equal, n_different, n_missing, n_bytes;
    int failed; /* exit code of the first failure */
};

static void job_end(job *j) {
    j->check->in_flight -= j->bytes;
    j->check->n_busy--;
    free(j->key);
    close(j->fd);
    j->state = JOB_FREE;
}

static void job_fail(job *j, int code) {
    if (!j->check->failed) j->check->failed = code;
    job_end(j);
}

static void on_listed(void *user, int status, const kv_ListResponse *rsp) {
    job *j = user;
    check *c = j->check;
    if (status == TERN_STATUS_NOT_FOUND) {
        j->state = JOB_MISSING;
        return;
    }
    bool replaced = status == TERN_STATUS_OK && j->first > 0 && rsp->version != j->version;
    if (status == TERN_STATUS_OK && rsp->vals.len == 0) status = TERN_STATUS_DATA_LOSS;
    if (replaced && ++j->n_restarts > MAX_RESTARTS) status = TERN_STATUS_ABORTED;
    if (status != TERN_STATUS_OK) {
        char what[256];
        snprintf(what, sizeof what, "list %s", j->key);
        job_fail(j, c->failed ? c->failed : client_complain(&c->client, what, status));
        return;
    }
    if (replaced) { /* its pieces do not belong together */
        j->first = 0;
        j->received = 0;
        sha256_begin(&j->sha);
        j->state = JOB_READY;
        return;
    }
    j->version = rsp->version;
    for (size_t i = 0; i < rsp->vals.len; i++) {
        sha256_add(&j->sha, rsp->vals.data[i].data, rsp->vals.data[i].len);
        j->received += rsp->vals.data[i].len;
    }
    j->first += (uint32_t)rsp->vals.len;
    j->state = j->first < rsp->n_segments ? JOB_READY : JOB_FETCHED;
}

/* Give the next file to a job. False when there is none. */
static bool job_begin(check *c, job *j) {
    walk_file file;
    int fd;
    do {
        if (!walk_next(&c->walk, &file)) return false;
        fd = walk_open_file(&c->walk, file.path);
    } while (fd < 0);
    sha256 sha = j->sha; /* the context is used again */
    *j = (job){.check = c, .state = JOB_READY, .fd = fd, .bytes = file.bytes, .sha = sha};
    j->key = strndup(file.key.data, file.key.len);
    sha256_begin(&j->sha);
    c->n_busy++;
    c->in_flight += j->bytes;
    if (!j->key) job_fail(j, CLI_LOCAL);
    return true;
}

/* Returns false when the session takes no more just now. */
static bool job_send(job *j) {
    check *c = j->check;
    kv_ListRequest req = {.key = tern_str_of(j->key), .first = j->first};
    int err = kv_Store_List(c->client.session, &req, &client_call_opts, on_listed, j);
    if (err == TERN_ERR_FULL) return false;
    if (err)
        job_fail(j, client_complain(&c->client, j->key, err));
    else
        j->state = JOB_WAITING;
    return true;
}

static void tell_mismatch(const check *c, const char *key, const char *what) {
    if (c->n_different + c->n_missing <= MAX_COMPLAINTS) cli_complain("%s: %s", key, what);
}

static void compare(job *j) {
    check *c = j->check;
    sha256_digest fetched, local;
    sha256 file_sha = {0};
    bool ok = sha256_end(&j->sha, &fetched);
    int err = ok ? sha256_file(&file_sha, j->fd, &local) : TERN_ERR_NOMEM;
    sha256_fini(&file_sha);
    if (err) {
        cli_complain("%s: %s", j->key, err == TERN_ERR_IO ? cli_errno_text(errno) : "SHA-256 failed");
        job_fail(j, CLI_LOCAL);
        return;
    }
    if (memcmp(&fetched, &local, sizeof local) == 0) {
        c->n_equal++;
    } else {
        c->n_different++;
        tell_mismatch(c, j->key, "the stored value differs from the file");
    }
    c->n_bytes += j->received;
    job_end(j);
}

static void finish(job *j) {
    if (j->state == JOB_FETCHED) compare(j);
    if (j->state != JOB_MISSING) return;
    j->check->n_missing++;
    tell_mismatch(j->check, j->key, "is not in the store");
    job_end(j);
}

/* Start, continue and finish what can be. Returns whether files may be left to start. */
static bool pump(check *c) {
    bool more = true, takes_more = true;
    for (unsigned i = 0; i < c->n_jobs && !c->failed; i++) {
        job *j = &c->jobs[i];
        finish(j);
        if (j->state == JOB_FREE && more && (c->n_busy == 0 || c->in_flight < IN_FLIGHT_BYTES)) more = job_begin(c, j);
        if (j->state == JOB_READY && takes_more) takes_more = job_send(j);
    }
    return more;
}

static void run(check *c) {
    progress p;
    bool more = true, alive = true;
    progress_begin(&p, "checked");
    while (alive && !c->failed && (more || c->n_busy > 0)) {
        more = pump(c) && more;
        progress_show(&p, c->n_equal, "files", c->n_bytes);
        if (c->n_busy > 0) alive = client_wait(&c->client);
    }
    double seconds = progress_end(&p);
    if (!alive) c->failed = CLI_SERVER;
    printf("%s %" PRIu64 " files: %" PRIu64 " equal by SHA-256, %" PRIu64 " different, %" PRIu64
           " missing; %s in %.2f s: %.1f MB/s",
           c->failed || c->walk.broken ? "gave up after" : "checked", c->n_equal + c->n_different + c->n_missing,
           c->n_equal, c->n_different, c->n_missing, cli_format_bytes(c->n_bytes).text, seconds,
           (double)c->n_bytes / 1e6 / seconds);
    walk_print_skipped(&c->walk);
    printf("\n");
}

int check_main(int argc, char **argv) {
    uint64_t max_files = 0, max_bytes = 0;
    const cli_option options[] = {
        {"--max-files", CLI_COUNT, &max_files, "stop after so many files (default: no limit)"},
        {"--max-bytes", CLI_BYTES, &max_bytes, "stop before so many bytes are passed (default: no limit)"},
    };
    const cli_command command = {
        "check",
        "ADDRESS DIR",
        "Fetches the value of every file that `load` with the same options stores, and\n"
        "compares SHA-256. Exit code 0: all equal; 1: some differ or are missing; 4: some could\n"
        "not be read or have no key.",
        2,
        2,
        options,
        sizeof options / sizeof *options};
    int code = cli_parse(&command, &argc, argv);
    if (code != CLI_GO_ON) return code;
    check *c = calloc(1, sizeof *c);
    if (!c) return CLI_LOCAL;
    c->n_jobs = client_files_at_once(N_JOBS);
    if (walk_open(&c->walk, argv[2], max_files, max_bytes) != 0) {
        code = cli_usage_error("%s: %s", argv[2], cli_errno_text(errno));
    } else if ((code = client_open(&c->client, argv[1])) == 0) {
        run(c);
        code = c->failed ? c->failed : c->n_different + c->n_missing > 0 ? CLI_DATA : walk_exit_code(&c->walk);
        client_close(&c->client); /* ends the calls still in flight through on_listed */
    }
    for (unsigned i = 0; i < N_JOBS; i++) {
        if (c->jobs[i].state != JOB_FREE) job_end(&c->jobs[i]);
        sha256_fini(&c->jobs[i].sha);
    }
    walk_close(&c->walk);
    free(c);
    return code;
}
