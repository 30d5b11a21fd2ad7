/* Failures stick until the end, so that callers check once. */
#include "sha256.h"

#include <errno.h>
#include <openssl/evp.h>
#include <unistd.h>

#include "tern/err.h"

void sha256_begin(sha256 *sha) {
    if (!sha->context) sha->context = EVP_MD_CTX_new();
    sha->failed = !sha->context || EVP_DigestInit_ex(sha->context, EVP_sha256(), NULL) != 1;
}

void sha256_add(sha256 *sha, const void *data, size_t len) {
    if (!sha->failed && len > 0 && EVP_DigestUpdate(sha->context, data, len) != 1) sha->failed = true;
}

bool sha256_end(sha256 *sha, sha256_digest *out) {
    unsigned len = sizeof out->bytes;
    return !sha->failed && EVP_DigestFinal_ex(sha->context, out->bytes, &len) == 1;
}

void sha256_fini(sha256 *sha) {
    EVP_MD_CTX_free(sha->context);
    *sha = (sha256){0};
}

int sha256_file(sha256 *sha, int fd, sha256_digest *out) {
    static char block[256 << 10];
    ssize_t n;
    sha256_begin(sha);
    while ((n = read(fd, block, sizeof block)) != 0) {
        if (n > 0)
            sha256_add(sha, block, (size_t)n);
        else if (errno != EINTR)
            return TERN_ERR_IO;
    }
    return sha256_end(sha, out) ? 0 : TERN_ERR_NOMEM;
}
