/* Small responses on links that lose packets, kept until the client has them. A session keeps the room for its next one
 * until it is idle: so a call on one of thousands of sessions touches one line here, and asks nobody for memory. */
#include "engine/cached_reply.h"

#include "engine/admission.h"
#include "engine/control.h"

tern__cached_reply *tern__cached_reply_make(tern__ssession *ss, uint32_t i, uint32_t len) {
    uint32_t bytes = TERN_BUF_MIN_BYTES;
    while (bytes - sizeof(tern__cached_reply) < len) bytes *= 2;
    tern__cached_reply *reply = tern_alloc_private(bytes);
    if (!reply) return NULL;
    tern__cached_reply **place = tern__cached_reply_of(ss, i);
    tern_unref(*place);
    *reply = (tern__cached_reply){.room = (uint8_t)(bytes - sizeof *reply)};
    return *place = reply;
}

bool tern__cached_reply_send(tern__ssession *ss, uint32_t i) {
    const tern__cached_reply *reply = *tern__cached_reply_of(ss, i);
    tern__pkt_header h = tern__session_header(&ss->s, TERN__PKT_RESP);
    h.format = reply->format;
    h.req = ss->s.reqs[i];
    h.size = reply->len;
    h.held_ns = reply->held_ns;
    h.admission = tern__admission_say(ss, TERN_STATUS_OK);
    return tern__send_control(&ss->s, &h, reply->data, reply->len);
}

void tern__cached_reply_drop(tern__ssession *ss, uint32_t i) {
    ss->has_reply &= (uint8_t) ~(1u << i);
    tern__cached_reply **place = tern__cached_reply_of(ss, i);
    tern_unref(*place);
    *place = NULL;
}
