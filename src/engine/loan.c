/* Loans (loan.h). */
#include "engine/loan.h"

#include "mem/pool.h"

enum {
    LEAST_BYTES = 4096, /* values shorter than this are copied: to keep one costs about as much */
    SOME_KEPT = 4,      /* spans, however short, and one more for each LEAST_BYTES / 2 of the message: see may_keep() */
    FIRST_ROOM = 512,   /* for short copies; later there is twice as much each time, up to ... */
    MOST_ROOM = 1 << 16,
};

static tern_loan *make_loan(void) {
    tern_loan *loan = tern_alloc_private(sizeof *loan);
    if (!loan) return NULL;
    loan->n_users = 1;
    loan->n = 0;
    loan->room = TERN__LOAN_FIRST_PIECES;
    loan->pieces = loan->first;
    loan->len = 0;
    loan->block = NULL;
    loan->block_bytes = 0;
    loan->kept = NULL;
    loan->n_kept = 0;
    loan->fill = NULL;
    loan->left = 0;
    loan->next_room = FIRST_ROOM;
    tern_arena_init_private(&loan->arena, 0, 0);
    return loan;
}

void tern__loan_unref(tern_loan *loan) {
    if (loan && tern__pool_is_inherited()) return; /* what is ours to give back is the parent's */
    if (!loan || __atomic_sub_fetch(&loan->n_users, 1, __ATOMIC_ACQ_REL)) return;
    if (loan->kept) loan->kept->let_go(loan->kept);
    tern_arena_fini(&loan->arena);
    tern_unref(loan);
}

static bool has_piece_room(tern_loan *loan) {
    if (loan->n < loan->room) return true;
    uint32_t room = 4 * loan->room;
    tern__piece *pieces = tern_arena_alloc(&loan->arena, room * sizeof *pieces);
    if (!pieces) return false;
    memcpy(pieces, loan->pieces, loan->n * sizeof *pieces);
    loan->pieces = pieces;
    loan->room = room;
    return true;
}

/* Whether the bytes lie right behind the last piece, which is lent. */
static bool goes_on(const tern_loan *loan, const tern__span *span) {
    const tern__piece *last = loan->n ? &loan->pieces[loan->n - 1] : NULL;
    return last && last->is_lent && last->data + last->len == span->data;
}

/* There is room. */
static void add_piece(tern_loan *loan, const void *data, size_t len, bool is_lent) {
    loan->pieces[loan->n++] = (tern__piece){data, len, is_lent};
    loan->len += len;
}

/* Long ones by themselves. */
static bool add_long_copy(tern_loan *loan, const void *data, size_t len) {
    void *copy = has_piece_room(loan) ? tern_arena_alloc(&loan->arena, len) : NULL;
    if (!copy) return false;
    add_piece(loan, memcpy(copy, data, len), len, false);
    return true;
}

static bool make_room(tern_loan *loan) {
    uint8_t *room = tern_arena_alloc(&loan->arena, loan->next_room);
    if (!room) return false;
    loan->fill = room;
    loan->left = loan->next_room;
    if (loan->next_room < MOST_ROOM) loan->next_room *= 2;
    return true;
}

/* Short ones behind each other, as one piece: a peer may send a message in as many as it has bytes. */
static bool add_copy(tern_loan *loan, const uint8_t *data, size_t len) {
    while (len) {
        if (len >= LEAST_BYTES) return add_long_copy(loan, data, len);
        if (loan->left == 0 && !make_room(loan)) return false;
        uint32_t n = len < loan->left ? (uint32_t)len : loan->left;
        tern__piece *last = loan->n ? &loan->pieces[loan->n - 1] : NULL;
        bool follows = last && !last->is_lent && last->data + last->len == loan->fill;
        if (!follows && !has_piece_room(loan)) return false;
        memcpy(loan->fill, data, n);
        if (follows) {
            last->len += n;
            loan->len += n;
        } else {
            add_piece(loan, loan->fill, n, false);
        }
        loan->fill += n;
        loan->left -= n;
        data += n;
        len -= n;
    }
    return true;
}

/* Long spans; those that go on with a value; and those that end their packet, where a value may begin. What it takes to
 * keep them is bounded by the message's bytes, whatever a peer makes of its packets. */
static bool may_keep(const tern_loan *loan, const tern__span *span, bool behind, bool ends_packet) {
    if (span->len >= LEAST_BYTES) return true;
    return (behind || ends_packet) && loan->n_kept < SOME_KEPT + loan->len / (LEAST_BYTES / 2);
}

static bool add_span(tern_loan *loan, const tern__rx_packet *packet, uint32_t i, bool last) {
    const tern__span *span = &packet->spans[i];
    bool behind = goes_on(loan, span), ends_packet = i + 1 == packet->n_spans && !last;
    if (!may_keep(loan, span, behind, ends_packet)) return add_copy(loan, span->data, span->len);
    if (!has_piece_room(loan)) return false;
    if (!packet->link->ops->rx_keep(packet->link, packet, i, &loan->kept)) return add_copy(loan, span->data, span->len);
    loan->n_kept++;
    if (behind) {
        loan->pieces[loan->n - 1].len += span->len;
        loan->len += span->len;
    } else {
        add_piece(loan, span->data, span->len, true);
    }
    return true;
}

bool tern__loan_add(tern_loan *loan, const tern__rx_packet *packet, uint32_t header_bytes, bool last) {
    bool added = add_copy(loan, packet->head + header_bytes, packet->head_len - header_bytes);
    for (uint32_t i = 0; i < packet->n_spans && added; i++) added = add_span(loan, packet, i, last);
    return added;
}

static bool take_block(tern_loan *loan, const uint8_t *block, uint32_t bytes) {
    if (bytes == 0) return true;
    uint8_t *copy = tern_arena_alloc(&loan->arena, bytes);
    if (!copy) return false;
    loan->block = memcpy(copy, block, bytes);
    loan->block_bytes = bytes;
    return true;
}

tern_loan *tern__loan_begin(const tern__rx_packet *packet, uint32_t header_bytes, uint32_t block_bytes,
                            uint32_t n_pkts) {
    if (!packet->n_spans || !packet->link->ops->rx_keep || block_bytes > packet->head_len - header_bytes) return NULL;
    tern_loan *loan = make_loan();
    if (!loan) return NULL;
    bool taken = take_block(loan, packet->head + header_bytes, block_bytes) &&
                 tern__loan_add(loan, packet, header_bytes + block_bytes, n_pkts == 1);
    if (taken && loan->kept) return loan;
    tern__loan_unref(loan);
    return NULL;
}

const uint8_t *tern__loan_gather(tern_loan *loan, bool own) {
    if (loan->n == 1 && !(own && loan->pieces[0].is_lent)) return loan->pieces[0].data;
    uint8_t *whole = has_piece_room(loan) ? tern_arena_alloc(&loan->arena, loan->len ? loan->len : 1) : NULL;
    if (!whole) return NULL;
    size_t at = 0;
    for (uint32_t i = 0; i < loan->n; i++) {
        memcpy(whole + at, loan->pieces[i].data, loan->pieces[i].len);
        at += loan->pieces[i].len;
    }
    loan->pieces[0] = (tern__piece){whole, at, false};
    loan->n = 1;
    loan->kept->let_go(loan->kept);
    loan->kept = NULL;
    return whole;
}

tern__lent tern__loan_message(tern_loan *loan, uint32_t format) {
    return (tern__lent){.msg = {.data = loan->block ? loan->block + loan->block_bytes : NULL,
                                .len = loan->len,
                                .format = format | TERN__LENT,
                                .meta_bytes = loan->block_bytes},
                        .loan = loan};
}
