/* The workloads: sizes as published, the same requests for the same seed, and preloads that cover what is
 * asked for. */
#include "../../../apps/kv/workload.h"

#include "tap.h"

static workload_op op, other;

static workload_config ycsb(void) {
    return (workload_config){.kind = WORKLOAD_YCSB_C,
                             .seed = 1,
                             .n_keys = 1000,
                             .value_bytes = 1024,
                             .n_values = 1,
                             .batch = 1,
                             .zipf = 0.99};
}

static bool make(workload *w, workload_config config) {
    const char *why;
    return workload_init(w, &config, &why) == 0;
}

/* Whether some preloaded key is this one. */
static bool is_preloaded(workload *w, tern_str key) {
    static workload_op put;
    for (uint64_t i = 0; i < w->n_preload; i++) {
        workload_preload(w, i, &put);
        if (tern_str_eq(put.keys[0], key)) return true;
    }
    return false;
}

static void ycsb__keys_have_30_or_31_bytes_and_differ(void) {
    workload w;
    CHECK(make(&w, ycsb()));
    CHECK_EQ(w.n_preload, 1000);
    for (uint64_t i = 0; i < w.n_preload; i++) {
        workload_preload(&w, i, &op);
        CHECK(op.keys[0].len == 30 || op.keys[0].len == 31);
        CHECK_EQ(op.verb, WORKLOAD_PUT);
        CHECK_EQ(op.values[0].len, 1024);
        workload_preload(&w, (i + 1) % w.n_preload, &other);
        CHECK(!tern_str_eq(op.keys[0], other.keys[0]));
    }
    workload_fini(&w);
}

static void ycsb__asks_for_what_is_preloaded(void) {
    workload w;
    CHECK(make(&w, ycsb()));
    for (int i = 0; i < 200; i++) {
        CHECK(workload_next(&w, &op));
        CHECK_EQ(op.verb, WORKLOAD_GET);
        CHECK(is_preloaded(&w, op.keys[0]));
    }
    workload_fini(&w);
}

static void ycsb__segments_batches_and_puts(void) {
    workload w;
    workload_config config = ycsb();
    int n_puts = 0;
    config.n_values = 4;
    CHECK(make(&w, config));
    workload_preload(&w, 0, &op);
    CHECK_EQ(op.n_values, 4);
    CHECK_EQ(op.values[3].len, 256);
    CHECK(workload_next(&w, &op));
    CHECK_EQ(op.verb, WORKLOAD_LIST);
    workload_fini(&w);
    config.n_values = 1;
    config.batch = 8;
    config.put_share = 0.25;
    CHECK(make(&w, config));
    for (int i = 0; i < 4000; i++) {
        CHECK(workload_next(&w, &op));
        CHECK_EQ(op.n_keys, op.verb == WORKLOAD_PUT ? 1 : 8);
        n_puts += op.verb == WORKLOAD_PUT;
    }
    CHECK(n_puts > 900 && n_puts < 1100);
    workload_fini(&w);
}

static void seed__decides_the_requests(void) {
    workload a, b;
    CHECK(make(&a, ycsb()) && make(&b, ycsb()));
    for (int i = 0; i < 100; i++) {
        CHECK(workload_next(&a, &op) && workload_next(&b, &other));
        CHECK(tern_str_eq(op.keys[0], other.keys[0]));
    }
    workload_fini(&a);
    workload_fini(&b);
}

/* A third of the fields have at most 8 bytes; the mean of the published table is 214. */
static void google__field_sizes(void) {
    workload w;
    workload_config config = ycsb();
    enum { N = 200000 };
    double sum = 0;
    int n_small = 0;
    config.kind = WORKLOAD_GOOGLE;
    config.n_keys = N;
    CHECK(make(&w, config));
    for (uint64_t i = 0; i < N; i++) {
        workload_preload(&w, i, &op);
        CHECK_EQ(op.keys[0].len, 64);
        CHECK_EQ(op.n_values, 1);
        CHECK(op.values[0].len >= 1 && op.values[0].len <= 8192);
        sum += (double)op.values[0].len;
        n_small += op.values[0].len <= 8;
    }
    CHECK(n_small > N * 0.333 && n_small < N * 0.343);
    CHECK(sum / N > 209 && sum / N < 219);
    workload_fini(&w);
}

static void google__lists_stay_within_8192(void) {
    workload w;
    workload_config config = ycsb();
    uint32_t most = 0;
    config.kind = WORKLOAD_GOOGLE;
    config.n_values = 16;
    CHECK(make(&w, config));
    for (uint64_t i = 0; i < w.n_preload; i++) {
        size_t total = 0;
        workload_preload(&w, i, &op);
        for (uint32_t k = 0; k < op.n_values; k++) total += op.values[k].len;
        CHECK(op.n_values >= 1 && op.n_values <= 16 && total <= 8192);
        if (op.n_values > most) most = op.n_values;
    }
    CHECK_EQ(most, 16);
    workload_fini(&w);
}

static void trace__preloads_what_is_read_before_it_is_written(void) {
    static char text[] = "1,hit,3,700,1,get,0\n1,miss,4,0,1,get,0\n2,new,3,10,1,set,60\n2,new,3,10,1,get,0\n"
                         "3,hit,3,700,1,delete,0\n";
    trace t;
    workload w;
    workload_config config = {.kind = WORKLOAD_TRACE, .trace = &t, .speed = 2};
    FILE *in = fmemopen(text, sizeof text - 1, "r");
    CHECK(in && trace_load(&t, in, 100) == 0);
    fclose(in);
    CHECK(make(&w, config));
    CHECK_EQ(w.n_preload, 1);
    workload_preload(&w, 0, &op);
    CHECK(tern_str_eq(op.keys[0], tern_str_of("hit")));
    CHECK_EQ(op.verb, WORKLOAD_PUT);
    CHECK_EQ(op.values[0].len, 700);
    static const workload_verb verbs[] = {WORKLOAD_GET, WORKLOAD_GET, WORKLOAD_PUT, WORKLOAD_GET, WORKLOAD_DELETE};
    for (int i = 0; i < 5; i++) {
        CHECK(workload_next(&w, &op));
        CHECK_EQ(op.verb, verbs[i]);
    }
    CHECK_EQ(op.at_ns, 1000000000); /* two seconds into the trace, twice as fast */
    CHECK(!workload_next(&w, &op));
    workload_rewind(&w);
    CHECK(workload_next(&w, &op));
    workload_fini(&w);
    trace_fini(&t);
}

static void init__refuses_nonsense(void) {
    workload w;
    const char *why;
    workload_config bad[8];
    for (int i = 0; i < 8; i++) bad[i] = ycsb();
    bad[0].n_keys = 0;
    bad[1].n_keys = 1ull << 32;
    bad[2].n_values = 65;
    bad[3].batch = 0;
    bad[4].batch = 2, bad[4].n_values = 2;
    bad[5].value_bytes = 1ull << 40;
    bad[6].put_share = 1.5;
    bad[7].zipf = 11;
    for (int i = 0; i < 8; i++) {
        CHECK_EQ(workload_init(&w, &bad[i], &why), TERN_ERR_INVALID);
        CHECK(why);
    }
}

TAP_MAIN(TEST(ycsb__keys_have_30_or_31_bytes_and_differ), TEST(ycsb__asks_for_what_is_preloaded),
         TEST(ycsb__segments_batches_and_puts), TEST(seed__decides_the_requests), TEST(google__field_sizes),
         TEST(google__lists_stay_within_8192), TEST(trace__preloads_what_is_read_before_it_is_written),
         TEST(init__refuses_nonsense))
