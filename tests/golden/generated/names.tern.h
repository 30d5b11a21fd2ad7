/* Made by protoc-gen-tern from names.proto; changes here are lost. */
#ifndef NAMES_TERN_H
#define NAMES_TERN_H

#include "tern/call_stream.h"
#include "tern/codec.h"
#include "tern/rpc.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum Shape {
    Shape_NULL = 0,
    Shape_EOF = 1,
} Shape;
extern const tern_enum Shape_enum;

typedef enum Foo_size_ {
    Foo_size__ZERO = 0,
} Foo_size_;
extern const tern_enum Foo_size__enum;

typedef struct int_ int_;
TERN__LIST(int__list, int_);
extern const tern_type int__type;
typedef struct log_ log_;
TERN__LIST(log__list, log_);
extern const tern_type log__type;
typedef struct has_has has_has;
TERN__LIST(has_has_list, has_has);
extern const tern_type has_has_type;
typedef struct my_type my_type;
TERN__LIST(my_type_list, my_type);
extern const tern_type my_type_type;
typedef struct Keyword Keyword;
TERN__LIST(Keyword_list, Keyword);
extern const tern_type Keyword_type;
typedef struct Foo Foo;
TERN__LIST(Foo_list, Foo);
extern const tern_type Foo_type;
typedef struct Foo_list_ Foo_list_;
TERN__LIST(Foo_list__list, Foo_list_);
extern const tern_type Foo_list__type;
typedef struct Foo_type_ Foo_type_;
TERN__LIST(Foo_type__list, Foo_type_);
extern const tern_type Foo_type__type;
typedef struct Foo_set_x_ Foo_set_x_;
TERN__LIST(Foo_set_x__list, Foo_set_x_);
extern const tern_type Foo_set_x__type;
typedef struct Foo_decode_ Foo_decode_;
TERN__LIST(Foo_decode__list, Foo_decode_);
extern const tern_type Foo_decode__type;
typedef struct Foo_Baz Foo_Baz;
TERN__LIST(Foo_Baz_list, Foo_Baz);
extern const tern_type Foo_Baz_type;
typedef struct Foo_Baz_Qux Foo_Baz_Qux;
TERN__LIST(Foo_Baz_Qux_list, Foo_Baz_Qux);
extern const tern_type Foo_Baz_Qux_type;
typedef struct on_message on_message;
TERN__LIST(on_message_list, on_message);
extern const tern_type on_message_type;

struct int_ {
    uint32_t register_;
    tern_unknown unknown;
};

struct log_ {
    uint32_t exp;
    tern_unknown unknown;
};

struct has_has {
    struct {
        uint32_t has_ : 1;
    } has;
    uint32_t has_;
    uint32_t unused_;
    tern_unknown unknown;
};

struct my_type {
    my_type *my_type_;
    my_type_list my_type_list_;
    tern_unknown unknown;
};

struct Keyword {
    struct {
        uint32_t class_ : 1;
        uint32_t template_ : 1;
        uint32_t linux_ : 1;
    } has;
    int32_t class_;
    int32_t template_;
    int_ *int__;
    log__list new_;
    tern_str linux_;
    bool bool_;
    float errno_;
    uint32_t tern_str_;
    uint32_t size_t_;
    uint32_t operator_;
    uint32_t this_;
    tern_bytes NULL_;
    tern_unknown unknown;
};

struct Foo {
    struct {
        uint32_t x : 1;
    } has;
    uint32_t x;
    Foo_list_ *list_;
    Foo_type_ *a_type;
    Foo_set_x_ *a_set_x;
    tern_unknown unknown;
};

struct Foo_list_ {
    uint32_t a;
    tern_unknown unknown;
};

struct Foo_type_ {
    uint32_t a;
    tern_unknown unknown;
};

struct Foo_set_x_ {
    uint32_t a;
    tern_unknown unknown;
};

struct Foo_decode_ {
    uint32_t a;
    tern_unknown unknown;
};

struct Foo_Baz {
    tern_unknown unknown;
};

struct Foo_Baz_Qux {
    tern_unknown unknown;
};

struct on_message {
    on_message *on_message_;
    tern_unknown unknown;
};

/* ---- int */

static inline int64_t int__size(const int_ *msg) { return tern_protobuf_size(&int__type, msg); }

static inline int64_t int__encode(const int_ *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&int__type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int int__decode(const void *data, size_t len, tern_arena *arena, int mode, int_ *msg) {
    return tern_protobuf_decode(&int__type, data, len, arena, mode, NULL, msg);
}

static inline int int__copy(const int_ *src, tern_arena *arena, int_ *dst) {
    return tern_message_copy(&int__type, src, arena, dst);
}

static inline bool int__equal(const int_ *a, const int_ *b) { return tern_message_equal(&int__type, a, b); }

/* ---- log */

static inline int64_t log__size(const log_ *msg) { return tern_protobuf_size(&log__type, msg); }

static inline int64_t log__encode(const log_ *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&log__type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int log__decode(const void *data, size_t len, tern_arena *arena, int mode, log_ *msg) {
    return tern_protobuf_decode(&log__type, data, len, arena, mode, NULL, msg);
}

static inline int log__copy(const log_ *src, tern_arena *arena, log_ *dst) {
    return tern_message_copy(&log__type, src, arena, dst);
}

static inline bool log__equal(const log_ *a, const log_ *b) { return tern_message_equal(&log__type, a, b); }

/* ---- has_has */

static inline int64_t has_has_size(const has_has *msg) { return tern_protobuf_size(&has_has_type, msg); }

static inline int64_t has_has_encode(const has_has *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&has_has_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int has_has_decode(const void *data, size_t len, tern_arena *arena, int mode, has_has *msg) {
    return tern_protobuf_decode(&has_has_type, data, len, arena, mode, NULL, msg);
}

static inline int has_has_copy(const has_has *src, tern_arena *arena, has_has *dst) {
    return tern_message_copy(&has_has_type, src, arena, dst);
}

static inline bool has_has_equal(const has_has *a, const has_has *b) { return tern_message_equal(&has_has_type, a, b); }

static inline bool has_has_has_has(const has_has *msg) { return msg->has.has_; }

static inline void has_has_set_has(has_has *msg, uint32_t value) {
    msg->has_ = value;
    msg->has.has_ = 1;
}

static inline void has_has_clear_has(has_has *msg) {
    msg->has_ = 0;
    msg->has.has_ = 0;
}

/* ---- my_type */

static inline int64_t my_type_size(const my_type *msg) { return tern_protobuf_size(&my_type_type, msg); }

static inline int64_t my_type_encode(const my_type *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&my_type_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int my_type_decode(const void *data, size_t len, tern_arena *arena, int mode, my_type *msg) {
    return tern_protobuf_decode(&my_type_type, data, len, arena, mode, NULL, msg);
}

static inline int my_type_copy(const my_type *src, tern_arena *arena, my_type *dst) {
    return tern_message_copy(&my_type_type, src, arena, dst);
}

static inline bool my_type_equal(const my_type *a, const my_type *b) { return tern_message_equal(&my_type_type, a, b); }

static inline my_type *my_type_make_my_type(my_type *msg, tern_arena *arena) {
    return msg->my_type_ = (my_type *)tern_arena_zalloc(arena, sizeof *msg->my_type_);
}

static inline bool my_type_has_my_type(const my_type *msg) { return msg->my_type_ != NULL; }

static inline void my_type_clear_my_type(my_type *msg) { msg->my_type_ = NULL; }

static inline int my_type_reserve_my_type_list(my_type *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->my_type_list_, n, sizeof *msg->my_type_list_.data, arena);
}

static inline my_type *my_type_add_my_type_list(my_type *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->my_type_list_, msg->my_type_list_.len + 1, sizeof *msg->my_type_list_.data, arena)) return NULL;
    return &msg->my_type_list_.data[msg->my_type_list_.len++];
}

/* ---- Keyword */

static inline int64_t Keyword_size(const Keyword *msg) { return tern_protobuf_size(&Keyword_type, msg); }

static inline int64_t Keyword_encode(const Keyword *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&Keyword_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int Keyword_decode(const void *data, size_t len, tern_arena *arena, int mode, Keyword *msg) {
    return tern_protobuf_decode(&Keyword_type, data, len, arena, mode, NULL, msg);
}

static inline int Keyword_copy(const Keyword *src, tern_arena *arena, Keyword *dst) {
    return tern_message_copy(&Keyword_type, src, arena, dst);
}

static inline bool Keyword_equal(const Keyword *a, const Keyword *b) { return tern_message_equal(&Keyword_type, a, b); }

static inline bool Keyword_has_class(const Keyword *msg) { return msg->has.class_; }

static inline void Keyword_set_class(Keyword *msg, int32_t value) {
    msg->class_ = value;
    msg->has.class_ = 1;
}

static inline void Keyword_clear_class(Keyword *msg) {
    msg->class_ = 0;
    msg->has.class_ = 0;
}

static inline bool Keyword_has_template(const Keyword *msg) { return msg->has.template_; }

static inline void Keyword_set_template(Keyword *msg, int32_t value) {
    msg->template_ = value;
    msg->has.template_ = 1;
}

static inline void Keyword_clear_template(Keyword *msg) {
    msg->template_ = 0;
    msg->has.template_ = 0;
}

static inline int_ *Keyword_make_int(Keyword *msg, tern_arena *arena) {
    return msg->int__ = (int_ *)tern_arena_zalloc(arena, sizeof *msg->int__);
}

static inline bool Keyword_has_int(const Keyword *msg) { return msg->int__ != NULL; }

static inline void Keyword_clear_int(Keyword *msg) { msg->int__ = NULL; }

static inline int Keyword_reserve_new(Keyword *msg, size_t n, tern_arena *arena) {
    return tern_list_reserve(&msg->new_, n, sizeof *msg->new_.data, arena);
}

static inline log_ *Keyword_add_new(Keyword *msg, tern_arena *arena) {
    if (tern_list_reserve(&msg->new_, msg->new_.len + 1, sizeof *msg->new_.data, arena)) return NULL;
    return &msg->new_.data[msg->new_.len++];
}

static inline bool Keyword_has_linux(const Keyword *msg) { return msg->has.linux_; }

static inline void Keyword_set_linux(Keyword *msg, tern_str value) {
    msg->linux_ = value;
    msg->has.linux_ = 1;
}

static inline void Keyword_clear_linux(Keyword *msg) {
    msg->linux_.data = NULL;
    msg->linux_.len = 0;
    msg->has.linux_ = 0;
}

/* ---- Foo */

static inline int64_t Foo_size(const Foo *msg) { return tern_protobuf_size(&Foo_type, msg); }

static inline int64_t Foo_encode(const Foo *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&Foo_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int Foo_decode(const void *data, size_t len, tern_arena *arena, int mode, Foo *msg) {
    return tern_protobuf_decode(&Foo_type, data, len, arena, mode, NULL, msg);
}

static inline int Foo_copy(const Foo *src, tern_arena *arena, Foo *dst) {
    return tern_message_copy(&Foo_type, src, arena, dst);
}

static inline bool Foo_equal(const Foo *a, const Foo *b) { return tern_message_equal(&Foo_type, a, b); }

static inline bool Foo_has_x(const Foo *msg) { return msg->has.x; }

static inline void Foo_set_x(Foo *msg, uint32_t value) {
    msg->x = value;
    msg->has.x = 1;
}

static inline void Foo_clear_x(Foo *msg) {
    msg->x = 0;
    msg->has.x = 0;
}

static inline Foo_list_ *Foo_make_list_(Foo *msg, tern_arena *arena) {
    return msg->list_ = (Foo_list_ *)tern_arena_zalloc(arena, sizeof *msg->list_);
}

static inline bool Foo_has_list_(const Foo *msg) { return msg->list_ != NULL; }

static inline void Foo_clear_list_(Foo *msg) { msg->list_ = NULL; }

static inline Foo_type_ *Foo_make_a_type(Foo *msg, tern_arena *arena) {
    return msg->a_type = (Foo_type_ *)tern_arena_zalloc(arena, sizeof *msg->a_type);
}

static inline bool Foo_has_a_type(const Foo *msg) { return msg->a_type != NULL; }

static inline void Foo_clear_a_type(Foo *msg) { msg->a_type = NULL; }

static inline Foo_set_x_ *Foo_make_a_set_x(Foo *msg, tern_arena *arena) {
    return msg->a_set_x = (Foo_set_x_ *)tern_arena_zalloc(arena, sizeof *msg->a_set_x);
}

static inline bool Foo_has_a_set_x(const Foo *msg) { return msg->a_set_x != NULL; }

static inline void Foo_clear_a_set_x(Foo *msg) { msg->a_set_x = NULL; }

/* ---- Foo.list */

static inline int64_t Foo_list__size(const Foo_list_ *msg) { return tern_protobuf_size(&Foo_list__type, msg); }

static inline int64_t Foo_list__encode(const Foo_list_ *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&Foo_list__type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int Foo_list__decode(const void *data, size_t len, tern_arena *arena, int mode, Foo_list_ *msg) {
    return tern_protobuf_decode(&Foo_list__type, data, len, arena, mode, NULL, msg);
}

static inline int Foo_list__copy(const Foo_list_ *src, tern_arena *arena, Foo_list_ *dst) {
    return tern_message_copy(&Foo_list__type, src, arena, dst);
}

static inline bool Foo_list__equal(const Foo_list_ *a, const Foo_list_ *b) { return tern_message_equal(&Foo_list__type, a, b); }

/* ---- Foo.type */

static inline int64_t Foo_type__size(const Foo_type_ *msg) { return tern_protobuf_size(&Foo_type__type, msg); }

static inline int64_t Foo_type__encode(const Foo_type_ *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&Foo_type__type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int Foo_type__decode(const void *data, size_t len, tern_arena *arena, int mode, Foo_type_ *msg) {
    return tern_protobuf_decode(&Foo_type__type, data, len, arena, mode, NULL, msg);
}

static inline int Foo_type__copy(const Foo_type_ *src, tern_arena *arena, Foo_type_ *dst) {
    return tern_message_copy(&Foo_type__type, src, arena, dst);
}

static inline bool Foo_type__equal(const Foo_type_ *a, const Foo_type_ *b) { return tern_message_equal(&Foo_type__type, a, b); }

/* ---- Foo.set_x */

static inline int64_t Foo_set_x__size(const Foo_set_x_ *msg) { return tern_protobuf_size(&Foo_set_x__type, msg); }

static inline int64_t Foo_set_x__encode(const Foo_set_x_ *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&Foo_set_x__type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int Foo_set_x__decode(const void *data, size_t len, tern_arena *arena, int mode, Foo_set_x_ *msg) {
    return tern_protobuf_decode(&Foo_set_x__type, data, len, arena, mode, NULL, msg);
}

static inline int Foo_set_x__copy(const Foo_set_x_ *src, tern_arena *arena, Foo_set_x_ *dst) {
    return tern_message_copy(&Foo_set_x__type, src, arena, dst);
}

static inline bool Foo_set_x__equal(const Foo_set_x_ *a, const Foo_set_x_ *b) { return tern_message_equal(&Foo_set_x__type, a, b); }

/* ---- Foo.decode */

static inline int64_t Foo_decode__size(const Foo_decode_ *msg) { return tern_protobuf_size(&Foo_decode__type, msg); }

static inline int64_t Foo_decode__encode(const Foo_decode_ *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&Foo_decode__type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int Foo_decode__decode(const void *data, size_t len, tern_arena *arena, int mode, Foo_decode_ *msg) {
    return tern_protobuf_decode(&Foo_decode__type, data, len, arena, mode, NULL, msg);
}

static inline int Foo_decode__copy(const Foo_decode_ *src, tern_arena *arena, Foo_decode_ *dst) {
    return tern_message_copy(&Foo_decode__type, src, arena, dst);
}

static inline bool Foo_decode__equal(const Foo_decode_ *a, const Foo_decode_ *b) { return tern_message_equal(&Foo_decode__type, a, b); }

/* ---- Foo_Baz */

static inline int64_t Foo_Baz_size(const Foo_Baz *msg) { return tern_protobuf_size(&Foo_Baz_type, msg); }

static inline int64_t Foo_Baz_encode(const Foo_Baz *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&Foo_Baz_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int Foo_Baz_decode(const void *data, size_t len, tern_arena *arena, int mode, Foo_Baz *msg) {
    return tern_protobuf_decode(&Foo_Baz_type, data, len, arena, mode, NULL, msg);
}

static inline int Foo_Baz_copy(const Foo_Baz *src, tern_arena *arena, Foo_Baz *dst) {
    return tern_message_copy(&Foo_Baz_type, src, arena, dst);
}

static inline bool Foo_Baz_equal(const Foo_Baz *a, const Foo_Baz *b) { return tern_message_equal(&Foo_Baz_type, a, b); }

/* ---- Foo_Baz.Qux */

static inline int64_t Foo_Baz_Qux_size(const Foo_Baz_Qux *msg) { return tern_protobuf_size(&Foo_Baz_Qux_type, msg); }

static inline int64_t Foo_Baz_Qux_encode(const Foo_Baz_Qux *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&Foo_Baz_Qux_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int Foo_Baz_Qux_decode(const void *data, size_t len, tern_arena *arena, int mode, Foo_Baz_Qux *msg) {
    return tern_protobuf_decode(&Foo_Baz_Qux_type, data, len, arena, mode, NULL, msg);
}

static inline int Foo_Baz_Qux_copy(const Foo_Baz_Qux *src, tern_arena *arena, Foo_Baz_Qux *dst) {
    return tern_message_copy(&Foo_Baz_Qux_type, src, arena, dst);
}

static inline bool Foo_Baz_Qux_equal(const Foo_Baz_Qux *a, const Foo_Baz_Qux *b) { return tern_message_equal(&Foo_Baz_Qux_type, a, b); }

/* ---- on_message */

static inline int64_t on_message_size(const on_message *msg) { return tern_protobuf_size(&on_message_type, msg); }

static inline int64_t on_message_encode(const on_message *msg, void *out, size_t cap) {
    return tern_protobuf_encode(&on_message_type, msg, out, cap);
}

/* mode: TERN_DECODE_ALIAS, strings and bytes point into data, which must outlive them; or _COPY. */
static inline int on_message_decode(const void *data, size_t len, tern_arena *arena, int mode, on_message *msg) {
    return tern_protobuf_decode(&on_message_type, data, len, arena, mode, NULL, msg);
}

static inline int on_message_copy(const on_message *src, tern_arena *arena, on_message *dst) {
    return tern_message_copy(&on_message_type, src, arena, dst);
}

static inline bool on_message_equal(const on_message *a, const on_message *b) { return tern_message_equal(&on_message_type, a, b); }

static inline on_message *on_message_make_on_message(on_message *msg, tern_arena *arena) {
    return msg->on_message_ = (on_message *)tern_arena_zalloc(arena, sizeof *msg->on_message_);
}

static inline bool on_message_has_on_message(const on_message *msg) { return msg->on_message_ != NULL; }

static inline void on_message_clear_on_message(on_message *msg) { msg->on_message_ = NULL; }

/* ---- service Svc */

extern const tern_method Svc_Get_method;

/* Ends a call of Svc/Get: with status TERN_STATUS_OK there is a response, valid until this returns;
 * otherwise it is NULL. */
typedef void Svc_Get_done(void *user, int status, const Foo *response);

/* As tern_call_start(). */
int Svc_Get(tern_session *session, const Foo *request, const tern_call_opts *opts, Svc_Get_done *done,
    void *user);

/* As tern_call_wait(): with TERN_STATUS_OK, give *response to tern_release(). */
static inline int Svc_Get_wait(tern_session *session, const Foo *request, const tern_call_opts *opts,
    const Foo **response) {
    const void *message = NULL;
    int status = tern_call_wait(session, &Svc_Get_method, request, opts, response ? &message : NULL);
    if (response) *response = (const Foo *)message;
    return status;
}

/* Serves one request; ends with one Svc_Get_reply() or tern_fail(), now or later. */
typedef void Svc_Get_handler(tern_call call, const Foo *request, void *user);

/* As tern_reply(). */
static inline int Svc_Get_reply(tern_call call, const Foo *response) { return tern_reply(call, response); }

extern const tern_method Svc_Get_wait__method;

/* Ends a call of Svc/Get_wait: with status TERN_STATUS_OK there is a response, valid until this returns;
 * otherwise it is NULL. */
typedef void Svc_Get_wait__done(void *user, int status, const Foo *response);

/* As tern_call_start(). */
int Svc_Get_wait_(tern_session *session, const Foo *request, const tern_call_opts *opts, Svc_Get_wait__done *done,
    void *user);

/* As tern_call_wait(): with TERN_STATUS_OK, give *response to tern_release(). */
static inline int Svc_Get_wait__wait(tern_session *session, const Foo *request, const tern_call_opts *opts,
    const Foo **response) {
    const void *message = NULL;
    int status = tern_call_wait(session, &Svc_Get_wait__method, request, opts, response ? &message : NULL);
    if (response) *response = (const Foo *)message;
    return status;
}

/* Serves one request; ends with one Svc_Get_wait__reply() or tern_fail(), now or later. */
typedef void Svc_Get_wait__handler(tern_call call, const Foo *request, void *user);

/* As tern_reply(). */
static inline int Svc_Get_wait__reply(tern_call call, const Foo *response) { return tern_reply(call, response); }

extern const tern_method Svc_serve__method;

/* Ends a call of Svc/serve: with status TERN_STATUS_OK there is a response, valid until this returns;
 * otherwise it is NULL. */
typedef void Svc_serve__done(void *user, int status, const Foo *response);

/* As tern_call_start(). */
int Svc_serve_(tern_session *session, const Foo *request, const tern_call_opts *opts, Svc_serve__done *done,
    void *user);

/* As tern_call_wait(): with TERN_STATUS_OK, give *response to tern_release(). */
static inline int Svc_serve__wait(tern_session *session, const Foo *request, const tern_call_opts *opts,
    const Foo **response) {
    const void *message = NULL;
    int status = tern_call_wait(session, &Svc_serve__method, request, opts, response ? &message : NULL);
    if (response) *response = (const Foo *)message;
    return status;
}

/* Serves one request; ends with one Svc_serve__reply() or tern_fail(), now or later. */
typedef void Svc_serve__handler(tern_call call, const Foo *request, void *user);

/* As tern_reply(). */
static inline int Svc_serve__reply(tern_call call, const Foo *response) { return tern_reply(call, response); }

extern const tern_method Svc_delete_method;

/* Ends a call of Svc/delete: with status TERN_STATUS_OK there is a response, valid until this returns;
 * otherwise it is NULL. */
typedef void Svc_delete_done(void *user, int status, const Foo *response);

/* As tern_call_start(). */
int Svc_delete(tern_session *session, const Foo *request, const tern_call_opts *opts, Svc_delete_done *done,
    void *user);

/* As tern_call_wait(): with TERN_STATUS_OK, give *response to tern_release(). */
static inline int Svc_delete_wait(tern_session *session, const Foo *request, const tern_call_opts *opts,
    const Foo **response) {
    const void *message = NULL;
    int status = tern_call_wait(session, &Svc_delete_method, request, opts, response ? &message : NULL);
    if (response) *response = (const Foo *)message;
    return status;
}

/* Serves one request; ends with one Svc_delete_reply() or tern_fail(), now or later. */
typedef void Svc_delete_handler(tern_call call, const Foo *request, void *user);

/* As tern_reply(). */
static inline int Svc_delete_reply(tern_call call, const Foo *response) { return tern_reply(call, response); }

extern const tern_method Svc_serve_on__method;

/* Ends a call of Svc/serve_on: with status TERN_STATUS_OK there is a response, valid until this returns;
 * otherwise it is NULL. */
typedef void Svc_serve_on__done(void *user, int status, const Foo *response);

/* As tern_call_start(). */
int Svc_serve_on_(tern_session *session, const Foo *request, const tern_call_opts *opts, Svc_serve_on__done *done,
    void *user);

/* As tern_call_wait(): with TERN_STATUS_OK, give *response to tern_release(). */
static inline int Svc_serve_on__wait(tern_session *session, const Foo *request, const tern_call_opts *opts,
    const Foo **response) {
    const void *message = NULL;
    int status = tern_call_wait(session, &Svc_serve_on__method, request, opts, response ? &message : NULL);
    if (response) *response = (const Foo *)message;
    return status;
}

/* Serves one request; ends with one Svc_serve_on__reply() or tern_fail(), now or later. */
typedef void Svc_serve_on__handler(tern_call call, const Foo *request, void *user);

/* As tern_reply(). */
static inline int Svc_serve_on__reply(tern_call call, const Foo *response) { return tern_reply(call, response); }

extern const tern_method Svc_service__method;

/* Ends a call of Svc/service: with status TERN_STATUS_OK there is a response, valid until this returns;
 * otherwise it is NULL. */
typedef void Svc_service__done(void *user, int status, const Foo *response);

/* As tern_call_start(). */
int Svc_service_(tern_session *session, const Foo *request, const tern_call_opts *opts, Svc_service__done *done,
    void *user);

/* As tern_call_wait(): with TERN_STATUS_OK, give *response to tern_release(). */
static inline int Svc_service__wait(tern_session *session, const Foo *request, const tern_call_opts *opts,
    const Foo **response) {
    const void *message = NULL;
    int status = tern_call_wait(session, &Svc_service__method, request, opts, response ? &message : NULL);
    if (response) *response = (const Foo *)message;
    return status;
}

/* Serves one request; ends with one Svc_service__reply() or tern_fail(), now or later. */
typedef void Svc_service__handler(tern_call call, const Foo *request, void *user);

/* As tern_reply(). */
static inline int Svc_service__reply(tern_call call, const Foo *response) { return tern_reply(call, response); }

extern const tern_method Svc_handlers__method;

/* Ends a call of Svc/handlers: with status TERN_STATUS_OK there is a response, valid until this returns;
 * otherwise it is NULL. */
typedef void Svc_handlers__done(void *user, int status, const Foo *response);

/* As tern_call_start(). */
int Svc_handlers_(tern_session *session, const Foo *request, const tern_call_opts *opts, Svc_handlers__done *done,
    void *user);

/* As tern_call_wait(): with TERN_STATUS_OK, give *response to tern_release(). */
static inline int Svc_handlers__wait(tern_session *session, const Foo *request, const tern_call_opts *opts,
    const Foo **response) {
    const void *message = NULL;
    int status = tern_call_wait(session, &Svc_handlers__method, request, opts, response ? &message : NULL);
    if (response) *response = (const Foo *)message;
    return status;
}

/* Serves one request; ends with one Svc_handlers__reply() or tern_fail(), now or later. */
typedef void Svc_handlers__handler(tern_call call, const Foo *request, void *user);

/* As tern_reply(). */
static inline int Svc_handlers__reply(tern_call call, const Foo *response) { return tern_reply(call, response); }

extern const tern_method Svc_Get_reply__method;

/* What the client of Svc/Get_reply is told: tern_stream_events, with the server's messages in place of bytes,
 * valid until the callback returns. */
typedef struct Svc_Get_reply__events {
    void (*on_message)(tern_stream stream, const on_message *response, void *user);
    void (*on_writable)(tern_stream stream, void *user);
    void (*on_end)(tern_stream stream, int status, void *user);
} Svc_Get_reply__events;

/* As tern_stream_start(). */
int Svc_Get_reply_(tern_session *session, const tern_stream_opts *opts,
    const Svc_Get_reply__events *events, void *user, tern_stream *stream);

/* As tern_stream_write(), for one request. */
static inline int Svc_Get_reply__write_request(tern_stream stream, const Foo *request) {
    return tern__stream_put_request(stream, &Svc_Get_reply__method, request);
}

/* What the server of Svc/Get_reply is told. */
typedef struct Svc_Get_reply__server_events {
    void (*on_message)(tern_stream stream, const Foo *request, void *user);
    void (*on_finished)(tern_stream stream, void *user);
    void (*on_writable)(tern_stream stream, void *user);
    void (*on_end)(tern_stream stream, int status, void *user);
} Svc_Get_reply__server_events;

/* A call of Svc/Get_reply begins: accept it or end it, now. */
typedef void Svc_Get_reply__handler(tern_stream stream, void *user);

/* As tern_stream_accept(). */
int Svc_Get_reply__accept(tern_stream stream, const tern_stream_opts *opts, const Svc_Get_reply__server_events *events,
    void *user);

/* As tern_stream_write(), for one response. */
static inline int Svc_Get_reply__write_response(tern_stream stream, const on_message *response) {
    return tern__stream_put_response(stream, &Svc_Get_reply__method, response);
}

extern const tern_service Svc_service;

/* What serves each method; NULL leaves one unserved. */
typedef struct Svc_handlers {
    Svc_Get_handler *Get;
    Svc_Get_wait__handler *Get_wait;
    Svc_serve__handler *serve;
    Svc_delete_handler *delete_;
    Svc_serve_on__handler *serve_on;
    Svc_service__handler *service;
    Svc_handlers__handler *handlers;
    Svc_Get_reply__handler *Get_reply;
} Svc_handlers;

/* Serve the methods that have a handler, as tern_serve(); ends at the first error. The handlers struct is
 * not needed any more afterwards. */
int Svc_serve(tern_endpoint *ep, const Svc_handlers *handlers, void *user);

/* The same on the threads of a pool of workers, as tern_serve_on(); streaming methods stay on the
 * endpoint's. */
int Svc_serve_on(tern_endpoint *ep, const Svc_handlers *handlers, void *user, tern_workers *pool);

/* ---- service Svc_serve_on */

extern const tern_method Svc_serve_on__Get_method;

/* Ends a call of Svc_serve_on/Get: with status TERN_STATUS_OK there is a response, valid until this returns;
 * otherwise it is NULL. */
typedef void Svc_serve_on__Get_done(void *user, int status, const Foo *response);

/* As tern_call_start(). */
int Svc_serve_on__Get(tern_session *session, const Foo *request, const tern_call_opts *opts, Svc_serve_on__Get_done *done,
    void *user);

/* As tern_call_wait(): with TERN_STATUS_OK, give *response to tern_release(). */
static inline int Svc_serve_on__Get_wait(tern_session *session, const Foo *request, const tern_call_opts *opts,
    const Foo **response) {
    const void *message = NULL;
    int status = tern_call_wait(session, &Svc_serve_on__Get_method, request, opts, response ? &message : NULL);
    if (response) *response = (const Foo *)message;
    return status;
}

/* Serves one request; ends with one Svc_serve_on__Get_reply() or tern_fail(), now or later. */
typedef void Svc_serve_on__Get_handler(tern_call call, const Foo *request, void *user);

/* As tern_reply(). */
static inline int Svc_serve_on__Get_reply(tern_call call, const Foo *response) { return tern_reply(call, response); }

extern const tern_service Svc_serve_on__service;

/* What serves each method; NULL leaves one unserved. */
typedef struct Svc_serve_on__handlers {
    Svc_serve_on__Get_handler *Get;
} Svc_serve_on__handlers;

/* Serve the methods that have a handler, as tern_serve(); ends at the first error. The handlers struct is
 * not needed any more afterwards. */
int Svc_serve_on__serve(tern_endpoint *ep, const Svc_serve_on__handlers *handlers, void *user);

/* The same on the threads of a pool of workers, as tern_serve_on(); streaming methods stay on the
 * endpoint's. */
int Svc_serve_on__serve_on(tern_endpoint *ep, const Svc_serve_on__handlers *handlers, void *user, tern_workers *pool);

#ifdef __cplusplus
}
#endif
#endif
