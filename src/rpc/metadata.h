/* Metadata blocks: the key-value pairs of a request or a response, and the message and details of an error, as the
 * bytes before a message's body (docs/protocol.md, Metadata). The engine carries a block and knows nothing of its
 * contents.
 *
 * A block is a sequence of entries, each of a multiple of eight bytes:
 *
 *   0            2            4                8
 *   | key length | kind       | value length   | key | value | up to 7 bytes of padding |
 *
 * Little-endian. A pair has kind 0 and a key; the other kinds have no key. Entries of unknown kinds are skipped. */
#ifndef TERN_RPC_METADATA_H
#define TERN_RPC_METADATA_H

#include "base/base.h"
#include "tern/mem.h"
#include "tern/rpc.h"

enum {
    TERN__META_ENTRY_BYTES = 8, /* of an entry, before its key */
    TERN__META_MAX_KEY = 255,
    TERN__META_MAX_ENTRIES = 128,
    TERN__META_MAX_MESSAGE = 4096,
    TERN__META_MESSAGE_ROOM = TERN__META_ENTRY_BYTES + TERN__META_MAX_MESSAGE, /* in a block, beside the limit */
    TERN__META_MAX_LIMIT = 256 << 10,                                          /* the largest max_metadata_bytes */
};

typedef enum tern__meta_kind { TERN__META_PAIR, TERN__META_MESSAGE, TERN__META_DETAILS } tern__meta_kind;

typedef struct tern__meta_entry {
    uint32_t kind; /* tern__meta_kind, or unknown */
    tern_str key;
    tern_bytes value;
} tern__meta_entry;

/* A block that is being made, in an arena. Zero is an empty one. */
typedef struct tern__meta {
    uint8_t *block; /* NULL: none yet */
    uint32_t n_bytes, room, n_entries;
} tern__meta;

/* The bytes of an entry in a block; lengths beyond 2^32 are the caller's to refuse. */
static inline uint64_t tern__meta_entry_bytes(uint64_t key_bytes, uint64_t value_bytes) {
    return (TERN__META_ENTRY_BYTES + key_bytes + value_bytes + 7) & ~UINT64_C(7);
}

/* Whether a key may be sent: 1 to 255 characters out of a-z, 0-9, '-', '_' and '.'. */
bool tern__meta_key_is_valid(const char *key, size_t len);

/* Add a pair, copied, to a block of at most max_bytes. Returns 0, TERN_ERR_INVALID for a key, TERN_ERR_LIMIT (bytes, or
 * entries) or _NOMEM; after an error the block is what it was. */
int tern__meta_add(tern__meta *meta, tern_arena *arena, uint32_t max_bytes, const tern_pair *pair);

/* The same for several, until one fails. */
int tern__meta_add_all(tern__meta *meta, tern_arena *arena, uint32_t max_bytes, const tern_pair *pairs, size_t n);

/* The same for an entry of another kind, which has no key. */
int tern__meta_add_kind(tern__meta *meta, tern_arena *arena, uint32_t max_bytes, tern__meta_kind kind,
                        tern_bytes value);

/* Add all entries of another block. Returns 0, TERN_ERR_LIMIT or _NOMEM. */
int tern__meta_append(tern__meta *meta, tern_arena *arena, uint32_t max_bytes, const tern__meta *other);

/* The entry at *at, which moves behind it. False when there is none, or none that lies within the block; *at is the
 * block's length in the first case alone. The entry points into the block. */
bool tern__meta_read(tern_metadata metadata, size_t *at, tern__meta_entry *entry);

/* Whether a block that a peer sent keeps to the rules: entries that fill it, keys as above, one message of at most 4 KB
 * and one set of details at most; and to the limits: max_bytes for all but the message, 128 entries. Returns 0,
 * TERN_ERR_MALFORMED or TERN_ERR_LIMIT. */
int tern__meta_check(tern_metadata metadata, uint32_t max_bytes);

/* The first entry of this kind; data NULL: there is none. */
tern_bytes tern__meta_find_kind(tern_metadata metadata, tern__meta_kind kind);

/* What an error says beyond its status. */
typedef struct tern__meta_error {
    const char *message; /* ends with a NUL; what does not fit TERN__META_MAX_MESSAGE is left out. NULL: none */
    tern_bytes details;
    const tern__meta *before;  /* pairs that were added earlier; NULL: none */
    const tern_pair *trailing; /* n_trailing of them */
    size_t n_trailing;
} tern__meta_error;

/* Make the block of an error. max_bytes is for all but the message. Returns 0. TERN_ERR_UTF8: the message is not valid
 * UTF-8, and the block has all but that; TERN_ERR_INVALID, _LIMIT or _NOMEM: it has the message alone, if that. */
int tern__meta_make_error(tern__meta *meta, tern_arena *arena, uint32_t max_bytes, const tern__meta_error *error);

#endif
