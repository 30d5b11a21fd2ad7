/* Packets out: heads and small values are copied into the connection's queue, values in our pool are referred to, and
 * a flush writes what each connection has by as few calls as the kernel allows.
 *
 * The queue is bounded: when so much waits that it is full, tx_reserve has no room, and the engine tries again. What
 * is in it needs no engine: it leaves when the socket has room. */
#include <errno.h>
#include <limits.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "base/factor.h"
#include "mem/pool.h"
#include "port/network.h"
#include "port/tcp_account.h"
#include "port/tcp_tx.h"

enum { SMALL_BYTES = 512 /* of a packet in a run */, ENOUGH_BYTES = 1024 /* to show that a peer lives */ };

/* ---- The open run ------------------------------------------------------------------------------- */

/* The run lies behind what has been copied into the chunk. Packets that the sender has put there wait in the queue from
 * now on, and the run is closed. */
static void take_run(tern__tcp_port *t, tern__tcp_conn *conn) {
    tern__tx_run *run = &conn->run;
    uint8_t *start = conn->out.chunk + conn->out.chunk_used;
    uint32_t n_bytes = (uint32_t)(run->at - start), n = 0;
    for (const uint8_t *p = start; p < run->at; p += TERN__TCP_PREFIX_BYTES + tern__load32(p)) n++;
    run->at = run->end = NULL;
    if (n == 0) return;
    tern__tcp_queue_append(&conn->out, n_bytes);
    t->stats.tx_packets += n;
    t->stats.tx_bytes += n_bytes;
    t->stats.tx_copied_bytes += n_bytes - n * TERN__TCP_PREFIX_BYTES;
    t->port.link.sent.run_packets += n;
    t->port.link.sent.run_bytes += n_bytes - n * TERN__TCP_PREFIX_BYTES;
    tern__run_count_parts(run, &t->port.link.sent);
}

static inline void tcp_close_run(tern__tcp_port *t, tern__tcp_conn *conn) {
    if (conn->run.end) take_run(t, conn);
}

/* ---- Writing ------------------------------------------------------------------------------------ */

static void watch_for_room(tern__tcp_port *t, tern__tcp_conn *conn, bool on) {
    if (conn->blocked == on) return;
    conn->blocked = on;
    conn->heeded |= on;
    t->n_blocked += on ? 1 : UINT32_MAX;
    tern__tcp_watch(t, conn);
    if (on) tern__tcp_time(t, conn, t->times.unread, &conn->taken_before);
}

static ssize_t write_some(const tern__tcp_conn *conn, size_t *asked) {
    const tern__tcp_queue *q = &conn->out;
    struct iovec *iov = q->iovs + q->first;
    uint32_t n = q->n - q->first < IOV_MAX ? q->n - q->first : IOV_MAX;
    if (n == 1) {
        *asked = iov->iov_len;
        return send(conn->sock, iov->iov_base, iov->iov_len, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
    *asked = n == q->n - q->first ? q->bytes : SIZE_MAX; /* of so many pieces the sum is not worth knowing */
    struct msghdr msg = {.msg_iov = iov, .msg_iovlen = n};
    return sendmsg(conn->sock, &msg, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/* What waits for the peer is on its account. */
static void count_waiting(tern__tcp_port *t, tern__tcp_conn *conn) {
    if (tern__tcp_count(t, conn)) return;
    conn->broken = conn->gives_up = true;
    tern__tcp_notice(t, conn);
}

void tern__tcp_write(tern__tcp_port *t, tern__tcp_conn *conn) {
    tcp_close_run(t, conn);
    bool was_blocked = conn->blocked;
    while (conn->out.bytes && !conn->broken) {
        size_t asked;
        ssize_t n = write_some(conn, &asked);
        t->stats.tx_calls++;
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno != EAGAIN && errno != ENOBUFS && errno != ENOMEM) {
            conn->broken = true;
            tern__tcp_notice(t, conn);
            break;
        }
        if (n > 0) {
            tern__tcp_queue_written(&conn->out, &t->spares, (size_t)n);
            conn->tx_bytes += (uint64_t)n;
            conn->taken_before = t->clock + t->times.unread;
        }
        if (n > 0 && ((size_t)n == asked || asked == SIZE_MAX)) continue;
        t->stats.tx_short++;
        watch_for_room(t, conn, true);
        count_waiting(t, conn);
        return;
    }
    watch_for_room(t, conn, false);
    if (was_blocked) count_waiting(t, conn);
    if (!conn->hot) tern__tcp_trim(t, conn);
}

void tern__tcp_write_on(tern__tcp_port *t, tern__tcp_conn *conn) {
    tern__tcp_write(t, conn);
    if (!conn->broken && conn->out.bytes < TERN__TCP_QUEUE_BYTES && t->env.has_room)
        t->env.has_room(t->env.ctx, &t->port.link, &conn->route);
}

static void tcp_tx_flush(tern__link *link) {
    tern__tcp_port *t = tern__tcp_of_link(link);
    for (uint32_t i = 0; i < t->n_dirty; i++) {
        tern__tcp_conn *conn = t->dirty[i];
        conn->dirty = false;
        if (conn->state == TERN__TCP_UP && !conn->blocked) {
            tern__tcp_write(t, conn);
            continue;
        }
        tcp_close_run(t, conn);
        if (conn->state == TERN__TCP_UP) count_waiting(t, conn); /* a full socket says when it is not */
    }
    t->n_dirty = 0;
}

/* ---- Packets ------------------------------------------------------------------------------------ */

static void report_loss(tern__tcp_port *t, tern__tcp_conn *conn) {
    conn->loss_due = true;
    tern__tcp_notice(t, conn);
}

/* A client's route without a connection: try again, not too often. */
static void tcp_redial(tern__tcp_port *t, tern__tcp_conn *conn) {
    if (conn->state != TERN__TCP_DOWN || conn->loss_due || !conn->target) return;
    tern_time at = tern__coarse_now();
    if (at - conn->target->dialled_at < (tern_time)t->times.redial_pause)
        report_loss(t, conn);
    else
        t->dial(t, conn);
}

/* Whether the connection takes a packet, which may need a write first. */
static bool has_room(tern__tcp_port *t, tern__tcp_conn *conn) {
    if (conn->out.bytes >= TERN__TCP_WRITE_BYTES && !conn->blocked) tern__tcp_write(t, conn);
    if (conn->broken || (conn->no_more && conn->blocked)) return false;
    return conn->out.bytes < TERN__TCP_QUEUE_BYTES;
}

/* One packet at a time: what follows its head is not known yet, and the next head lies behind that. */
static uint32_t tcp_tx_reserve(tern__link *link, const tern__route *route, uint32_t n, uint32_t head_bytes,
                               uint32_t max_pieces, uint8_t **heads) {
    tern__tcp_port *t = tern__tcp_of_link(link);
    tern__tcp_conn *conn = tern__tcp_conn_of(t, route);
    (void)n;
    if (!conn || head_bytes == 0 || head_bytes > TERN__TCP_MAX_INLINE) return 0;
    if (conn->state != TERN__TCP_UP) {
        tcp_redial(t, conn);
        return 0;
    }
    tern__tcp_packet *tx = &t->tx;
    uint32_t first_bytes = TERN__TCP_PREFIX_BYTES + head_bytes;
    if (max_pieces > TERN__TCP_MAX_POSTS) max_pieces = TERN__TCP_MAX_POSTS;
    tcp_close_run(t, conn);
    if (!has_room(t, conn) || !tern__tcp_queue_begin(&conn->out, &t->spares, first_bytes, max_pieces + 3, &tx->mark)) {
        t->stats.tx_full++;
        return 0;
    }
    tx->conn = conn;
    tx->total = head_bytes;
    tx->max_pieces = max_pieces;
    tx->n_pieces = tx->n_refs = tx->ref_bytes = 0;
    tx->prefix = tern__tcp_queue_append(&conn->out, first_bytes);
    heads[0] = tx->prefix + TERN__TCP_PREFIX_BYTES;
    return 1;
}

static int tcp_tx_add(tern__link *link, uint32_t i, const void *data, uint32_t len) {
    tern__tcp_port *t = tern__tcp_of_link(link);
    tern__tcp_packet *tx = &t->tx;
    uint32_t *counter;
    (void)i;
    if (len == 0) return 0;
    if (tx->n_pieces == tx->max_pieces || len > TERN__TCP_MAX_PACKET - tx->total) return TERN_ERR_INVALID;
    bool ours = tern__is_known(data);
    if (ours && (!tern__ref_locate(data, len, &counter) || __atomic_load_n(counter, __ATOMIC_RELAXED) == 0))
        return TERN_ERR_INVALID;
    if (ours && len >= TERN__TCP_MIN_REF_BYTES) {
        if (tern__ref_take(counter, data)) return TERN_ERR_INVALID;
        tern__tcp_queue_refer(&tx->conn->out, data, len, counter);
        tx->n_refs++;
        tx->ref_bytes += len;
    } else {
        tern__tcp_queue_copy(&tx->conn->out, &t->spares, data, len);
    }
    tx->n_pieces++;
    tx->total += len;
    return 0;
}

static inline void tcp_flush_later(tern__tcp_port *t, tern__tcp_conn *conn) {
    if (conn->dirty) return;
    conn->dirty = true;
    t->dirty[t->n_dirty++] = conn;
}

static void tcp_tx_commit(tern__link *link, uint32_t n) {
    tern__tcp_port *t = tern__tcp_of_link(link);
    const tern__tcp_packet *tx = &t->tx;
    if (n == 0) {
        tern__tcp_queue_rollback(&tx->conn->out, &tx->mark);
        return;
    }
    tern__store32(tx->prefix, tx->total);
    link->sent.packets++;
    link->sent.bytes += tx->total;
    t->stats.tx_packets++;
    t->stats.tx_bytes += TERN__TCP_PREFIX_BYTES + tx->total;
    t->stats.tx_copied_bytes += tx->total - tx->ref_bytes;
    t->stats.tx_refs += tx->n_refs;
    t->stats.tx_ref_bytes += tx->ref_bytes;
    tcp_flush_later(t, tx->conn);
}

static tern__tx_run *tcp_run_of(tern__link *link, const tern__route *route) {
    tern__tcp_conn *conn = tern__tcp_conn_of(tern__tcp_of_link(link), route);
    return conn && !TERN__IS_OFF(COALESCING) ? &conn->run : NULL;
}

/* The rest of the chunk, as long as little enough waits. */
static uint8_t *tcp_tx_open(tern__link *link, const tern__route *route, uint32_t packet_bytes) {
    tern__tcp_port *t = tern__tcp_of_link(link);
    tern__tcp_conn *conn = tern__tcp_conn_of(t, route);
    uint32_t n = TERN__TCP_PREFIX_BYTES + packet_bytes;
    if (!conn || conn->state != TERN__TCP_UP || conn->broken || packet_bytes > SMALL_BYTES) return NULL;
    if (conn->no_more && conn->blocked) return NULL;
    tcp_close_run(t, conn);
    tern__tcp_queue *q = &conn->out;
    if (q->bytes >= TERN__TCP_WRITE_BYTES) return NULL;
    tern__tcp_mark mark;
    bool fits = q->chunk && TERN__TCP_CHUNK_BYTES - q->chunk_used >= n && tern__tcp_queue_adjoins(q);
    if (!fits && !tern__tcp_queue_begin(q, &t->spares, n, 1, &mark)) return NULL;
    uint32_t room = TERN__TCP_CHUNK_BYTES - q->chunk_used, wanted = TERN__TCP_WRITE_BYTES - q->bytes;
    if (wanted < n) wanted = n;
    uint8_t *place = q->chunk + q->chunk_used;
    conn->run.at = place + n;
    conn->run.end = place + (room < wanted ? room : wanted);
    tern__store32(place, packet_bytes);
    tcp_flush_later(t, conn);
    return place + TERN__TCP_PREFIX_BYTES;
}

/* Over TCP the peer's kernel acknowledges what a process that stands still does not read, our questions for instance;
 * not for long, and little. */
static bool tcp_has_moved(tern__link *link, const tern__route *route, uint64_t *mark) {
    tern__tcp_port *t = tern__tcp_of_link(link);
    const tern__tcp_conn *conn = tern__tcp_conn_of(t, route);
    int waiting;
    if (!conn || conn->state != TERN__TCP_UP || ioctl(conn->sock, SIOCOUTQ, &waiting)) return false;
    uint64_t before = *mark;
    *mark = conn->rx_bytes + conn->tx_bytes - (uint64_t)waiting;
    return (int64_t)(*mark - before) >= (t->local ? 1 : ENOUGH_BYTES);
}

static uint64_t tcp_network(tern__link *link, const tern__route *route) {
    const tern__tcp_conn *conn = tern__tcp_conn_of(tern__tcp_of_link(link), route);
    return tern__network_of_socket(conn ? conn->sock : -1, route);
}

const tern__link_ops tern__tcp_link_ops = {.tx_reserve = tcp_tx_reserve,
                                           .tx_add = tcp_tx_add,
                                           .tx_commit = tcp_tx_commit,
                                           .tx_flush = tcp_tx_flush,
                                           .run = tcp_run_of,
                                           .tx_open = tcp_tx_open,
                                           .network = tcp_network,
                                           .has_moved = tcp_has_moved,
                                           .use = tern__tcp_use};
