/* Keeping (shm_keep.h).
 *
 * Whoever keeps something looks at the peer's channel (has it expired?), writes to ours (it is let go of) and reads
 * the peer's segments, on any thread and perhaps long after the route. All of these are counted, and unmapped by the
 * last who lets go. */
#include "port/shm_keep.h"

#include "mem/pool.h"

/* Both channels of a peer, once something of it is kept: what must not be unmapped as long as anything is. */
typedef struct tern__shm_ground {
    uint32_t n_users; /* atomic: the peer's record, and each tern__kept */
    tern__shm_channel channel;
    tern__shm_view view;
} tern__shm_ground;

enum { FIRST_SOURCES = 4 };

typedef struct keeper {
    tern__kept kept;
    tern__shm_ground *ground;
    uint32_t n, room;
    tern__shm_source *sources; /* `first`, or an array of its own */
    tern__shm_source first[FIRST_SOURCES];
} keeper;

static void put_ground(tern__shm_ground *ground) {
    if (__atomic_sub_fetch(&ground->n_users, 1, __ATOMIC_ACQ_REL)) return;
    tern__shm_view_unmap(&ground->view);
    tern__shm_channel_free(&ground->channel);
    tern_unref(ground);
}

void tern__shm_ground_leave(tern__shm_peer *peer) {
    if (peer->ground) {
        put_ground(peer->ground);
        peer->ground = NULL;
        peer->view = (tern__shm_view){0};
        peer->channel = (tern__shm_channel){.fd = -1};
    } else {
        tern__shm_view_unmap(&peer->view);
        tern__shm_channel_free(&peer->channel);
    }
}

static tern__shm_ground *ground_of(tern__shm_peer *peer) {
    if (!peer->ground) {
        tern__shm_ground *ground = tern_alloc_private(sizeof *ground);
        if (!ground) return NULL;
        *ground = (tern__shm_ground){.n_users = 1, .channel = peer->channel, .view = peer->view};
        peer->ground = ground;
    }
    return peer->ground;
}

static void let_go(tern__kept *kept) {
    keeper *k = (keeper *)(void *)kept;
    tern__shm_control *ours = k->ground->channel.control;
    for (uint32_t i = 0; i < k->n; i++) {
        __atomic_store_n(&ours->held[k->sources[i].ticket - 1], 0, __ATOMIC_RELEASE);
        tern__shm_segment_put(k->sources[i].segment);
    }
    __atomic_add_fetch(&ours->let_go, k->n, __ATOMIC_RELEASE);
    put_ground(k->ground);
    if (k->sources != k->first) tern_unref(k->sources);
    tern_unref(k);
}

/* Loads behind it come after loads before it. Fences are unknown to the thread sanitizer. */
static inline void order_loads(void) {
#ifdef __SANITIZE_THREAD__
    __atomic_signal_fence(__ATOMIC_ACQUIRE);
#else
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
#endif
}

static bool is_intact(const tern__kept *kept) {
    const keeper *k = (const keeper *)(const void *)kept;
    const tern__shm_control *theirs = k->ground->view.control;
    order_loads(); /* after those whose worth is asked for */
    bool intact = !(__atomic_load_n(&theirs->flags, __ATOMIC_RELAXED) & TERN__SHM_REVOKED);
    for (uint32_t i = 0; i < k->n && intact; i++)
        intact = !__atomic_load_n(&theirs->expired[k->sources[i].ticket - 1], __ATOMIC_RELAXED);
    return intact;
}

static keeper *make_keeper(tern__shm_peer *peer) {
    tern__shm_ground *ground = ground_of(peer);
    keeper *k = ground ? tern_alloc_private(sizeof *k) : NULL;
    if (!k) return NULL;
    __atomic_add_fetch(&ground->n_users, 1, __ATOMIC_RELAXED);
    k->kept = (tern__kept){.let_go = let_go, .is_intact = is_intact};
    k->ground = ground;
    k->n = 0;
    k->room = FIRST_SOURCES;
    k->sources = k->first;
    return k;
}

static bool has_source_room(keeper *k) {
    if (k->n < k->room) return true;
    uint32_t room = 2 * k->room;
    tern__shm_source *sources = tern_alloc_private(room * sizeof *sources);
    if (!sources) return false;
    memcpy(sources, k->sources, k->n * sizeof *sources);
    if (k->sources != k->first) tern_unref(k->sources);
    k->sources = sources;
    k->room = room;
    return true;
}

void tern__shm_will_keep(tern__link *link) {
    tern__shm_port *s = (tern__shm_port *)(void *)link;
    s->keeps = true;
    for (uint32_t i = 0; i < s->n_slots; i++) {
        tern__shm_peer *peer = s->slots[i].peer;
        if (!peer || !peer->ours || !peer->maps) continue;
        __atomic_store_n(&peer->ours->flags, peer->ours->flags | TERN__SHM_KEEPS, __ATOMIC_RELEASE);
    }
}

bool tern__shm_keep(tern__link *link, const tern__rx_packet *packet, uint32_t i, tern__kept **kept) {
    tern__shm_port *s = (tern__shm_port *)(void *)link;
    tern__shm_peer *peer = tern__shm_peer_of(s, &packet->route);
    if (!s->keeps || !peer || packet->spans != s->spans) return false;
    tern__shm_source source = s->sources[i];
    if (!source.segment || !source.ticket || (*kept && ((keeper *)(void *)*kept)->ground != peer->ground)) return false;
    keeper *k = *kept ? (keeper *)(void *)*kept : make_keeper(peer);
    if (!k) return false;
    if (!has_source_room(k) || !tern__shm_segment_keep(source.segment)) {
        if (!*kept) let_go(&k->kept);
        return false;
    }
    k->sources[k->n++] = source;
    __atomic_store_n(&peer->ours->held[source.ticket - 1], 1, __ATOMIC_RELAXED); /* `consumed` is stored behind it */
    s->stats.rx_kept++;
    *kept = &k->kept;
    return true;
}
