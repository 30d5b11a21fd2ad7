/* tern inside an event loop of your own: wait on tern_fd() for no longer than tern_next_timeout() says. Here the
 * loop also serves a timer, as a stand-in for everything else that your program does. */
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <tern/tern.h>
#include <unistd.h>

#include "greet.tern.h"

static void hello(tern_call call, const greet_HelloRequest *request, void *user) {
    (void)user;
    greet_Greeter_Hello_reply(call, &(greet_HelloResponse){.text = request->name});
}

static void done(void *user, int status, const greet_HelloResponse *response) {
    bool *finished = user;
    *finished = true;
    printf("%s: %.*s\n", tern_status_name(status), response ? (int)response->text.len : 0,
           response ? response->text.data : "");
}

static int wait_ms(tern_dur timeout) {
    if (timeout < 0) return -1;
    return (int)((timeout + TERN_MS - 1) / TERN_MS);
}

int main(void) {
    tern_endpoint *ep = NULL;
    tern_session *session;
    bool finished = false;
    int n_ticks = 0;

    tern_endpoint_config config;
    tern_endpoint_config_init(&config);
    config.log = tern_log_stderr; /* says why something fails */
    int err = tern_endpoint_new(&config, &ep);
    if (!err) err = greet_Greeter_serve(ep, &(greet_Greeter_handlers){.Hello = hello}, NULL);
    if (!err) err = tern_listen(ep, "udp://127.0.0.1:0");
    if (!err) err = tern_connect(ep, tern_listen_address(ep, 0), &session); /* an endpoint may call itself */

    int loop = epoll_create1(0), timer = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec every_ms = {{0, 1000000}, {0, 1000000}};
    struct epoll_event of_tern = {.events = EPOLLIN, .data.u32 = 0}, of_timer = {.events = EPOLLIN, .data.u32 = 1};
    if (!err &&
        (epoll_ctl(loop, EPOLL_CTL_ADD, tern_fd(ep), &of_tern) != 0 ||
         epoll_ctl(loop, EPOLL_CTL_ADD, timer, &of_timer) != 0 || timerfd_settime(timer, 0, &every_ms, NULL) != 0))
        err = TERN_ERR_IO;

    greet_HelloRequest request = {.name = tern_str_of("loop")};
    while (!err && (!finished || n_ticks < 3)) {
        struct epoll_event event;
        int n = epoll_wait(loop, &event, 1, wait_ms(tern_next_timeout(ep)));
        if (n == 1 && event.data.u32 == 1) {
            uint64_t n_expired;
            if (read(timer, &n_expired, sizeof n_expired) == sizeof n_expired && ++n_ticks == 2)
                err = greet_Greeter_Hello(session, &request, NULL, done, &finished);
        }
        if (!err && tern_poll(ep) < 0) err = TERN_ERR_IO;
    }
    if (err) fprintf(stderr, "event_loop: %s\n", tern_strerror(err));
    close(timer);
    close(loop);
    tern_endpoint_free(ep);
    return err ? 1 : 0;
}
