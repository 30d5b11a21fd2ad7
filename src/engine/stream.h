/* Streaming calls: a call whose request and response are each a stream of bytes, both flowing at once.
 *
 * What is written waits in the stream until it is flushed or fills a packet, until the peer's reader has granted room
 * for it, and until the link takes it; on a link that loses packets it is kept until it is acknowledged. Arriving bytes
 * are handed on in order, at once. Memory on both sides is bounded by buffer_bytes and window_bytes, however long the
 * stream (docs/protocol.md, Streams).
 *
 * Rules beyond those of engine.h: callbacks of a stream run inside tern__engine_rx, _tick, _session_close and _free
 * only, never inside a function of this file. */
#ifndef TERN_ENGINE_STREAM_H
#define TERN_ENGINE_STREAM_H

#include "engine/engine_config.h"
#include "engine/limits.h"
#include "engine/stream_state.h"

struct tern__session;

enum {
    TERN__STREAM_MIN_WINDOW = 64 << 10, /* part of the protocol: what may be sent before the first grant */
    TERN__STREAM_WINDOW = 256 << 10,    /* defaults */
    TERN__STREAM_BUFFER = 256 << 10,
    TERN__STREAM_MAX_WINDOW = 1 << 30,
};

struct tern__stream_callbacks {
    /* Server: a streaming call begins; the metadata block that its request begins with is here (stream_meta.h). The
     * call ends with tern__stream_finish(), _finish_with() or _abort(), now or later, or with on_end. */
    void (*on_open)(void *user, tern__stream *stream, uint32_t method);

    /* The next bytes of the peer's half, at least one; they lie in a pool buffer and are valid during the callback. */
    void (*on_data)(void *user, tern__stream *stream, const void *data, uint32_t len);

    /* Server: it is the turn of a stream that was put off. */
    void (*on_turn)(void *user, tern__stream *stream);

    /* Server: the client has finished its half. */
    void (*on_finished)(void *user, tern__stream *stream);

    /* There is room again after a TERN_ERR_FULL. */
    void (*on_writable)(void *user, tern__stream *stream);

    /* The call has ended: at the client with the server's status or one of its own; at the server CANCELLED,
     * DEADLINE_EXCEEDED, UNAVAILABLE, RESOURCE_EXHAUSTED or INVALID_ARGUMENT, and not after it has finished itself. The
     * stream is gone when this returns. */
    void (*on_end)(void *user, tern__stream *stream, int status);

    /* Server: the same, of a call that was given up since others needed the memory of what it has to send. This may be
     * inside any function of the engine: nothing of the engine is to be called before that returns. NULL: as on_end. */
    void (*on_starved)(void *user, tern__stream *stream, int status);
};

/* Zero means the default. */
typedef struct tern__stream_opts {
    tern_time deadline;    /* 0: none */
    uint32_t window_bytes; /* that the peer may be ahead of the reader; at least TERN__STREAM_MIN_WINDOW */
    uint32_t buffer_bytes; /* written and not yet sent (or not yet acknowledged): beyond, writing is TERN_ERR_FULL */
    bool manual;           /* room is granted by tern__stream_consume() instead of by the return of on_data */
    bool unreleased; /* client: nothing leaves before tern__stream_release(); until then messages are written in the
                        universal format */
    uint8_t format; /* client: of messages of both halves; RAW: each side writes in the best one that the other reads */
    tern_bytes block; /* client: the metadata block that the request begins with, copied; empty: none */
} tern__stream_opts;

/* What the user has memory for because of this stream: so many bytes more on the peer's account, and in *debit, until
 * tern__engine_undebit(). False: the peer may not have us hold so much. */
bool tern__stream_debit(tern__stream *stream, uint64_t bytes, tern__debit *debit);

/* Server: its user keeps so many bytes more of what has arrived, or fewer. They are on the client's account until the
 * user ends the call, or the call ends; where others need the room, a stream of which nothing has been taken for a
 * second is given up (0 bytes fewer: something of it was taken). False: the peer may not have us hold so much. */
bool tern__stream_keep(tern__stream *stream, uint64_t bytes);
void tern__stream_unkeep(tern__stream *stream, uint64_t bytes);

/* So many bytes more have come of what is kept until it is whole: at less than 16 KB a second it does not count as
 * moving. */
void tern__stream_kept_moves(tern__stream *stream, uint64_t bytes);

/* Server, in on_open: other than the defaults. deadline is ignored. */
void tern__stream_configure(tern__stream *stream, const tern__stream_opts *opts);

/* Add raw bytes, or (with a type) a message behind its prefix, as the memory rule has it. All or nothing. Returns 0;
 * TERN_ERR_FULL when buffer_bytes wait already, or at the server when its client holds too much (on_writable follows);
 * _STATE after the end of this half; _LIMIT, _NOMEM (also where the client holds too much and nothing of this stream
 * waits), _INVALID. */
int tern__stream_write(tern__stream *stream, const tern__body *body, tern_time now);

/* The same, for raw bytes whose memory is used again at once: never in place. */
int tern__stream_write_copy(tern__stream *stream, tern_bytes raw, tern_time now);

/* What was written leaves as soon as it may, also if that makes a short packet. */
void tern__stream_flush(tern__stream *stream, tern_time now);

/* Both at once, the short way where there is one. */
int tern__stream_send(tern__stream *stream, tern_bytes raw, tern_time now);

/* The end of this half. Client: status is ignored, the call goes on until on_end. Server: the call ends with this
 * status once all that was written has been sent; the stream is not the caller's any more. */
void tern__stream_finish(tern__stream *stream, int status, tern_time now);

/* Server: the same with a metadata block behind all that was written, which is copied; its length is a multiple of
 * TERN__META_ALIGN. at_once: what was not sent so far is dropped, and OK becomes UNKNOWN. Returns 0, also where the
 * call has ended; TERN_ERR_LIMIT beyond TERN__MAX_META_BYTES, _INVALID for another length, or _NOMEM, and then the call
 * ends without the block. */
int tern__stream_finish_with(tern__stream *stream, int status, tern_bytes block, bool at_once, tern_time now);

/* End the call at once; what was not sent is dropped, no callback follows, the stream is not the caller's any more. The
 * server's client is told the status (not OK); the client's server learns that it was cancelled. */
void tern__stream_abort(tern__stream *stream, int status, tern_time now);

/* manual: the reader is done with that many more bytes. */
void tern__stream_consume(tern__stream *stream, uint32_t bytes, tern_time now);

/* From the next packet on. */
void tern__stream_set_manual(tern__stream *stream, bool manual);
bool tern__stream_is_manual(const tern__stream *stream);

/* Writing would not be TERN_ERR_FULL. */
bool tern__stream_has_room(const tern__stream *stream);
/* A write was refused, and on_writable is still due. */
bool tern__stream_is_refused(const tern__stream *stream);

/* This half has not been ended. */
bool tern__stream_is_writable(const tern__stream *stream);

/* Its link is. */
bool tern__stream_is_reliable(const tern__stream *stream);

/* A word that belongs to the engine's user: what tern__stream_open() was given; NULL in on_open. */
void **tern__stream_user(tern__stream *stream);

/* Bytes written that were not sent yet, or not acknowledged. */
uint64_t tern__stream_waiting_bytes(const tern__stream *stream);

/* Client, in on_end: the status is what the server ended the call with. */
bool tern__stream_is_answered(const tern__stream *stream);

/* Server: as tern__request_deadline(). */
tern_time tern__stream_deadline(const tern__stream *stream);

/* ---- For the files of src/engine ------------------------------------------------------------------ */
/* Takes an event in, and traces what changed. */
void tern__stream_step(tern__stream *st, tern__stream_event event);
/* A stream of this session whose call is in this phase. NULL: no memory. */
tern__stream *tern__stream_new(struct tern__session *s, const tern__stream_opts *opts, tern__stream_call_phase call);
void tern__stream_unref(tern__stream *st);
/* Give back all that the stream holds, and the engine's reference: the call has ENDED then. */
void tern__stream_drop(tern__stream *st);
/* Whether a packet could leave if link and credits allow it, and of how many bytes at most. */
bool tern__stream_sendable(const tern__stream *st, uint32_t *len);
/* The next packet, of at most len bytes. False: the link is full. */
bool tern__stream_send_next(tern__stream *st, uint32_t len, tern_time now);
void tern__stream_resend(tern__stream *st, uint64_t mask, tern_time now);
/* Say how far the reader is: the answer to packet pkt, or NO_PKT. */
void tern__stream_acknowledge(tern__stream *st, uint32_t pkt);
/* The same if that grants enough. */
void tern__stream_grant(tern__stream *st);
/* A packet of the peer's half. False: the call has ended. */
bool tern__stream_rx_data(tern__stream *st, const tern__rx_packet *pkt, const tern__pkt_header *h,
                          uint32_t header_bytes);
/* An acknowledgement. *n_news: packets that are in flight no longer; *sample: a round-trip time or -1. False: it makes
 * no sense. */
bool tern__stream_rx_ack(tern__stream *st, const tern__pkt_header *h, tern_time now, uint32_t *n_news,
                         tern_dur *sample);
/* What an acknowledgement of n_news packets says of the path, and of packets that were overtaken, which leave again. */
void tern__stream_recover(tern__stream *st, uint32_t n_news, tern_dur sample, tern_time now);
/* on_writable, if it is due. */
void tern__stream_tell_writable(tern__stream *st);
/* on_end, unless its user is done with it; the stream is gone. Does nothing if the stream has ended. */
void tern__stream_end(tern__stream *st, int status);
/* Server: on_end, and the client is told; the stream stays until that has left. */
void tern__stream_give_up(tern__stream *st, int status, tern_time now);
/* The first three packets in flight that are not acknowledged, as bits from the window's base on: their answers show
 * what else got lost. */
uint64_t tern__stream_missing(const tern__stream *st);

#endif
