/* The parser takes fields from both ends of the line, because a key may contain commas. */
#include "trace.h"

#include <errno.h>
#include <stdlib.h>

#include "utf8.h"

static const uint64_t second = 1000000000;

/* A decimal number up to max; false on anything else. */
static bool parse_number(tern_str text, uint64_t max, uint64_t *out) {
    uint64_t value = 0;
    if (text.len == 0) return false;
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] < '0' || text.data[i] > '9') return false;
        unsigned digit = (unsigned)(text.data[i] - '0');
        if (value > (max - digit) / 10) return false;
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

/* Seconds, with up to nine decimals. */
static bool parse_time(tern_str text, uint64_t *ns) {
    const char *dot = memchr(text.data, '.', text.len);
    tern_str whole = {text.data, dot ? (size_t)(dot - text.data) : text.len};
    uint64_t seconds, fraction = 0;
    if (!parse_number(whole, TRACE_MAX_SECONDS, &seconds)) return false;
    if (dot) {
        tern_str decimals = {dot + 1, text.len - whole.len - 1};
        if (decimals.len > 9 || !parse_number(decimals, second - 1, &fraction)) return false;
        for (size_t i = decimals.len; i < 9; i++) fraction *= 10;
    }
    *ns = seconds * second + fraction;
    return true;
}

/* Cut the last field off the line. */
static bool cut_last(tern_str *line, tern_str *field) {
    const char *comma = line->len ? memrchr(line->data, ',', line->len) : NULL;
    if (!comma) return false;
    *field = (tern_str){comma + 1, (size_t)(line->data + line->len - comma - 1)};
    line->len = (size_t)(comma - line->data);
    return true;
}

static int parse_verb(tern_str name, trace_verb *verb) {
    static const struct {
        const char *name;
        trace_verb verb;
    } verbs[] = {
        {"get", TRACE_GET},    {"gets", TRACE_GET},    {"set", TRACE_PUT},    {"add", TRACE_PUT},
        {"cas", TRACE_PUT},    {"replace", TRACE_PUT}, {"incr", TRACE_PUT},   {"decr", TRACE_PUT},
        {"append", TRACE_PUT}, {"prepend", TRACE_PUT}, {"del", TRACE_DELETE}, {"delete", TRACE_DELETE},
    };
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
        if (!tern_str_eq(name, tern_str_of(verbs[i].name))) continue;
        *verb = verbs[i].verb;
        return 0;
    }
    return TERN_ERR_UNSUPPORTED;
}

int trace_parse_line(const char *line, size_t len, trace_op *op) {
    tern_str rest = {line, len}, time, ksize, vsize, client, verb, ttl;
    uint64_t number, key_bytes, value_bytes;
    if (rest.len && rest.data[rest.len - 1] == '\r') rest.len--;
    if (!cut_last(&rest, &ttl) || !cut_last(&rest, &verb) || !cut_last(&rest, &client) || !cut_last(&rest, &vsize) ||
        !cut_last(&rest, &ksize))
        return TERN_ERR_MALFORMED;
    const char *comma = rest.len ? memchr(rest.data, ',', rest.len) : NULL;
    if (!comma) return TERN_ERR_MALFORMED;
    time = (tern_str){rest.data, (size_t)(comma - rest.data)};
    op->key = (tern_str){comma + 1, rest.len - time.len - 1};
    if (op->key.len == 0 || op->key.len > TRACE_MAX_KEY_BYTES || !utf8_valid(op->key.data, op->key.len))
        return TERN_ERR_MALFORMED;
    if (!parse_time(time, &op->at_ns) || !parse_number(ksize, TRACE_MAX_KEY_BYTES, &key_bytes) ||
        !parse_number(vsize, TRACE_MAX_VALUE_BYTES, &value_bytes) || !parse_number(client, UINT64_MAX, &number) ||
        !parse_number(ttl, UINT64_MAX, &number))
        return TERN_ERR_MALFORMED;
    op->key_bytes = (uint32_t)key_bytes;
    op->value_bytes = (uint32_t)value_bytes;
    return parse_verb(verb, &op->verb);
}

/* One line without its newline into buf. Of a line that does not fit the length tells so; it is read to its end, or up
 * to one byte more than may be skipped. False at the end of the input. */
static bool read_line(FILE *in, char *buf, size_t cap, size_t *len) {
    int c = getc_unlocked(in);
    if (c == EOF) return false;
    size_t n = 0;
    for (; c != '\n' && c != EOF && n <= TRACE_MAX_SKIP_BYTES; c = getc_unlocked(in), n++)
        if (n < cap) buf[n] = (char)c;
    *len = n;
    return true;
}

/* Keep an op, with a key of our own, padded to the size that the trace says it had. */
static int add_op(trace *t, trace_op op, size_t *cap) {
    if (t->n_ops == *cap) {
        size_t more = *cap ? *cap * 2 : 1024;
        trace_op *ops = realloc(t->ops, more * sizeof *ops);
        if (!ops) return TERN_ERR_NOMEM;
        t->ops = ops;
        *cap = more;
    }
    size_t len = op.key.len > op.key_bytes ? op.key.len : op.key_bytes;
    char *key = tern_arena_alloc(&t->keys, len);
    if (!key) return TERN_ERR_NOMEM;
    memset(key, '.', len);
    memcpy(key, op.key.data, op.key.len);
    op.key = (tern_str){key, len};
    t->ops[t->n_ops++] = op;
    return 0;
}

/* Make the times start at 0 and grow, and spread what shares one. */
static void schedule(trace *t) {
    uint64_t start = t->n_ops ? t->ops[0].at_ns : 0, last = 0;
    for (size_t i = 0; i < t->n_ops; i++) {
        uint64_t at = t->ops[i].at_ns > start ? t->ops[i].at_ns - start : 0;
        last = t->ops[i].at_ns = at > last ? at : last;
    }
    for (size_t i = 0, end; i < t->n_ops; i = end) {
        uint64_t at = t->ops[i].at_ns;
        for (end = i + 1; end < t->n_ops && t->ops[end].at_ns == at;) end++;
        uint64_t span = end < t->n_ops && t->ops[end].at_ns - at < second ? t->ops[end].at_ns - at : second;
        for (size_t k = i; k < end; k++)
            t->ops[k].at_ns = at + (uint64_t)((double)span * (double)(k - i) / (double)(end - i));
    }
}

/* Take one line in. */
static int add_line(trace *t, const char *line, size_t len, size_t *cap) {
    trace_op op;
    if (len > TRACE_MAX_SKIP_BYTES) return TERN_ERR_LIMIT;
    if (len == 0) return 0;
    int err = len <= TRACE_MAX_LINE_BYTES ? trace_parse_line(line, len, &op) : TERN_ERR_MALFORMED;
    if (err == 0) return add_op(t, op, cap);
    *(err == TERN_ERR_UNSUPPORTED ? &t->n_unsupported : &t->n_malformed) += 1;
    return 0;
}

int trace_load(trace *t, FILE *in, size_t max_ops) {
    char line[TRACE_MAX_LINE_BYTES];
    size_t len, cap = 0, n_ops = 0, n_skipped = 0;
    *t = (trace){0};
    tern_arena_init(&t->keys, 1 << 16, 0);
    errno = 0;
    while (read_line(in, line, sizeof line, &len)) {
        if (t->n_ops == max_ops && len > 0) {
            t->cut = true;
            break;
        }
        int err = add_line(t, line, len, &cap);
        if (err) return err;
        n_skipped = t->n_ops == n_ops ? n_skipped + 1 : 0;
        if (n_skipped > TRACE_MAX_SKIP_LINES) return TERN_ERR_LIMIT;
        n_ops = t->n_ops;
    }
    if (ferror(in)) return TERN_ERR_IO;
    schedule(t);
    return 0;
}

void trace_fini(trace *t) {
    free(t->ops);
    tern_arena_fini(&t->keys);
    *t = (trace){0};
}
