/* Events (engine/trace.h) as a qlog file: draft-ietf-quic-qlog-main-schema, as JSON text sequences (RFC 7464).
 *
 * Each record is a record separator (0x1e), one JSON object and a newline. The first is the header, each other an
 * event. Everything in it is a number or a name of ours, so nothing has to be escaped; numbers are printed without the
 * help of the locale. */
#ifndef TERN_RPC_QLOG_H
#define TERN_RPC_QLOG_H

#include "engine/trace_text.h"

typedef struct tern__qlog tern__qlog;

/* A new file, which begins empty. start: the time that events count from, now. Returns 0; TERN_ERR_ACCESS; _INVALID, it
 * is neither a regular file nor a device; _EXISTS, somebody traces into it; _IO, and errno has the reason; _NOMEM. */
int tern__qlog_new(const char *path, tern_time start, tern__qlog **out);

/* Writes the header, unless it has been; before the first event, and before the file is closed. vantage: "client",
 * "server" or "unknown". */
void tern__qlog_begin(tern__qlog *log, const char *vantage);

/* Closes it. What is not written by then is lost. NULL is ignored. */
void tern__qlog_free(tern__qlog *log);

/* Returns 0; or the errno of a write that failed just now, after which nothing is written any more. */
int tern__qlog_add(tern__qlog *log, const tern__trace_event *event);

/* Write out what is in memory. Returns as tern__qlog_add(). */
int tern__qlog_flush(tern__qlog *log);

/* A write has failed. */
bool tern__qlog_is_broken(const tern__qlog *log);

#endif
