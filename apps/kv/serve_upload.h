/* kv serve: the method Upload. Its user is the server. */
#ifndef KV_SERVE_UPLOAD_H
#define KV_SERVE_UPLOAD_H

#include "kv.tern.h"
#include "uploads.h"

/* Some upload has begun: whoever drives the endpoint is to call serve_upload_expire() until it returns false, once a
 * second. */
typedef void uploads_begun_fn(void);

typedef struct upload_server {
    uploads uploads;
    uploads_begun_fn *begun;
} upload_server;

/* What the handler does with a request; `us` is the server's. */
void serve_upload(upload_server *us, tern_call call, const kv_UploadRequest *request);

/* Discard what nobody has gone on with. False: there are no uploads. */
bool serve_upload_expire(upload_server *us);

#endif
