/* kv load: a directory tree into the store, many calls in flight. A file is read into a pool buffer, which is
 * sent from where it is; what is larger than a segment is uploaded in parts, each after the one before has been
 * answered, and replaces what the key had with the last of them. The first failure ends the load: nothing is retried,
 * and the server gives up what was being uploaded. */
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
#include "store.h"
#include "walk.h"

enum {
    N_JOBS = 64,
    IN_FLIGHT_BYTES = 64 << 20,              /* beyond the first job: bounds our memory and the server's */
    SEGMENT_BYTES = (32 << 20) - (32 << 10), /* with the rest of its message just under a power of two */
};

typedef enum job_state { JOB_FREE, JOB_READY, JOB_WAITING } job_state;

typedef struct load load;

/* One file on its way. */
typedef struct job {
    load *load;
    job_state state;
    int fd;
    char *key;       /* ours */
    uint64_t left;   /* bytes of the file not yet read */
    void *segment;   /* pool buffer with the next bytes to send */
    size_t n_bytes;  /* in it */
    uint64_t upload; /* a segment has been stored already, under this number; 0: none has */
} job;

struct load {
    client client;
    walk walk;
    job jobs[N_JOBS];
    unsigned n_jobs; /* in use of those */
    unsigned n_busy;
    uint64_t in_flight; /* bytes of segments held by jobs */
    uint64_t segment_bytes;
    uint64_t n_files, n_bytes, n_segments; /* stored */
    int failed;                            /* exit code of the first failure */
};

static void job_end(job *j) {
    if (j->segment) j->load->in_flight -= j->n_bytes;
    tern_unref(j->segment);
    free(j->key);
    if (j->fd >= 0) close(j->fd);
    j->load->n_busy--;
    j->segment = j->key = NULL;
    j->state = JOB_FREE;
}

static void job_fail(job *j, int code) {
    if (!j->load->failed) j->load->failed = code;
    job_end(j);
}

/* Read the next segment. Returns 0 or an exit code, after a complaint. */
static int read_segment(job *j) {
    load *l = j->load;
    size_t want = j->left < l->segment_bytes ? j->left : l->segment_bytes, have = 0;
    errno = 0; /* memory that clients may map is a file */
    j->segment = tern_alloc(want ? want : 1);
    if (!j->segment) {
        cli_complain("%s: out of memory: %s", j->key, cli_errno_text(errno ? errno : ENOMEM));
        return CLI_LOCAL;
    }
    while (have < want) {
        ssize_t n = read(j->fd, (char *)j->segment + have, want - have);
        if (n == 0) break; /* it has shrunk since it was looked at: store what is there */
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) {
            cli_complain("%s: %s", j->key, cli_errno_text(errno));
            return CLI_LOCAL;
        }
        have += (size_t)n;
    }
    j->left = have < want ? 0 : j->left - have;
    j->n_bytes = have;
    l->in_flight += have;
    return 0;
}

/* Give the next file to a job. False when there is none. */
static bool job_begin(load *l, job *j) {
    walk_file file;
    int fd;
    do {
        if (!walk_next(&l->walk, &file)) return false;
        fd = walk_open_file(&l->walk, file.path);
    } while (fd < 0);
    *j = (job){.load = l, .state = JOB_READY, .fd = fd, .key = strndup(file.key.data, file.key.len)};
    j->left = file.bytes;
    l->n_busy++;
    int code = j->key ? read_segment(j) : CLI_LOCAL;
    if (code) job_fail(j, code);
    return true;
}

/* The server has the segment, or not. */
static void advance(job *j, int status) {
    load *l = j->load;
    if (status != TERN_STATUS_OK) {
        char what[256];
        snprintf(what, sizeof what, "put %s", j->key);
        job_fail(j, l->failed ? l->failed : client_complain(&l->client, what, status));
        return;
    }
    l->n_bytes += j->n_bytes;
    l->n_segments++;
    l->in_flight -= j->n_bytes;
    tern_unref(j->segment);
    j->segment = NULL;
    if (j->left > 0) {
        j->state = JOB_READY;
        return;
    }
    l->n_files++;
    job_end(j);
}

static void on_stored(void *user, int status, const kv_PutResponse *rsp) {
    (void)rsp;
    advance(user, status);
}

static void on_uploaded(void *user, int status, const kv_UploadResponse *rsp) {
    job *j = user;
    if (status == TERN_STATUS_OK) j->upload = rsp->upload;
    advance(j, status);
}

/* Returns 0, or what the call's start returned. */
static int call(job *j) {
    load *l = j->load;
    tern_bytes segment = tern_bytes_of(j->segment, j->n_bytes);
    tern_str key = tern_str_of(j->key);
    if (!j->upload && j->left == 0) {
        kv_PutRequest req = {.key = key, .vals = {.data = &segment, .len = 1}};
        return kv_Store_Put(l->client.session, &req, &client_call_opts, on_stored, j);
    }
    kv_UploadRequest req = {.upload = j->upload,
                            .key = j->upload ? (tern_str){0} : key,
                            .vals = {.data = &segment, .len = 1},
                            .end = j->left ? kv_UploadEnd_UPLOAD_GOES_ON : kv_UploadEnd_UPLOAD_COMMIT};
    return kv_Store_Upload(l->client.session, &req, &client_call_opts, on_uploaded, j);
}

/* Send a ready job's segment. False when the session takes no more just now. */
static bool job_send(job *j) {
    load *l = j->load;
    int code = j->segment ? 0 : read_segment(j);
    if (code) {
        job_fail(j, code);
        return true;
    }
    int err = call(j);
    if (err == TERN_ERR_FULL) return false;
    if (err)
        job_fail(j, client_complain(&l->client, j->key, err));
    else
        j->state = JOB_WAITING;
    return true;
}

/* Start and continue what can be. Returns whether files may be left to start. */
static bool pump(load *l) {
    bool more = true;
    for (unsigned i = 0; i < l->n_jobs && !l->failed; i++) {
        job *j = &l->jobs[i];
        if (j->state == JOB_FREE && more && (l->n_busy == 0 || l->in_flight < IN_FLIGHT_BYTES)) more = job_begin(l, j);
        if (j->state == JOB_READY && !job_send(j)) break;
    }
    return more;
}

static void run(load *l) {
    progress p;
    bool more = true, alive = true;
    progress_begin(&p, "loaded");
    while (alive && !l->failed && (more || l->n_busy > 0)) {
        more = pump(l) && more;
        progress_show(&p, l->n_files, "files", l->n_bytes);
        if (l->n_busy > 0) alive = client_wait(&l->client);
    }
    double seconds = progress_end(&p);
    if (!alive) l->failed = CLI_SERVER;
    printf("%s %" PRIu64 " files, %s in %" PRIu64 " segments, in %.2f s: %.1f MB/s",
           l->failed || l->walk.broken ? "gave up after" : "loaded", l->n_files, cli_format_bytes(l->n_bytes).text,
           l->n_segments, seconds, (double)l->n_bytes / 1e6 / seconds);
    walk_print_skipped(&l->walk);
    printf("\n");
}

int load_main(int argc, char **argv) {
    uint64_t max_files = 0, max_bytes = 0, segment_bytes = SEGMENT_BYTES;
    const cli_option options[] = {
        {"--max-files", CLI_COUNT, &max_files, "stop after so many files (default: no limit)"},
        {"--max-bytes", CLI_BYTES, &max_bytes, "stop before so many bytes are passed (default: no limit)"},
        {"--segment", CLI_BYTES, &segment_bytes, "split larger files into segments of this size (default 32736k)"},
    };
    const cli_command command = {
        "load",
        "ADDRESS DIR",
        "Stores every regular file below DIR under its path relative to DIR. Symbolic links,\n"
        "and special files are skipped and counted; so is what cannot be stored: unreadable files\n"
        "and names that are not UTF-8. Exit code 4: something could not be stored.",
        2,
        2,
        options,
        sizeof options / sizeof *options};
    int code = cli_parse(&command, &argc, argv);
    if (code != CLI_GO_ON) return code;
    if (segment_bytes == 0 || segment_bytes > STORE_MAX_SEGMENT_BYTES)
        return cli_usage_error("--segment: must be 1 to %d", STORE_MAX_SEGMENT_BYTES);
    load *l = calloc(1, sizeof *l);
    if (!l) return CLI_LOCAL;
    l->segment_bytes = segment_bytes;
    l->n_jobs = client_files_at_once(N_JOBS);
    if (walk_open(&l->walk, argv[2], max_files, max_bytes) != 0) {
        code = cli_usage_error("%s: %s", argv[2], cli_errno_text(errno));
    } else if ((code = client_open(&l->client, argv[1])) == 0) {
        run(l);
        code = l->failed ? l->failed : walk_exit_code(&l->walk);
        client_close(&l->client); /* ends the calls still in flight through on_stored */
    }
    for (unsigned i = 0; i < N_JOBS; i++)
        if (l->jobs[i].state != JOB_FREE) job_end(&l->jobs[i]);
    walk_close(&l->walk);
    free(l);
    return code;
}
