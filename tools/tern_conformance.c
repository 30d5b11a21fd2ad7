/* tern-conformance: a program for protobuf's conformance_test_runner to test.
 *
 * It reads requests from standard input and writes one response for each to standard output, until the input ends. It
 * parses protobuf and JSON, and writes protobuf, JSON and text format; anything else it answers "skipped". What the
 * runner may send is not trusted: a request that does not parse is answered so, and a length beyond any request's or an
 * input that ends within one ends the program with a message. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "conformance.tern.h"
#include "conformance_types.h"
#include "tern/json.h"

enum { REQUEST_MAX_BYTES = 256 << 20, MEMORY_MAX_BYTES = 2000000000 };

typedef conformance_ConformanceRequest request_message;
typedef conformance_ConformanceResponse response_message;

/* ---- Answers ------------------------------------------------------------------------------------- */

static void skip(response_message *response, const char *why) {
    response->result_case = conformance_ConformanceResponse_result_skipped;
    response->skipped = tern_str_of(why);
}

static void fail_at_runtime(response_message *response, const char *why) {
    response->result_case = conformance_ConformanceResponse_result_runtime_error;
    response->runtime_error = tern_str_of(why);
}

static void fail_to_parse(response_message *response, const char *why) {
    response->result_case = conformance_ConformanceResponse_result_parse_error;
    response->parse_error = tern_str_of(why);
}

static void fail_to_write(response_message *response, int err) {
    response->result_case = conformance_ConformanceResponse_result_serialize_error;
    response->serialize_error = tern_str_of(tern_strerror(err));
}

/* ---- Work ---------------------------------------------------------------------------------------- */

static void parse_json(const request_message *request, const tern_type *type, tern_arena *arena, void *msg,
                       response_message *response) {
    tern_json_error error;
    tern_json_options options;
    tern_json_options_init(&options);
    options.registry = &conformance_registry;
    options.ignore_unknown = request->test_category == conformance_TestCategory_JSON_IGNORE_UNKNOWN_PARSING_TEST;
    options.error = &error;
    if (tern_json_decode(type, request->json_payload.data, request->json_payload.len, &options, arena, msg) != 0)
        fail_to_parse(response, error.text);
}

/* Leaves the response empty when the payload was parsed. */
static void parse(const request_message *request, const tern_type *type, tern_arena *arena, void *msg,
                  response_message *response) {
    int err;
    switch (request->payload_case) {
    case conformance_ConformanceRequest_payload_protobuf_payload:
        err = tern_protobuf_decode(type, request->protobuf_payload.data, request->protobuf_payload.len, arena,
                                   TERN_DECODE_ALIAS, NULL, msg);
        if (err) fail_to_parse(response, tern_strerror(err));
        break;
    case conformance_ConformanceRequest_payload_json_payload: parse_json(request, type, arena, msg, response); break;
    case conformance_ConformanceRequest_payload_jspb_payload: skip(response, "JSPB is not supported"); break;
    case conformance_ConformanceRequest_payload_text_payload: skip(response, "text format is only written"); break;
    default: fail_at_runtime(response, "the request has no payload"); break;
    }
}

static void write_protobuf(const tern_type *type, const void *msg, tern_arena *arena, response_message *response) {
    int64_t len = tern_protobuf_size(type, msg);
    void *out = len >= 0 ? tern_arena_alloc(arena, (size_t)len) : NULL;
    if (len >= 0) len = out ? tern_protobuf_encode(type, msg, out, (size_t)len) : TERN_ERR_NOMEM;
    if (len < 0) {
        fail_to_write(response, (int)len);
        return;
    }
    response->result_case = conformance_ConformanceResponse_result_protobuf_payload;
    response->protobuf_payload = tern_bytes_of(out, (size_t)len);
}

static void write_json(const tern_type *type, const void *msg, tern_arena *arena, response_message *response) {
    tern_json_options options;
    tern_json_options_init(&options);
    options.registry = &conformance_registry;
    int err = tern_json_print(type, msg, &options, arena, &response->json_payload);
    if (err)
        fail_to_write(response, err);
    else
        response->result_case = conformance_ConformanceResponse_result_json_payload;
}

static void write_text(const tern_type *type, const void *msg, bool unknown, tern_arena *arena,
                       response_message *response) {
    tern_text_options options;
    tern_text_options_init(&options);
    options.hide_unknown = !unknown;
    int err = tern_text_print(type, msg, &options, arena, &response->text_payload);
    if (err)
        fail_to_write(response, err);
    else
        response->result_case = conformance_ConformanceResponse_result_text_payload;
}

static void answer(const request_message *request, tern_arena *arena, response_message *response) {
    if (tern_str_eq(request->message_type, tern_str_of(conformance_FailureSet_type.name))) {
        static const conformance_FailureSet none; /* nothing is expected to fail */
        write_protobuf(&conformance_FailureSet_type, &none, arena, response);
        return;
    }
    const tern_type *type = tern_registry_find(&conformance_registry, request->message_type);
    if (!type) {
        skip(response, "the message type is not known here");
        return;
    }
    void *msg = tern_arena_zalloc(arena, type->size_bytes);
    if (!msg) {
        fail_at_runtime(response, tern_strerror(TERN_ERR_NOMEM));
        return;
    }
    parse(request, type, arena, msg, response);
    if (response->result_case) return;
    switch (request->requested_output_format) {
    case conformance_WireFormat_PROTOBUF: write_protobuf(type, msg, arena, response); break;
    case conformance_WireFormat_JSON: write_json(type, msg, arena, response); break;
    case conformance_WireFormat_TEXT_FORMAT:
        write_text(type, msg, request->print_unknown_fields, arena, response);
        break;
    default: skip(response, "the output format is not supported"); break;
    }
}

/* ---- Input and output ---------------------------------------------------------------------------- */

/* Returns how many bytes came before the input ended, or -1 after an error. */
static ssize_t read_all(void *data, size_t len) {
    size_t done = 0;
    while (done < len) {
        ssize_t n = read(STDIN_FILENO, (char *)data + done, len - done);
        if (n == 0) break;
        if (n < 0 && errno != EINTR) return -1;
        if (n > 0) done += (size_t)n;
    }
    return (ssize_t)done;
}

static bool write_all(const void *data, size_t len) {
    while (len > 0) {
        ssize_t n = write(STDOUT_FILENO, data, len);
        if (n < 0 && errno != EINTR) return false;
        if (n > 0) {
            data = (const char *)data + n;
            len -= (size_t)n;
        }
    }
    return true;
}

static bool complain(const char *what) {
    fprintf(stderr, "tern-conformance: %s\n", what);
    return false;
}

/* The next request in the arena's memory. *ended: there is none, and nothing is wrong. */
static bool read_request(tern_arena *arena, tern_bytes *request, bool *ended) {
    uint8_t head[4];
    ssize_t n = read_all(head, sizeof head);
    *ended = n == 0;
    if (n == 0) return true;
    if (n != sizeof head) return complain("the input ends within a length");
    uint32_t len = (uint32_t)head[0] | (uint32_t)head[1] << 8 | (uint32_t)head[2] << 16 | (uint32_t)head[3] << 24;
    if (len > REQUEST_MAX_BYTES) return complain("a request is longer than 256 MB");
    void *data = tern_arena_alloc(arena, len);
    if (!data) return complain(tern_strerror(TERN_ERR_NOMEM));
    if (read_all(data, len) != (ssize_t)len) return complain("the input ends within a request");
    *request = tern_bytes_of(data, len);
    return true;
}

static bool write_response(tern_arena *arena, const response_message *response) {
    int64_t len = conformance_ConformanceResponse_size(response);
    uint8_t *out = len >= 0 && len <= INT32_MAX - 4 ? tern_arena_alloc(arena, (size_t)len + 4) : NULL;
    if (!out) return complain("a response is too long");
    for (int i = 0; i < 4; i++) out[i] = (uint8_t)((uint64_t)len >> 8 * i);
    if (conformance_ConformanceResponse_encode(response, out + 4, (size_t)len) != len)
        return complain("a response does not encode");
    return write_all(out, (size_t)len + 4) ? true : complain("the output is closed");
}

static bool serve_one(tern_arena *arena, bool *ended) {
    tern_bytes data;
    request_message request;
    response_message response = {0};
    if (!read_request(arena, &data, ended)) return false;
    if (*ended) return true;
    int err = conformance_ConformanceRequest_decode(data.data, data.len, arena, TERN_DECODE_ALIAS, &request);
    if (err)
        fail_at_runtime(&response, "the request does not parse");
    else
        answer(&request, arena, &response);
    return write_response(arena, &response);
}

int main(int argc, char **argv) {
    /* Some versions of the runner pass arguments of their own: only a question is answered. */
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fprintf(stdout, "usage: conformance_test_runner tern-conformance\n"
                        "The runner starts the program and talks to it through its standard input and output.\n");
        return 0;
    }
    tern_arena arena;
    tern_arena_init(&arena, 1 << 16, MEMORY_MAX_BYTES);
    bool ended = false, ok = true;
    while (ok && !ended) {
        ok = serve_one(&arena, &ended);
        tern_arena_reset(&arena);
    }
    tern_arena_fini(&arena);
    return ok ? 0 : 1;
}
