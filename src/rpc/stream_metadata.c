/* Metadata of streaming calls (stream_metadata.h). */
#include "rpc/stream_metadata.h"

#include <stdlib.h>
#include <string.h>

#include "engine/stream_meta.h"

/* What the server has added, in memory that goes with the record. */
struct tern__stream_trailing {
    tern_arena arena;
    tern__meta meta;
};

/* ---- What comes ----------------------------------------------------------------------------------- */

static tern_metadata block_view(const tern__stream_block *block) {
    return block ? (tern_metadata){block->data, block->bytes} : (tern_metadata){0};
}

int tern__stream_metadata_open(tern__stream_record *s, tern__stream *st, const char **text) {
    s->block = tern__stream_take_block(st);
    if (!s->block) return TERN_STATUS_OK;
    int err = tern__meta_check(block_view(s->block), s->ep->config.max_metadata_bytes);
    if (!err) return TERN_STATUS_OK;
    bool is_beyond = err == TERN_ERR_LIMIT;
    *text = is_beyond ? "the request's metadata is beyond the server's limit" : "the request's metadata is malformed";
    return is_beyond ? TERN_STATUS_RESOURCE_EXHAUSTED : TERN_STATUS_INVALID_ARGUMENT;
}

tern_metadata tern_stream_metadata(tern_stream stream) {
    tern__stream_record *s;
    bool has_request = !tern__stream_reach(stream, &s) && tern__stream_is_server(s);
    return block_view(has_request ? s->block : NULL);
}

void tern__stream_metadata_close(tern__stream_record *s, tern__stream *st) {
    s->answered = tern__stream_is_answered(st);
    if (s->answered) s->block = tern__stream_take_block(st);
}

bool tern__stream_result(const tern__stream_record *s, int *status, tern_result *result) {
    /* The server's engine may end a call whose deadline has passed before ours does, and has no words for that. */
    bool in_time = s->block || *status != TERN_STATUS_DEADLINE_EXCEEDED;
    if (!s->answered || *status != s->status || !in_time) { /* ended here, or not as the server said */
        *result = tern__result_here(s->ep, *status);
        if (s->why && *status == s->status) result->message = (tern_str){s->why, strlen(s->why)};
        return *status != TERN_STATUS_OK;
    }
    uint32_t n_bytes = s->block ? s->block->bytes : 0;
    tern__arrived msg = {.data = s->block ? s->block->data + n_bytes : NULL, .meta_bytes = n_bytes};
    int err = tern__result_read(s->ep, *status, &msg, result);
    if (err && *status == TERN_STATUS_OK)
        *status = err == TERN_ERR_LIMIT ? TERN_STATUS_RESOURCE_EXHAUSTED : TERN_STATUS_INTERNAL;
    result->status = (tern_status)*status;
    return *status != TERN_STATUS_OK || n_bytes;
}

/* ---- What goes ------------------------------------------------------------------------------------ */

static struct tern__stream_trailing *trailing_of(tern__stream_record *s) {
    if (s->trailing) return s->trailing;
    struct tern__stream_trailing *trailing = malloc(sizeof *trailing);
    if (!trailing) return NULL;
    *trailing = (struct tern__stream_trailing){.meta = {0}};
    tern_arena_init_private(&trailing->arena, 0, 0);
    s->trailing = trailing;
    return trailing;
}

int tern_stream_add_trailing(tern_stream stream, const char *key, tern_bytes value) {
    tern__stream_record *s;
    int err = tern__stream_reach(stream, &s);
    if (err) return err;
    if (!tern__stream_is_server(s)) return TERN_ERR_STATE;
    struct tern__stream_trailing *trailing = trailing_of(s);
    if (!trailing) return TERN_ERR_NOMEM;
    return tern__meta_add(&trailing->meta, &trailing->arena, s->ep->config.max_metadata_bytes,
                          &(tern_pair){key, value});
}

int tern__stream_metadata_end(tern_endpoint *ep, tern__stream_record *s, tern__stream *st, int status,
                              const tern__meta_error *error, bool at_once, tern_time now) {
    const tern__meta *trailing = s && s->trailing ? &s->trailing->meta : NULL;
    tern_arena arena;
    tern__meta meta = {0};
    int err = 0;
    tern_arena_init_private(&arena, 0, 0);
    if (error) {
        tern__meta_error whole = *error;
        whole.before = trailing;
        err = tern__meta_make_error(&meta, &arena, ep->config.max_metadata_bytes, &whole);
    } else if (trailing)
        meta = *trailing;
    int sent = tern__stream_finish_with(st, status, (tern_bytes){meta.block, meta.n_bytes}, at_once, now);
    tern_arena_fini(&arena);
    return err ? err : sent;
}

void tern__stream_metadata_fini(tern__stream_record *s) {
    tern__stream_block_free(s->ep->engine, s->block);
    s->block = NULL;
    s->answered = false;
    if (!s->trailing) return;
    tern_arena_fini(&s->trailing->arena);
    free(s->trailing);
    s->trailing = NULL;
}
