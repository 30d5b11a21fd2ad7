/* kv serve: the streaming methods. Their user is the server. */
#ifndef KV_SERVE_STREAM_H
#define KV_SERVE_STREAM_H

#include "kv.tern.h"
#include "serve_upload.h"
#include "store.h"

typedef struct server {
    store *store;
    tern_endpoint *ep;
    upload_server uploads;
} server;

kv_Store_Scan_handler serve_scan;
kv_Store_Import_handler serve_import;

#endif
