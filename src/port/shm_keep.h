/* Keeping: what a peer sent in place stays readable where it lies, beyond its packet (docs/shm.md, Borrowing). */
#ifndef TERN_PORT_SHM_KEEP_H
#define TERN_PORT_SHM_KEEP_H

#include "port/shm.h"

/* The link's rx_will_keep and rx_keep. */
void tern__shm_will_keep(tern__link *link);
bool tern__shm_keep(tern__link *link, const tern__rx_packet *packet, uint32_t i, tern__kept **kept);

/* Unmap both channels of a peer that is gone, at once or when nothing is kept of the peer any more. */
void tern__shm_ground_leave(tern__shm_peer *peer);

#endif
