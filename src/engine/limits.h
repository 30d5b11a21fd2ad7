/* Numbers that several files of the engine go by. */
#ifndef TERN_ENGINE_LIMITS_H
#define TERN_ENGINE_LIMITS_H

#include "base/base.h"
#include "tern/rpc.h"

enum {
    TERN__N_SLOTS = 8,            /* requests in flight per session; part of the protocol */
    TERN__MAX_STREAMS = 32,       /* streaming calls per session, beside the requests; a power of two */
    TERN__HOT_CACHED_REPLIES = 6, /* of the slots taken most often */
    TERN__MAX_CREDITS = 64,       /* width of the windows (loss.h) */
    TERN__SHARD_BITS = 6,         /* of the generation, at its top, where endpoints share an address */
    TERN__INDEX_BITS = 20,        /* of a session number; the rest is the generation */
    TERN__MIN_PACKET_BYTES = 256, /* a peer that takes less is refused */
    TERN__N_TRANSIENT = 16,       /* records that take turns for requests that are answered at once */
    TERN__MAX_DEBTORS = 1024,     /* networks that have left a server that is behind, and owe it time */
    TERN__MAX_ORPHANS = 64,       /* superseded requests still running, per server session */
    TERN__MAX_SPARE_SLOTS = 64,
    TERN__LINE_BYTES = 64,
    TERN__FEW = 32,           /* sessions, each of which may keep slots for a while */
    TERN__CROWD = 512,        /* sessions that the nearest caches no longer hold, by default */
    TERN__KEPT_REQUESTS = 64, /* spare records, once calls get fewer */
    TERN__LIGHT_BYTES = 192,  /* congestion never holds up a message shorter than this, or than an eighth packet */
    TERN__FLIGHT_BYTES = 512 << 10, /* of a message, on their way at a time; or a few packets */
};

#define TERN__NEVER UINT64_MAX
#define TERN__CONNECT_FIRST (10 * TERN_MS)   /* first repetition of a CONNECT; doubles */
#define TERN__CONNECT_TRIES 3                /* of connections that the peer has taken and ended at once */
#define TERN__CONNECT_REPEAT (100 * TERN_MS) /* up to this */
#define TERN__SERVER_IDLE (30 * TERN_SEC)    /* silence after which a server asks whether its client lives */
#define TERN__REPORT_DELAY TERN_SEC          /* until a client reports completed requests to the server */
#define TERN__N_REPORT_TRIES 4               /* before who ended calls waits for the server's answer no longer */
#define TERN__MAX_BACKOFF 20                 /* doublings of the pause between retransmissions */
#define TERN__QUEUED (160 * TERN_US)         /* packets that take so much longer than others wait in a queue */
#define TERN__STALL_RETRY (20 * TERN_US)     /* until a full link is tried again, at first */
#define TERN__STALL_LONGEST TERN_MS          /* and once it has been full for this long */
#define TERN__PARK_RETRY (64 * TERN_MS)      /* the same where the link says when there is room */
#define TERN__STALL_EACH 100                 /* ns of that for each session that waits in vain, at least */
#define TERN__KEPT_GRACE (20 * TERN_MS)      /* a response asked for so recently does not give way to a newer one */
#define TERN__REFUSE_GAP (100 * TERN_US)     /* one REFUSE per this time in the long run */
#define TERN__REFUSE_BURST 128

enum { TERN__CLIENT, TERN__SERVER };
enum { TERN__GOAWAY_NOT, TERN__GOAWAY_LAST = 8, TERN__GOAWAY_DONE };
enum { TERN__STATE_CONNECTING, TERN__STATE_OPEN, TERN__STATE_DOWN, TERN__STATE_CLOSED };

#define TERN__STREAM_PREFIX_BYTES 5 /* of a stream, before each message: its length u32, its format u8 */

#endif
