/* SHA-256 by OpenSSL's libcrypto, in pieces. */
#ifndef KV_SHA256_H
#define KV_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sha256 {
    void *context; /* NULL until begun */
    bool failed;   /* libcrypto had no memory, or no SHA-256 */
} sha256;

typedef struct sha256_digest {
    uint8_t bytes[32];
} sha256_digest;

/* Start a digest, anew if one is under way. On a zeroed sha256 it allocates what sha256_fini frees. */
void sha256_begin(sha256 *sha);
void sha256_add(sha256 *sha, const void *data, size_t len);

/* False when libcrypto failed on the way. */
bool sha256_end(sha256 *sha, sha256_digest *out);
void sha256_fini(sha256 *sha);

/* Of what can be read from fd until its end. Returns 0, TERN_ERR_IO (errno) or TERN_ERR_NOMEM. */
int sha256_file(sha256 *sha, int fd, sha256_digest *out);

#endif
