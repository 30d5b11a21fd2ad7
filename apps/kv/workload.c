/* A key's text and a value's segment sizes are functions of the key's number alone, so that what is loaded
 * and what is asked for agree without a table. */
#include "workload.h"

#include <stdlib.h>

#include "hash.h"

/* Bytes of a field in Google's production RPCs: sizes lo..hi with this weight in percent. */
static const struct {
    uint32_t lo, hi;
    double weight;
} google_fields[] = {{1, 8, 33.8},   {9, 16, 15.3},   {17, 22, 7.6},    {23, 32, 13.5},    {33, 64, 10.6},
                     {65, 128, 6.1}, {129, 512, 8.0}, {513, 4096, 3.7}, {4097, 8192, 1.36}};

static uint32_t google_field(tern__rng *rng) {
    enum { N = sizeof google_fields / sizeof *google_fields };
    double total = 0;
    for (unsigned i = 0; i < N; i++) total += google_fields[i].weight;
    double at = draw_unit(rng) * total;
    unsigned i = 0;
    for (; i < N - 1 && at > google_fields[i].weight; i++) at -= google_fields[i].weight;
    return google_fields[i].lo + (uint32_t)tern__rng_below(rng, google_fields[i].hi - google_fields[i].lo + 1);
}

/* "ycsb-c/user" and 19 or 20 digits: 30 or 31 bytes. */
static size_t ycsb_key(uint64_t number, char *out) {
    static const char prefix[] = "ycsb-c/user";
    uint64_t scattered = tern__mix64(number);
    size_t n_digits = scattered >= 10000000000000000000u ? 20 : 19, len = sizeof prefix - 1 + n_digits;
    memcpy(out, prefix, sizeof prefix - 1);
    for (size_t i = 0; i < n_digits; i++, scattered /= 10) out[len - 1 - i] = (char)('0' + scattered % 10);
    return len;
}

/* 64 hexadecimal digits. */
static size_t google_key(uint64_t number, char *out) {
    for (unsigned word = 0; word < 4; word++) {
        uint64_t scattered = tern__mix64(number * 4 + word);
        for (unsigned i = 0; i < 16; i++) out[word * 16 + i] = "0123456789abcdef"[scattered >> (4 * i) & 15];
    }
    return 64;
}

static void set_key(const workload *w, workload_op *op, uint32_t i, uint64_t number) {
    size_t len = w->config.kind == WORKLOAD_YCSB_C ? ycsb_key(number, op->text[i]) : google_key(number, op->text[i]);
    op->keys[i] = (tern_str){op->text[i], len};
}

/* The segments of the value of key `number`. */
static void set_values(const workload *w, workload_op *op, uint64_t number) {
    if (w->config.kind == WORKLOAD_YCSB_C) {
        op->n_values = (uint32_t)w->config.n_values;
        for (uint32_t i = 0; i < op->n_values; i++)
            op->values[i] = tern_bytes_of(w->filler, w->config.value_bytes / op->n_values);
        return;
    }
    tern__rng rng;
    tern__rng_seed(&rng, w->config.seed ^ tern__mix64(number));
    op->n_values = 1 + (uint32_t)tern__rng_below(&rng, w->config.n_values);
    size_t total;
    do {
        total = 0;
        for (uint32_t i = 0; i < op->n_values; i++) {
            op->values[i] = tern_bytes_of(w->filler, google_field(&rng));
            total += op->values[i].len;
        }
    } while (total > WORKLOAD_GOOGLE_MAX_BYTES);
}

static uint64_t draw_key(workload *w) {
    if (w->config.kind == WORKLOAD_YCSB_C) return zipf_next(&w->zipf, &w->rng) - 1;
    return tern__rng_below(&w->rng, w->config.n_keys);
}

static void trace_to_op(const workload *w, const trace_op *from, workload_op *op) {
    op->verb = from->verb == TRACE_GET ? WORKLOAD_GET : from->verb == TRACE_PUT ? WORKLOAD_PUT : WORKLOAD_DELETE;
    op->n_keys = op->n_values = 1;
    op->keys[0] = from->key;
    op->values[0] = tern_bytes_of(w->filler, from->value_bytes);
    op->at_ns = (uint64_t)((double)from->at_ns / w->config.speed);
}

void workload_preload(workload *w, uint64_t i, workload_op *op) {
    if (w->config.kind == WORKLOAD_TRACE) {
        trace_to_op(w, &w->config.trace->ops[w->preload[i]], op);
    } else {
        set_key(w, op, 0, i);
        set_values(w, op, i);
        op->n_keys = 1;
    }
    op->verb = WORKLOAD_PUT;
}

bool workload_next(workload *w, workload_op *op) {
    const workload_config *c = &w->config;
    if (c->kind == WORKLOAD_TRACE) {
        if (w->next == c->trace->n_ops) return false;
        trace_to_op(w, &c->trace->ops[w->next++], op);
        return true;
    }
    uint64_t number = draw_key(w);
    set_key(w, op, 0, number);
    op->n_keys = 1;
    if (c->put_share > 0 && draw_unit(&w->rng) <= c->put_share) {
        op->verb = WORKLOAD_PUT;
        set_values(w, op, number);
        return true;
    }
    op->verb = c->n_values > 1 ? WORKLOAD_LIST : WORKLOAD_GET;
    for (; op->n_keys < c->batch; op->n_keys++) set_key(w, op, op->n_keys, draw_key(w));
    return true;
}

void workload_rewind(workload *w) { w->next = 0; }

/* Which keys must be there for the trace's reads to hit as they did when it was taken: those that are read
 * before they are written, and were found. */
static int plan_preload(workload *w) {
    const trace *t = w->config.trace;
    size_t n_slots = 1024;
    while (n_slots < t->n_ops * 2) n_slots *= 2;
    size_t *seen = calloc(n_slots, sizeof *seen); /* op number + 1; 0: empty */
    w->preload = malloc((t->n_ops + 1) * sizeof *w->preload);
    if (!seen || !w->preload) {
        free(seen);
        return TERN_ERR_NOMEM;
    }
    for (size_t i = 0; i < t->n_ops; i++) {
        const trace_op *op = &t->ops[i];
        hash_seed seed = {w->config.seed, 0};
        size_t at = hash_bytes(seed, op->key.data, op->key.len) & (n_slots - 1);
        while (seen[at] && !tern_str_eq(t->ops[seen[at] - 1].key, op->key)) at = (at + 1) & (n_slots - 1);
        if (seen[at]) continue;
        seen[at] = i + 1;
        if (op->verb == TRACE_GET && op->value_bytes > 0) w->preload[w->n_preload++] = i;
    }
    free(seen);
    return 0;
}

static const char *complaint(const workload_config *c) {
    if (c->kind == WORKLOAD_TRACE)
        return c->trace->n_ops == 0 ? "the trace has no valid line"
               : c->speed <= 0      ? "the speed must be positive"
                                    : NULL;
    if (c->n_keys == 0 || c->n_keys > UINT32_MAX) return "the number of keys must be 1 to 2^32 - 1";
    if (c->n_values == 0 || c->n_values > WORKLOAD_MAX_VALUES) return "the number of values must be 1 to 64";
    if (c->batch == 0 || c->batch > WORKLOAD_MAX_BATCH) return "the batch must be 1 to 64 keys";
    if (c->batch > 1 && c->n_values > 1) return "a batch needs values of one segment";
    if (c->value_bytes > WORKLOAD_MAX_VALUE_BYTES) return "values must be at most 32 MB";
    if (c->put_share < 0 || c->put_share > 1) return "the share of puts must be 0 to 1";
    if (c->zipf < 0 || c->zipf > 10) return "the Zipf exponent must be 0 to 10";
    return NULL;
}

/* The largest slice of the filler that any value needs. */
static size_t filler_bytes(const workload_config *c) {
    size_t bytes = c->kind == WORKLOAD_YCSB_C ? c->value_bytes : WORKLOAD_GOOGLE_MAX_BYTES;
    for (size_t i = 0; c->kind == WORKLOAD_TRACE && i < c->trace->n_ops; i++)
        if (c->trace->ops[i].value_bytes > bytes) bytes = c->trace->ops[i].value_bytes;
    return bytes ? bytes : 1;
}

int workload_init(workload *w, const workload_config *config, const char **why) {
    *w = (workload){.config = *config, .n_preload = config->n_keys};
    if ((*why = complaint(config)) != NULL) return TERN_ERR_INVALID;
    tern__rng_seed(&w->rng, config->seed);
    zipf_init(&w->zipf, config->n_keys ? config->n_keys : 1, config->zipf);
    size_t bytes = filler_bytes(config);
    uint8_t *filler = w->filler = tern_alloc(bytes);
    if (!filler) return TERN_ERR_NOMEM;
    for (size_t i = 0; i < bytes; i++) filler[i] = (uint8_t)tern__mix64(i);
    if (config->kind != WORKLOAD_TRACE) return 0;
    w->n_preload = 0;
    int err = plan_preload(w);
    if (err) workload_fini(w);
    return err;
}

void workload_fini(workload *w) {
    tern_unref(w->filler);
    free(w->preload);
    w->filler = w->preload = NULL;
}
