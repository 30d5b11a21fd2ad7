/* Small responses that may have to be sent again (answer.c). */
#ifndef TERN_ENGINE_ANSWER_H
#define TERN_ENGINE_ANSWER_H

#include "engine/engine_record.h"

/* Room for len bytes, at most TERN__MAX_ANSWER, as the answer of slot i. NULL: no memory. */
static inline tern__answer *tern__answer_room(tern__ssession *ss, uint32_t i, uint32_t len);
tern__answer *tern__answer_make(tern__ssession *ss, uint32_t i, uint32_t len);
/* Send the answer of slot i again. False: the link is full. */
bool tern__answer_send(tern__ssession *ss, uint32_t i);
/* Forget it, and give its memory back. */
void tern__answer_drop(tern__ssession *ss, uint32_t i);

static inline tern__answer *tern__answer_room(tern__ssession *ss, uint32_t i, uint32_t len) {
    tern__answer *answer = *tern__answer_of(ss, i);
    return answer && answer->room >= len ? answer : tern__answer_make(ss, i, len);
}

#endif
