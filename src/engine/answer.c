/* Small responses on links that lose packets, kept until the client has them. A session keeps the room for its next one
 * until it is idle: so a call on one of thousands of sessions touches one line here, and asks nobody for memory. */
#include "engine/answer.h"

#include "engine/admission.h"
#include "engine/control.h"

tern__answer *tern__answer_make(tern__ssession *ss, uint32_t i, uint32_t len) {
    uint32_t bytes = TERN_BUF_MIN_BYTES;
    while (bytes - sizeof(tern__answer) < len) bytes *= 2;
    tern__answer *answer = tern_alloc(bytes);
    if (!answer) return NULL;
    tern__answer **place = tern__answer_of(ss, i);
    tern_unref(*place);
    *answer = (tern__answer){.room = (uint8_t)(bytes - sizeof *answer)};
    return *place = answer;
}

bool tern__answer_send(tern__ssession *ss, uint32_t i) {
    const tern__answer *answer = *tern__answer_of(ss, i);
    tern__pkt_header h = tern__session_header(&ss->s, TERN__PKT_RESP);
    h.format = answer->format;
    h.req = ss->s.reqs[i];
    h.size = answer->len;
    h.held_ns = answer->held_ns;
    h.admission = tern__admission_say(ss, TERN_STATUS_OK);
    return tern__send_control(&ss->s, &h, answer->data, answer->len);
}

void tern__answer_drop(tern__ssession *ss, uint32_t i) {
    ss->answered &= (uint8_t) ~(1u << i);
    tern__answer **place = tern__answer_of(ss, i);
    tern_unref(*place);
    *place = NULL;
}
