/* Streams over descriptors: pipes, sockets that do not block, files, and ends that are gone. */
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tap.h"
#include "tern/stream.h"

enum { N_ROWS = 3000, ROW = 37, LARGE = 200000 };

static double large_value(size_t i) { return (double)i * 0.5; }

/* Rows of all alignments, and an array that bypasses the buffer. */
static int write_all(int fd) {
    static double large[LARGE];
    tern_writer w;
    uint8_t row[ROW];
    for (size_t i = 0; i < LARGE; i++) large[i] = large_value(i);
    int err = tern_writer_init(&w, tern_sink_fd(fd), 4096);
    for (uint32_t i = 0; i < N_ROWS; i++) {
        memset(row, (int)i, sizeof row);
        tern_put_u32(&w, i);
        tern_put_u8s(&w, row, i % ROW);
        tern_put_f64(&w, i);
    }
    tern_put_f64s(&w, large, LARGE);
    tern_put_str(&w, (tern_str){"end", 3});
    int end = tern_writer_fini(&w);
    return err ? err : end;
}

static bool read_all(int fd) {
    static double large[LARGE];
    tern_reader r;
    uint8_t row[ROW];
    bool same = tern_reader_init(&r, tern_source_fd(fd), 1024) == 0;
    for (uint32_t i = 0; i < N_ROWS && same; i++) {
        same = tern_get_u32(&r) == i;
        tern_get_u8s(&r, row, i % ROW);
        for (uint32_t k = 0; k < i % ROW; k++) same = same && row[k] == (uint8_t)i;
        same = same && tern_get_f64(&r) == i;
    }
    tern_get_f64s(&r, large, LARGE);
    for (size_t i = 0; i < LARGE && same; i++) same = large[i] == large_value(i);
    tern_str s = tern_get_str(&r, NULL);
    same = same && s.len == 3 && !memcmp(s.data, "end", 4) && tern_reader_at_end(&r);
    return tern_reader_fini(&r) == 0 && same;
}

static void *writing(void *user) {
    int fd = *(int *)user;
    intptr_t err = write_all(fd);
    close(fd);
    return (void *)err;
}

/* fds[0] is read, fds[1] written by a thread. */
static bool pass(int fds[2]) {
    pthread_t thread;
    void *err;
    if (pthread_create(&thread, NULL, writing, &fds[1])) return false;
    bool same = read_all(fds[0]);
    close(fds[0]);
    pthread_join(thread, &err);
    return same && !err;
}

static void fd__pipe(void) {
    int fds[2];
    CHECK_EQ(pipe(fds), 0);
    CHECK(pass(fds));
}

static void fd__socket_that_does_not_block(void) {
    int fds[2];
    CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
    CHECK(pass(fds));
}

static void fd__pipe_that_does_not_block(void) {
    int fds[2];
    CHECK_EQ(pipe2(fds, O_NONBLOCK), 0);
    CHECK(pass(fds));
}

static void fd__file(void) {
    int fd = memfd_create("stream", 0);
    CHECK(fd >= 0);
    CHECK_EQ(write_all(fd), 0);
    CHECK_EQ(lseek(fd, 0, SEEK_SET), 0);
    CHECK(read_all(fd));
    close(fd);
}

static void fd__peer_gone(void) {
    int fds[2];
    CHECK_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
    close(fds[0]);
    CHECK_EQ(write_all(fds[1]), TERN_ERR_CLOSED);
    close(fds[1]);
}

static void fd__not_a_descriptor(void) {
    tern_reader r;
    CHECK_EQ(write_all(-1), TERN_ERR_IO);
    CHECK_EQ(tern_reader_init(&r, tern_source_fd(-1), 0), 0);
    CHECK(tern_reader_at_end(&r));
    CHECK_EQ(tern_reader_fini(&r), TERN_ERR_IO);
}

TAP_MAIN(TEST(fd__pipe), TEST(fd__socket_that_does_not_block), TEST(fd__pipe_that_does_not_block), TEST(fd__file),
         TEST(fd__peer_gone), TEST(fd__not_a_descriptor))
