/* UDP datagrams: the port's constructor and options, for whoever makes one. udp.h is the record that the
 * port's own files share. */
#ifndef TERN_PORT_UDP_PORT_H
#define TERN_PORT_UDP_PORT_H

#include "port/port.h"

/* {0} is good for every network. */
typedef struct tern__udp_options {
    uint32_t payload_bytes; /* of each packet, as tern_endpoint_config.udp_payload_bytes; 0: measured for each path */
    bool ecn;               /* packets say that they may be marked, and marks are read */
    bool times;             /* how long packets have waited in a socket is measured (tern__link.waited_ns) */
} tern__udp_options;

/* Whether a user may choose such payloads: 512 to 65,000 bytes, or 0. */
bool tern__udp_payload_is_valid(uint32_t payload_bytes);

/* Returns 0, TERN_ERR_INVALID (payload_bytes), TERN_ERR_NOMEM or TERN_ERR_IO. */
int tern__udp_port_new(const tern__port_env *env, const tern__udp_options *options, tern__port **out);

#endif
