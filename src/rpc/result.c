/* Results of calls (result.h). */
#include "rpc/result.h"

#include <string.h>

/* A handler may end a call with any status, and then the server's own message says why; these are of calls that ended
 * here, for a reason that is always the same. */
static const char *text_here(int status) {
    switch (status) {
    case TERN_STATUS_CANCELLED: return "the caller cancelled the call";
    case TERN_STATUS_DEADLINE_EXCEEDED: return "the deadline passed before the response came";
    case TERN_STATUS_PERMISSION_DENIED: return "the server may not be connected to";
    case TERN_STATUS_RESOURCE_EXHAUSTED: return "the response, or the server's sessions, are beyond a limit";
    case TERN_STATUS_FAILED_PRECONDITION:
        return "the types of the method conflict with the server's; the log says where";
    case TERN_STATUS_INTERNAL: return "the response does not decode as a message of the method";
    case TERN_STATUS_UNIMPLEMENTED:
        return "the server takes no such calls, or its answer is in no format that is known here";
    case TERN_STATUS_UNAVAILABLE: return "the peer cannot be reached or has died";
    default: return "";
    }
}

/* Of calls that the server ended by a status alone, before any handler. */
static const char *text_of_not_begun(int status) {
    switch (status) {
    case TERN_STATUS_UNIMPLEMENTED: return "the server knows no such method, or not the format of the request";
    case TERN_STATUS_INVALID_ARGUMENT: return "the server cannot read the request";
    case TERN_STATUS_RESOURCE_EXHAUSTED: /* TERN__STILL (engine/progress.h) is those 5 s */
        return "the request is beyond a limit of the server, or its memory, or nothing more of it came for 5 s";
    case TERN_STATUS_DEADLINE_EXCEEDED: return "the deadline passed before the server began the call";
    case TERN_STATUS_UNAVAILABLE: return "the server goes away, and has not begun the call";
    default: return "";
    }
}

/* Of calls that have run, and that end with DATA_LOSS alone: a server that keeps no response can say nothing more. */
static const char text_lost[] =
    "the call has run; the server gave its response up before it was fetched, or its handler chose this status";

static tern_str str_of(const char *text) { return (tern_str){text, strlen(text)}; }

int tern_call_has_not_run(const tern_endpoint *ep) {
    if (!tern__endpoint_is_mine(ep)) return tern__endpoint_not_mine(ep);
    return ep->telling_ended ? ep->told_not_run : tern__engine_has_not_run(ep->engine);
}

static const char text_not_admitted[] = "the server admits no more calls now";

const char *tern__result_loss(const tern_endpoint *ep, int status) {
    if (!ep->telling_ended) return tern__engine_told_loss(ep->engine);
    return ep->freeing && status != TERN_STATUS_UNAVAILABLE ? NULL : ep->told_loss;
}

tern_result tern__result_here(const tern_endpoint *ep, int status) {
    tern_dur retry = ep->telling_ended ? ep->told_retry : tern__engine_told_retry(ep->engine);
    const char *loss = tern__result_loss(ep, status);
    return (tern_result){.status = (tern_status)status,
                         .message = str_of(retry  ? text_not_admitted
                                           : loss ? loss
                                                  : text_here(status)),
                         .retry_after = retry,
                         .has_not_run = tern_call_has_not_run(ep) == 1};
}

tern__telling tern__tell_unsent_begin(tern_endpoint *ep) {
    tern__telling outer = {ep->telling_ended, ep->told_not_run};
    if (!outer.ended) {
        ep->told_retry = tern__engine_told_retry(ep->engine);
        ep->told_loss = tern__engine_told_loss(ep->engine);
    }
    ep->telling_ended = ep->told_not_run = true;
    return outer;
}

void tern__tell_unsent_end(tern_endpoint *ep, tern__telling outer) {
    ep->telling_ended = outer.ended;
    ep->told_not_run = outer.not_run;
}

int tern__result_read(const tern_endpoint *ep, int status, const tern__arrived *msg, tern_result *out) {
    tern_metadata block = {tern__arrived_begin(msg), msg->meta_bytes};
    *out = (tern_result){.status = (tern_status)status,
                         .retry_after = tern__engine_told_retry(ep->engine),
                         .has_not_run = status != TERN_STATUS_OK && tern_call_has_not_run(ep) == 1};
    if (out->retry_after)
        out->message = str_of(text_not_admitted);
    else if (out->has_not_run)
        out->message = str_of(text_of_not_begun(status));
    else if (status == TERN_STATUS_DATA_LOSS)
        out->message = str_of(text_lost);
    if (!msg->meta_bytes) return 0;
    int err = tern__meta_check(block, ep->config.max_metadata_bytes);
    if (err) {
        out->message = str_of(err == TERN_ERR_LIMIT ? "the metadata of the server's answer is beyond the limit"
                                                    : "the metadata of the server's answer is malformed");
        return err;
    }
    tern_bytes message = tern__meta_find_kind(block, TERN__META_MESSAGE);
    out->message = (tern_str){message.data, message.len};
    out->details = tern__meta_find_kind(block, TERN__META_DETAILS);
    out->metadata = block;
    return 0;
}

const tern_result *tern__result_keep(const tern_endpoint *ep) {
    const tern_result *r = ep->result;
    if (!r) return NULL;
    /* Details and a server's message are part of the block; a message of our own is static text. */
    bool in_block = r->metadata.n_bytes > 0;
    tern_result *kept = tern_alloc_private(sizeof *kept + r->metadata.n_bytes);
    if (!kept) return NULL;
    *kept = *r;
    if (!in_block) return kept;
    uint8_t *copy = (uint8_t *)(kept + 1);
    memcpy(copy, r->metadata.block, r->metadata.n_bytes);
    kept->metadata.block = copy;
    tern_bytes message = tern__meta_find_kind(kept->metadata, TERN__META_MESSAGE);
    kept->message = (tern_str){message.data, message.len};
    kept->details = tern__meta_find_kind(kept->metadata, TERN__META_DETAILS);
    return kept;
}

const tern_result *tern_call_result(const tern_endpoint *ep) { return tern__endpoint_is_mine(ep) ? ep->result : NULL; }

tern_status tern_result_status(const tern_result *result) { return result ? result->status : TERN_STATUS_OK; }
tern_str tern_result_message(const tern_result *result) { return result ? result->message : (tern_str){0}; }
tern_bytes tern_result_details(const tern_result *result) { return result ? result->details : (tern_bytes){0}; }
tern_metadata tern_result_metadata(const tern_result *result) { return result ? result->metadata : (tern_metadata){0}; }

tern_dur tern_result_retry_after(const tern_result *result) { return result ? result->retry_after : 0; }

bool tern_result_has_not_run(const tern_result *result) { return result && result->has_not_run; }

void tern_result_free(const tern_result *result) { tern_unref(result); }
