/* Cutting a stream into packets (tcp_frame.h). */
#include "port/tcp_frame.h"

#include "tern/err.h"
#include "tern/mem.h"

static const uint8_t magic[4] = {'T', 'E', 'R', 'N'};

void tern__tcp_greeting_write(uint8_t out[TERN__TCP_GREETING_BYTES], tern__tcp_role role) {
    memcpy(out, magic, sizeof magic);
    out[4] = TERN__TCP_VERSION;
    out[5] = (uint8_t)role;
    out[6] = out[7] = 0;
}

void tern__tcp_frames_init(tern__tcp_frames *f, tern__tcp_role role) { *f = (tern__tcp_frames){.role = (uint8_t)role}; }

void tern__tcp_frames_fini(tern__tcp_frames *f) {
    tern_unref(f->part);
    f->part = NULL;
}

bool tern__tcp_frames_got(tern__tcp_frames *f, uint32_t n, tern__tcp_arrival *out) {
    f->part_have += n;
    if (f->part_have < f->part_len) return false;
    *out = (tern__tcp_arrival){f->part, f->part_len, true};
    f->part = NULL;
    return true;
}

/* Move bytes to f->head until it has n. False: there are not enough yet. */
static bool collect_head(tern__tcp_frames *f, uint32_t n, const uint8_t **at, const uint8_t *end) {
    while (f->n_head < n && *at < end) f->head[f->n_head++] = *(*at)++;
    return f->n_head == n;
}

/* As much of the greeting as is here must be right: a stranger is hung up on at the first wrong byte. */
static int take_greeting(tern__tcp_frames *f, const uint8_t **at, const uint8_t *end) {
    bool whole = collect_head(f, TERN__TCP_GREETING_BYTES, at, end);
    uint32_t n = f->n_head < sizeof magic ? f->n_head : sizeof magic;
    if (memcmp(f->head, magic, n) != 0) return TERN_ERR_MALFORMED;
    if (f->n_head > 4 && f->head[4] != TERN__TCP_VERSION) return TERN_ERR_VERSION;
    if (!whole) return 0;
    if (f->head[5] != f->role || f->head[6] || f->head[7]) return TERN_ERR_MALFORMED;
    f->greeted = true;
    f->n_head = 0;
    return 1;
}

/* The beginning of a packet of len bytes: the rest is not here. */
static int begin_part(tern__tcp_frames *f, uint32_t len, const uint8_t **at, const uint8_t *end) {
    f->part = tern_alloc_private(len);
    if (!f->part) return TERN_ERR_NOMEM;
    f->part_len = len;
    f->part_have = (uint32_t)(end - *at);
    if (f->part_have) memcpy(f->part, *at, f->part_have);
    *at = end;
    return 0;
}

int tern__tcp_frames_next(tern__tcp_frames *f, const uint8_t **at, const uint8_t *end, tern__tcp_arrival *out) {
    if (!f->greeted) {
        int err = take_greeting(f, at, end);
        if (err != 1) return err;
    }
    if (f->part) {
        uint32_t left = (uint32_t)(end - *at), want, n;
        uint8_t *to = tern__tcp_frames_want(f, &want);
        n = left < want ? left : want;
        if (n) memcpy(to, *at, n);
        *at += n;
        return tern__tcp_frames_got(f, n, out);
    }
    uint32_t len;
    if (f->n_head == 0 && end - *at >= TERN__TCP_PREFIX_BYTES) {
        len = tern__load32(*at);
        *at += TERN__TCP_PREFIX_BYTES;
    } else {
        if (!collect_head(f, TERN__TCP_PREFIX_BYTES, at, end)) return 0;
        len = tern__load32(f->head);
        f->n_head = 0;
    }
    if (len == 0 || len > TERN__TCP_MAX_PACKET) return TERN_ERR_MALFORMED;
    if (len > (size_t)(end - *at)) return begin_part(f, len, at, end);
    *out = (tern__tcp_arrival){*at, len, false};
    *at += len;
    return 1;
}
