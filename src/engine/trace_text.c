/* Names of what events contain, and events as text (trace.h). */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "engine/trace_text.h"

static const char *name_of(const char *const *names, unsigned n, unsigned i) { return i < n ? names[i] : "unknown"; }

#define NAME(table, i) name_of(table, sizeof table / sizeof *(table), i)

const char *tern__trace_kind_name(unsigned kind) {
    static const char *const names[TERN__N_TRACE_KINDS] = {
        [TERN__TRACE_SENT] = "packet_sent",
        [TERN__TRACE_BLOCKED] = "packet_blocked",
        [TERN__TRACE_RECEIVED] = "packet_received",
        [TERN__TRACE_DROPPED] = "packet_dropped",
        [TERN__TRACE_SESSION] = "session_state_updated",
        [TERN__TRACE_CALL] = "call_state_updated",
        [TERN__TRACE_REQUEST] = "request_state_updated",
        [TERN__TRACE_STREAM] = "stream_state_updated",
        [TERN__TRACE_LOST] = "packet_lost",
        [TERN__TRACE_RETRANSMIT] = "packet_retransmitted",
        [TERN__TRACE_TIMEOUT] = "timeout",
        [TERN__TRACE_TAIL_PROBE] = "tail_probe",
        [TERN__TRACE_RTT] = "rtt_sampled",
        [TERN__TRACE_CONGESTION] = "congestion_updated",
    };
    return NAME(names, kind);
}

const char *tern__drop_name(unsigned reason) {
    static const char *const names[] = {
#define TERN__X(name, text, meaning) text,
        TERN__DROP_LIST(TERN__X)
#undef TERN__X
    };
    return NAME(names, reason);
}

const char *tern__why_name(unsigned why) {
    static const char *const names[] = {
#define TERN__X(name, text, meaning) text,
        TERN__WHY_LIST(TERN__X)
#undef TERN__X
    };
    return NAME(names, why);
}

const char *tern__refuse_name(unsigned code) {
    static const char *const names[] = {
#define TERN__X(name, text, status, meaning) text,
        TERN__REFUSE_LIST(TERN__X)
#undef TERN__X
    };
    return NAME(names, code);
}

const char *tern__why_meaning(unsigned why) {
    static const char *const meanings[] = {
#define TERN__X(name, text, meaning) meaning,
        TERN__WHY_LIST(TERN__X)
#undef TERN__X
    };
    return NAME(meanings, why);
}

const char *tern__refuse_meaning(unsigned code) {
    static const char *const meanings[] = {
#define TERN__X(name, text, status, meaning) meaning,
        TERN__REFUSE_LIST(TERN__X)
#undef TERN__X
    };
    return NAME(meanings, code);
}

const char *tern__cancel_name(unsigned code) {
    static const char *const names[] = {
#define TERN__X(name, text, status, meaning) text,
        TERN__CANCEL_LIST(TERN__X)
#undef TERN__X
    };
    return NAME(names, code);
}

const char *tern__session_state_name(unsigned state) {
    static const char *const names[] = {"connecting", "open", "down", "closed"};
    return NAME(names, state);
}

const char *tern__trace_state_name(unsigned kind, unsigned state) {
    static const char *const calls[] = {"free", "queued", "sending", "sent", "wait", "resp", "stream"};
    static const char *const requests[] = {"none", "receiving", "waiting", "running", "responded", "done"};
    static const char *const streams[] = {"none", "open", "half", "ending", "done"};
    switch (kind) {
    case TERN__TRACE_CALL: return NAME(calls, state);
    case TERN__TRACE_REQUEST: return NAME(requests, state);
    case TERN__TRACE_STREAM: return NAME(streams, state);
    default: return "unknown";
    }
}

const char *tern__pkt_type_name(unsigned type) {
    static const char *const names[] = {"REQ",    "CR",         "RFR",          "RESP",     "CONNECT", "ACCEPT",
                                        "REFUSE", "DISCONNECT", "DISCONNECTED", "PING",     "PONG",    "RETRY",
                                        "CANCEL", "GOAWAY",     "VERSIONS",     "EXTENSION"};
    return NAME(names, type);
}

/* ---- Lines of text -------------------------------------------------------------------------------- */

typedef struct line {
    char *out;
    size_t cap, len;
} line;

__attribute__((format(printf, 2, 3))) static void add(line *l, const char *format, ...) {
    va_list args;
    if (l->len >= l->cap) return;
    va_start(args, format);
    int n = vsnprintf(l->out + l->len, l->cap - l->len, format, args);
    va_end(args);
    l->len = n < 0 || (size_t)n >= l->cap - l->len ? l->cap : l->len + (size_t)n;
}

/* What an acknowledgement says, what a stream's packet grants, and a status that is not OK. */
static void add_details(line *l, const tern__pkt_header *h) {
    bool stream = (h->flags & TERN__PKT_STREAM) && h->type <= TERN__PKT_RESP;
    bool acks = h->type == TERN__PKT_CR || h->type == TERN__PKT_RFR || (stream && h->type == TERN__PKT_RESP);
    bool ends = h->type == TERN__PKT_RESP || h->type == TERN__PKT_REFUSE;
    uint8_t again = h->type == TERN__PKT_RESP && !stream ? 0 : h->attempt;
    if (acks) add(l, " received %" PRIu32, h->received);
    if (tern__pkt_has_grant(h->flags)) add(l, " granted %" PRIu64, h->grant);
    if (stream && (h->flags & TERN__PKT_LAST)) add(l, " last");
    if (h->status && ends) add(l, " %s", tern_status_name(h->status));
    if (h->type == TERN__PKT_REFUSE) add(l, " (%s)", tern__refuse_name(h->code & UINT16_MAX));
    if (h->type == TERN__PKT_CANCEL) add(l, " (%s)", tern__cancel_name(h->code & UINT16_MAX));
    if (again) add(l, ", again %u", again);
}

static void add_packet(line *l, const char *verb, const tern__trace_packet *packet) {
    const tern__pkt_header *h = &packet->header;
    bool numbered = h->type <= TERN__PKT_RESP && h->pkt != UINT32_MAX;
    add(l, "%-8s %s", verb, tern__pkt_type_name(h->type));
    if (h->type <= TERN__PKT_RESP || h->type == TERN__PKT_CANCEL) add(l, " of %" PRIu32, h->req);
    if (numbered) add(l, ", packet %" PRIu32, h->pkt);
    add_details(l, h);
    add(l, ", %" PRIu32 " bytes", packet->payload_bytes);
}

static void add_dropped(line *l, const tern__trace_packet *packet) {
    bool strange = packet->reason == TERN__DROP_MALFORMED || packet->reason == TERN__DROP_OTHER_VERSION;
    if (strange && !packet->header.flags && !packet->header.session)
        add(l, "%-8s %" PRIu32 " bytes", "dropped", packet->payload_bytes);
    else
        add_packet(l, "dropped", packet);
    add(l, ": %s", tern__drop_name(packet->reason));
}

static void add_call(line *l, const tern__trace_event *e) {
    static const char *const what[] = {
        [TERN__TRACE_CALL] = "call", [TERN__TRACE_REQUEST] = "request", [TERN__TRACE_STREAM] = "stream"};
    bool numbered = e->kind != TERN__TRACE_CALL || e->call.from != TERN__CALL_QUEUED || e->call.to != TERN__CALL_FREE;
    add(l, "%-8s", what[e->kind]);
    if (numbered && !(e->kind == TERN__TRACE_CALL && e->call.to == TERN__CALL_QUEUED)) add(l, " %" PRIu32, e->call.req);
    add(l, " %s -> %s", tern__trace_state_name(e->kind, e->call.from), tern__trace_state_name(e->kind, e->call.to));
    if (e->kind == TERN__TRACE_CALL && e->call.to == TERN__CALL_FREE) add(l, " %s", tern_status_name(e->call.status));
}

static void add_loss(line *l, const tern__trace_event *e) {
    switch (e->kind) {
    case TERN__TRACE_LOST:
        add(l, "lost     %" PRIu32 " packets of %" PRIu32 " from %" PRIu32, e->loss.n_pkts, e->loss.req, e->loss.pkt);
        break;
    case TERN__TRACE_RETRANSMIT: add(l, "again    packet %" PRIu32 " of %" PRIu32, e->loss.pkt, e->loss.req); break;
    case TERN__TRACE_TIMEOUT: add(l, "timeout  %" PRIu32 " of %" PRIu32, e->loss.n, e->loss.req); break;
    default: add(l, "probe    of %" PRIu32, e->loss.req); break;
    }
}

/* Not by %f, which prints a comma in some locales. */
static void add_us(line *l, uint64_t ns) {
    uint64_t tenths = (ns + 50) / 100;
    add(l, "%" PRIu64 ".%u us", tenths / 10, (unsigned)(tenths % 10));
}

static void add_congestion(line *l, const tern__trace_event *e) {
    static const char *const phases[] = {"begins", "goes on", "ends"};
    add(l, "congestion %s", NAME(phases, e->congestion.phase));
    if (e->congestion.phase == TERN__CONGESTION_ENDS) return;
    uint64_t hundredths = (uint64_t)(e->congestion.window_pkts * 100 + 0.5);
    add(l, ", window %" PRIu64 ".%02u packets", hundredths / 100, (unsigned)(hundredths % 100));
    if (e->congestion.rate_bps) add(l, ", %" PRIu64 " bps", e->congestion.rate_bps);
}

static void add_loss_of_session(line *l, unsigned why, unsigned code, unsigned detail) {
    add(l, "%s", tern__why_name(why));
    if (code != TERN__REFUSE_NONE) add(l, ": %s", tern__refuse_name(code));
    if (code == TERN__REFUSE_VERSION) {
        add(l, " %u; the peer has", TERN__PKT_VERSION);
        for (unsigned v = 0; v < 16; v++)
            if (detail >> v & 1) add(l, " %u", v);
    } else if (code != TERN__REFUSE_NONE && detail) {
        add(l, " 0x%04x", detail);
    }
}

void tern__loss_format(unsigned why, unsigned code, unsigned detail, char *out, size_t cap) {
    line l = {.out = out, .cap = cap};
    add_loss_of_session(&l, why, code, detail);
}

void tern__trace_format(const tern__trace_event *e, char *out, size_t cap) {
    line l = {.out = out, .cap = cap};
    switch ((tern__trace_kind)e->kind) {
    case TERN__TRACE_SENT: add_packet(&l, "sent", &e->packet); break;
    case TERN__TRACE_BLOCKED: add_packet(&l, "blocked", &e->packet); break;
    case TERN__TRACE_RECEIVED: add_packet(&l, "received", &e->packet); break;
    case TERN__TRACE_DROPPED: add_dropped(&l, &e->packet); break;
    case TERN__TRACE_SESSION:
        add(&l, "%-8s %s -> %s (", "session", tern__session_state_name(e->session_change.from),
            tern__session_state_name(e->session_change.to));
        add_loss_of_session(&l, e->session_change.why, e->session_change.code, e->session_change.detail);
        add(&l, ")");
        break;
    case TERN__TRACE_CALL:
    case TERN__TRACE_REQUEST:
    case TERN__TRACE_STREAM: add_call(&l, e); break;
    case TERN__TRACE_LOST:
    case TERN__TRACE_RETRANSMIT:
    case TERN__TRACE_TIMEOUT:
    case TERN__TRACE_TAIL_PROBE: add_loss(&l, e); break;
    case TERN__TRACE_RTT:
        add(&l, "rtt      ");
        add_us(&l, e->rtt.sample_ns);
        add(&l, ", smoothed ");
        add_us(&l, e->rtt.srtt_ns);
        add(&l, ", timeout ");
        add_us(&l, e->rtt.rto_ns);
        break;
    case TERN__TRACE_CONGESTION: add_congestion(&l, e); break;
    case TERN__N_TRACE_KINDS: break;
    }
}
