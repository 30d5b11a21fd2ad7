/* Calls from handlers on the endpoint's thread: the handler starts a call, returns, and the call's continuation ends
 * the handler's own call, whatever has become of its client meanwhile. */
#include "tap.h"

#include "echo.tern.h"
#include "world.h"

/* The client calls Later at the server, whose handler calls Echo at the client, and answers when that has answered.
 * The answer goes one deeper for each unit of `id`. */
typedef struct fixture {
    world w;
    tern_session *down, *up; /* client to server, server to client */
    tern_call open;          /* the handler's call of the last Later */
    uint32_t n_handled, n_echoed;
    bool silent; /* Echo keeps its call */
    tern_call kept;
    int status, reply_result, inner_status;
    uint32_t id;
    bool done;
    uint64_t live_before;
} fixture;

static fixture fx;

/* The continuation: runs on the endpoint's thread, after the handler has returned. */
static void inner_done(void *user, int status, const echo_Blob *response) {
    tern_call call = *(const tern_call *)user;
    free(user);
    fx.inner_status = status;
    if (status != TERN_STATUS_OK) {
        fx.reply_result = tern_fail(call, TERN_STATUS_ABORTED);
        return;
    }
    echo_Blob reply = {.id = response->id + 1, .name = response->name};
    fx.reply_result = echo_Echo_Later_reply(call, &reply);
}

static void outer(tern_call call, const echo_Blob *request, void *user) {
    tern_session *session = user ? fx.up : fx.down;
    fx.n_handled++;
    fx.open = call;
    /* Each level asks the other side, and the last one for a plain echo. */
    echo_Blob inner = {.id = request->id ? request->id - 1 : 0, .name = request->name};
    tern_call *kept = malloc(sizeof *kept);
    *kept = call;
    int err = request->id ? echo_Echo_Later(session, &inner, NULL, inner_done, kept)
                          : echo_Echo_Echo(session, &inner, NULL, inner_done, kept);
    if (!err) return;
    free(kept);
    tern_fail(call, TERN_STATUS_INTERNAL);
}

static void echo(tern_call call, const echo_Blob *request, void *user) {
    (void)user;
    fx.n_echoed++;
    fx.kept = call;
    if (!fx.silent) echo_Echo_Echo_reply(call, request);
}

static void outer_done(void *user, int status, const echo_Blob *response) {
    (void)user;
    fx.done = true;
    fx.status = status;
    fx.id = response ? response->id : 0;
}

static uint64_t live_buffers(void) {
    tern_mem_stats stats;
    tern_mem_get_stats(&stats);
    return stats.live_buffers;
}

static bool begin(bool reliable, double loss) {
    fx = (fixture){.live_before = live_buffers()};
    if (!world_init(&fx.w, reliable, loss)) return false;
    echo_Echo_handlers handlers = {.Echo = echo, .Later = outer};
    return echo_Echo_serve(fx.w.ep[SERVER], &handlers, &fx) == 0 &&
           echo_Echo_serve(fx.w.ep[CLIENT], &handlers, NULL) == 0 &&
           tern_connect(fx.w.ep[CLIENT], "sim://0", &fx.down) == 0 &&
           tern_connect(fx.w.ep[SERVER], "sim://1", &fx.up) == 0;
}

static void end(void) {
    world_fini(&fx.w);
    CHECK_EQ(live_buffers(), fx.live_before);
}

static void handler__replies_from_the_continuation(void) {
    static const double losses[] = {0, 0.2};
    for (int reliable = 0; reliable < 2; reliable++)
        for (size_t i = 0; i < (reliable ? 1 : TERN__COUNT(losses)); i++) {
            CHECK(begin(reliable, losses[i]));
            for (uint32_t depth = 0; depth < 6; depth++) {
                fx.done = false;
                fx.n_handled = fx.n_echoed = 0;
                echo_Blob request = {.id = depth, .name = tern_str_of("deep")};
                CHECK_EQ(echo_Echo_Later(fx.down, &request, NULL, outer_done, NULL), 0);
                CHECK(world_run(&fx.w, &fx.done, 60 * TERN_SEC));
                CHECK_EQ(fx.status, TERN_STATUS_OK);
                CHECK_EQ(fx.id, depth + 1);
                CHECK_EQ(fx.n_handled, depth + 1); /* once each, whatever the network did */
                CHECK_EQ(fx.n_echoed, 1);
                CHECK_EQ(fx.reply_result, 0);
            }
            end();
            CHECK_OK();
        }
}

/* The client gives up; the continuation comes later and replies to nobody. */
static void handler__replies_after_its_client_has_gone(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        CHECK(begin(reliable, 0));
        fx.silent = true;
        CHECK_EQ(echo_Echo_Later(fx.down, &(echo_Blob){0}, NULL, outer_done, NULL), 0);
        for (int i = 0; i < 1000 && !fx.kept.id; i++) world_turn(&fx.w);
        CHECK(tern_call_is_open(fx.kept) && !fx.done);
        CHECK(!tern_call_is_cancelled(fx.open));
        CHECK_EQ(tern_session_close(fx.down), 0);
        CHECK_EQ(fx.status, TERN_STATUS_UNAVAILABLE);
        for (int i = 0; i < 1000 && !tern_call_is_cancelled(fx.open); i++) world_turn(&fx.w);
        CHECK(tern_call_is_cancelled(fx.open));
        fx.reply_result = -1;
        CHECK_EQ(echo_Echo_Echo_reply(fx.kept, &(echo_Blob){.id = 3}), 0);
        for (int i = 0; i < 1000 && fx.reply_result == -1; i++) world_turn(&fx.w);
        CHECK_EQ(fx.inner_status, TERN_STATUS_OK);
        CHECK_EQ(fx.reply_result, 0);
        end();
        CHECK_OK();
    }
}

/* The server ends while a handler of its waits for an answer. */
static void handler__waits_when_its_endpoint_is_freed(void) {
    for (int reliable = 0; reliable < 2; reliable++) {
        CHECK(begin(reliable, 0));
        fx.silent = true;
        CHECK_EQ(echo_Echo_Later(fx.down, &(echo_Blob){0}, NULL, outer_done, NULL), 0);
        for (int i = 0; i < 1000 && !fx.kept.id; i++) world_turn(&fx.w);
        fx.reply_result = -1;
        CHECK_EQ(tern_endpoint_free(fx.w.ep[SERVER]), 0);
        fx.w.ep[SERVER] = NULL;
        CHECK_EQ(fx.inner_status, TERN_STATUS_UNAVAILABLE); /* the continuation ran, once */
        CHECK(world_run(&fx.w, &fx.done, 60 * TERN_SEC));
        CHECK(fx.status != TERN_STATUS_OK);
        CHECK_EQ(tern_fail(fx.kept, TERN_STATUS_ABORTED), 0);
        end();
        CHECK_OK();
    }
}

TAP_MAIN(TEST(handler__replies_from_the_continuation), TEST(handler__replies_after_its_client_has_gone),
         TEST(handler__waits_when_its_endpoint_is_freed))
