/* See tern_side.h. */
#include "tern_side.h"

#include <stdlib.h>

#include "bench1.tern.h"
#include "every2.tern.h"
#include "every3.tern.h"
#include "tern/codec.h"
#include "tern/mem.h"

enum { ARENA_BLOCK_BYTES = 64 << 10, ROOM = 100 };

struct tern_side {
    const tern_type *type;
    tern_arena arena;
    void *alias, *copied, *other; /* messages; other: what a further way of decoding or copying makes */
    uint8_t *exact, *roomy;
    size_t exact_cap, gathered; /* gathered: bytes of roomy that the sink has filled */
};

static const tern_type *const types[] = {&diff2_Every_type, &diff2_Strict_type, &diff3_Every_type,
                                         &bench1_M1_type,   &bench1_M9_type,    &bench1_M23_type};

tern_side *tern_side_open(const char *name) {
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(types[i]->name, name) != 0) continue;
        tern_side *side = calloc(1, sizeof *side);
        if (!side) return NULL;
        side->type = types[i];
        tern_arena_init(&side->arena, ARENA_BLOCK_BYTES, 0);
        side->alias = calloc(1, types[i]->size_bytes);
        side->copied = calloc(1, types[i]->size_bytes);
        side->other = calloc(1, types[i]->size_bytes);
        return side;
    }
    return NULL;
}

void tern_side_close(tern_side *side) {
    tern_arena_fini(&side->arena);
    free(side->alias);
    free(side->copied);
    free(side->other);
    free(side->exact);
    free(side->roomy);
    free(side);
}

static bool make_room(tern_side *side, size_t bytes) {
    if (bytes + 1 <= side->exact_cap) return true;
    free(side->exact);
    free(side->roomy);
    side->exact = malloc(bytes + 1);
    side->roomy = malloc(bytes + 1 + ROOM);
    side->exact_cap = side->exact && side->roomy ? bytes + 1 : 0;
    return side->exact_cap > 0;
}

/* Encoding in its ways; the first is the answer. */
static const char *encode(tern_side *side, tern_answer *answer) {
    int64_t size = tern_protobuf_size(side->type, side->alias);
    if (size < 0) return "what was decoded has no size";
    if (!make_room(side, (size_t)size)) return "no memory";
    int64_t exact = tern_protobuf_encode(side->type, side->alias, side->exact, (size_t)size);
    if (exact != size) return "size and encode disagree";
    int64_t roomy = tern_protobuf_encode(side->type, side->copied, side->roomy, (size_t)size + ROOM);
    if (roomy != size || memcmp(side->exact, side->roomy, (size_t)size) != 0)
        return "a roomy buffer gives another encoding";
    if (size > 0 && tern_protobuf_encode(side->type, side->alias, side->roomy, (size_t)size - 1) != TERN_ERR_LIMIT)
        return "a buffer that is too small by one is not refused";
    answer->encoded = side->exact;
    answer->encoded_len = (size_t)size;
    return NULL;
}

static int gather(void *ctx, const tern_bytes *pieces, size_t n) {
    tern_side *side = ctx;
    for (size_t i = 0; i < n; i++) {
        if (pieces[i].len == 0 || pieces[i].len > side->exact_cap - side->gathered) return TERN_ERR_INVALID;
        memcpy(side->roomy + side->gathered, pieces[i].data, pieces[i].len);
        side->gathered += pieces[i].len;
    }
    return 0;
}

static const char *encode_gathering(tern_side *side, const tern_answer *answer, uint64_t random) {
    side->gathered = 0;
    int64_t n = tern_protobuf_encode_sg(side->type, side->alias, random % 100, TERN_SG_ANY, &side->arena, gather, side);
    if (n != (int64_t)answer->encoded_len || side->gathered != answer->encoded_len ||
        memcmp(side->exact, side->roomy, side->gathered) != 0)
        return "scatter-gather gives another encoding";
    return NULL;
}

static const char *compare_and_copy(tern_side *side) {
    if (!tern_message_equal(side->type, side->alias, side->copied)) return "aliasing and copying give other messages";
    if (tern_message_copy(side->type, side->alias, &side->arena, side->other) != 0)
        return "what was decoded is not copied";
    if (!tern_message_equal(side->type, side->alias, side->other)) return "a copy is another message";
    return NULL;
}

/* The input cut at three places must decode as the whole did. */
static const char *decode_pieces(tern_side *side, const uint8_t *data, size_t len, int status, uint64_t random) {
    size_t a = random % (len + 1), b = a + random / 7919 % (len - a + 1), c = b + random / 15485863 % (len - b + 1);
    tern_bytes pieces[] = {{data, a}, {data + a, b - a}, {data + b, c - b}, {data + c, len - c}};
    int mode = random & 1 ? TERN_DECODE_COPY : TERN_DECODE_ALIAS;
    int pieced = tern_protobuf_decode_pieces(side->type, pieces, 4, &side->arena, mode, NULL, side->other);
    if ((pieced == 0) != (status == 0)) return "decoding in pieces gives another result";
    if (status == 0 && !tern_message_equal(side->type, side->alias, side->other))
        return "decoding in pieces gives another message";
    return NULL;
}

/* What merging onto a message gives is what decoding both inputs, one behind the other, gives. */
static const char *merge(tern_side *side, const uint8_t *data, size_t len) {
    tern_bytes twice[] = {{data, len}, {data, len}};
    if (tern_protobuf_merge(side->type, data, len, &side->arena, TERN_DECODE_COPY, NULL, side->copied) != 0 ||
        tern_protobuf_decode_pieces(side->type, twice, 2, &side->arena, TERN_DECODE_ALIAS, NULL, side->other) != 0)
        return "what was decoded is not merged";
    return tern_message_equal(side->type, side->copied, side->other) ? NULL : "merging gives another message";
}

tern_answer tern_side_run(tern_side *side, const uint8_t *data, size_t len, uint64_t random) {
    tern_answer answer = {0};
    tern_arena_reset(&side->arena);
    const tern_type *type = side->type;
    answer.status = tern_protobuf_decode(type, data, len, &side->arena, TERN_DECODE_ALIAS, NULL, side->alias);
    int copied = tern_protobuf_decode(type, data, len, &side->arena, TERN_DECODE_COPY, NULL, side->copied);
    if ((copied == 0) != (answer.status == 0)) answer.odd = "aliasing and copying give other results";
    if (!answer.odd) answer.odd = decode_pieces(side, data, len, answer.status, random);
    if (answer.status != 0 || answer.odd) return answer;
    answer.odd = encode(side, &answer);
    if (!answer.odd) answer.odd = encode_gathering(side, &answer, random);
    if (!answer.odd) answer.odd = compare_and_copy(side);
    if (!answer.odd && random % 4 == 0) answer.odd = merge(side, data, len);
    return answer;
}
