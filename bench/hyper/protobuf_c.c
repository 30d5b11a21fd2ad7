/* protobuf-c, with an allocator that only moves a pointer: its own mode, malloc and free for each field, is slower. */
#include <protobuf-c/protobuf-c.h>
#include <stdlib.h>
#include <string.h>

#include "bench0.pb-c.h"
#include "bench1.pb-c.h"
#include "bench2.pb-c.h"
#include "ints.pb-c.h"
#include "subject.h"

enum { ARENA_BYTES = 16 << 20 }; /* untouched pages cost nothing */

typedef struct state {
    const ProtobufCMessageDescriptor *type;
    ProtobufCMessage *message;
    ProtobufCAllocator allocator;
    uint8_t *block;
    size_t used;
} state;

typedef struct named {
    const char *name;
    const ProtobufCMessageDescriptor *type;
} named;

#define ENTRY(file, message, lower) {#file "." #message, &file##__##lower##__descriptor},
static const named types[] = {HYPER_TYPES(ENTRY)};

static void *take(void *data, size_t bytes) {
    state *s = data;
    size_t rounded = (bytes + 7) & ~(size_t)7;
    if (rounded > ARENA_BYTES - s->used) return NULL;
    void *ptr = s->block + s->used;
    s->used += rounded;
    return ptr;
}

static void leave(void *data, void *ptr) {
    (void)data;
    (void)ptr;
}

static void *open_type(const char *name) {
    state *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, name) == 0) s->type = types[i].type;
    s->block = s->type ? malloc(ARENA_BYTES) : NULL;
    if (!s->block) {
        free(s);
        return NULL;
    }
    s->allocator = (ProtobufCAllocator){take, leave, s};
    return s;
}

static bool decode(void *handle, const uint8_t *data, size_t len) {
    state *s = handle;
    s->used = 0;
    s->message = protobuf_c_message_unpack(s->type, &s->allocator, len, data);
    return s->message != NULL;
}

static size_t encode(void *handle, uint8_t *out, size_t cap) {
    (void)cap;
    state *s = handle;
    return protobuf_c_message_pack(s->message, out);
}

static size_t memory(void *handle) {
    state *s = handle;
    return s->used;
}

static void close_type(void *handle) {
    state *s = handle;
    free(s->block);
    free(s);
}

const subject subject_protobuf_c = {"protobuf-c", open_type, decode, encode, memory, close_type};
