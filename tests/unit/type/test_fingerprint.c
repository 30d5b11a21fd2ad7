/* Fingerprints and outlines: the same schema has the same, a schema that has grown fits, another is named with its
 * field; and outlines from a peer may be anything. */
#include "base/base.h"
#include "base/rng.h"
#include "shapes.h"
#include "tap.h"

enum { LIST = TERN_FIELD_REPEATED, MAX_FIELDS = 8 };

/* A type of up to eight fields, without names or a struct: {number, kind, flags, sub}. */
typedef struct sketch {
    struct {
        uint32_t number;
        uint8_t kind, flags;
        const tern_type *sub;
    } in[MAX_FIELDS];
    tern_field fields[MAX_FIELDS];
    const tern_type *subs[MAX_FIELDS];
    tern_type type;
} sketch;

static const tern_type *make(sketch *s) {
    uint16_t n = 0;
    for (; n < MAX_FIELDS && s->in[n].number; n++) {
        s->fields[n] =
            (tern_field){.number = s->in[n].number, .sub = n, .kind = s->in[n].kind, .flags = s->in[n].flags};
        s->subs[n] = s->in[n].sub;
    }
    s->type = (tern_type){.name = "sketch",
                          .fields = s->fields,
                          .subs = s->subs,
                          .n_fields = n,
                          .max_number = n ? s->fields[n - 1].number : 0};
    return &s->type;
}

static uint8_t bytes[1 << 16];

static int compare(const tern_type *ours, const tern_type *theirs, tern_type_conflict *conflict) {
    size_t len = tern_type_outline(theirs, bytes, sizeof bytes);
    uint8_t *exact = malloc(len);
    memcpy(exact, bytes, len);
    int verdict = tern_type_compare(ours, exact, len, conflict);
    free(exact);
    return verdict;
}

/* The verdict must be the same from both sides. */
static int verdict_of(const tern_type *a, const tern_type *b) {
    int verdict = compare(a, b, NULL);
    return compare(b, a, NULL) == verdict ? verdict : -99;
}

/* The example of docs/wire-format.md. */
static void outline__bytes_and_fingerprint(void) {
    sketch s = {.in = {{1, TERN_UINT32, 0, 0}, {2, TERN_STRING, LIST | TERN_FIELD_UTF8, 0}}};
    const tern_type *type = make(&s);
    static const uint8_t expected[] = {2, 1, 0x0d, 1, 0x29};
    CHECK_EQ(tern_type_outline(type, bytes, sizeof bytes), sizeof expected);
    CHECK_MEM(bytes, expected, sizeof expected);
    CHECK(tern_type_fingerprint(type) == 0xfed3a425939a05edu);
}

static void outline__of_a_recursive_type(void) {
    sketch tree = {
        .in = {{1, TERN_INT32, 0, 0}, {4, TERN_MESSAGE, LIST, &tree.type}, {300, TERN_GROUP, 0, &tree.type}}};
    static const uint8_t expected[] = {3, 1, 0x05, 3, 0x2b, 0, 0xa8, 0x02, 0x0a, 0};
    CHECK_EQ(tern_type_outline(make(&tree), bytes, sizeof bytes), sizeof expected);
    CHECK_MEM(bytes, expected, sizeof expected);
    CHECK_EQ(verdict_of(&tree.type, &tree.type), TERN_SCHEMA_FITS);
}

static void outline__says_how_much_room_it_needs(void) {
    size_t len = tern_type_outline(&shape_type, NULL, 0);
    memset(bytes, 0xee, sizeof bytes);
    CHECK_EQ(tern_type_outline(&shape_type, bytes, len - 1), len);
    CHECK_EQ(bytes[len - 1], 0xee);
    CHECK_EQ(compare(&shape_type, &shape_type, NULL), TERN_SCHEMA_FITS);
    printf("# %zu bytes for %u fields\n", len, shape_type.n_fields);
}

static void fingerprint__sees_structure_and_not_presence(void) {
    sketch sub = {.in = {{1, TERN_INT32, 0, 0}}}, sub2 = {.in = {{1, TERN_INT64, 0, 0}}};
    make(&sub), make(&sub2);
    sketch base = {.in = {{1, TERN_INT32, 0, 0}, {2, TERN_MESSAGE, 0, &sub.type}}};
    sketch same = {.in = {{1, TERN_INT32, TERN_FIELD_HAS, 0}, {2, TERN_MESSAGE, TERN_FIELD_ONEOF, &sub.type}}};
    sketch others[] = {
        {.in = {{1, TERN_INT32, 0, 0}}},
        {.in = {{1, TERN_INT32, LIST, 0}, {2, TERN_MESSAGE, 0, &sub.type}}},
        {.in = {{1, TERN_UINT32, 0, 0}, {2, TERN_MESSAGE, 0, &sub.type}}},
        {.in = {{1, TERN_INT32, 0, 0}, {3, TERN_MESSAGE, 0, &sub.type}}},
        {.in = {{1, TERN_INT32, 0, 0}, {2, TERN_GROUP, 0, &sub.type}}},
        {.in = {{1, TERN_INT32, 0, 0}, {2, TERN_MESSAGE, 0, &sub2.type}}},
        {.in = {{1, TERN_INT32, 0, 0}, {2, TERN_MESSAGE, 0, &base.type}}},
    };
    uint64_t print = tern_type_fingerprint(make(&base));
    CHECK(print == tern_type_fingerprint(make(&same)));
    for (size_t i = 0; i < TERN__COUNT(others); i++) CHECK(print != tern_type_fingerprint(make(&others[i])));
}

static void compare__grown_at_the_end_fits_at_every_level(void) {
    sketch leaf = {.in = {{1, TERN_INT32, 0, 0}}}, leaf2 = {.in = {{1, TERN_INT32, 0, 0}, {2, TERN_BYTES, 0, 0}}};
    sketch extra = {.in = {{1, TERN_BOOL, 0, 0}}};
    make(&leaf), make(&leaf2), make(&extra);
    sketch old = {.in = {{2, TERN_MESSAGE, LIST, &leaf.type}, {3, TERN_STRING, 0, 0}}};
    sketch new = {.in = {{2, TERN_MESSAGE, LIST, &leaf2.type},
                         {3, TERN_STRING, 0, 0},
                         {4, TERN_MESSAGE, 0, &extra.type},
                         {9, TERN_MESSAGE, 0, &new.type}}};
    CHECK_EQ(verdict_of(make(&old), make(&new)), TERN_SCHEMA_FITS);
    CHECK(tern_type_fingerprint(&old.type) != tern_type_fingerprint(&new.type));
    sketch empty = {0};
    CHECK_EQ(verdict_of(make(&empty), &new.type), TERN_SCHEMA_FITS);
    CHECK_EQ(verdict_of(&shape_type, &empty.type), TERN_SCHEMA_FITS);
}

static void compare__a_field_missing_in_the_middle_is_for_protobuf(void) {
    sketch full = {.in = {{1, TERN_INT32, 0, 0}, {2, TERN_BOOL, LIST, 0}, {3, TERN_INT32, 0, 0}}};
    sketch less = {.in = {{1, TERN_INT32, 0, 0}, {3, TERN_INT32, 0, 0}}};
    tern_type_conflict conflict;
    CHECK_EQ(verdict_of(make(&full), make(&less)), TERN_SCHEMA_PROTOBUF);
    CHECK_EQ(compare(&full.type, &less.type, &conflict), TERN_SCHEMA_PROTOBUF);
    CHECK(conflict.type == &full.type && conflict.number == 2 && conflict.our_kind == TERN_BOOL && conflict.our_list);
    CHECK_EQ(conflict.their_kind, 0);
    CHECK_EQ(compare(&less.type, &full.type, &conflict), TERN_SCHEMA_PROTOBUF);
    CHECK(conflict.type == &less.type && conflict.number == 2 && conflict.our_kind == 0 && conflict.their_list);
    sketch apart = {.in = {{5, TERN_INT32, 0, 0}}}; /* nothing in common */
    CHECK_EQ(verdict_of(&full.type, make(&apart)), TERN_SCHEMA_PROTOBUF);
}

static void compare__kinds_that_read_alike(void) {
    static const uint8_t classes[] = {1, 2, 3, 3, 5, 6, 7, 8, 9, 10, 11, 9, 5, 5, 7, 6, 17, 18}; /* kinds from 1 */
    for (uint8_t a = 1; a <= 18; a++)
        for (uint8_t b = 1; b <= 18; b++)
            for (uint8_t list = 0; list < 4; list++) {
                sketch none = {0};
                make(&none);
                sketch x = {.in = {{1, a, list & 1, &none.type}}}, y = {.in = {{1, b, list >> 1, &none.type}}};
                bool fits = classes[a - 1] == classes[b - 1] && (list == 0 || list == 3);
                CHECK_EQ(verdict_of(make(&x), make(&y)), fits ? TERN_SCHEMA_FITS : TERN_SCHEMA_CONFLICT);
            }
}

static void compare__names_the_type_below_that_differs(void) {
    sketch leaf = {.in = {{1, TERN_INT32, 0, 0}, {7, TERN_STRING, 0, 0}}};
    sketch wrong = {.in = {{1, TERN_INT32, 0, 0}, {7, TERN_STRING, LIST, 0}}};
    make(&leaf), make(&wrong);
    sketch middle = {.in = {{3, TERN_MESSAGE, 0, &leaf.type}}}, middle2 = {.in = {{3, TERN_MESSAGE, 0, &wrong.type}}};
    make(&middle), make(&middle2);
    sketch a = {.in = {{1, TERN_MESSAGE, 0, &a.type}, {4, TERN_BOOL, 0, 0}, {5, TERN_MESSAGE, LIST, &middle.type}}};
    sketch b = {.in = {{1, TERN_MESSAGE, 0, &b.type}, {5, TERN_MESSAGE, LIST, &middle2.type}}};
    tern_type_conflict conflict;
    CHECK_EQ(verdict_of(make(&a), make(&b)), TERN_SCHEMA_CONFLICT); /* worse than the gap at 4 */
    CHECK_EQ(compare(&a.type, &b.type, &conflict), TERN_SCHEMA_CONFLICT);
    CHECK(conflict.type == &leaf.type && conflict.number == 7 && conflict.our_kind == TERN_STRING);
    CHECK(!conflict.our_list && conflict.their_list && conflict.their_kind == TERN_STRING);
}

/* One type used twice here, two alike there; a cycle of one here, of two there. */
static void compare__by_structure_and_not_by_sharing(void) {
    sketch leaf = {.in = {{1, TERN_INT32, 0, 0}}}, twin = leaf;
    make(&leaf), make(&twin);
    sketch once = {.in = {{1, TERN_MESSAGE, 0, &leaf.type}, {2, TERN_MESSAGE, 0, &leaf.type}}};
    sketch twice = {.in = {{1, TERN_MESSAGE, 0, &leaf.type}, {2, TERN_MESSAGE, 0, &twin.type}}};
    CHECK_EQ(verdict_of(make(&once), make(&twice)), TERN_SCHEMA_FITS);
    sketch loop = {.in = {{1, TERN_MESSAGE, 0, &loop.type}}}, even, odd = {.in = {{1, TERN_MESSAGE, 0, &even.type}}};
    even = (sketch){.in = {{1, TERN_MESSAGE, 0, &odd.type}}};
    make(&even), make(&odd);
    CHECK_EQ(verdict_of(make(&loop), &even.type), TERN_SCHEMA_FITS);
    odd.in[0].kind = TERN_BOOL;
    make(&odd);
    CHECK_EQ(verdict_of(&loop.type, &even.type), TERN_SCHEMA_CONFLICT);
}

static void compare__more_types_than_are_described(void) {
    static sketch chain[700], other[700];
    for (int i = 0; i < 700; i++) {
        const tern_type *next = i < 699 ? &chain[i + 1].type : &chain[0].type;
        chain[i] = (sketch){.in = {{1, TERN_INT32, 0, 0}, {2, TERN_MESSAGE, 0, next}}};
        next = i < 699 ? &other[i + 1].type : &other[0].type;
        other[i] = (sketch){.in = {{1, i < 600 ? TERN_INT32 : TERN_BOOL, 0, 0}, {2, TERN_MESSAGE, 0, next}}};
    }
    for (int i = 0; i < 700; i++) make(&chain[i]), make(&other[i]);
    CHECK(tern_type_fingerprint(&chain[0].type) == tern_type_fingerprint(&other[0].type));
    CHECK_EQ(verdict_of(&chain[0].type, &other[0].type), TERN_SCHEMA_FITS);
    CHECK_EQ(verdict_of(&chain[100].type, &other[100].type), TERN_SCHEMA_CONFLICT);
}

static void compare__refuses_what_is_no_outline(void) {
    static const struct {
        uint8_t bytes[8];
        size_t len;
    } wrong[] = {
        {{0}, 0},
        {{1}, 1}, /* a field is missing */
        {{1, 1}, 2},
        {{1, 0, 5}, 3}, /* number 0 */
        {{1, 1, 0}, 3}, /* kind 0 */
        {{1, 1, 19}, 3},
        {{1, 1, 0x45}, 3}, /* an unknown bit */
        {{1, 1, 11}, 3},   /* no sub-type */
        {{0x80}, 1},
        {{0x80, 0x80, 0x80, 0x80, 0x10}, 5},       /* more than 32 bits */
        {{1, 0x80, 0x80, 0x80, 0x80, 0x02, 5}, 7}, /* a number of 2^29 */
        {{2, 0xff, 0xff, 0xff, 0xff, 0x01, 5, 1}, 8},
        {{0xff, 0xff, 0xff, 0xff, 0x0f, 1, 5}, 7}, /* 2^32 - 1 fields */
    };
    for (size_t i = 0; i < TERN__COUNT(wrong); i++)
        CHECK_EQ(tern_type_compare(&shape_type, wrong[i].bytes, wrong[i].len, NULL), TERN_ERR_MALFORMED);
    static uint8_t many[(256 << 10) + 1]; /* types without fields */
    CHECK_EQ(tern_type_compare(&shape_type, many, 512, NULL), TERN_SCHEMA_FITS);
    CHECK_EQ(tern_type_compare(&shape_type, many, 513, NULL), TERN_ERR_MALFORMED);
    CHECK_EQ(tern_type_compare(&shape_type, many, sizeof many, NULL), TERN_ERR_LIMIT);
    static const uint8_t beyond[] = {1, 4, 11, 99}; /* a sub-type that is not described */
    CHECK_EQ(tern_type_compare(&shape_type, beyond, sizeof beyond, NULL), TERN_SCHEMA_PROTOBUF);
}

/* Any change of the bytes gives a verdict or an error, and touches nothing else. */
static void compare__random_bytes(void) {
    tern__rng rng;
    size_t n[4] = {0}, len = tern_type_outline(&shape_type, bytes, sizeof bytes);
    tern__rng_seed(&rng, 1);
    for (int i = 0; i < 20000; i++) {
        size_t cut = tern__rng_chance(&rng, 0.2) ? tern__rng_below(&rng, len + 1) : len;
        uint8_t *copy = malloc(cut ? cut : 1);
        memcpy(copy, bytes, cut);
        for (uint64_t k = tern__rng_below(&rng, 3); k > 0 && cut; k--)
            copy[tern__rng_below(&rng, cut)] ^= (uint8_t)(1 << tern__rng_below(&rng, 8));
        int verdict = tern_type_compare(&shape_type, copy, cut, NULL);
        free(copy);
        CHECK(verdict == TERN_ERR_MALFORMED || (verdict >= TERN_SCHEMA_FITS && verdict <= TERN_SCHEMA_CONFLICT));
        n[verdict < 0 ? 3 : verdict]++;
    }
    printf("# %zu fit, %zu for protobuf, %zu conflicts, %zu malformed\n", n[0], n[1], n[2], n[3]);
    for (int i = 0; i < 4; i++) CHECK(n[i] > 0);
}

TAP_MAIN(TEST(outline__bytes_and_fingerprint), TEST(outline__of_a_recursive_type),
         TEST(outline__says_how_much_room_it_needs), TEST(fingerprint__sees_structure_and_not_presence),
         TEST(compare__grown_at_the_end_fits_at_every_level),
         TEST(compare__a_field_missing_in_the_middle_is_for_protobuf), TEST(compare__kinds_that_read_alike),
         TEST(compare__names_the_type_below_that_differs), TEST(compare__by_structure_and_not_by_sharing),
         TEST(compare__more_types_than_are_described), TEST(compare__refuses_what_is_no_outline),
         TEST(compare__random_bytes))
