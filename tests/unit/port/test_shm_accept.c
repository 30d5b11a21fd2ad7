/* Who may connect over shm and who makes room: peers that are silent, too many, or strangers, and a client whose
 * server is. */
#include "deny.h"
#include "shm_foe.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

/* Whoever connects and says nothing keeps nobody out. */
static void accept__silent_peers_make_room(void) {
    enum { N = 300 };
    static int socks[N];
    victim_open("silent");
    CHECK_OK();
    for (int i = 0; i < N; i++) {
        socks[i] = tern__shm_dial(path);
        CHECK(socks[i] >= 0);
        victim_polls(64);
    }
    end good;
    CHECK(end_open(&good, true));
    CHECK(end_meet(&good, &victim, path));
    CHECK_EQ(end_stats(&victim)->peers_up, 1);
    CHECK(((tern__shm_port *)(void *)victim.port)->n_half_open <= TERN__SHM_MAX_STRANGERS);
    for (int i = 0; i < N; i++) close(socks[i]);
    end_close(&good);
    victim_polls(4000);
    CHECK_EQ(((tern__shm_port *)(void *)victim.port)->n_half_open, 0);
    CHECK_EQ(end_stats(&victim)->peers_lost, 1);
    end_close(&victim);
}

static tern__shm_port *victim_port(void) { return (tern__shm_port *)(void *)victim.port; }

/* A session is open over each of its routes. */
static void victim_uses_all(void) {
    tern__shm_port *s = victim_port();
    for (uint32_t i = 0; i < s->n_slots; i++)
        if (s->slots[i].peer) victim.port->link.ops->use(&victim.port->link, &s->slots[i].peer->route, true);
}

static void accept__more_peers_than_seats(void) {
    enum { N = 120, SEATS = 90 };
    static int socks[N];
    victim_open("seats");
    CHECK_OK();
    victim_port()->seats.max = SEATS;
    tern__shm_channel channel;
    CHECK_EQ(tern__shm_channel_new(&channel, false), 0);
    for (int i = 0; i < N; i++) {
        socks[i] = greet_with(&channel);
        CHECK(socks[i] >= 0);
        victim_polls(600);
        victim_uses_all();
    }
    victim_polls(2000);
    /* Two thirds are one user's, all with sessions, so that nobody gives way. */
    uint32_t n_up = (uint32_t)end_stats(&victim)->peers_up;
    CHECK(n_up >= SEATS * 2 / 3 && n_up <= SEATS * 2 / 3 + TERN__SEATS_FLOOR);
    CHECK_EQ(end_stats(&victim)->refused, N - n_up);
    CHECK_EQ(victim_port()->n_active, n_up);
    CHECK(tern__seats_may_enter(&victim_port()->seats, 4711)); /* another one still gets in */
    for (int i = 0; i < N; i++) close(socks[i]);
    tern__shm_channel_free(&channel);
    for (int i = 0; i < 60000 && end_stats(&victim)->peers_lost < n_up; i++) end_poll(&victim);
    CHECK_EQ(end_stats(&victim)->peers_lost, n_up);
    CHECK_EQ(victim.n_lost, 0); /* nobody has heard of their routes */
    CHECK_EQ(victim_port()->n_active, 0);
    CHECK_EQ(victim_port()->seats.n, 0);
    CHECK_EQ(victim_port()->n_timed, 0);
    end_close(&victim);
}

/* Who greets, or does not, and opens no session, has its seat for a short time only. */
static void accept__strangers_are_closed(void) {
    victim_open("strangers");
    CHECK_OK();
    victim_port()->linger = 40 * TERN_MS; /* ticks of 5 ms */
    victim_port()->stranger = 50 * TERN_MS;
    tern__shm_channel channel;
    CHECK_EQ(tern__shm_channel_new(&channel, false), 0);
    int used = greet_with(&channel);
    for (int i = 0; i < 2000 && end_stats(&victim)->peers_up < 1; i++) end_poll(&victim);
    victim_uses_all();
    int greeted = greet_with(&channel), silent = tern__shm_dial(path);
    tern_time began = tern__coarse_now();
    tern__shm_port *s = victim_port();
    for (int i = 0; i < 2000 && s->seats.n < 3; i++) end_poll(&victim);
    CHECK_EQ(s->seats.n, 3);
    CHECK_EQ(s->seats.n_strangers, 2);
    while (s->seats.n > 1 && tern__coarse_now() - began < TERN_SEC) victim_polls(600), usleep(1000);
    CHECK(tern__coarse_now() - began >= 40 * TERN_MS);
    CHECK_EQ(s->seats.n, 1);
    CHECK_EQ(s->n_active, 1);
    CHECK_EQ(s->n_timed, 0); /* the one that is used has no deadline, ... */
    victim.port->link.ops->use(&victim.port->link, &s->active[0]->route, false);
    began = tern__coarse_now();
    while (s->seats.n && tern__coarse_now() - began < TERN_SEC) victim_polls(600), usleep(1000);
    CHECK_EQ(s->seats.n, 0); /* ... until it is used no longer */
    CHECK_EQ(s->n_timed, 0);
    close(used);
    close(greeted);
    close(silent);
    tern__shm_channel_free(&channel);
    end_close(&victim);
}

/* A stranger who greets is not driven out by those who connect and go. */
static void accept__strangers_give_way_at_random(void) {
    enum { N = 4 * TERN__SHM_MAX_STRANGERS };
    victim_open("churn");
    CHECK_OK();
    static int socks[N];
    unsigned n_first = 0;
    for (int i = 0; i < N; i++) {
        socks[i] = tern__shm_dial(path);
        CHECK(socks[i] >= 0);
        victim_polls(16);
    }
    victim_polls(600);
    CHECK_EQ(victim_port()->n_half_open, TERN__SHM_MAX_STRANGERS);
    char byte;
    for (int i = 0; i < N / 2; i++) n_first += recv(socks[i], &byte, 1, MSG_DONTWAIT) != 0;
    CHECK(n_first > 4); /* the oldest half would be gone */
    for (int i = 0; i < N; i++) close(socks[i]);
    end_close(&victim);
}

/* A process without room for the descriptor of the channel says so, and takes the next one that comes. */
static void accept__finds_no_descriptor(void) {
    struct rlimit before;
    victim_open("no-descriptor");
    CHECK_OK();
    foe_prepare();
    CHECK_OK();
    victim_polls(600); /* accepted */
    CHECK_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
    CHECK_EQ(tern__shm_send_hello(foe.sock, &foe.hello, foe.channel.fd), 0);
    end_warning[0] = 0;
    setrlimit(RLIMIT_NOFILE, &(struct rlimit){.rlim_cur = 3, .rlim_max = before.rlim_max});
    victim_polls(1100);
    setrlimit(RLIMIT_NOFILE, &before);
    CHECK_EQ(end_stats(&victim)->refused, 1);
    CHECK_EQ(end_stats(&victim)->rx_malformed, 0);
    CHECK(strstr(end_warning, "EMFILE"));
    foe_leave();
    foe_comes_up();
    CHECK_OK();
    foe_leave();
    end_close(&victim);
}

/* A sandbox that denies memfd_create: the error and the log say so, of whoever dials and of whoever listens. */
static void dial__without_memory_to_share(void) {
    pid_t child = fork();
    if (child == 0) {
        end client;
        tern__route to;
        if (!end_open(&client, false) || !end_open(&victim, false)) _exit(2);
        if (end_listen(&victim, world_path(path, "denied"))) _exit(3);
        if (!deny_syscall(SYS_memfd_create, EPERM)) _exit(4);
        int err = client.port->ops->connect(client.port, path, &to);
        bool is_named = err == TERN_ERR_ACCESS && strstr(end_warning, "memfd_create");
        unlink(path);
        _exit(is_named ? 0 : 5);
    }
    int status;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status));
    if (WEXITSTATUS(status) == 4) SKIP("no seccomp filters here");
    CHECK_EQ(WEXITSTATUS(status), 0);
}

/* A server that takes connections and never greets: once another is at its path, that one is found. */
static void dial__a_server_that_never_greets(void) {
    end client;
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    world_path(path, "mute");
    memcpy(at.sun_path, path, strlen(path) + 1);
    int mute = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    CHECK_EQ(bind(mute, (struct sockaddr *)&at, sizeof at), 0);
    CHECK_EQ(listen(mute, 8), 0);
    CHECK(end_open(&client, true) && end_open(&victim, true));
    CHECK_EQ(client.port->ops->connect(client.port, path, &client.route), 0);
    CHECK_OK();
    int fds = open_fds();
    unlink(path);
    CHECK_EQ(end_listen(&victim, path), 0);
    int more = open_fds() - fds;   /* the listener's own */
    CHECK(!end_can_send(&client)); /* it may still greet */
    CHECK_EQ(client.n_lost, 0);
    ((tern__shm_port *)(void *)client.port)->stranger = 20 * TERN_MS;
    bool found = false;
    for (int i = 0; i < 200 && !found; i++) {
        usleep(5000);
        for (int k = 0; k < 20; k++) end_poll(&client), end_poll(&victim);
        found = end_can_send(&client);
    }
    CHECK(found);
    CHECK_EQ(client.n_lost, 0);
    CHECK_EQ(open_fds(), fds + more + 1); /* and what it accepted */
    end_close(&client);
    end_close(&victim);
    close(mute);
}

TAP_MAIN(TEST(accept__silent_peers_make_room), TEST(accept__more_peers_than_seats), TEST(accept__strangers_are_closed),
         TEST(accept__strangers_give_way_at_random), TEST(accept__finds_no_descriptor),
         TEST(dial__without_memory_to_share), TEST(dial__a_server_that_never_greets))
