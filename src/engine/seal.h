/* A cipher, as the engine sees it: a table of functions, and keys of which the engine knows nothing but the length.
 *
 * Whoever adds a cipher fills in one tern__cipher, in one file, and hands it to tern__engine_config.cipher. A cipher
 * that only adds a checksum has keys of 0 bytes and derives nothing. sealed.c is the only caller.
 *
 *   the packet as it leaves
 *   +--------------------------+---------------------+------------------------+
 *   | header, with extensions  | payload, encrypted  | overhead_bytes         |
 *   +--------------------------+---------------------+------------------------+
 *     authenticated              authenticated         the authenticator, in whatever form the cipher likes
 *
 * Each session has keys of its own for each direction, and each direction moves on to its next key now and then (a
 * "phase"). The engine never has two different packets sealed under one key and one number, so a cipher may use the
 * number as its nonce.
 *
 * All functions run on the engine's thread, from inside any of the engine's functions, and may not call the engine. */
#ifndef TERN_ENGINE_SEAL_H
#define TERN_ENGINE_SEAL_H

#include "engine/link.h"

/* What both ends of a session know once the client has the ACCEPT: the keys of phase 0 come from these values.
 *
 * Nothing here is secret before whoever can read the packets of the setup. A cipher against such a reader needs an
 * exchange of keys, whose messages will travel as records of the setup (setup.h) and be handed over in this struct. */
typedef struct tern__seal_setup {
    uint64_t token;         /* the client's, random, a new one with each attempt to connect */
    uint64_t nonce;         /* the server's, random, a new one with each session */
    uint64_t incarnation;   /* of the server: another one after a restart */
    uint64_t client_tag;    /* what the server puts into its packets; 0 on reliable links */
    uint64_t server_tag;    /* what the client puts into its packets; 0 on reliable links */
    uint32_t client_number; /* of the session, at the client */
    uint32_t server_number; /* of the session, at the server */
} tern__seal_setup;

typedef enum tern__seal_direction { TERN__SEAL_TO_SERVER, TERN__SEAL_TO_CLIENT } tern__seal_direction;

/* What is authenticated beside the payload. */
typedef struct tern__seal_packet {
    uint64_t number;       /* from 1; never the same for two packets of one key */
    const uint8_t *header; /* header_bytes bytes */
    uint32_t header_bytes; /* a multiple of 8, at most TERN__PKT_MAX_HEADER_BYTES */
} tern__seal_packet;

enum {
    TERN__SEAL_MAX_OVERHEAD = 32,
    TERN__SEAL_MAX_KEY = 64,
};

/* `user` is tern__engine_config.cipher_user. `key` points to key_bytes bytes, aligned to 16, which belong to the
 * engine; the engine may move them by memcpy, and wipes each key exactly once. */
typedef struct tern__cipher {
    const char *name;        /* for logs */
    uint32_t id;             /* by which the setup names the cipher: 1 to 2^31 - 1, the same at both ends */
    uint32_t overhead_bytes; /* that a sealed packet is longer: TERN__SEAL_MAX_OVERHEAD at most */
    uint32_t key_bytes;      /* of the state of one key: TERN__SEAL_MAX_KEY at most */

    /* The key of phase 0 of one direction. False: there is no memory; the session is then refused, and *key is nothing
     * that has to be wiped. */
    bool (*derive)(void *user, const tern__seal_setup *setup, tern__seal_direction direction, void *key);

    /* The key of the phase after that of `key`, which stays valid. False: no memory; the session stays in its phase. */
    bool (*next)(void *user, const void *key, void *next);

    /* The key will not be used again. */
    void (*wipe)(void *user, void *key);

    /* Encrypts the bytes of n_in stretches of memory, one behind the other, to `out`, with overhead_bytes bytes behind
     * them. A stretch may lie exactly where its ciphertext goes; otherwise none overlaps `out`. The stretches may be
     * values of the user's: they are only read. False: the packet cannot be sealed, and is not sent. */
    bool (*seal)(void *user, const void *key, const tern__seal_packet *packet, const tern__span *in, uint32_t n_in,
                 uint8_t *out);

    /* Checks a sealed packet, and decrypts its payload of in_bytes bytes, the authenticator included, to in_bytes -
     * overhead_bytes bytes at `out`, which may be `in`. in_bytes is at least overhead_bytes. False: the packet is not
     * the peer's, and what is at `out` then is dropped unseen. */
    bool (*open)(void *user, const void *key, const tern__seal_packet *packet, const uint8_t *in, uint32_t in_bytes,
                 uint8_t *out);
} tern__cipher;

#endif
