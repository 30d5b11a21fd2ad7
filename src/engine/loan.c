/* Loans (loan.h). */
#include "engine/loan.h"

#include "mem/pool.h"

enum {
    LEAST_BYTES = 4096 /* values shorter than this are copied: to keep one costs about as much */
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

static bool add_copy(tern_loan *loan, const void *data, size_t len) {
    if (len == 0) return true;
    void *copy = has_piece_room(loan) ? tern_arena_alloc(&loan->arena, len) : NULL;
    if (!copy) return false;
    add_piece(loan, memcpy(copy, data, len), len, false);
    return true;
}

/* A span that ends its packet may be the beginning of a value, however short it is. */
static bool add_span(tern_loan *loan, const tern__rx_packet *packet, uint32_t i, bool last) {
    const tern__span *span = &packet->spans[i];
    tern__link *link = packet->link;
    bool behind = goes_on(loan, span), cut = i + 1 == packet->n_spans && !last;
    if (!behind && !cut && span->len < LEAST_BYTES) return add_copy(loan, span->data, span->len);
    if (!has_piece_room(loan)) return false;
    if (!link->ops->rx_keep(link, packet, i, &loan->kept)) return add_copy(loan, span->data, span->len);
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
