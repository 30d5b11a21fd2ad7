/* Packets of any kind to the files that handle them (dispatch.c). */
#ifndef TERN_ENGINE_DISPATCH_H
#define TERN_ENGINE_DISPATCH_H

#include "engine/engine_record.h"

/* A packet of any kind, already counted. */
void tern__engine_rx_any(tern__engine *engine, const tern__rx_packet *pkt, tern_time now);

#endif
