/* Packets out over UDP. */
#ifndef TERN_PORT_UDP_TX_H
#define TERN_PORT_UDP_TX_H

#include "port/udp.h"

/* The operations of the port's link; link.h says what each does. */
extern const tern__link_ops tern__udp_link_ops;

#endif
