/* A port moves packets and owns every system call that takes. The engine sees its link (engine/link.h);
 * the endpoint, which drives it, sees this. One thread. */
#ifndef TERN_PORT_PORT_H
#define TERN_PORT_PORT_H

#include "engine/link.h"
#include "tern/rpc.h"

typedef struct tern__port tern__port;

/* A route is gone, to which connect() had led or from which a packet has come: nobody knows another one. */
typedef void tern__route_lost_fn(void *ctx, tern__link *link, const tern__route *route);

/* The port holds so many bytes for this route, beyond the packets that it hands over, from now on, and not debit->bytes
 * as before; *debit, zero at first, is the account's. 0 bytes before the port is freed. May be asked at any time. */
typedef tern__hold tern__hold_fn(void *ctx, tern__link *link, const tern__route *route, uint64_t bytes,
                                 tern__debit *debit);

/* The link has refused packets to this route, and takes some again. */
typedef void tern__has_room_fn(void *ctx, tern__link *link, const tern__route *route);

/* Whether the peer on this route has no call, as far as a look at a few of its sessions tells. */
typedef bool tern__is_idle_fn(void *ctx, const tern__link *link, const tern__route *route);

/* What every port knows of its endpoint. What one kind of port alone wants to know stands in its options, which its
 * constructor takes (udp_port.h, tcp_port.h, shm_port.h). */
typedef struct tern__port_env {
    tern_log_fn *log; /* may be NULL */
    void *log_user;
    tern__route_lost_fn *route_lost; /* runs inside poll only */
    tern__has_room_fn *has_room;     /* runs inside poll or arm; NULL: nobody waits for it */
    tern__hold_fn *hold;             /* NULL: nobody counts what is held */
    tern__is_idle_fn *is_idle;       /* NULL: nobody knows of any call */
    uint64_t (*random)(void *ctx);   /* that strangers cannot guess; NULL: the same numbers each time */
    void *ctx;
} tern__port_env;

typedef struct tern__port_ops {
    /* Receive up to about `budget` packets, handed to fn(ctx, pkts, n); notice dead routes; do the port's own
     * housekeeping (accepting peers, reaping transmit completions). Never blocks. Returns the number of
     * packets, or a negative error when the port is broken for good. */
    int (*poll)(tern__port *port, unsigned budget, tern__rx_fn *fn, void *ctx);

    /* A descriptor that becomes readable when poll would find something, once arm has said so. */
    int (*fd)(tern__port *port);

    /* About to sleep. True: the descriptor will wake us. False: there is something to poll already. */
    bool (*arm)(tern__port *port);

    /* Accept peers at this address (the part behind "name://"). The actual address, as a URL that a
     * client can connect to, goes to actual[0..cap). */
    int (*listen)(tern__port *port, const char *address, char *actual, size_t cap);

    /* The route to a peer's listening address. May do a local handshake (shm); must not wait for the network, so that
     * a host is numeric, or a name that this machine knows by itself. */
    int (*connect)(tern__port *port, const char *address, tern__route *out);

    /* The engine's client session over this route has ended; the port may drop what it holds for it. */
    void (*disconnect)(tern__port *port, const tern__route *route);

    void (*free)(tern__port *port);

    /* As listen, at a place of an address that other endpoints listen on too; NULL: cannot. Returns the place, which is
     * then this endpoint's at all shared addresses, or TERN_ERR_FULL. wanted: that place, or TERN__SHARE_ANY. */
    int (*listen_shared)(tern__port *port, tern_listener *share, int wanted);

    /* The peer at the other end of this route goes away: sessions that have the route keep it, but later connects to
     * the address get another route. NULL: later connects get the same route, whichever process is there. */
    void (*retire)(tern__port *port, const tern__route *route);

    /* The peer's address, for people, where peers come and go unseen by the port, which has no connections; NULL: the
     * port itself logs its peers. */
    void (*name_peer)(const tern__route *route, char *out, size_t cap);

    /* Accept no peer from now on, where the port can, and leave the addresses to others; accepted peers stay. */
    void (*stop_listening)(tern__port *port);
} tern__port_ops;

struct tern__port {
    tern__link link; /* first, so that a link pointer is a port pointer */
    const tern__port_ops *ops;
    const char *name;     /* "shm", "udp", "tcp", "unix", "sim": the scheme of its addresses */
    bool takes_hosts;     /* addresses are host:port; names are resolved before connect is called (resolve.h) */
    bool look_soon;       /* polls take long: the next one looks at all that is otherwise looked at every many polls */
    tern_time flushed_at; /* while packets are let leave together: tern__ports_flush_some() */
    tern__port *next;     /* of the endpoint's; NULL: the last */
};

/* TERN_ERR_LIMIT, where a bound of tern's own is reached and no system call has failed: errno says so. */
int tern__port_limit(void);

/* What a system call that makes a descriptor has failed with: TERN_ERR_LIMIT when there is none left, else TERN_ERR_IO.
 * Errno says more and stays. */
int tern__port_lack(void);

/* Why a listen or a dial has just failed, for a line of the log. err: what has been returned, while errno is still what
 * the failed system call left. An address that cannot be one by its text is another matter: tern__ports_fault(). */
const char *tern__port_reason(int err);

/* One line to the log callback, printf style; nothing when there is none. */
__attribute__((format(printf, 3, 4))) void tern__port_log(const tern__port_env *env, tern_log_level level,
                                                          const char *format, ...);

/* Whether a line that strangers bring about as often as they like may be in the log: once a second. at: when it was
 * last; 0: never. */
bool tern__port_may_log(tern_time *at);

/* "NAME: a peer was refused", and why, for want of a seat; likewise. */
void tern__port_log_refusal(const tern__port_env *env, const char *name, tern_time *at);

/* Likewise, of a peer that has taken nothing for too long. */
void tern__port_log_unread(const tern__port_env *env, const char *name, tern_time *at);

/* The monotonic clock to within some milliseconds, without reading hardware: for pauses and patience. */
tern_time tern__coarse_now(void);

#endif
