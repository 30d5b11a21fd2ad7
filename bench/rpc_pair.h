/* A client process (the one that started) and a server process for the RPC benchmarks. The server does one
 * thing at a time, so that what is not being measured does not spin beside what is: between phases it sleeps on
 * a pipe. It echoes, raw or by tern, until the client ends the phase. */
#ifndef TERN_BENCH_RPC_PAIR_H
#define TERN_BENCH_RPC_PAIR_H

#include <sys/types.h>

#include "rpc_floor.h"
#include "tern/rpc.h"

typedef enum pair_phase {
    PAIR_IDLE,
    PAIR_FLOOR_RING,
    PAIR_FLOOR_UDP,
    PAIR_FLOOR_BATCH,
    PAIR_FLOOR_TCP,
    PAIR_TERN_SHM,
    PAIR_TERN_UDP,
    PAIR_TERN_TCP,
    PAIR_MANY_SHM, /* other endpoints of tern's */
    PAIR_MANY_UDP,
} pair_phase;

enum { PAIR_METHOD = 0x70696e67, PAIR_CLIENT_CPU = 1, PAIR_SERVER_CPU = 0, PAIR_MAX_SESSIONS = 1 << 18 };

/* Mapped by both. The addresses are empty where tern cannot listen. */
typedef struct pair_shared {
    floor_rings rings;
    alignas(64) atomic_uint stop;
    alignas(64) atomic_uint running; /* the server's pair_phase */
    atomic_uint ready;
    unsigned message_bytes; /* of PAIR_FLOOR_BATCH; set before it begins */
    char shm_address[128], udp_address[128], tcp_address[128], many_shm_address[128], many_udp_address[128];
} pair_shared;

typedef struct pair {
    pair_shared *shared;
    floor_sockets sockets;
    floor_end end; /* the client's */
    pid_t server;
    int command_fd;
    uint64_t wall_ns, cpu_ns, begin_wall_ns, begin_cpu_ns; /* of the client, over all phases */
    char folder[64];                                       /* of the shm port's socket */
} pair;

/* Starts the server on PAIR_SERVER_CPU and binds the caller to PAIR_CLIENT_CPU. To be called before this
 * process uses tern; once. The process ends itself when it takes
 * a minute longer than it means to measure. False with a message on stderr when there
 * can be no server. */
bool pair_start(pair *p, uint64_t measured_ns);

/* The server does this from when pair_begin returns until pair_end. */
void pair_begin(pair *p, pair_phase phase);
void pair_end(pair *p);

/* The share of its processor that the client had during the phases, all of which it spun through: less than 1 says
 * that other work ran there, and that rates are too low. */
double pair_cpu_share(const pair *p);

/* Ends the server. */
void pair_stop(pair *p);

/* Spin with or without a pause, whichever makes the ring's round trips shorter here; both ends then do. */
void pair_tune_ring(pair *p);

/* Of the clients that pair_connect() makes. */
extern tern_congestion pair_congestion;

/* An endpoint of the calling thread with n sessions to the server, open; exits with a message otherwise. */
tern_endpoint *pair_connect(const char *address, tern_session **sessions, unsigned n);

#endif
