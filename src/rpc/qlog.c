/* Writing qlog files (qlog.h). Invariant: there is always room for one more record in the buffer. */
#include "rpc/qlog.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER_BYTES = 64 << 10, RECORD_BYTES = 1024 };

struct tern__qlog {
    int fd;
    int err;          /* errno of the write that failed; 0: none has */
    tern_time start;  /* event times count from here */
    uint64_t wall_ms; /* the wall clock at `start`: files of several machines can be laid side by side */
    bool has_header;
    size_t len;
    char buffer[BUFFER_BYTES];
};

/* ---- The file ------------------------------------------------------------------------------------- */

bool tern__qlog_is_broken(const tern__qlog *log) { return log->err != 0; }

static void write_all(tern__qlog *log) {
    size_t at = 0;
    while (!log->err && at < log->len) {
        ssize_t n = write(log->fd, log->buffer + at, log->len - at);
        if (n > 0)
            at += (size_t)n;
        else if (n == 0 || errno != EINTR)
            log->err = n ? errno : EIO;
    }
}

/* A file that reaches the process's limit (RLIMIT_FSIZE) sends the thread a signal that would kill the process. The
 * signal is taken back here, unless one like it waited before. */
int tern__qlog_flush(tern__qlog *log) {
    sigset_t limit, before, pending;
    if (log->err) return 0;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &limit, &before);
    write_all(log);
    if (log->err == EFBIG && !sigismember(&pending, SIGXFSZ)) sigtimedwait(&limit, NULL, &(struct timespec){0});
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    log->len = 0;
    return log->err;
}

__attribute__((format(printf, 2, 3))) static void write_text(tern__qlog *log, const char *format, ...) {
    va_list args;
    size_t room = BUFFER_BYTES - log->len;
    va_start(args, format);
    int n = vsnprintf(log->buffer + log->len, room, format, args);
    va_end(args);
    if (n > 0) log->len += (size_t)n < room ? (size_t)n : 0;
}

static uint64_t wall_clock_ms(void) {
    struct timespec ts;
    clock_gettime(CLOCK_REALTIME, &ts);
    return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

void tern__qlog_begin(tern__qlog *log, const char *vantage) {
    if (log->has_header) return;
    log->has_header = true;
    write_text(
        log,
        "\x1e{\"qlog_version\":\"0.3\",\"qlog_format\":\"JSON-SEQ\",\"title\":\"tern\",\"trace\":{"
        "\"vantage_point\":{\"name\":\"tern\",\"type\":\"%s\"},"
        "\"common_fields\":{\"protocol_type\":[\"tern\"],\"time_format\":\"relative\",\"reference_time\":%" PRIu64
        "}}}\n",
        vantage, log->wall_ms);
}

/* Nobody else may write to the file meanwhile: two traces in one file would be none. Where the file system knows no
 * locks nobody is kept off. */
static int lock_file(int fd) {
    if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK) return TERN_ERR_EXISTS;
    return ftruncate(fd, 0) ? TERN_ERR_IO : 0;
}

static int error_of_open(int error) {
    switch (error) {
    case EACCES:
    case EPERM: return TERN_ERR_ACCESS;
    case EISDIR:
    case ENXIO: return TERN_ERR_INVALID; /* a folder; a pipe that nobody reads, a socket */
    default: return TERN_ERR_IO;
    }
}

/* A pipe without a reader would kill the process by a signal, and one with a slow reader would hold it up. */
static int open_file(const char *path, int *fd) {
    struct stat st;
    *fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
    if (*fd < 0) return error_of_open(errno);
    int err = 0;
    if (fstat(*fd, &st) || (!S_ISREG(st.st_mode) && !S_ISCHR(st.st_mode)))
        err = TERN_ERR_INVALID;
    else if (S_ISREG(st.st_mode))
        err = lock_file(*fd);
    if (err) close(*fd);
    return err;
}

int tern__qlog_new(const char *path, tern_time start, tern__qlog **out) {
    tern__qlog *log = malloc(sizeof *log);
    if (!log) return TERN_ERR_NOMEM;
    int err = open_file(path, &log->fd);
    if (err) {
        int saved = errno;
        free(log);
        errno = saved;
        return err;
    }
    log->err = 0;
    log->start = start;
    log->wall_ms = wall_clock_ms();
    log->has_header = false;
    log->len = 0;
    *out = log;
    return 0;
}

void tern__qlog_free(tern__qlog *log) {
    if (!log) return;
    flock(log->fd, LOCK_UN); /* a child of fork() may have the descriptor, too */
    close(log->fd);
    free(log);
}

/* ---- Events --------------------------------------------------------------------------------------- */

/* A field in milliseconds, to the nanosecond. */
static void add_ms(tern__qlog *log, const char *name, uint64_t ns) {
    write_text(log, "\"%s\":%" PRIu64 ".%06" PRIu64, name, ns / 1000000, ns % 1000000);
}

static void begin_event(tern__qlog *log, const tern__trace_event *e, const char *name) {
    static const char *const roles[] = {"client", "server"};
    write_text(log, "\x1e{");
    add_ms(log, "time", e->at > log->start ? e->at - log->start : 0);
    write_text(log, ",\"name\":\"%s\"", name);
    if (e->role < TERN__ROLE_NONE) write_text(log, ",\"group_id\":\"%s-%08" PRIx32 "\"", roles[e->role], e->session);
    write_text(log, ",\"data\":{");
}

static void add_route(tern__qlog *log, const tern__route *route) {
    write_text(log, ",\"peer\":\"");
    for (uint32_t i = 0; i < route->len && i < sizeof route->bytes; i++) write_text(log, "%02x", route->bytes[i]);
    write_text(log, "\"");
}

static void add_flags(tern__qlog *log, uint8_t flags) {
    static const char *const names[] = {"tag", "multi", "meta", "stream", "ece", "last", "key"};
    const char *comma = "";
    write_text(log, ",\"flags\":[");
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (!(flags >> i & 1)) continue;
        write_text(log, "%s\"%s\"", comma, names[i]);
        comma = ",";
    }
    write_text(log, "]");
}

/* Those that the packet has; what it does not have, and what is 0, is left out. */
static void add_fields(tern__qlog *log, const tern__pkt_header *h) {
    const struct {
        const char *name;
        uint64_t value;
    } fields[] = {{"number", h->number},
                  {"status", h->status},
                  {"format", h->format},
                  {"attempt", h->attempt},
                  {"size", h->size},
                  {"cut", h->cut},
                  {"method", h->method},
                  {"deadline_us", h->deadline_us},
                  {"held_ns", h->held_ns},
                  {"received", h->received},
                  {"grant", h->grant},
                  {"marks", h->marks},
                  {"refused", h->refused},
                  {"code", h->code},
                  {"meta_bytes", h->meta_bytes}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (fields[i].value) write_text(log, ",\"%s\":%" PRIu64, fields[i].name, fields[i].value);
}

/* The tag stays out of the file: whoever reads it must not be able to speak for the peer. */
static void write_packet(tern__qlog *log, const tern__trace_event *e) {
    const tern__trace_packet *p = &e->packet;
    const tern__pkt_header *h = &p->header;
    uint32_t header_bytes = tern__pkt_header_bytes(h);
    bool strange = p->reason == TERN__DROP_MALFORMED || p->reason == TERN__DROP_OTHER_VERSION;
    bool unreadable = e->kind == TERN__TRACE_DROPPED && strange && e->role == TERN__ROLE_NONE;
    if (unreadable) {
        write_text(log, "\"raw\":{\"length\":%" PRIu32 "}", p->payload_bytes);
    } else {
        write_text(log,
                   "\"header\":{\"packet_type\":\"%s\",\"packet_number\":%" PRIu32 "},\"raw\":{\"length\":%" PRIu64
                   ",\"payload_length\":%" PRIu32 "}",
                   tern__pkt_type_name(h->type), h->pkt, (uint64_t)header_bytes + p->payload_bytes, p->payload_bytes);
        write_text(log, ",\"session\":%" PRIu32 ",\"req\":%" PRIu32, h->session, h->req);
        add_fields(log, h);
        add_flags(log, h->flags);
    }
    add_route(log, &p->route);
    if (e->kind == TERN__TRACE_DROPPED) write_text(log, ",\"trigger\":\"%s\"", tern__drop_name(p->reason));
}

static void write_call(tern__qlog *log, const tern__trace_event *e) {
    write_text(log, "\"req\":%" PRIu32 ",\"old\":\"%s\",\"new\":\"%s\"", e->call.req,
               tern__trace_state_name(e->kind, e->call.from), tern__trace_state_name(e->kind, e->call.to));
    bool ends = e->kind == TERN__TRACE_CALL && e->call.to == TERN__CALL_FREE;
    if (ends) write_text(log, ",\"status\":\"%s\"", tern_status_name(e->call.status));
}

static void write_loss(tern__qlog *log, const tern__trace_event *e) {
    write_text(log, "\"req\":%" PRIu32, e->loss.req);
    if (e->kind == TERN__TRACE_LOST || e->kind == TERN__TRACE_RETRANSMIT)
        write_text(log, ",\"packet_number\":%" PRIu32 ",\"packets\":%" PRIu32, e->loss.pkt, e->loss.n_pkts);
    else
        write_text(log, ",\"in_a_row\":%" PRIu32, e->loss.n);
}

/* QUIC's event with QUIC's names. */
static void add_rtt(tern__qlog *log, const tern__trace_event *e) {
    add_ms(log, "latest_rtt", e->rtt.sample_ns);
    write_text(log, ",");
    add_ms(log, "smoothed_rtt", e->rtt.srtt_ns);
    write_text(log, ",");
    add_ms(log, "rtt_variance", e->rtt.var_ns);
    write_text(log, ",");
    add_ms(log, "min_rtt", e->rtt.min_ns);
    write_text(log, ",");
    add_ms(log, "retransmission_timeout", e->rtt.rto_ns);
}

static void add_body(tern__qlog *log, const tern__trace_event *e) {
    switch ((tern__trace_kind)e->kind) {
    case TERN__TRACE_SENT:
    case TERN__TRACE_BLOCKED:
    case TERN__TRACE_RECEIVED:
    case TERN__TRACE_DROPPED: write_packet(log, e); break;
    case TERN__TRACE_SESSION:
        write_text(log, "\"old\":\"%s\",\"new\":\"%s\",\"trigger\":\"%s\"",
                   tern__session_state_name(e->session_change.from), tern__session_state_name(e->session_change.to),
                   tern__why_name(e->session_change.why));
        if (e->session_change.code)
            write_text(log, ",\"code\":\"%s\",\"detail\":%u", tern__refuse_name(e->session_change.code),
                       e->session_change.detail);
        break;
    case TERN__TRACE_CALL:
    case TERN__TRACE_REQUEST:
    case TERN__TRACE_STREAM: write_call(log, e); break;
    case TERN__TRACE_LOST:
    case TERN__TRACE_RETRANSMIT:
    case TERN__TRACE_TIMEOUT:
    case TERN__TRACE_TAIL_PROBE: write_loss(log, e); break;
    case TERN__TRACE_RTT: add_rtt(log, e); break;
    case TERN__TRACE_CONGESTION:
        write_text(log, "\"congestion_window\":%" PRIu64 ",\"pacing_rate\":%" PRIu64, e->congestion.window_bytes,
                   e->congestion.rate_bps);
        break;
    case TERN__N_TRACE_KINDS: break;
    }
}

static void add_record(tern__qlog *log, const tern__trace_event *e, const char *name) {
    begin_event(log, e, name);
    add_body(log, e);
    write_text(log, "}}\n");
}

/* A session that becomes congested, or is so no longer, also says this by an event of its own. */
static void write_congestion(tern__qlog *log, const tern__trace_event *e) {
    if (e->congestion.phase != TERN__CONGESTION_ENDS) add_record(log, e, "recovery:metrics_updated");
    if (e->congestion.phase == TERN__CONGESTION_GOES_ON) return;
    bool begins = e->congestion.phase == TERN__CONGESTION_BEGINS;
    begin_event(log, e, "tern:congestion_state_updated");
    write_text(log, "\"new\":\"%s\"}}\n", begins ? "congested" : "uncongested");
}

int tern__qlog_add(tern__qlog *log, const tern__trace_event *e) {
    char name[64];
    if (log->err) return 0;
    if (e->kind == TERN__TRACE_CONGESTION) {
        write_congestion(log, e);
    } else if (e->kind == TERN__TRACE_RTT) {
        add_record(log, e, "recovery:metrics_updated");
    } else {
        snprintf(name, sizeof name, "tern:%s", tern__trace_kind_name(e->kind));
        add_record(log, e, name);
    }
    return BUFFER_BYTES - log->len < RECORD_BYTES ? tern__qlog_flush(log) : 0;
}
