/* Packets out: heads and small values are copied into the connection's queue, values in our pool are referred to, and
 * a flush writes what each connection has by as few calls as the kernel allows.
 *
 * The queue is bounded: when so much waits that it is full, tx_begin has no room, and the engine tries again. What
 * is in it needs no engine: it leaves when the socket has room. */
#include <errno.h>
#include <limits.h>
#include <linux/sockios.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "mem/pool.h"
#include "port/tcp.h"

enum { SMALL_BYTES = 512 /* that tx_small takes */, ENOUGH_BYTES = 1024 /* to show that a peer lives */ };

/* ---- Writing ------------------------------------------------------------------------------------ */

static void watch_for_room(tern__tcp_port *t, tern__tcp_conn *conn, bool on) {
    if (conn->blocked == on) return;
    conn->blocked = on;
    t->n_blocked += on ? 1 : UINT32_MAX;
    struct epoll_event event = {.events = EPOLLIN | (on ? EPOLLOUT : 0), .data.ptr = conn};
    epoll_ctl(t->epoll, EPOLL_CTL_MOD, conn->sock, &event);
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

void tern__tcp_write(tern__tcp_port *t, tern__tcp_conn *conn) {
    while (conn->out.bytes && !conn->broken) {
        size_t asked;
        ssize_t n = write_some(conn, &asked);
        t->stats.tx_calls++;
        if (n < 0 && errno == EINTR) continue;
        if (n < 0 && errno != EAGAIN && errno != ENOBUFS && errno != ENOMEM) {
            conn->broken = t->attention = true;
            break;
        }
        if (n > 0) {
            tern__tcp_queue_written(&conn->out, &t->spares, (size_t)n);
            conn->tx_bytes += (uint64_t)n;
        }
        if (n > 0 && ((size_t)n == asked || asked == SIZE_MAX)) continue;
        t->stats.tx_short++;
        watch_for_room(t, conn, true);
        return;
    }
    watch_for_room(t, conn, false);
}

static void tx_flush(tern__link *link) {
    tern__tcp_port *t = tern__tcp_of_link(link);
    for (uint32_t i = 0; i < t->n_dirty; i++) {
        tern__tcp_conn *conn = t->dirty[i];
        conn->dirty = false;
        /* A full socket says when it is not. */
        if (conn->state == TERN__TCP_UP && !conn->blocked) tern__tcp_write(t, conn);
    }
    t->n_dirty = 0;
}

/* ---- Packets ------------------------------------------------------------------------------------ */

/* A client's route without a connection: try again, not too often. */
static void redial(tern__tcp_port *t, tern__tcp_conn *conn) {
    if (conn->state != TERN__TCP_DOWN || conn->report || !conn->target) return;
    tern_time at = tern__coarse_now();
    if (at - conn->target->dialled_at < (tern_time)t->times.redial_pause)
        conn->report = t->attention = true;
    else
        tern__tcp_conn_dial(t, conn);
}

/* Whether the connection takes a packet, which may need a write first. */
static bool has_room(tern__tcp_port *t, tern__tcp_conn *conn) {
    if (conn->out.bytes >= TERN__TCP_WRITE_BYTES && !conn->blocked) tern__tcp_write(t, conn);
    if (conn->broken) return false;
    return conn->out.bytes < TERN__TCP_QUEUE_BYTES;
}

static void *tx_begin(tern__link *link, const tern__route *route, uint32_t n_bytes) {
    tern__tcp_port *t = tern__tcp_of_link(link);
    tern__tcp_conn *conn = tern__tcp_conn_of(t, route);
    if (!conn || n_bytes == 0 || n_bytes > TERN__TCP_MAX_INLINE) return NULL;
    if (conn->state != TERN__TCP_UP) {
        redial(t, conn);
        return NULL;
    }
    tern__tcp_packet *tx = &t->tx;
    uint32_t head_bytes = TERN__TCP_PREFIX_BYTES + n_bytes;
    if (!has_room(t, conn) ||
        !tern__tcp_queue_begin(&conn->out, &t->spares, head_bytes, TERN__TCP_MAX_POSTS + 3, &tx->mark)) {
        t->stats.tx_full++;
        return NULL;
    }
    tx->conn = conn;
    tx->total = n_bytes;
    tx->n_posts = tx->n_refs = tx->ref_bytes = 0;
    tx->prefix = tern__tcp_queue_append(&conn->out, head_bytes);
    return tx->prefix + TERN__TCP_PREFIX_BYTES;
}

static int tx_post(tern__link *link, const void *data, uint32_t len) {
    tern__tcp_port *t = tern__tcp_of_link(link);
    tern__tcp_packet *tx = &t->tx;
    uint32_t *counter;
    if (len == 0) return 0;
    if (tx->n_posts == TERN__TCP_MAX_POSTS || len > TERN__TCP_MAX_PACKET - tx->total) return TERN_ERR_INVALID;
    bool ours = tern_in_pool(data);
    if (ours && (!tern__ref_locate(data, len, &counter) || __atomic_load_n(counter, __ATOMIC_RELAXED) == 0))
        return TERN_ERR_INVALID;
    if (ours && len >= TERN__TCP_MIN_REF_BYTES) {
        if (tern__ref_take(counter)) return TERN_ERR_INVALID;
        tern__tcp_queue_refer(&tx->conn->out, data, len, counter);
        tx->n_refs++;
        tx->ref_bytes += len;
    } else {
        tern__tcp_queue_copy(&tx->conn->out, &t->spares, data, len);
    }
    tx->n_posts++;
    tx->total += len;
    return 0;
}

static inline void flush_later(tern__tcp_port *t, tern__tcp_conn *conn) {
    if (conn->dirty) return;
    conn->dirty = true;
    t->dirty[t->n_dirty++] = conn;
}

static void tx_end(tern__link *link) {
    tern__tcp_port *t = tern__tcp_of_link(link);
    const tern__tcp_packet *tx = &t->tx;
    tern__store32(tx->prefix, tx->total);
    t->stats.tx_packets++;
    t->stats.tx_bytes += TERN__TCP_PREFIX_BYTES + tx->total;
    t->stats.tx_copied_bytes += tx->total - tx->ref_bytes;
    t->stats.tx_refs += tx->n_refs;
    t->stats.tx_ref_bytes += tx->ref_bytes;
    flush_later(t, tx->conn);
}

static void tx_abort(tern__link *link) {
    tern__tcp_port *t = tern__tcp_of_link(link);
    tern__tcp_queue_rollback(&t->tx.conn->out, &t->tx.mark);
}

/* One piece of the chunk; behind another packet's, most often, and then it becomes part of that. */
static bool tx_small(tern__link *link, const tern__route *route, const void *header, uint32_t header_bytes,
                     const void *data, uint32_t len) {
    tern__tcp_port *t = tern__tcp_of_link(link);
    tern__tcp_conn *conn = tern__tcp_conn_of(t, route);
    if (!conn || conn->state != TERN__TCP_UP || conn->broken || len > SMALL_BYTES) return false;
    tern__tcp_queue *q = &conn->out;
    uint32_t bytes = header_bytes + len, n = TERN__TCP_PREFIX_BYTES + bytes;
    if (q->bytes >= TERN__TCP_WRITE_BYTES) return false;
    tern__tcp_mark mark;
    bool fits = q->chunk && TERN__TCP_CHUNK_BYTES - q->chunk_used >= n && tern__tcp_queue_adjoins(q);
    if (!fits && !tern__tcp_queue_begin(q, &t->spares, n, 1, &mark)) return false;
    uint8_t *p = tern__tcp_queue_append(q, n);
    tern__store32(p, bytes);
    memcpy(p + TERN__TCP_PREFIX_BYTES, header, header_bytes);
    if (len) memcpy(p + TERN__TCP_PREFIX_BYTES + header_bytes, data, len);
    t->stats.tx_packets++;
    t->stats.tx_bytes += n;
    t->stats.tx_copied_bytes += bytes;
    flush_later(t, conn);
    return true;
}

/* Over TCP the peer's kernel acknowledges what a process that stands still does not read, our questions for instance;
 * not for long, and little. */
static bool has_moved(tern__link *link, const tern__route *route, uint64_t *mark) {
    tern__tcp_port *t = tern__tcp_of_link(link);
    const tern__tcp_conn *conn = tern__tcp_conn_of(t, route);
    int waiting;
    if (!conn || conn->state != TERN__TCP_UP || ioctl(conn->sock, SIOCOUTQ, &waiting)) return false;
    uint64_t before = *mark;
    *mark = conn->rx_bytes + conn->tx_bytes - (uint64_t)waiting;
    return (int64_t)(*mark - before) >= (t->local ? 1 : ENOUGH_BYTES);
}

const tern__link_ops tern__tcp_link_ops = {.tx_begin = tx_begin,
                                           .tx_post = tx_post,
                                           .tx_end = tx_end,
                                           .tx_abort = tx_abort,
                                           .tx_flush = tx_flush,
                                           .tx_small = tx_small,
                                           .has_moved = has_moved};
