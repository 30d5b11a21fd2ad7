/* Packets of other versions of the protocol (versions.c). */
#ifndef TERN_ENGINE_VERSIONS_H
#define TERN_ENGINE_VERSIONS_H

#include "engine/engine_record.h"

/* A packet came that has no header of our version. False: it has none of any other, either. */
bool tern__versions_rx(tern__engine *engine, const tern__rx_packet *pkt, tern_time now);

#endif
