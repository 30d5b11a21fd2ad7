/* A message whose long values stay where their sender has them, in memory of the sender's that its link keeps readable
 * (link.h, tern__kept). The rest of it is copied, as ever. The message is a row of pieces; whoever decodes it copies
 * what has to stay as it was checked, since the sender may write to a piece that is not ours at any time.
 *
 * Counted, and free of its session, link and engine: it may be given back on any thread. */
#ifndef TERN_ENGINE_LOAN_H
#define TERN_ENGINE_LOAN_H

#include "engine/engine_config.h"
#include "engine/link.h"
#include "tern/mem.h"

typedef struct tern_loan tern_loan;

typedef struct tern__piece {
    const uint8_t *data;
    size_t len;
    bool is_lent; /* the peer's memory, which may change */
} tern__piece;

enum { TERN__LOAN_FIRST_PIECES = 3 };

struct tern_loan {
    uint32_t n_users;     /* atomic */
    uint32_t n, room;     /* pieces */
    tern__piece *pieces;  /* `first`, or more of them in the arena */
    size_t len;           /* of all of them */
    const uint8_t *block; /* the metadata block, in front of them; or NULL */
    uint32_t block_bytes;
    tern__kept *kept; /* NULL: all pieces are ours by now */
    uint32_t n_kept;  /* spans in it */
    tern_arena arena;
    uint8_t *fill; /* where the next short copy goes: `left` bytes of the arena's */
    uint32_t left, next_room;
    tern__piece first[TERN__LOAN_FIRST_PIECES];
};

/* A message as it is handed over when it has a loan: `data` is where the metadata block ends, and `len` is of all
 * pieces, which do not lie there. */
typedef struct tern__lent {
    tern__arrived msg; /* first; its format has TERN__LENT */
    tern_loan *loan;
} tern__lent;

enum { TERN__LENT = 1 << 8 };

static inline bool tern__arrived_is_lent(const tern__arrived *msg) { return msg->format & TERN__LENT; }
static inline tern_loan *tern__arrived_loan(const tern__arrived *msg) {
    return tern__arrived_is_lent(msg) ? ((const tern__lent *)(const void *)msg)->loan : NULL;
}
tern__lent tern__loan_message(tern_loan *loan, uint32_t format);

/* A loan for the message that begins with this packet, and the packet's payload in it, some of which is kept where it
 * is; n_pkts of the message. NULL: nothing of the packet can be kept, or memory is out. */
tern_loan *tern__loan_begin(const tern__rx_packet *packet, uint32_t header_bytes, uint32_t block_bytes,
                            uint32_t n_pkts);

/* The payload of the message's next packet. False: no memory. */
bool tern__loan_add(tern_loan *loan, const tern__rx_packet *packet, uint32_t header_bytes, bool last);

/* The whole message side by side: where it is, in memory of the loan's, unless it is one piece as it is and need not be
 * our `own`. NULL: no memory. One thread at a time. */
const uint8_t *tern__loan_gather(tern_loan *loan, bool own);

static inline void tern__loan_ref(tern_loan *loan) { __atomic_add_fetch(&loan->n_users, 1, __ATOMIC_RELAXED); }
void tern__loan_unref(tern_loan *loan); /* NULL is ignored */

#endif
