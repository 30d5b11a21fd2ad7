/* What every layer may use: byte order, arithmetic, intrusive lists. No state, no system calls. */
#ifndef TERN_BASE_BASE_H
#define TERN_BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "tern runs on little-endian machines: its wire formats and presence bits are laid out so"
#endif

#define TERN__COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define TERN__CONTAINER(ptr, type, member) ((type *)(void *)((char *)(ptr)-offsetof(type, member)))

static inline uint16_t tern__load16(const void *p) {
    uint16_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline uint32_t tern__load32(const void *p) {
    uint32_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline uint64_t tern__load64(const void *p) {
    uint64_t v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline void tern__store16(void *p, uint16_t v) { memcpy(p, &v, sizeof v); }
static inline void tern__store32(void *p, uint32_t v) { memcpy(p, &v, sizeof v); }
static inline void tern__store64(void *p, uint64_t v) { memcpy(p, &v, sizeof v); }

/* 16 to 32 bytes without a call: halves that overlap. */
static inline void tern__copy_16_to_32(void *to, const void *from, size_t len) {
    memcpy(to, from, 16);
    memcpy((char *)to + len - 16, (const char *)from + len - 16, 16);
}

/* memcpy for headers and small payloads, most of which are as short as that. */
static inline void tern__copy_short(void *to, const void *from, size_t len) {
    if (len - 16 <= 16)
        tern__copy_16_to_32(to, from, len);
    else if (len > 0)
        memcpy(to, from, len);
}

/* A doubly linked list through nodes that live in their objects. The head is a node too; an empty head
 * points to itself. */
typedef struct tern__node {
    struct tern__node *next, *prev;
} tern__node;

static inline void tern__list_init(tern__node *head) { head->next = head->prev = head; }
static inline bool tern__list_empty(const tern__node *head) { return head->next == head; }

static inline void tern__list_append(tern__node *head, tern__node *node) {
    node->prev = head->prev;
    node->next = head;
    head->prev->next = node;
    head->prev = node;
}

/* Unlink; the node is then an empty list of its own, so that removing twice is harmless. */
static inline void tern__list_remove(tern__node *node) {
    node->prev->next = node->next;
    node->next->prev = node->prev;
    node->next = node->prev = node;
}

#endif
