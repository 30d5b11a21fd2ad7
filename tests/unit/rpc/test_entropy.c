/* Random numbers of endpoints: all different, asked for once, and an error where a sandbox denies them. */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "deny.h"
#include "rpc/entropy.h"
#include "tap.h"

static char line[256];

static void keep_line(void *user, tern_log_level level, const char *text) {
    (void)user;
    if (level == TERN_LOG_ERROR) snprintf(line, sizeof line, "%s", text);
}

static tern_endpoint *new_endpoint(int *err) {
    tern_endpoint_config config;
    tern_endpoint *ep = NULL;
    tern_endpoint_config_init(&config);
    config.log = keep_line;
    *err = tern_endpoint_new(&config, &ep);
    return ep;
}

static void random__differs_by_endpoint_and_count(void) {
    enum { N = 1000 };
    static uint64_t numbers[2 * N];
    for (int e = 0; e < 2; e++) {
        int err;
        tern_endpoint *ep = new_endpoint(&err);
        CHECK_EQ(err, 0);
        for (int i = 0; i < N; i++) numbers[e * N + i] = tern__endpoint_random(ep);
        tern_endpoint_free(ep);
    }
    uint64_t ones = 0, all = UINT64_MAX;
    for (int i = 0; i < 2 * N; i++) {
        ones |= numbers[i];
        all &= numbers[i];
        for (int k = 0; k < i; k++) CHECK(numbers[i] != numbers[k]);
    }
    CHECK(ones == UINT64_MAX && all == 0);
}

/* 0: as it should be; 9: the kernel has no filters. */
static int denied(void) {
    int err;
    alarm(20); /* ends a spin */
    tern_endpoint *before = new_endpoint(&err);
    if (err || !deny_syscall(SYS_getrandom, EPERM)) return err ? 1 : 9;
    new_endpoint(&err);
    if (err != TERN_ERR_IO || !strstr(line, "getrandom")) return 2;
    /* One that has been made goes on. */
    uint64_t one = tern__endpoint_random(before), two = tern__endpoint_random(before);
    if (one == two || tern_listen(before, "tcp://127.0.0.1:0")) return 3;
    tern_endpoint_free(before);
    return 0;
}

static void random__denied_is_an_error(void) {
    int status;
    pid_t child = fork();
    if (child == 0) _exit(denied());
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status));
    if (WEXITSTATUS(status) == 9) SKIP("no seccomp filters here");
    CHECK_EQ(WEXITSTATUS(status), 0);
}

TAP_MAIN(TEST(random__denied_is_an_error), TEST(random__differs_by_endpoint_and_count))
