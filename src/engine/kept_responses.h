/* Responses that are kept because their clients may ask for them again (kept_responses.c). */
#ifndef TERN_ENGINE_KEPT_RESPONSES_H
#define TERN_ENGINE_KEPT_RESPONSES_H

#include "engine/engine_record.h"

/* A request has a response that its client may ask for again: count it. Where there are too many, the oldest are given
 * up, or this one. */
void tern__served_keep_response(tern__served *served);
/* The client has asked for the response: others are given up before this one. */
void tern__served_note_asked(tern__served *served);
/* The response, if there is one, is kept no longer. */
void tern__served_release_response(tern__served *served);

#endif
