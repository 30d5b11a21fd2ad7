/* Tracing an endpoint: its engine's events go into a qlog file (qlog.h). */
#include "rpc/trace.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "rpc/qlog.h"

static void log_error(const tern_endpoint *ep, const char *what, int err) {
    char line[160], reason[96];
    snprintf(line, sizeof line, "trace: %s: %s", what, strerror_r(err, reason, sizeof reason));
    tern__endpoint_log(ep, TERN_LOG_ERROR, line);
}

static void log_lost_trace(const tern_endpoint *ep, int err) {
    if (err) log_error(ep, "the file cannot be written and ends early", err);
}

/* What the endpoint is, as far as that shows by the first event, whose role this is. */
static const char *vantage_of(const tern_endpoint *ep, uint8_t role) {
    if (ep->n_listeners > 0) return "server";
    return role == TERN__ROLE_CLIENT || !tern__list_empty(&ep->sessions) ? "client" : "unknown";
}

/* Writes the rest of the file and closes it. Returns the errno of a write that fails now, or 0. The endpoint has no
 * file when the error is reported: the log may end the trace, or begin another. */
static int close_file(tern_endpoint *ep) {
    tern__qlog *log = ep->qlog;
    ep->qlog = NULL;
    if (!log) return 0;
    tern__qlog_begin(log, vantage_of(ep, TERN__ROLE_NONE));
    int err = tern__qlog_flush(log);
    tern__qlog_free(log);
    return err;
}

static int end_trace(tern_endpoint *ep) {
    tern__engine_set_trace(ep->engine, NULL, NULL);
    return close_file(ep);
}

void tern__endpoint_trace_fini(tern_endpoint *ep) { log_lost_trace(ep, close_file(ep)); }

void tern__endpoint_trace_flush(tern_endpoint *ep) {
    int err = tern__qlog_flush(ep->qlog);
    if (tern__qlog_is_broken(ep->qlog)) end_trace(ep);
    log_lost_trace(ep, err);
}

/* Another trace may have begun since this was posted. */
static void end_if_broken(void *user) {
    tern_endpoint *ep = user;
    if (ep->qlog && tern__qlog_is_broken(ep->qlog)) end_trace(ep);
}

/* The engine is in the middle of something: a trace that breaks ends in the next poll, or when the endpoint sleeps. */
static void on_event(void *user, const tern__trace_event *event) {
    tern_endpoint *ep = user;
    tern__qlog_begin(ep->qlog, vantage_of(ep, event->role));
    int err = tern__qlog_add(ep->qlog, event);
    log_lost_trace(ep, err);
    if (err && !ep->freeing) tern_post(ep, end_if_broken, ep);
}

int tern_endpoint_trace(tern_endpoint *ep, const char *path) {
    if (!tern__endpoint_is_mine(ep)) return tern__endpoint_not_mine(ep);
    if (ep->freeing) return TERN_ERR_CLOSED;
    log_lost_trace(ep, end_trace(ep));
    end_trace(ep); /* a trace that the log began when it was told */
    if (!path) return 0;
    int err = tern__qlog_new(path, tern__endpoint_now(ep), &ep->qlog);
    if (err == TERN_ERR_IO) log_error(ep, "the file cannot be opened", errno);
    if (err == TERN_ERR_EXISTS) tern__endpoint_log(ep, TERN_LOG_ERROR, "trace: somebody else traces into the file");
    if (!err) tern__engine_set_trace(ep->engine, on_event, ep);
    return err;
}
