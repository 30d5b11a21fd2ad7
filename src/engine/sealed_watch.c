/* What a sealed session asks its peer (sealed_watch.h). */
#include "engine/sealed_watch.h"

#include "engine/control.h"
#include "engine/session.h"

enum { DOUBT_RTOS = 8 /* that a session in doubt has */ };

/* A PING whose PONG shows that the peer has opened a packet of our phase. */
static void ask_phase(tern__session *s) {
    tern__sealed *x = tern__sealed_of(s);
    tern__pkt_header h = tern__session_header(s, TERN__PKT_PING);
    h.req = TERN__SEALED_PING | x->tx_phase;
    x->is_to_ask = false;
    tern__send_control(s, &h, NULL, 0);
}

void tern__sealed_doubt(tern__session *s, tern_time now) {
    tern__sealed *x = tern__sealed_of(s);
    if (x->doubt_until || now < x->doubt_next) return;
    tern_dur patience = DOUBT_RTOS * (tern_dur)s->rtt.rto, most = s->engine->config.peer_timeout;
    x->doubt_until = now + (tern_time)(patience < most ? patience : most);
    x->doubt_ping_at = now + (tern_time)s->rtt.rto;
    tern__session_send_ping(s);
    tern__timer_lower(s, x->doubt_ping_at);
}

bool tern__sealed_watch(tern__session *s, tern_time now) {
    tern__sealed *x = tern__sealed_of(s);
    if (x->is_to_ask) ask_phase(s);
    if (!x->doubt_until) return true;
    if (now >= x->doubt_until) {
        tern__session_lose(
            s,
            &(tern__loss){.status = TERN_STATUS_UNAVAILABLE, .why = TERN__WHY_REFUSED, .code = TERN__REFUSE_NOT_HERE});
        return false;
    }
    if (now < x->doubt_ping_at) return true;
    x->doubt_ping_at = now + (tern_time)s->rtt.rto;
    tern__session_send_ping(s);
    return true;
}

tern_time tern__sealed_due(const tern__session *s) {
    const tern__sealed *x = tern__sealed_of(s);
    if (x->is_to_ask) return s->engine->now;
    return x->doubt_until ? tern__min_time(x->doubt_until, x->doubt_ping_at) : TERN__NEVER;
}
