/* Endpoints, sessions and calls.
 *
 * An endpoint belongs to the thread that made it: it owns ports (addresses it listens on or sends
 * from), sessions to peers, and the services it serves. It is driven in one of three ways, all from its
 * thread: tern_poll() in a loop of your own; tern_fd() with tern_next_timeout() in your epoll loop; or
 * tern_run(), which spins while busy and sleeps when idle. Every callback runs inside one of these.
 *
 * Any function here called from another thread returns TERN_ERR_THREAD (NULL, where it returns a pointer) and does
 * nothing, in release builds too. The exceptions say so: tern_post() and tern_stop(), the way in; tern_release() and
 * tern_hold(); and what a handler on a worker may call (tern_workers_new()).
 *
 * An endpoint stays with its process, too: in a child of fork() any function here that is given it, or a session,
 * call or stream of it, returns TERN_ERR_STATE (NULL) and does nothing, tern_endpoint_free(), tern_post() and
 * tern_stop() included; tern_session_endpoint() and tern_call_endpoint() alone still say whose the session or call
 * is. The parent's goes on. The memory pool is the parent's, too (mem.h): once there is one, a child can make no
 * endpoint of its own. A program that forks and goes on in the child forks first and uses tern afterwards.
 *
 * The memory rule. Until the send returns, every pointer in a message is borrowed from you. When it
 * returns, values that were copied are yours again; values sent in place are protected by a reference
 * on their buffer until the last transmission is done, retransmissions included, even if you
 * tern_unref() them at once. In-place values must not be modified meanwhile: replace, don't overwrite.
 *
 * Addresses:  shm:///run/kv.sock     processes of one machine; the path of a Unix socket
 *             udp://192.0.2.7:7000   udp://[2001:db8::7]:7000   udp://kv.example.org:7000
 *             tcp://192.0.2.7:7000   (likewise)   where datagrams do not pass
 *             unix:///run/kv.sock    the same over a Unix stream socket
 * Protocol: eRPC (sections 3 to 5) with the changes of docs/protocol.md. */
#ifndef TERN_RPC_H
#define TERN_RPC_H

#include "tern/codec.h"
#include "tern/err.h"
#include "tern/mem.h"
#include "tern/sized.h"
#include "tern/type.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t tern_time; /* a point on CLOCK_MONOTONIC, ns */
typedef int64_t tern_dur;   /* a span, ns */

#define TERN_US ((tern_dur)1000)
#define TERN_MS ((tern_dur)1000000)
#define TERN_SEC ((tern_dur)1000000000)

typedef struct tern_endpoint tern_endpoint;
typedef struct tern_session tern_session;   /* the client's end of a session */
typedef struct tern_listener tern_listener; /* an address that several endpoints listen on */
typedef struct tern_workers tern_workers;   /* threads for long handlers */
typedef struct tern_loan tern_loan;         /* values that were left where their sender has them */

/* Names the server's end of one call; what it holds is the library's. It is a value, to be copied and kept at will for
 * as long as the endpoint lives. Once the call has ended it names nothing, and never anything else: functions then
 * return TERN_ERR_STALE (NULL, where they return a pointer) and do nothing. Zero names nothing either. */
typedef struct tern_call {
    tern_endpoint *ep;
    uint64_t id;
} tern_call;

/* ---- Endpoints ---------------------------------------------------------------------------------- */

/* ERROR: something that was asked for cannot be done. WARN: something is amiss that may pass. INFO: what becomes of
 * this endpoint's own addresses ("listening at ..."), connections and sessions. DEBUG: clients that come and go, as
 * often as they like. */
typedef enum tern_log_level { TERN_LOG_ERROR, TERN_LOG_WARN, TERN_LOG_INFO, TERN_LOG_DEBUG } tern_log_level;

/* One line without newline; valid during the call. Must not call back into the endpoint, tern_endpoint_trace()
 * excepted. */
typedef void tern_log_fn(void *user, tern_log_level level, const char *line);

/* A log to begin with: "tern: LINE" on stderr for each line that is not of level DEBUG. user is ignored. Any thread. */
TERN_API void tern_log_stderr(void *user, tern_log_level level, const char *line);

/* How sessions over links that may lose packets (udp) keep the queues in the network short. docs/congestion.md
 * compares the choices. */
typedef enum tern_congestion {
    TERN_CC_DEFAULT, /* the best of them: SWIFT */
    TERN_CC_NONE,    /* nothing but the sessions' credits */
    TERN_CC_TIMELY,  /* a rate from the gradient of round trips, as in eRPC (5.2) */
    TERN_CC_SWIFT,   /* a window that keeps round trips near a target */
    TERN_CC_DCTCP,   /* a window cut by the share of packets that switches mark (ECN), as in DCTCP. For networks whose
                        switches mark, and for endpoints that both have this: others see and report no marks */
} tern_congestion;

/* A member may be 0 where its comment says what that means, and idle_spin; the last word of each is the default. */
typedef struct tern_endpoint_config {
    size_t size;                /* sizeof(tern_endpoint_config), set by init */
    tern_log_fn *log;           /* NULL: silent; tern_log_stderr, for instance */
    void *log_user;             /* handed to log */
    uint32_t max_sessions;      /* client and server sessions together; one that is being connected by name counts once
                                   more for each address that is being tried; at most 2^20; 32768 */
    uint32_t max_message_bytes; /* accepted from a peer; at most 1 GB; 64 MB */
    uint64_t max_rx_bytes;      /* what all peers together may make the endpoint hold (docs/guide/limits.md), at least
                                   the power of two that holds max_message_bytes. Each endpoint has its own: a process
                                   with several sets it in each, to a share of what all together are to hold. 0, the
                                   default: a quarter of what the process may use, by its control group, by its own
                                   limits (RLIMIT_AS, RLIMIT_DATA) or by what the machine has available, whichever is
                                   least; 8 GB at most; the log says how much that is, and why */
    uint32_t session_credits;   /* packets in flight per session; at most 64; 32 */
    uint32_t max_backlog;       /* calls waiting for a slot or for the connection, and streams for a place, per session;
                                   0: nothing waits, so that calls are TERN_ERR_FULL until the session is open, and no
                                   stream can begin; 4096 */
    uint32_t inplace_threshold; /* values this long are sent in place; 0: the port's own; UINT32_MAX: never */
    tern_dur connect_timeout;   /* until calls on an unanswered connect fail; by name: on a name that is not resolved,
                                   and once more when one address is left to try; 5 s */
    tern_dur peer_timeout;      /* silence, with work outstanding, that means death, over any port; 10 ms at least, as
                                   live peers pause for some milliseconds; 1 s */
    tern_dur keepalive;         /* idle sessions are asked after so much silence whether their server lives, and lost a
                                   peer_timeout later if it does not answer; 0: only calls find that out */
    tern_dur idle_spin;         /* how long tern_run() and blocking calls spin before they sleep; 50 us */
    uint32_t udp_payload_bytes; /* UDP payload at most, 512 to 65,000; 0: from the path MTU */
    bool shm_share_region;      /* let peers of this user read what is sent in place (docs/memory.md); true */
    tern_congestion congestion; /* of this endpoint's calls; TERN_CC_DEFAULT */
    bool check_schema;          /* compare message types with the server's before the first call of a method; true */
    bool borrow;                /* whether all single calls borrow what they receive (see Borrowing); false */
    uint64_t max_kept_bytes;    /* memory for responses kept until their clients have them, all clients together. Beyond
                                   it those that nobody has asked for lately are given up, else new ones; their calls,
                                   which have run, end with DATA_LOSS if their clients ask once more. 0, the default: a
                                   quarter of max_rx_bytes, or max_message_bytes if that is more */
    uint32_t max_metadata_bytes; /* of one message, sent and accepted; at most 256 KB; 0: none; 8 KB */
    uint32_t max_running_calls;  /* as a server: single calls that have begun and are not answered, those that wait for
                                    workers included, of all clients together. Near the bound clients are told how many
                                    calls they may have at once, and refuse others themselves; what comes beyond the
                                    bound ends with RESOURCE_EXHAUSTED before its handler runs. With a bound, small
                                    calls take some more of the processor. 0, the default: any number */
    tern_dur retry_after;        /* how long a client that was rejected there is to wait before it calls again: this
                                    much, or up to twice as much; at most 15 s; 10 ms */
    uint64_t shm_lend_bytes; /* what a peer on this host may borrow of this endpoint at a time: bytes of values, ... */
    tern_dur shm_lend_time;  /* ... and how long it may keep each of them; 256 MB, 10 s. 0 bytes: nothing */
    tern_dur queue_target;   /* how long calls may wait before they are served, to be refused early instead
                                (docs/guide/failure.md). A server that has more to do than it can do grants its clients
                                as many calls as it ends in that time, those in their backlogs included, and keeps its
                                workers' queues as short; clients refuse others at once, with RESOURCE_EXHAUSTED and the
                                time to come again. Of a client: how long calls may wait in the backlog of a session. A
                                few times what a call takes at least; at most 1000 days; 0, the default: for any time */
} tern_endpoint_config;

/* Durations beyond 1000 days are taken as 1000 days. */
static inline void tern_endpoint_config_init(tern_endpoint_config *config);
TERN_API void tern_endpoint_config_init_sized(tern_endpoint_config *config, size_t size);

/* A new endpoint, owned by the calling thread. config may be NULL for the defaults. Returns 0; TERN_ERR_INVALID for a
 * config that makes no sense, and its log has one line that names the member and its bounds; for a config of a newer
 * header that asks for what this library cannot do (sized.h), and for a zeroed one, whose `size` was not set, likewise;
 * and for a `size` that no version of the struct has, without a line: such a struct was never initialised, its log
 * included. TERN_ERR_STATE in a child of fork() whose parent has used tern; TERN_ERR_NOMEM; TERN_ERR_LIMIT (no
 * descriptor is left) and TERN_ERR_IO, and the log has one line that says why. */
TERN_API int tern_endpoint_new(const tern_endpoint_config *config, tern_endpoint **out);

/* Disconnects every session (pending calls complete with UNAVAILABLE, their results say that this program freed the
 * endpoint, and their callbacks run inside this call), waits for handlers that run on workers to return, gives back
 * every buffer and frees the endpoint.
 * NULL is ignored. TERN_ERR_STATE from inside a callback. */
TERN_API int tern_endpoint_free(tern_endpoint *ep);

/* Accept sessions at an address. Its host is numeric, or empty or "*" for every address of the machine, or a name that
 * the machine knows without asking the network: localhost and those of /etc/hosts; of its addresses the first is taken
 * that can be listened on, IPv4 before IPv6. Returns 0; TERN_ERR_ADDRESS, also for names that only DNS knows;
 * TERN_ERR_EXISTS when it is taken; TERN_ERR_ACCESS; TERN_ERR_LIMIT beyond 16 addresses, 8 of them shm; TERN_ERR_STATE
 * once the endpoint drains; TERN_ERR_NOMEM; TERN_ERR_IO. The log has one line that names the address and says why. Port
 * 0 picks a free one: tern_listen_address(). */
TERN_API int tern_listen(tern_endpoint *ep, const char *address);

/* The i-th address that this endpoint listens on, as a string that a client can connect to; NULL past
 * the last. Valid until the endpoint is freed. */
TERN_API const char *tern_listen_address(const tern_endpoint *ep, unsigned i);

/* One address for the endpoints of several threads of this process: make the listener, then let each endpoint join it
 * with tern_listen_shared(). Sessions spread over the endpoints (udp: by the client's address; else in turn), and
 * each stays with the one that accepted it. When an endpoint is freed, its clients reconnect to the others.
 * n_endpoints, at most 64, is how many can be there at a time. With port 0 all share the port that was found. Returns
 * as tern_listen(), TERN_ERR_INVALID for n_endpoints. Any thread. udp: other processes of this user can bind to the
 * address too while it is shared (SO_REUSEPORT). */
TERN_API int tern_listener_new(const char *address, uint32_t n_endpoints, tern_listener **out);

/* The address for clients, valid until the listener is freed. Any thread. */
TERN_API const char *tern_listener_address(const tern_listener *listener);

/* Drop the caller's hold of it: the address stays as long as an endpoint listens there. A child of fork() drops its own
 * hold only, and the address stays the parent's. NULL is ignored. Any thread. */
TERN_API void tern_listener_free(tern_listener *listener);

/* Accept sessions there, together with others. Returns 0; TERN_ERR_FULL when n_endpoints do already; TERN_ERR_EXISTS
 * when this endpoint does; TERN_ERR_STATE once this endpoint drains; TERN_ERR_LIMIT; TERN_ERR_IO. An endpoint that
 * joins several listeners has the same place at each: endpoints that share one should share all of them, or
 * TERN_ERR_FULL may come early. */
TERN_API int tern_listen_shared(tern_endpoint *ep, tern_listener *listener);

/* Handle what has arrived and what is due; never blocks. Returns the number of packets handled, so 0
 * means idle; or a negative error. Not from inside a callback (TERN_ERR_STATE). */
TERN_API int tern_poll(tern_endpoint *ep);

/* For your own event loop: a descriptor that becomes readable when tern_poll() has work, and how long
 * you may block on it. Ask for the timeout right before each wait: it arms the wake-up. Returns ns, 0
 * for "poll now", -1 for "until the descriptor is readable", or TERN_ERR_THREAD, which is less. */
TERN_API int tern_fd(tern_endpoint *ep);
TERN_API tern_dur tern_next_timeout(tern_endpoint *ep);

/* Drive the endpoint until tern_stop(): spins for idle_spin after the last work, then sleeps in the
 * kernel; an idle endpoint costs next to nothing. Returns 0 after tern_stop(). */
TERN_API int tern_run(tern_endpoint *ep);

/* Make tern_run() return, now or at its next start. Any thread; also from callbacks and signal
 * handlers. */
TERN_API int tern_stop(tern_endpoint *ep);

/* Run fn(user) on the endpoint's thread, soon, inside its poll. Any thread. Returns 0, TERN_ERR_FULL (1024 waiting) or
 * TERN_ERR_INVALID without fn. What is still waiting when the endpoint is freed is dropped. */
TERN_API int tern_post(tern_endpoint *ep, void (*fn)(void *user), void *user);

/* Called once, from a poll. */
typedef void tern_drained_fn(void *user);

/* Leave in good order, as a server that is to be restarted does: new sessions are refused (UNAVAILABLE), the addresses
 * are given up (shm, tcp, unix: another process may listen there at once), and clients are told to go elsewhere. They
 * send nothing new here, keep their sessions until what they have sent is answered, and close them. What is left at the
 * timeout is cut off: its clients see UNAVAILABLE, its handlers that their client is gone. Returns at once: 0,
 * TERN_ERR_INVALID for a negative timeout; go on driving the endpoint. When no client has a session any more,
 * drained(user) runs (it may be NULL), and may tern_stop() for instance. Sessions that this endpoint has as a client
 * are not concerned: handlers that finish may need them. There is no way back but a new endpoint. */
TERN_API int tern_endpoint_drain(tern_endpoint *ep, tern_dur timeout, tern_drained_fn *drained, void *user);

/* 1 when a drain has come to its end, else 0. */
TERN_API int tern_endpoint_is_drained(const tern_endpoint *ep);

/* Counters since the endpoint was made; monotonic. */
typedef struct tern_endpoint_stats {
    uint64_t tx_packets, rx_packets;
    uint64_t tx_bytes, rx_bytes; /* packets' bytes, tern's headers included */
    uint64_t calls_issued, calls_completed, calls_served;
    uint64_t retransmits;    /* packets sent again */
    uint64_t spurious;       /* of those, requests that had only been late, as their answers showed */
    uint64_t rx_dropped;     /* packets that were malformed, stale, duplicated or for no session */
    uint64_t tx_messages;    /* requests and responses encoded */
    uint64_t copied_bytes;   /* value bytes that tern copied into messages; not the copy that a message waits as */
    uint64_t inplace_values; /* values that went to the port from where they were; see shm_copied_bytes */
    uint64_t inplace_bytes;
    uint64_t worker_calls;   /* of calls_served, those that were queued for a worker ... */
    uint64_t worker_refused; /* ... and those that were turned away, as the queue was full or too long (queue_target) */
    uint64_t sessions_open;  /* now, both roles */
    uint64_t peers_lost;     /* sessions ended by silence or a closed port */
    uint64_t rx_forged; /* of rx_dropped: named a session of ours, but lacked its secret tag or came from elsewhere */
    uint64_t connects_retried; /* clients asked to show that they see what is sent to their address: over udp each one
                                  that connects, once at least ... */
    uint64_t connects_limited; /* ... and CONNECTs that were dropped because too many came */
    uint64_t shm_copied_bytes; /* bytes in place, by inplace_bytes, that shm copied all the same, as its peer does not
                                  read them where they are: values in private memory, as received ones are, and in
                                  registered memory; with shm_share_region off all. Besides, of messages of several
                                  packets, pieces of less than 256 bytes, and with it off all that is copied, again */
    uint64_t overloads;        /* with a queue_target: times that this server became overloaded ... */
    uint64_t overload_rejects; /* ... and calls that it rejected then before their handlers: they had waited too long */
    uint64_t held_bytes;       /* now: what all peers make this endpoint hold, of max_rx_bytes (docs/guide/limits.md) */
    uint64_t given_up_requests;  /* half-received, which others needed the room of, or of which nothing more came; and
                                   those, whole ones too, that there was no room for, as they came or decoded: their
                                   handlers have not run. And streams whose clients do not open or do not read them */
    uint64_t given_up_responses; /* of handlers that have run, for the same reasons */
    /* tcp, unix: ended when peers held all of max_rx_bytes, as their peers held the most: by frames that had come in
     * part, or by output that they did not read */
    uint64_t given_up_connections;
    uint64_t calls_put_off; /* that waited for their clients' turn, as handlers took long; not all of them have run
                               (docs/guide/limits.md) */
} tern_endpoint_stats;
static inline int tern_endpoint_get_stats(const tern_endpoint *ep, tern_endpoint_stats *stats);
TERN_API int tern_endpoint_get_stats_sized(const tern_endpoint *ep, tern_endpoint_stats *stats, size_t size);

/* Write what happens inside this endpoint to a file from now on: each packet that is sent, received or dropped (and
 * why), each change of a session, a call or a stream, losses, timeouts, round trips and congestion. What was traced
 * before ends; path NULL: end it, and write no other.
 *
 * The file is qlog, as JSON text sequences (.sqlog): docs/guide/tracing.md has the events, and how to look at them. It
 * begins empty. At most 64 KB of it wait in memory; they are written when they are full, when the endpoint goes to
 * sleep, and when the trace ends. When the file cannot be written any more (the disk is full) the log says so once, the
 * trace ends, and the endpoint goes on. No bytes of messages are in the file, and nothing of what a peer chose but
 * numbers.
 *
 * While there is a trace every message goes the general way, and each event takes some two microseconds of the
 * processor; a small call is six events at its client. Without a trace there is no cost.
 *
 * The file says whether it is of a client or a server: what the endpoint is at the first event, so that a trace may
 * begin before tern_listen() and tern_connect().
 *
 * Returns 0; TERN_ERR_ACCESS; TERN_ERR_INVALID when path is neither a regular file nor a device; TERN_ERR_EXISTS while
 * another endpoint, of this process or of another, traces into the file; TERN_ERR_IO, and the log has the reason;
 * TERN_ERR_NOMEM. After an error there is no trace. TERN_ERR_CLOSED while the endpoint is being freed: the trace goes
 * on until the end. May be called from callbacks, and from the log. */
TERN_API int tern_endpoint_trace(tern_endpoint *ep, const char *path);

/* ---- Metadata -----------------------------------------------------------------------------------
 * Key-value pairs that travel beside the messages of a call: with the request, and (trailing) with the response or the
 * error. A call without them pays nothing. A key is 1 to 255 characters out of a-z, 0-9, '-', '_' and '.'; a value is
 * any bytes; a key may come several times, and the order is kept. A pair takes 8 bytes and its key and value, rounded
 * up to a multiple of 8, of the limit: max_metadata_bytes of the endpoint's config, and 128 pairs, for the metadata of
 * one message, both for what is sent and for what is accepted. What comes from a peer and breaks these rules is handed
 * to nobody: a request ends with INVALID_ARGUMENT or RESOURCE_EXHAUSTED before its handler, a response with INTERNAL or
 * RESOURCE_EXHAUSTED, and an error keeps its status alone. docs/guide/metadata.md shows all of it in use. */

/* A pair to send: the key ends with a NUL. Both are borrowed until the function that takes them returns. */
typedef struct tern_pair {
    const char *key;
    tern_bytes value;
} tern_pair;

/* The pairs that came with a message, in the memory of the message. Zero: there are none. What it holds is the
 * library's. */
typedef struct tern_metadata {
    const void *block;
    size_t n_bytes;
} tern_metadata;

/* The value of the first pair with this key; with data NULL there is none (an empty value has data). It lies in the
 * metadata and is valid as long. Any thread. */
TERN_API tern_bytes tern_metadata_find(tern_metadata metadata, const char *key);

/* The next pair, beginning with *at = 0; the key does not end with a NUL. False when there is none. Any thread. */
TERN_API bool tern_metadata_next(tern_metadata metadata, size_t *at, tern_str *key, tern_bytes *value);

/* How a call ended, beyond what its response says: of an error the status, a message for people, details for programs
 * and trailing metadata; of a response its trailing metadata. */
typedef struct tern_result tern_result;

/* What came of the call whose continuation (tern_done_fn, or the on_end of a stream at its client) runs: valid until
 * the continuation returns, and NULL where there is nothing to tell, which is a call that ended with OK and without
 * trailing metadata, or no continuation runs. NULL from other threads. tern_call_wait() hands its result over by
 * tern_call_opts.result, and tern_stream_wait_result() by its own. */
TERN_API const tern_result *tern_call_result(const tern_endpoint *ep);

/* What a result says. Of NULL: OK, and nothing else. All of it is valid as long as the result. Any thread.
 * The message is valid UTF-8 of at most 4 KB, for people, without a NUL behind it; empty: there is none. It is the
 * server's, or tern's own where tern itself ended the call. A peer chose its characters: who prints it to a terminal
 * leaves out those for control. The details are the server's bytes (a serialized google.rpc.Status, say). */
TERN_API tern_status tern_result_status(const tern_result *result);
TERN_API tern_str tern_result_message(const tern_result *result);
TERN_API tern_bytes tern_result_details(const tern_result *result);
TERN_API tern_metadata tern_result_metadata(const tern_result *result);

/* Of a call that ended with RESOURCE_EXHAUSTED because the server admits no more calls: the time, in ns, to wait before
 * the next one on this session, which until then ends in the same way without a packet. At most 30 s. 0: the server
 * named no time, or the session has as many calls as the server admits of it, and waits for one of those to end. Of
 * NULL: 0. Any thread. */
TERN_API tern_dur tern_result_retry_after(const tern_result *result);

/* Of a call that did not end with OK: whether it is certain that its handler has not begun and will not, as
 * tern_call_has_not_run() says. Of NULL: false. (A call whose start returned a negative error has not run either.) Any
 * thread. */
TERN_API bool tern_result_has_not_run(const tern_result *result);

/* Free a result that tern_call_wait() or tern_stream_wait_result() has handed over. NULL is ignored. Any thread. */
TERN_API void tern_result_free(const tern_result *result);

/* ---- Sessions and calls: the client ------------------------------------------------------------- */

/* Open a session. Returns at once; calls may be made at once and wait for the connection. Returns 0;
 * TERN_ERR_ADDRESS; TERN_ERR_LIMIT (max_sessions, the port's peers or the process's descriptors); TERN_ERR_IO;
 * TERN_ERR_NOMEM. Of an address that it refuses the log
 * has one line that names the address and says why. If the peer cannot be reached, calls complete with UNAVAILABLE, or
 * PERMISSION_DENIED if that is why; a later call tries to connect anew.
 * The host of a udp or tcp address may be a name. It is resolved by the endpoint's polls, anew for each connection:
 * from /etc/hosts, else by DNS. Its addresses (at most 16) are tried in turn, IPv6 and IPv4 alternating, the next when
 * one has failed or has not answered for 250 ms, and the first that accepts is the session's. A name without address is
 * as a peer that cannot be reached: calls complete with UNAVAILABLE, and the session learns of TERN_EVENT_LOST. (In a
 * library built without c-ares a poll waits for DNS, and the log says so.) */
TERN_API int tern_connect(tern_endpoint *ep, const char *address, tern_session **out);

/* Close a session. Pending calls complete with UNAVAILABLE, and their results say that this program closed the session:
 * before this returns; from a callback, when the poll goes on. From now on every function that is given the session
 * returns TERN_ERR_STALE, this one included, until the endpoint has ended 4096 other sessions: the pointer may be that
 * of a new session then. NULL is ignored. Returns 0, TERN_ERR_THREAD or _STALE. */
TERN_API int tern_session_close(tern_session *session);

typedef enum tern_session_state {
    TERN_SESSION_ERR_THREAD = TERN_ERR_THREAD, /* asked from another thread */
    TERN_SESSION_ERR_STATE = TERN_ERR_STATE,   /* asked in a child of fork() */
    TERN_SESSION_ERR_STALE = TERN_ERR_STALE,   /* the session has been closed */
    TERN_SESSION_CONNECTING = 0,
    TERN_SESSION_OPEN,
    TERN_SESSION_DOWN /* the peer was lost or refused; the next call reconnects */
} tern_session_state;

TERN_API tern_session_state tern_session_get_state(const tern_session *session);

/* Any thread. */
TERN_API tern_endpoint *tern_session_endpoint(const tern_session *session);

typedef enum tern_session_event {
    TERN_EVENT_UP,       /* connected, for the first time or again to the same server */
    TERN_EVENT_UP_NEW,   /* connected again, but the server is another or was restarted: what it knew of us is gone */
    TERN_EVENT_DRAINING, /* the server goes away. What was sent to it is still answered; the next call makes a new
                            connection, which another server behind the address may accept, and calls that waited for
                            their turn do so at once. While there is none they end with UNAVAILABLE */
    TERN_EVENT_LOST,     /* the connection has failed, or could not be made: pending calls have ended with `why` */
} tern_session_event;

/* `why`: with LOST, UNAVAILABLE (the server is dead, silent, unreachable, or has closed the session) or what it
 * refused us for: RESOURCE_EXHAUSTED, it has too many sessions; PERMISSION_DENIED; UNIMPLEMENTED, it speaks another
 * version or needs what we do not know. The log says more. Else OK. */
typedef void tern_session_event_fn(tern_session *session, tern_session_event event, tern_status why, void *user);

/* Have fn(session, event, why, user) run, from polls, for what happens to this session; NULL: nothing any more. It may
 * start calls and close the session. LOST comes also for a connection that could not be made. Only where the address
 * may not be used at all (PERMISSION_DENIED) calls end so without an event. Returns 0. */
TERN_API int tern_session_on_event(tern_session *session, tern_session_event_fn *fn, void *user);

/* As `keepalive` of the endpoint's config, for this session alone; 0: never. Holds also for later connections. Returns
 * 0, TERN_ERR_INVALID for a negative one. */
TERN_API int tern_session_set_keepalive(tern_session *session, tern_dur keepalive);

/* A random number that the server has for as long as it lives, to tell its lives apart; of the last connection.
 * Returns 0, TERN_ERR_NOT_FOUND when the session has never been up. */
TERN_API int tern_session_get_incarnation(const tern_session *session, uint64_t *incarnation);

/* Names a call that was started, as tern_call does at the server: it may be kept for as long as the endpoint lives, and
 * names nothing once the call has ended. Zero names nothing. */
typedef struct tern_call_ref {
    tern_endpoint *ep;
    uint64_t id;
} tern_call_ref;

/* How a call goes: TERN_CALL_OPTS(.timeout = TERN_SEC), or tern_call_opts_init() and the members that matter. Zero is
 * the default of each member. A call with opts whose size was never set, or that ask for what this library cannot do
 * (sized.h), is TERN_ERR_INVALID, and the log has a line. */
typedef struct tern_call_opts {
    size_t size;      /* sizeof(tern_call_opts) */
    tern_dur timeout; /* from now until DEADLINE_EXCEEDED; 0: none; negative: it is too late already, and the call ends
                           so without being sent. tern_call_time_left() of another call may be handed on as it is */
    tern_format format; /* TERN_FORMAT_RAW (0) means the session's best: hybrid between tern peers */
    tern_call_ref *ref; /* filled in when the call starts, for tern_call_cancel(); may be NULL. At most 2^20 such calls
                           of an endpoint run at a time: others are TERN_ERR_LIMIT */
    bool block;         /* where the backlog is full, drive the endpoint until there is room, or the timeout (which then
                           ends the call as ever), instead of TERN_ERR_FULL; other callbacks run meanwhile. Has no
                           effect inside callbacks, where nothing can be driven. TERN_ERR_CLOSED: one of them closed
                           the session */
    bool borrow;        /* long values of the response may stay where the server has them (see Borrowing) */
    const tern_pair *metadata;  /* n_metadata pairs to send with the request; copied before the function returns */
    size_t n_metadata;          /* TERN_ERR_INVALID for a key, TERN_ERR_LIMIT for too many bytes or pairs */
    const tern_result **result; /* tern_call_wait() alone: set to what came of the call, yours until tern_result_free();
                                   NULL where there is nothing to tell (tern_call_result()), or memory is out; may be
                                   NULL */
} tern_call_opts;

#define TERN_CALL_OPTS(...) TERN__SIZED(tern_call_opts, __VA_ARGS__)
static inline void tern_call_opts_init(tern_call_opts *opts);

/* A finished call. `status` is a tern_status. With OK, response is the decoded message (or, for raw
 * calls, a tern_bytes); otherwise it is NULL. Valid until the callback returns; tern_hold() keeps the
 * buffer behind a field longer. */
typedef void tern_done_fn(void *user, int status, const void *response);

/* Start a call. Generated code wraps it as <Service>_<Method>(). done runs exactly once, from a later poll, never
 * from inside this function. On return the memory rule applies to request. Returns 0; TERN_ERR_FULL when the
 * session's backlog is full (poll, then try again, or ask to block); TERN_ERR_LIMIT for a message beyond 64 MB, or
 * beyond one's own max_message_bytes if that is more (beyond the server's the call ends with RESOURCE_EXHAUSTED);
 * TERN_ERR_NOMEM; TERN_ERR_INVALID; TERN_ERR_VERSION for a method whose tables tern_type_check() refuses (the log says
 * why); TERN_ERR_STALE while the session is being closed; TERN_ERR_CLOSED while the endpoint is being freed; what
 * tern_connect() returns where the session has to connect anew and cannot. After an error done does not run. opts may
 * be NULL. The first call of a method in a session waits, as a copy, until the server has said that its types are the
 * same; where they conflict, calls of the method end with FAILED_PRECONDITION and the log says which field it is
 * (docs/protocol.md, Schemas). */
TERN_API int tern_call_start(tern_session *session, const tern_method *method, const void *request,
                             const tern_call_opts *opts, tern_done_fn *done, void *user);

/* Give a call up. It completes with CANCELLED, from a later poll, never from inside this function; a response that
 * still comes is dropped. The server is told at once: a request of which nothing has left is never sent, and a
 * handler that runs can learn of it (tern_call_on_cancel()). Whether the handler has run, wholly or in part, is not
 * known. From callbacks, too. `ep` is the endpoint that the call was started on. Returns 0; TERN_ERR_STALE when the
 * call has ended (its done has run or is about to), which is harmless; TERN_ERR_INVALID for another endpoint's call. */
TERN_API int tern_call_cancel(tern_endpoint *ep, tern_call_ref call);

/* Inside a done function (or the on_end of a stream) whose status is not OK: 1 if it is certain that the call's handler
 * has not begun and will not, because nothing of the call was sent, or because the server said so (docs/protocol.md,
 * Calls that have not run); the call may be made again then, whatever it does. 0 if that is not known. From another
 * thread TERN_ERR_THREAD. */
TERN_API int tern_call_has_not_run(const tern_endpoint *ep);

/* Call and wait, driving the endpoint meanwhile (other callbacks run too). Returns a tern_status >= 0,
 * or a TERN_ERR_*; TERN_ERR_STATE from inside a callback. With OK, *response is the decoded message,
 * yours until you give it to tern_release(); response may be NULL.
 * A handler on a worker may call this, before it replies, on sessions of the endpoint whose call it serves: the
 * endpoint's thread makes the call, the worker sleeps. Without a timeout of its own the call then ends when the client
 * of the handler's call gives up. The session must stay open meanwhile. */
TERN_API int tern_call_wait(tern_session *session, const tern_method *method, const void *request,
                            const tern_call_opts *opts, const void **response);

/* Free a response of tern_call_wait() and all that hangs on it, held values excepted. NULL is ignored.
 * Any thread. */
TERN_API void tern_release(const void *response);

/* The same without a schema: the payload is n bytes as they are. method_id is any number that both
 * sides know. */
TERN_API int tern_call_start_raw(tern_session *session, uint32_t method_id, tern_bytes request,
                                 const tern_call_opts *opts, tern_done_fn *done, void *user);

/* A hint: a call on this session, one of ep's that is not closed, will be started soon. For endpoints with thousands of
 * sessions, whose state is in no near cache: a call would begin by waiting for memory, longer than all the rest of the
 * call takes. A program that knows its next calls (it takes work from a queue, say, or draws work in batches) says so
 * some thirty calls ahead, and the state is there in time: the first half of those calls finds where the state is, the
 * second brings it. The hint changes nothing else, and costs a few nanoseconds; with few sessions it does nothing. */
TERN_API void tern_session_expect(tern_endpoint *ep, tern_session *session);

/* Keep the buffer behind any field of a received message; give it back with tern_unref(). Returns 0,
 * or TERN_ERR_INVALID when the value does not lie in a pool buffer. It keeps the whole packet:
 * tern_recover() tells how large that is, and copying may be the thriftier choice. What was received is private memory:
 * sent on over shm it is copied, unless the method receives into shared memory (tern/options.proto). */
static inline int tern_hold(const void *ptr) { return tern_ref(ptr); }

/* ---- Services: the server ----------------------------------------------------------------------- */

/* Handles one request. The request is valid until the call ends, which is when it is replied to or failed: inside the
 * handler or later, from the endpoint's thread, once; a second time is TERN_ERR_STALE. (On a worker: inside the
 * handler.) An endpoint has at most 2^20 calls that have begun and not ended; what comes beyond ends with
 * RESOURCE_EXHAUSTED. */
typedef void tern_handler_fn(tern_call call, const void *request, void *user);

/* Serve a method. Generated code wraps it as <Service>_serve(). Returns 0; TERN_ERR_EXISTS when the
 * endpoint serves a method of this id already (two names may collide: rename one); TERN_ERR_VERSION as
 * tern_call_start(); TERN_ERR_NOMEM. */
TERN_API int tern_serve(tern_endpoint *ep, const tern_method *method, tern_handler_fn *handler, void *user);

/* Serve raw calls: request is a const tern_bytes *. */
TERN_API int tern_serve_raw(tern_endpoint *ep, uint32_t method_id, tern_handler_fn *handler, void *user);

/* Memory that lives until the call ends, for the reply: values there can be sent in place, and a peer on this host to
 * whom that was done may read them. */
TERN_API tern_arena *tern_call_arena(tern_call call);

/* Also of a call that has ended. NULL of zero. Any thread. */
static inline tern_endpoint *tern_call_endpoint(tern_call call);

/* Whether the call has begun and not ended. False of zero, and in a child of fork(). Any thread. */
TERN_API bool tern_call_is_open(tern_call call);

/* Time left until the client's deadline, in ns: negative when it has passed, never 0, INT64_MAX when it set none. So it
 * may be the timeout of a call that the handler makes itself. TERN_ERR_THREAD from a thread that the call is not with,
 * and TERN_ERR_STALE when the call has ended, are negative, too. */
TERN_API tern_dur tern_call_time_left(tern_call call);

/* Whether the client waits no longer (it cancelled the call, its deadline has passed, or it is gone), so that
 * whatever the handler still does is in vain. It has to end the call all the same. True of a call that has ended, and
 * in a child of fork(). Any thread. */
TERN_API bool tern_call_is_cancelled(tern_call call);

/* Nobody waits for this call's response any more. `why`: CANCELLED, the client gave the call up; DEADLINE_EXCEEDED, its
 * deadline has passed; UNAVAILABLE, the client is gone. */
typedef void tern_cancel_fn(tern_call call, tern_status why, void *user);

/* Have fn(call, why, user) run as soon as nobody waits for the call any more; at once, inside this function, if that
 * is so already. It runs at most once and not after the call has ended. The call still ends with a reply or
 * tern_fail(), there or later, whose response goes nowhere. One function per call; NULL takes it back. On the
 * endpoint's thread: a handler on a worker asks tern_call_is_cancelled() instead. Returns 0, TERN_ERR_STALE or
 * TERN_ERR_THREAD. */
TERN_API int tern_call_on_cancel(tern_call call, tern_cancel_fn *fn, void *user);

/* The metadata that came with the request. Valid until the call ends; also on the worker that runs the handler. */
TERN_API tern_metadata tern_call_metadata(tern_call call);

/* Have the call's response, or the error that it ends with, bring a pair of trailing metadata; it is copied. From where
 * the call may be ended. Returns 0; TERN_ERR_INVALID for the key; TERN_ERR_LIMIT when there is too much trailing
 * metadata; TERN_ERR_NOMEM; TERN_ERR_STALE; TERN_ERR_THREAD. After an error the pair is not sent, and the others
 * are. */
TERN_API int tern_call_add_trailing(tern_call call, const char *key, tern_bytes value);

/* Send the response and end the call; the memory rule applies to response. Generated code wraps it as
 * <Service>_<Method>_reply(). Returns 0, also when the client is gone; TERN_ERR_LIMIT when the response is too large or
 * TERN_ERR_NOMEM (the client then gets RESOURCE_EXHAUSTED), TERN_ERR_INVALID (the client gets INTERNAL): the call and
 * the request are gone when this returns, error or not. TERN_ERR_STALE when the call has ended before; TERN_ERR_THREAD,
 * and the call goes on. */
TERN_API int tern_reply(tern_call call, const void *response);
TERN_API int tern_reply_raw(tern_call call, tern_bytes response);

/* End the call with an error status instead; OK, and what is no status, are sent as UNKNOWN. Returns 0, also when the
 * client is gone; TERN_ERR_STALE when the call has ended before; TERN_ERR_THREAD, and the call goes on. */
TERN_API int tern_fail(tern_call call, tern_status status);

/* The same with more than a status; the client reads it by tern_call_result(). message: text in UTF-8 that ends with a
 * NUL, for people, NULL for none; what is beyond 4 KB is cut off. details: any bytes, for programs; n_trailing pairs go
 * behind those of tern_call_add_trailing(). All is copied; details and pairs together keep to max_metadata_bytes.
 * The call has ended when this returns, error or not. Returns 0, also when the client is gone; TERN_ERR_UTF8 when the
 * message is not valid UTF-8: all but the message has gone; TERN_ERR_LIMIT, TERN_ERR_INVALID (a key) or TERN_ERR_NOMEM
 * when something else did not go along: then the status and, memory permitting, the message have gone alone;
 * TERN_ERR_STALE when the call has ended before; TERN_ERR_THREAD, and the call goes on. */
TERN_API int tern_fail_with(tern_call call, tern_status status, const char *message, tern_bytes details,
                            const tern_pair *trailing, size_t n_trailing);

/* ---- Borrowing ----------------------------------------------------------------------------------
 * Over shm a large value travels as a reference, and is copied once, by its receiver. A receiver may ask for less:
 * that bytes fields stay where the sender has them, in memory that it shows to peers of its user. It asks for all
 * calls of an endpoint (its config), for those of a method (option (tern.method).borrow, both ways) or for the
 * response of one call (tern_call_opts.borrow). A request or response that has such values then comes with a loan:
 * the values can be read, not written, as long as the message is valid, and longer with tern_loan_hold(). The sender
 * cannot free or reuse the memory meanwhile. Strings, numbers and everything that has to be valid are copied and
 * then checked, as ever; lists of 32 and 64 bit numbers may stay, as any bits are a number. Values below 4 KB are
 * copied, those that the sender has in private or registered memory, and a request that had to wait, as the first of
 * its method in a session does. Over other ports all are: the receiver's code is the same.
 *
 * So one message may have borrowed values and copied ones, and a loan keeps the borrowed ones alone. Who keeps a
 * value beyond the message asks for each, and gives back the same way, tern_unref() or tern_loan_release():
 *
 *     bool is_borrowed = tern_hold(value.data) != 0;
 *     if (is_borrowed) tern_loan_hold(loan);
 *
 * What it costs: the sender can still write to the value while it is read (docs/shm.md says what that means), so that a
 * value must not be checked in place and used afterwards, unless the sender is trusted not to do so. And the sender
 * lends only so much, for so long (shm_lend_bytes, shm_lend_time of its config): beyond the bytes values are copied;
 * a loan that is kept beyond the time expires, and its values may then be anything that was once in the sender's shared
 * memory. So is one whose sender has closed the connection. Who has read a value asks tern_loan_check() afterwards:
 * reading an expired one is harmless, believing it is not. A sender that dies changes nothing: the loan stays as it is.
 *
 * tern_hold() of a borrowed value is TERN_ERR_INVALID: hold the loan. Sent on, a borrowed value is copied. */

/* The loan of a call's request; of the response whose continuation runs on this endpoint; and of a response of
 * tern_call_wait(). NULL: nothing in it is borrowed. Valid as long as the request or the response. The first from where
 * the call is; the second on the endpoint's thread, else NULL; the third on any thread. */
TERN_API tern_loan *tern_call_loan(tern_call call);
TERN_API tern_loan *tern_response_loan(const tern_endpoint *ep);
TERN_API tern_loan *tern_owned_loan(const void *response);

/* Whether what was read of borrowed values before this call is what their sender lent: 0; TERN_ERR_STALE: it may be
 * not, for the loan has expired. Of NULL: 0. Any thread. */
TERN_API int tern_loan_check(const tern_loan *loan);

/* Keep the borrowed values, and nothing else of the message, until tern_loan_release(). Releases go in any order. NULL
 * is ignored. Any thread. A child of fork() has its parent's loans, can read them as long as the parent does not let
 * go, and changes nothing by these functions. */
TERN_API void tern_loan_hold(tern_loan *loan);
TERN_API void tern_loan_release(tern_loan *loan);

/* ---- Workers ------------------------------------------------------------------------------------
 * Handlers that take longer than a few microseconds hold up everything else on their endpoint. Served by a pool they
 * run on its threads instead, and the endpoint's thread never waits for them (eRPC 3.2). The price is two messages
 * between threads per call, about a microsecond; so short handlers are better off where they are.
 *
 * A handler on a worker is as any other, with these differences. It ends its call before it returns: if it does not,
 * the call ends with TERN_STATUS_INTERNAL. Of the functions of this file it may use, until it ends the call:
 * tern_reply(), tern_reply_raw(), tern_fail(), tern_fail_with(), tern_call_metadata(), tern_call_add_trailing(),
 * tern_call_arena(), tern_call_time_left() and tern_call_is_cancelled() on its own call; tern_call_wait() on sessions
 * of the call's endpoint; and what any thread may call. Handlers of one pool run at the same time: what they share they
 * must guard. A call whose client is gone before a worker comes to it is dropped. */

typedef struct tern_workers_config {
    size_t size;         /* sizeof(tern_workers_config), set by init */
    tern_log_fn *log;    /* NULL: silent; called inside tern_workers_new() alone */
    void *log_user;      /* handed to log */
    uint32_t n_threads;  /* 1 to 1024; 2 */
    uint32_t max_queued; /* calls that wait for a thread, of all endpoints; those beyond end with RESOURCE_EXHAUSTED
                            at once; 1 to 2^20; 1024 */
    tern_dur spin;       /* how long an idle thread spins before it sleeps; 0: not at all; 50 us */
    uint32_t n_cpus;     /* 0: not pinned */
    const int *cpus;     /* thread i is pinned to cpus[i % n_cpus]; borrowed during tern_workers_new() */
} tern_workers_config;

static inline void tern_workers_config_init(tern_workers_config *config);
TERN_API void tern_workers_config_init_sized(tern_workers_config *config, size_t size);

/* Start a pool's threads. One pool may serve any number of endpoints. config may be NULL for the defaults. Returns 0;
 * TERN_ERR_INVALID as tern_endpoint_new(), also for a CPU that is not there; TERN_ERR_NOMEM. Any thread. */
TERN_API int tern_workers_new(const tern_workers_config *config, tern_workers **out);

/* Stop the threads and free the pool. Free the endpoints that use it first: TERN_ERR_STATE while there are any. NULL is
 * ignored. Any thread. */
TERN_API int tern_workers_free(tern_workers *pool);

/* As tern_serve() and tern_serve_raw(), on the pool's threads; with NULL, on the endpoint's. Generated code wraps the
 * first as <Service>_serve_on(). */
TERN_API int tern_serve_on(tern_endpoint *ep, const tern_method *method, tern_handler_fn *handler, void *user,
                           tern_workers *pool);
TERN_API int tern_serve_raw_on(tern_endpoint *ep, uint32_t method_id, tern_handler_fn *handler, void *user,
                               tern_workers *pool);

/* ---- For generated code -------------------------------------------------------------------------
 * Handlers and continuations are typed by message there. They are stored as tern__any_fn and called back
 * through a thunk of the generated file that knows the real type, as C demands. */

typedef void tern__any_fn(void);
typedef void tern__handler_thunk(tern__any_fn *handler, tern_call call, const void *request, void *user);
typedef void tern__done_thunk(tern__any_fn *done, void *user, int status, const void *response);

/* As tern_serve() and tern_call_start(). */
TERN_API int tern__serve(tern_endpoint *ep, const tern_method *method, tern__handler_thunk *thunk,
                         tern__any_fn *handler, void *user);
TERN_API int tern__serve_on(tern_endpoint *ep, const tern_method *method, tern__handler_thunk *thunk,
                            tern__any_fn *handler, void *user, tern_workers *pool);
TERN_API int tern__call_start(tern_session *session, const tern_method *method, const void *request,
                              const tern_call_opts *opts, tern__done_thunk *thunk, tern__any_fn *done, void *user);

/* ---- Inline bodies ------------------------------------------------------------------------------ */

static inline void tern_endpoint_config_init(tern_endpoint_config *config) {
    tern_endpoint_config_init_sized(config, sizeof *config);
}

static inline void tern_workers_config_init(tern_workers_config *config) {
    tern_workers_config_init_sized(config, sizeof *config);
}

static inline int tern_endpoint_get_stats(const tern_endpoint *ep, tern_endpoint_stats *stats) {
    return tern_endpoint_get_stats_sized(ep, stats, sizeof *stats);
}

static inline tern_endpoint *tern_call_endpoint(tern_call call) { return call.ep; }

static inline void tern_call_opts_init(tern_call_opts *opts) {
    memset(opts, 0, sizeof *opts);
    opts->size = sizeof *opts;
}

#ifdef __cplusplus
}
#endif
#endif
