/* Which socket of a SO_REUSEPORT group gets a packet: a program of classic BPF that looks at tern's packet header,
 * which is where the kernel lets the program's data begin. Any process may attach one to its own sockets. */
#include "port/udp_steer.h"

#include <linux/filter.h>
#include <sys/socket.h>

#include "engine/packet.h"

#ifndef SO_ATTACH_REUSEPORT_CBPF
#define SO_ATTACH_REUSEPORT_CBPF 51
#endif

enum {
    MAX_CODE = 64 + 2 * TERN__UDP_STEER_MAX_PLACES,
    IP4_SOURCE = 12,
    IP4_PORT = 20,
    IP6_SOURCE_END = 20,
    IP6_PORT = 40
};

typedef struct program {
    struct sock_filter code[MAX_CODE];
    unsigned short n;
} program;

static void put_instruction(program *p, unsigned code, uint32_t k) {
    p->code[p->n++] = (struct sock_filter)BPF_STMT((uint16_t)code, k);
}

static void put_jump(program *p, unsigned code, uint32_t k, unsigned if_true, unsigned if_false) {
    p->code[p->n++] = (struct sock_filter)BPF_JUMP((uint16_t)code, k, (uint8_t)if_true, (uint8_t)if_false);
}

/* A = a hash of the last word of the sender's address and of the sender's port, in 8 instructions. */
static void put_flow(program *p, uint32_t source_at, uint32_t port_at) {
    put_instruction(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)SKF_NET_OFF + source_at);
    put_instruction(p, BPF_ALU | BPF_MUL | BPF_K, 2654435761u);
    put_instruction(p, BPF_ST, 0);
    put_instruction(p, BPF_LD | BPF_H | BPF_ABS, (uint32_t)SKF_NET_OFF + port_at);
    put_instruction(p, BPF_LDX | BPF_W | BPF_MEM, 0);
    put_instruction(p, BPF_ALU | BPF_XOR | BPF_X, 0);
    put_instruction(p, BPF_ALU | BPF_MUL | BPF_K, 2246822519u);
    put_instruction(p, BPF_ALU | BPF_RSH | BPF_K, 12);
}

enum { FLOW_CODE = 8 };

/* By the sender: over all places, so that coming and going concerns few of them, then past the empty ones. */
static void put_by_sender(program *p, uint32_t n, uint64_t live) {
    put_instruction(p, BPF_LD | BPF_B | BPF_ABS, (uint32_t)SKF_NET_OFF);
    put_instruction(p, BPF_ALU | BPF_RSH | BPF_K, 4);
    put_jump(p, BPF_JMP | BPF_JEQ | BPF_K, 6, FLOW_CODE + 1, 0);
    put_flow(p, IP4_SOURCE, IP4_PORT);
    put_instruction(p, BPF_JMP | BPF_JA, FLOW_CODE);
    put_flow(p, IP6_SOURCE_END, IP6_PORT);
    put_instruction(p, BPF_ALU | BPF_MOD | BPF_K, n);
    uint32_t places[TERN__UDP_STEER_MAX_PLACES], n_live = 0;
    for (uint32_t i = 0; i < n; i++)
        if (live >> i & 1) places[n_live++] = i;
    for (uint32_t i = 0; n_live && i < n; i++) {
        if (live >> i & 1) continue;
        put_jump(p, BPF_JMP | BPF_JEQ | BPF_K, i, 0, 1);
        put_instruction(p, BPF_RET | BPF_K, places[i % n_live]);
    }
    put_instruction(p, BPF_RET | BPF_A, 0);
}

bool tern__udp_steer(int fd, uint32_t n, uint64_t live) {
    program p = {.n = 0};
    put_instruction(&p, BPF_LD | BPF_B | BPF_ABS, 0);
    put_instruction(&p, BPF_ALU | BPF_AND | BPF_K, 15);
    put_jump(&p, BPF_JMP | BPF_JEQ | BPF_K, TERN__PKT_CONNECT, 5, 0);
    put_jump(&p, BPF_JMP | BPF_JEQ | BPF_K, TERN__PKT_REFUSE, 4, 0);
    put_instruction(&p, BPF_LD | BPF_B | BPF_ABS, 7); /* the session number's last byte */
    put_instruction(&p, BPF_ALU | BPF_RSH | BPF_K, 2);
    put_jump(&p, BPF_JMP | BPF_JGE | BPF_K, n, 1, 0);
    put_instruction(&p, BPF_RET | BPF_A, 0);
    put_by_sender(&p, n, live);
    struct sock_fprog prog = {.len = p.n, .filter = p.code};
    return setsockopt(fd, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, &prog, sizeof prog) == 0;
}
