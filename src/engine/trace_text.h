/* The events of a trace (trace.h) as text. */
#ifndef TERN_ENGINE_TRACE_TEXT_H
#define TERN_ENGINE_TRACE_TEXT_H

#include "engine/trace.h"

/* Names in lower case, as qlog has them; "unknown" for what is none. */
const char *tern__trace_kind_name(unsigned kind);
const char *tern__drop_name(unsigned reason);
const char *tern__why_name(unsigned why);
/* Of a tern__refuse_code, of a tern__cancel_code. */
const char *tern__refuse_name(unsigned code);
const char *tern__cancel_name(unsigned code);
/* What the code means, in a sentence for people. */
const char *tern__why_meaning(unsigned why);
const char *tern__refuse_meaning(unsigned code);
const char *tern__session_state_name(unsigned state);
/* Of a state of a CALL, REQUEST or STREAM event. */
const char *tern__trace_state_name(unsigned kind, unsigned state);
/* "REQ", "CR", ... */
const char *tern__pkt_type_name(unsigned type);

/* An event as one line of text without its time, for reports and golden traces: what a peer chose is in it as numbers
 * only. Writes at most cap bytes, the zero at the end included. */
void tern__trace_format(const tern__trace_event *event, char *out, size_t cap);
/* The same for why a session has ended: "silent", "refused: table_full", "unfit: critical_record 0x8123". */
void tern__loss_format(unsigned why, unsigned code, unsigned detail, char *out, size_t cap);

#endif
