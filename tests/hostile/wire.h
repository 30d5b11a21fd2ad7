/* A client without tern: connections and packets made by hand, over every port, so that it can lie. Nothing here waits
 * longer than half a second; what cannot be sent now is not sent. */
#ifndef TERN_TESTS_WIRE_H
#define TERN_TESTS_WIRE_H

#include <sys/types.h>

#include "engine/packet.h"

typedef enum wire_port { WIRE_SHM, WIRE_UDP, WIRE_TCP, WIRE_UNIX, N_WIRES } wire_port;
extern const char *const wire_names[N_WIRES]; /* the schemes of their addresses */

typedef struct wire wire;

/* Who dials. */
typedef struct wire_from {
    uint8_t network; /* udp, tcp: from 127.0.network.1; 0: as the kernel likes */
    uid_t user;      /* unix, shm: as this one; 0: as who we are */
} wire_from;

/* A connection to the server at an address, greeted. NULL: it could not be had. */
wire *wire_open(wire_port port, const char *address, wire_from from);
/* The same before the greeting. */
wire *wire_dial(wire_port port, const char *address, wire_from from);
bool wire_greet(wire *w);
void wire_close(wire *w);

/* A packet, whole. False: it does not fit now, or the server has hung up. */
bool wire_send(wire *w, const void *packet, uint32_t len);
/* Any bytes, as they are; of udp a datagram. Not over shm. */
bool wire_send_raw(wire *w, const void *bytes, uint32_t len);
/* The next packet that the server has sent, its first `cap` bytes. 0: there is none now. */
uint32_t wire_receive(wire *w, void *packet, uint32_t cap);
/* The server has hung up, as far as receiving has told. */
bool wire_is_lost(const wire *w);
/* The socket, for attacks of one port's own. */
int wire_socket(const wire *w);

/* All bytes that were sent by any wire, greetings included, and what a network would carry with them: for a datagram,
 * a connection's beginning and end, and a message on a socket of shm. */
extern uint64_t wire_sent_bytes;
enum { WIRE_DATAGRAM_BYTES = 28, WIRE_CONNECTION_BYTES = 240, WIRE_MESSAGE_BYTES = 28 };
/* Tell of bytes that were sent in another way. */
void wire_count(uint64_t bytes);

/* ---- Sessions ------------------------------------------------------------------------------------- */

typedef struct foe {
    wire *w;
    uint32_t number; /* of the session at the server */
    uint64_t tag;
    uint32_t cut; /* payload bytes of a full packet */
} foe;

/* The client's nth session over a wire. False: it was refused, or nothing came. */
bool foe_open(foe *f, wire *w, uint32_t nth);
/* The CONNECT alone, with this cookie. */
bool foe_knock(wire *w, uint32_t nth, uint64_t cookie);
/* A packet of the session, whose header says the rest; its payload is zeros. */
bool foe_send(const foe *f, tern__pkt_header h, uint32_t payload);
bool foe_send_bytes(const foe *f, tern__pkt_header h, const void *payload, uint32_t len);
/* Packet nth of a request of `size` bytes to a method. */
bool foe_request(const foe *f, uint32_t req, uint32_t method, uint32_t nth, uint64_t size);
/* Forget what the server has sent. */
void foe_forget(const foe *f);

#endif
