/* Idle sessions that are to be kept: when nothing has come for `keepalive`, the client asks by PING, eight times in
 * one peer_timeout, and gives the session up if no answer comes in that time. Sessions with calls in flight are
 * watched by their calls (client.c), or by the port. */
#include "engine/internal.h"

enum { PINGS_PER_TIMEOUT = 8, MIN_PINGS = 3 /* a client that was suspended itself has not asked often enough */ };

bool tern__client_keepalive(tern__csession *cs, tern_time now) {
    tern__session *s = &cs->s;
    const tern__engine_config *c = &s->engine->config;
    tern_time quiet_at = s->last_rx + (tern_time)c->keepalive;
    bool idle = cs->free_slots == UINT8_MAX;
    if (!idle || quiet_at > now) {
        cs->ping_at = idle ? quiet_at : now + (tern_time)c->keepalive;
        return true;
    }
    if (s->probes >= MIN_PINGS && now - quiet_at >= (tern_time)c->peer_timeout) {
        tern__session_lost(s, now);
        return false;
    }
    if (cs->ping_at > now) return true;
    tern__pkt_header h = tern__session_header(s, TERN__PKT_PING);
    if (tern__send_control(s, &h, NULL, 0)) s->probes++; /* a full link tells nothing about the peer */
    cs->ping_at = now + (tern_time)(c->peer_timeout / PINGS_PER_TIMEOUT);
    return true;
}
