/* Packets of any bytes, and good packets spoilt, into two engines with sessions between them. The input is a
 * program: it calls, answers, delivers, drops, repeats and spoils packets, lets time pass, and ends sessions.
 * Whatever comes: no engine falls over, each accepted call ends exactly once, and every buffer comes back. */
#include "fuzz.h"
#include "loop.h"

enum { MAX_STEPS = 400, MAX_CALLS = 64 };

typedef struct input {
    const uint8_t *next, *end;
} input;

static uint8_t take(input *in) { return in->next < in->end ? *in->next++ : 0; }

/* Change some bytes of a packet that waits, most often in its header. */
static void spoil(loop *l, int side, input *in) {
    uint32_t len;
    uint8_t *bytes = loop_bytes(l, side, take(in) % 4, &len);
    uint8_t n = take(in) % 4;
    if (!bytes || !len) return;
    for (int i = 0; i <= n; i++) {
        uint8_t at = take(in);
        bytes[at % (len < 64 ? len : 64)] ^= take(in);
    }
}

static void inject(loop *l, int to, input *in) {
    uint32_t len = take(in), left = (uint32_t)(in->end - in->next);
    if (len > left) len = left;
    loop_inject(l, to, in->next, len);
    in->next += len;
}

static void answer(loop *l, input *in) {
    if (!l->n_served) return;
    unsigned i = take(in) % l->n_served;
    if (l->served[i].gone || l->served[i].answered) return;
    l->served[i].answered = true;
    tern__body body = {.data = l->served[i].data, .len = l->served[i].len};
    tern__engine_respond(l->served[i].served, take(in) % 3 ? TERN_STATUS_OK : TERN_STATUS_ABORTED, &body, l->now);
}

static void cancel(loop *l, input *in) {
    if (!l->session || !l->n_calls) return;
    loop_call *call = &l->calls[take(in) % l->n_calls];
    if (tern__engine_cancel(l->session, call, l->now)) call->n_done++;
}

static void step(loop *l, input *in) {
    uint8_t op = take(in);
    int side = op >> 7;
    unsigned n = op >> 4 & 7;
    switch (op & 15) {
    case 0:
    case 1: loop_deliver(l, side, n); break;
    case 2: loop_drop(l, side, n); break;
    case 3: loop_repeat(l, side, n); break;
    case 4: inject(l, side, in); break;
    case 5:
    case 6: spoil(l, side, in); break;
    case 7: answer(l, in); break;
    case 8: l->defer = !l->defer; break;
    case 9: l->now += (tern_time)1 << (take(in) % 36); break;
    case 10: loop_settle(l); break;
    case 11: /* a large request */
    case 12:
        if (l->session && l->n_calls < MAX_CALLS)
            loop_request(l, (op & 15) == 11 ? take(in) * 200u : take(in), n == 7 ? TERN_MS : 0);
        break;
    case 13:
        if (n != 7) {
            cancel(l, in);
        } else if (l->session) {
            tern__engine_session_close(l->session, l->now);
            l->session = NULL;
        }
        break;
    default: loop_tick(l); break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len) {
    static loop l;
    input in = {data, data + len};
    tap_failed = false;
    uint8_t flags = take(&in);
    loop_init(&l, &(loop_config){.reliable = flags & 1,
                                 .capacity = 64,
                                 .engine = {.max_message_bytes = 1 << 17, .max_rx_bytes = 1 << 18, .max_sessions = 8}});
    loop_connect(&l);
    l.quits = flags & 2;
    FUZZ_CHECK(!tap_failed);
    for (int i = 0; i < MAX_STEPS && in.next < in.end; i++) {
        step(&l, &in);
        if (i % 4 == 3) loop_tick(&l);
    }
    loop_run(&l, l.now + 3 * (tern_time)TERN_SEC, 0);
    unsigned n_calls = l.n_calls;
    loop_fini(&l);
    FUZZ_CHECK(!tap_failed);
    for (unsigned i = 0; i < n_calls; i++) FUZZ_CHECK(l.calls[i].n_done == 1);
    return 0;
}
