/* How a session ends. */
#include "engine/session.h"

#include "engine/control.h"
#include "engine/sealed.h"
#include "engine/table.h"
#include "engine/tracing.h"

void tern__session_assume_format(tern__session *s) {
    uint32_t common = (2u << TERN__LAST_COMMON_FORMAT) - 1;
    if (s->format == TERN_FORMAT_RAW || s->format > TERN__LAST_COMMON_FORMAT)
        s->format = tern__formats_best(s->engine->config.formats, common)->number;
}

void tern__session_lose(tern__session *s, const tern__loss *loss) {
    tern__engine *e = s->engine;
    e->stats.peers_lost++;
    s->cold->lost_why = (uint8_t)loss->why;
    s->cold->lost_code = loss->code;
    s->cold->lost_detail = loss->detail;
    if (s->role == TERN__SERVER) {
        e->roles[TERN__SERVER]->end(s, loss);
        return;
    }
    tern__csession *cs = (tern__csession *)s;
    if (s->state == TERN__STATE_OPEN) e->stats.sessions_open--;
    tern__session_set_state(s, TERN__STATE_DOWN, loss->why);
    tern__session_assume_format(s);
    tern__sealed_end(s);
    tern__session_unhash(s);
    tern__list_remove(&s->cold->stalled);
    s->unsent_control = 0;
    tern__timer_set(s, TERN__NEVER);
    cs->why = (uint8_t)loss->status;
    cs->draining = cs->bounded = false;
    e->roles[TERN__CLIENT]->end(s, loss);
    e->config.callbacks.on_session(e->config.user, cs, cs->s.ccold->user, TERN__SESSION_LOST);
}

void tern__session_lose_for(tern__session *s, tern__why why) {
    tern__session_lose(s, &(tern__loss){.status = TERN_STATUS_UNAVAILABLE, .why = why});
}

/* The last request of slot i that has begun: one that has not come whole, or waits, has not. */
static uint32_t last_begun(const tern__ssession *ss, uint32_t i) {
    const tern__request *request = tern__request_at(ss, i);
    bool partial = request && request->req == ss->s.reqs[i] && request->state <= TERN__REQUEST_WAITING;
    return ss->s.reqs[i] - (partial ? TERN__N_SLOTS : 0);
}

uint32_t tern__session_write_begun(const tern__session *s, uint8_t *out) {
    tern__store32(out, s->number);
    tern__store32(out + 4, TERN__N_SLOTS);
    for (uint32_t i = 0; i < TERN__N_SLOTS; i++)
        tern__store32(out + 8 + 4 * i, last_begun((const tern__ssession *)s, i));
    return TERN__BEGUN_BYTES;
}

void tern__session_tell_of_client(const tern__session *s, bool has_ended, tern__why why) {
    const tern__engine *e = s->engine;
    if (!e->on_client) return;
    tern__client_news news = {s->number, s->link, &s->route, has_ended, why};
    e->on_client(e->config.user, &news);
}

void tern__session_say_goodbye(tern__session *s) {
    uint8_t begun[TERN__BEGUN_BYTES];
    uint32_t len = 0;
    if (s->state != TERN__STATE_OPEN) return;
    tern__pkt_header h = tern__session_header(s, TERN__PKT_DISCONNECT);
    if (s->role == TERN__SERVER) len = tern__session_write_begun(s, begun);
    tern__send_surely(s->engine, s, s->link, &s->route, &h, begun, len);
}
