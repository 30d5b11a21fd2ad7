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

/* Room for so many bytes of the packet under way, and as many more. */
static bool reach_part(tern__tcp_frames *f, uint32_t bytes) {
    if (bytes <= f->part_room) return true;
    uint32_t room = 2 * bytes < TERN__TCP_PART_BYTES ? (uint32_t)TERN__TCP_PART_BYTES : 2 * bytes;
    if (f->whole || room > f->part_len) room = f->part_len;
    uint8_t *part = tern_alloc_private(room);
    if (!part) return false;
    if (f->part_have) memcpy(part, f->part, f->part_have);
    tern_unref(f->part);
    f->part = part;
    f->part_room = room;
    return true;
}

/* The beginning of a packet of len bytes: the rest is not here. */
static int begin_part(tern__tcp_frames *f, uint32_t len, const uint8_t **at, const uint8_t *end) {
    uint32_t n = (uint32_t)(end - *at);
    f->part_len = len;
    f->part_have = f->part_room = 0;
    if (!reach_part(f, n ? n : 1)) return TERN_ERR_NOMEM;
    if (n) memcpy(f->part, *at, n);
    f->part_have = n;
    *at = end;
    return 0;
}

/* More of the packet under way, or the rest of it. */
static int continue_part(tern__tcp_frames *f, const uint8_t **at, const uint8_t *end, tern__tcp_arrival *out) {
    uint32_t n = (uint32_t)(end - *at), missing = f->part_len - f->part_have;
    if (n > missing) n = missing;
    if (!reach_part(f, f->part_have + n)) return TERN_ERR_NOMEM;
    if (n) memcpy(f->part + f->part_have, *at, n);
    *at += n;
    return tern__tcp_frames_got(f, n, out);
}

int tern__tcp_frames_next(tern__tcp_frames *f, const uint8_t **at, const uint8_t *end, tern__tcp_arrival *out) {
    if (!f->greeted) {
        int err = take_greeting(f, at, end);
        if (err != 1) return err;
    }
    if (f->part) return continue_part(f, at, end, out);
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
