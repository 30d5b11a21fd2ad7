/* A value in parts. Whatever fails ends its upload, so that a client that is refused need not clean up. */
#include "serve_upload.h"

#include <time.h>

static tern_time now(void) {
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (tern_time)ts.tv_sec * TERN_SEC + (tern_time)ts.tv_nsec;
}

static void fail(tern_call call, tern_status status, const char *message) {
    tern_fail_with(call, status, message, (tern_bytes){0}, NULL, 0);
}

static void refuse(tern_call call, int err) {
    if (err == TERN_ERR_INVALID)
        fail(call, TERN_STATUS_INVALID_ARGUMENT,
             "the key is empty or too long, or the value has no segment, too many of them, or too long a one");
    else
        fail(call, TERN_STATUS_RESOURCE_EXHAUSTED, "the store is full");
}

/* The upload that the request begins or goes on with. NULL: the call has ended. */
static upload *find_or_begin(upload_server *us, tern_call call, const kv_UploadRequest *request) {
    upload *up = uploads_find(&us->uploads, request->upload, now());
    if (up) return up;
    if (request->upload) {
        fail(call, TERN_STATUS_ABORTED,
             "the server has no such upload, or has given it up: it stood still for too long");
        return NULL;
    }
    if (us->uploads.n == UPLOADS_MAX) {
        fail(call, TERN_STATUS_RESOURCE_EXHAUSTED, "the server has as many unfinished uploads as it takes");
        return NULL;
    }
    int err = uploads_begin(&us->uploads, request->key, now(), &up);
    if (err) {
        refuse(call, err);
        return NULL;
    }
    if (us->uploads.n == 1) us->begun();
    return up;
}

void serve_upload(upload_server *us, tern_call call, const kv_UploadRequest *request) {
    upload *up = find_or_begin(us, call, request);
    if (!up) return;
    kv_UploadResponse response = {.id = request->id};
    int n = 0;
    if (request->end == kv_UploadEnd_UPLOAD_DISCARD) {
        uploads_discard(&us->uploads, up);
    } else {
        n = store_draft_add(us->uploads.store, up->draft, request->vals.data, request->vals.len);
        if (n >= 0 && request->end == kv_UploadEnd_UPLOAD_COMMIT) {
            n = uploads_commit(&us->uploads, up);
        } else if (n >= 0) {
            response.upload = up->number;
            response.lease_ms = (uint32_t)(us->uploads.lease / TERN_MS);
        }
        if (n < 0) {
            uploads_discard(&us->uploads, up);
            refuse(call, n);
            return;
        }
    }
    response.n_segments = (uint32_t)n;
    kv_Store_Upload_reply(call, &response);
}

bool serve_upload_expire(upload_server *us) {
    uploads_expire(&us->uploads, now());
    return us->uploads.n > 0;
}
