/* Scan and Import. A scan keeps its place as a key and a segment, and looks it up again each time there is room to
 * send: so it needs no memory for what it has not sent, and the store may change meanwhile. An import collects a value
 * in a draft, and commits that when the next value begins or the stream is finished. */
#include "serve_stream.h"

#include <stdlib.h>

enum { ENTRY_BYTES = 1 << 20 }; /* of segments in one message, or a single one */

/* ---- Scan ----------------------------------------------------------------------------------------- */

typedef struct scan {
    store *store;
    uint64_t left;    /* keys still to be sent */
    uint64_t version; /* of the value that is being sent */
    uint32_t segment; /* the next one of it; 0: the next key is due */
    bool values;
    char *at, *prefix; /* the last key, sent whole or in part; bytes */
    size_t at_len, at_cap, prefix_len;
} scan;

static void scan_free(scan *s) {
    free(s->at);
    free(s->prefix);
    free(s);
}

static bool remember(scan *s, tern_str key) {
    if (key.len > s->at_cap) {
        char *more = realloc(s->at, key.len);
        if (!more) return false;
        s->at = more;
        s->at_cap = key.len;
    }
    if (key.len) memcpy(s->at, key.data, key.len);
    s->at_len = key.len;
    return true;
}

static scan *scan_new(store *st, const kv_ScanRequest *request) {
    scan *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->store = st;
    s->values = request->values;
    s->left = request->limit ? request->limit : UINT64_MAX;
    s->prefix = malloc(request->prefix.len + 1);
    s->prefix_len = request->prefix.len;
    if (s->prefix && remember(s, request->after)) {
        if (s->prefix_len) memcpy(s->prefix, request->prefix.data, s->prefix_len);
        return s;
    }
    scan_free(s);
    return NULL;
}

static bool begins(const scan *s, tern_str key) {
    return key.len >= s->prefix_len && (!s->prefix_len || memcmp(key.data, s->prefix, s->prefix_len) == 0);
}

/* The entry that is due. False: there are no more. */
static bool find_next(scan *s, tern_str *key, store_value *value) {
    tern_str at = {s->at, s->at_len}, prefix = {s->prefix, s->prefix_len};
    if (s->segment && store_seek(s->store, at, false, key, value) && tern_str_eq(*key, at)) {
        if (value->version != s->version) s->segment = 0; /* from its start again */
        return true;
    }
    s->segment = 0;
    if (!s->left) return false;
    size_t n = at.len < prefix.len ? at.len : prefix.len;
    bool before =
        n == 0 ? at.len < prefix.len
               : memcmp(at.data, prefix.data, n) < 0 || (at.len < prefix.len && memcmp(at.data, prefix.data, n) == 0);
    return store_seek(s->store, before ? prefix : at, !before, key, value) && begins(s, *key);
}

/* The segments of an entry stay where they are: the message borrows the store's own array. */
static kv_ScanEntry make_entry(const scan *s, tern_str key, const store_value *value) {
    kv_ScanEntry e = {.key = key,
                      .version = value->version,
                      .n_segments = value->n_segments,
                      .value_bytes = value->n_bytes,
                      .first = s->segment};
    if (!s->values) return e;
    e.vals.data = value->segments + s->segment;
    e.vals.len = store_some(value, s->segment, ENTRY_BYTES);
    return e;
}

/* Send until there is no more, or no room. */
static void scan_send(tern_stream stream, void *user) {
    scan *s = user;
    tern_str key;
    store_value value;
    int err = 0;
    while (!err && find_next(s, &key, &value)) {
        kv_ScanEntry e = make_entry(s, key, &value);
        bool fresh = s->segment == 0;
        err = kv_Store_Scan_write_response(stream, &e);
        if (err == TERN_ERR_FULL || err == TERN_ERR_CLOSED) return; /* until on_writable; on_end will come */
        if (err) break;
        uint32_t done = s->values ? s->segment + (uint32_t)e.vals.len : value.n_segments;
        s->segment = done < value.n_segments ? done : 0;
        s->version = value.version;
        if (!s->segment) s->left--;
        if (fresh && !remember(s, key)) err = TERN_ERR_NOMEM;
    }
    scan_free(s);
    if (err)
        tern_stream_fail(stream, TERN_STATUS_RESOURCE_EXHAUSTED);
    else
        tern_stream_end(stream, TERN_STATUS_OK);
}

static void scan_ended(tern_stream stream, int status, void *user) {
    (void)stream, (void)status;
    scan_free(user);
}

void serve_scan(tern_stream stream, const kv_ScanRequest *request, void *user) {
    static const kv_Store_Scan_server_events events = {.on_writable = scan_send, .on_end = scan_ended};
    server *srv = user;
    if (request->after.len > STORE_MAX_KEY_BYTES || request->prefix.len > STORE_MAX_KEY_BYTES) {
        tern_stream_fail_with(stream, TERN_STATUS_INVALID_ARGUMENT, "no key is as long as that", (tern_bytes){0}, NULL,
                              0);
        return;
    }
    scan *s = scan_new(srv->store, request);
    if (!s || kv_Store_Scan_accept(stream, NULL, &events, s)) {
        if (s) scan_free(s);
        tern_stream_fail(stream, TERN_STATUS_RESOURCE_EXHAUSTED);
        return;
    }
    scan_send(stream, s);
}

/* ---- Import --------------------------------------------------------------------------------------- */

typedef struct import {
    store *store;
    store_draft *draft; /* the value that is coming, or NULL */
    uint64_t n_entries, value_bytes;
} import;

static void import_free(import *i) {
    store_draft_discard(i->store, i->draft);
    free(i);
}

static void import_fail(tern_stream stream, import *i, int err) {
    bool is_bad = err == TERN_ERR_INVALID;
    import_free(i);
    tern_stream_fail_with(stream, is_bad ? TERN_STATUS_INVALID_ARGUMENT : TERN_STATUS_RESOURCE_EXHAUSTED,
                          is_bad ? "an entry of the dump is none that a store can have"
                                 : "the store has no memory for the next entry of the dump",
                          (tern_bytes){0}, NULL, 0);
}

/* The value that was coming is whole. Returns an error, or nothing negative. */
static int import_commit(import *i) {
    int n = i->draft ? store_draft_commit(i->store, i->draft) : 0;
    if (n >= 0) i->draft = NULL;
    return n;
}

/* Begin a value. One that begins again, as it changed while it was dumped, was never whole. */
static int import_begin(import *i, tern_str key) {
    if (i->draft && tern_str_eq(store_draft_key(i->draft), key)) {
        store_draft_discard(i->store, i->draft);
        i->draft = NULL;
    }
    int err = import_commit(i);
    return err < 0 ? err : store_draft_new(i->store, key, &i->draft);
}

/* More of the value that is coming, or of one that the store has. */
static int import_append(import *i, const kv_ImportEntry *entry) {
    if (i->draft && tern_str_eq(store_draft_key(i->draft), entry->key))
        return store_draft_add(i->store, i->draft, entry->vals.data, entry->vals.len);
    int err = import_commit(i);
    return err < 0 ? err : store_put(i->store, entry->key, entry->vals.data, entry->vals.len, true);
}

static int import_replace(import *i, const kv_ImportEntry *entry) {
    int err = entry->vals.len ? import_begin(i, entry->key) : TERN_ERR_INVALID;
    return err ? err : store_draft_add(i->store, i->draft, entry->vals.data, entry->vals.len);
}

static void import_one(tern_stream stream, const kv_ImportEntry *entry, void *user) {
    import *i = user;
    if (entry->is_cut) {
        store_draft_discard(i->store, i->draft);
        i->draft = NULL;
        return;
    }
    int n = entry->append ? import_append(i, entry) : import_replace(i, entry);
    if (n < 0) {
        import_fail(stream, i, n);
        return;
    }
    i->n_entries++;
    for (size_t k = 0; k < entry->vals.len; k++) i->value_bytes += entry->vals.data[k].len;
}

static void import_done(tern_stream stream, void *user) {
    import *i = user;
    int n = import_commit(i);
    if (n < 0) {
        import_fail(stream, i, n);
        return;
    }
    kv_ImportResponse response = {.n_entries = i->n_entries, .value_bytes = i->value_bytes};
    free(i);
    kv_Store_Import_reply(stream, &response);
}

static void import_ended(tern_stream stream, int status, void *user) {
    (void)stream, (void)status;
    import_free(user);
}

void serve_import(tern_stream stream, void *user) {
    static const kv_Store_Import_server_events events = {
        .on_message = import_one, .on_finished = import_done, .on_end = import_ended};
    server *srv = user;
    import *i = calloc(1, sizeof *i);
    if (i) i->store = srv->store;
    if (i && !kv_Store_Import_accept(stream, NULL, &events, i)) return;
    free(i);
    tern_stream_fail(stream, TERN_STATUS_RESOURCE_EXHAUSTED);
}
