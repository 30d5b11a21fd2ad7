/* Made by protoc-gen-tern from services.proto; changes here are lost. */
#ifndef SERVICES_TERN_H
#define SERVICES_TERN_H

#include "tern/codec.h"
#include "tern/rpc.h"
#include "imported.tern.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct test_svc_Ask test_svc_Ask;
TERN__LIST(test_svc_Ask_list, test_svc_Ask);
extern const tern_type test_svc_Ask_type;
typedef struct test_svc_Answer test_svc_Answer;
TERN__LIST(test_svc_Answer_list, test_svc_Answer);
extern const tern_type test_svc_Answer_type;

struct test_svc_Ask {
    uint32_t id;
    tern_unknown unknown;
};

struct test_svc_Answer {
    uint32_t id;
    tern_str text;
    tern_unknown unknown;
};

/* ---- test.svc.Ask */

static inline int64_t test_svc_Ask_size(const test_svc_Ask *msg) { return tern_protobuf_size(&test_svc_Ask_type, msg); }

static inline int64_t test_svc_Ask_encode(const test_svc_Ask *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_svc_Ask_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_svc_Ask_decode(const void *data, size_t len, tern_arena *arena, int mode, test_svc_Ask *msg) {
    return tern_protobuf_decode(&test_svc_Ask_type, data, len, arena, mode, NULL, msg);
}

static inline int test_svc_Ask_copy(const test_svc_Ask *src, tern_arena *arena, test_svc_Ask *dst) {
    return tern_message_copy(&test_svc_Ask_type, src, arena, dst);
}

static inline bool test_svc_Ask_equal(const test_svc_Ask *a, const test_svc_Ask *b) { return tern_message_equal(&test_svc_Ask_type, a, b); }

/* ---- test.svc.Answer */

static inline int64_t test_svc_Answer_size(const test_svc_Answer *msg) { return tern_protobuf_size(&test_svc_Answer_type, msg); }

static inline int64_t test_svc_Answer_encode(const test_svc_Answer *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&test_svc_Answer_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int test_svc_Answer_decode(const void *data, size_t len, tern_arena *arena, int mode, test_svc_Answer *msg) {
    return tern_protobuf_decode(&test_svc_Answer_type, data, len, arena, mode, NULL, msg);
}

static inline int test_svc_Answer_copy(const test_svc_Answer *src, tern_arena *arena, test_svc_Answer *dst) {
    return tern_message_copy(&test_svc_Answer_type, src, arena, dst);
}

static inline bool test_svc_Answer_equal(const test_svc_Answer *a, const test_svc_Answer *b) { return tern_message_equal(&test_svc_Answer_type, a, b); }

/* ---- service test.svc.Calls */

/* Answers. */
extern const tern_method test_svc_Calls_Get_method;

/* Ends a call of test.svc.Calls/Get: with status TERN_STATUS_OK there is a response, valid until this returns;
 * otherwise it is NULL. */
typedef void test_svc_Calls_Get_done(void *user, int status, const test_svc_Answer *response);

/* As tern_call_start(). */
int test_svc_Calls_Get(tern_session *session, const test_svc_Ask *request, const tern_call_opts *opts, test_svc_Calls_Get_done *done,
    void *user);

/* As tern_call_wait(): with TERN_STATUS_OK, give *response to tern_release(). */
static inline int test_svc_Calls_Get_wait(tern_session *session, const test_svc_Ask *request, const tern_call_opts *opts,
    const test_svc_Answer **response) {
    const void *message = NULL;
    int status = tern_call_wait(session, &test_svc_Calls_Get_method, request, opts, response ? &message : NULL);
    if (response) *response = (const test_svc_Answer *)message;
    return status;
}

/* Serves one request; ends with one test_svc_Calls_Get_reply() or tern_fail(), now or later. */
typedef void test_svc_Calls_Get_handler(tern_call call, const test_svc_Ask *request, void *user);

/* As tern_reply(). */
static inline int test_svc_Calls_Get_reply(tern_call call, const test_svc_Answer *response) { return tern_reply(call, response); }

extern const tern_method test_svc_Calls_Look_method;

/* Ends a call of test.svc.Calls/Look: with status TERN_STATUS_OK there is a response, valid until this returns;
 * otherwise it is NULL. */
typedef void test_svc_Calls_Look_done(void *user, int status, const test_other_Imported *response);

/* As tern_call_start(). */
int test_svc_Calls_Look(tern_session *session, const test_svc_Ask *request, const tern_call_opts *opts, test_svc_Calls_Look_done *done,
    void *user);

/* As tern_call_wait(): with TERN_STATUS_OK, give *response to tern_release(). */
static inline int test_svc_Calls_Look_wait(tern_session *session, const test_svc_Ask *request, const tern_call_opts *opts,
    const test_other_Imported **response) {
    const void *message = NULL;
    int status = tern_call_wait(session, &test_svc_Calls_Look_method, request, opts, response ? &message : NULL);
    if (response) *response = (const test_other_Imported *)message;
    return status;
}

/* Serves one request; ends with one test_svc_Calls_Look_reply() or tern_fail(), now or later. */
typedef void test_svc_Calls_Look_handler(tern_call call, const test_svc_Ask *request, void *user);

/* As tern_reply(). */
static inline int test_svc_Calls_Look_reply(tern_call call, const test_other_Imported *response) { return tern_reply(call, response); }

/* What can be called. */
extern const tern_service test_svc_Calls_service;

/* What serves each method; NULL leaves one unserved. */
typedef struct test_svc_Calls_handlers {
    test_svc_Calls_Get_handler *Get;
    test_svc_Calls_Look_handler *Look;
} test_svc_Calls_handlers;

/* Serve the methods that have a handler, as tern_serve(); ends at the first error. The handlers struct is
 * not needed any more afterwards. */
int test_svc_Calls_serve(tern_endpoint *ep, const test_svc_Calls_handlers *handlers, void *user);

/* The same on the threads of a pool of workers, as tern_serve_on(); streaming methods stay on the
 * endpoint's. */
int test_svc_Calls_serve_on(tern_endpoint *ep, const test_svc_Calls_handlers *handlers, void *user, tern_workers *pool);

/* ---- service test.svc.Idle */

extern const tern_service test_svc_Idle_service;

/* What serves each method; NULL leaves one unserved. */
typedef struct test_svc_Idle_handlers {
    uint8_t unused_;
} test_svc_Idle_handlers;

/* Serve the methods that have a handler, as tern_serve(); ends at the first error. The handlers struct is
 * not needed any more afterwards. */
int test_svc_Idle_serve(tern_endpoint *ep, const test_svc_Idle_handlers *handlers, void *user);

/* The same on the threads of a pool of workers, as tern_serve_on(); streaming methods stay on the
 * endpoint's. */
int test_svc_Idle_serve_on(tern_endpoint *ep, const test_svc_Idle_handlers *handlers, void *user, tern_workers *pool);

#ifdef __cplusplus
}
#endif
#endif
