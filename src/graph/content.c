/* Checks of contents; see content.h. */
#include "graph/content.h"

#include "codec/utf8.h"

static int check_bools(const uint8_t *at, uint64_t n) {
    uint8_t all = 0;
    while (n-- > 0) all |= at[n];
    return all <= 1 ? 0 : TERN_ERR_INVALID;
}

static int check_text(const uint8_t *at, uint64_t n) { return tern__utf8_valid(at, n) ? 0 : TERN_ERR_UTF8; }

static int check_pointers(const uint8_t *at, uint64_t n, uint64_t *work) {
    for (uint64_t i = 0; i < n; i++) {
        if (tern__load64(at + i * 8) != 0) continue;
        *work = *work > i ? *work - i : 0;
        return TERN_ERR_INVALID;
    }
    return 0;
}

/* Views whose pointers are the receiver's. */
static int check_texts(const uint8_t *at, uint64_t n, uint64_t *work) {
    for (uint64_t i = 0; i < n; i++, at += sizeof(tern_str)) {
        const tern_str *str = (const tern_str *)(const void *)at;
        if (str->len > *work) return TERN_ERR_LIMIT;
        *work -= str->len;
        if (str->len && check_text((const uint8_t *)str->data, str->len)) return TERN_ERR_UTF8;
    }
    return 0;
}

static int check_range(tern__content content, const uint8_t *object, uint64_t start, uint64_t n, uint64_t *work) {
    switch (content) {
    case TERN__CONTENT_TEXT: return check_text(object + start, n);
    case TERN__CONTENT_BOOLS: return check_bools(object + start, n);
    case TERN__CONTENT_TEXTS: return check_texts(object + start * sizeof(tern_str), n, work);
    default: return check_pointers(object + start * sizeof(void *), n, work);
    }
}

/* A part of a text is one when it does not begin or end within a character. */
static int check_borders(const tern__part *p) {
    const uint8_t *start = p->object + p->start, *end = start + p->n;
    bool cuts = p->n && ((*start & 0xc0) == 0x80 || (p->start + p->n < p->count && (*end & 0xc0) == 0x80));
    return cuts ? TERN_ERR_UTF8 : 0;
}

static int spend(uint64_t *work, uint64_t n) {
    if (n > *work) return TERN_ERR_LIMIT;
    *work -= n;
    return 0;
}

int tern__content_check(tern__arrival *a, tern__content content, const tern__part *p, bool is_new, uint64_t *work) {
    tern__arrival_bits *bits = &a->bits[p->unit / 64];
    uint64_t *good = content == TERN__CONTENT_BOOLS ? &bits->bools : &bits->good, bit = (uint64_t)1 << p->unit % 64;
    if (is_new && content == TERN__CONTENT_TEXTS) { /* all its views are looked at when their turn comes */
        *good |= bit;
        return 0;
    }
    if (!(*good & bit)) {
        int err = check_range(content, p->object, 0, p->count, work);
        if (err == 0) *good |= bit;
        if (err && p->n == p->count) return err;
        if (err && !is_new && spend(work, p->count)) return TERN_ERR_LIMIT;
        if (err && spend(work, p->n)) return TERN_ERR_LIMIT;
        if (err) return check_range(content, p->object, p->start, p->n, work);
    }
    return content == TERN__CONTENT_TEXT ? check_borders(p) : 0;
}
