/* An adaptive mesh, sent while it is walked: nobody knows how many cells there are until the last one has been seen,
 * and no message could describe it beforehand. A quadtree refines a function where it is steep; the writer walks it
 * depth first, the reader builds what comes. Run alone, it sends to a process of its own through a socket; `mesh FILE`
 * keeps the stream in a file, for `tern cat FILE`. */
#define TERN_STREAM_CODES 1 /* a byte per piece, so that the stream can be printed and mistakes are named */

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tern/stream.h"

enum { MESH = 0x4d455348 /* the stream's content: "MESH" */, DEPTH = 9 };
enum { LEAF, SPLIT };

static double height(double x, double y) {
    double off = x * x + y * y - 0.3;
    return 1 / (1 + 400 * off * off); /* a ring */
}

/* A cell is a leaf with its four corners' heights, or is split in four. */
static void put_cell(tern_writer *w, double x, double y, double size, int depth) {
    double corners[4] = {height(x, y), height(x + size, y), height(x, y + size), height(x + size, y + size)};
    double low = corners[0], high = corners[0];
    for (int i = 1; i < 4; i++) {
        if (corners[i] < low) low = corners[i];
        if (corners[i] > high) high = corners[i];
    }
    if (depth == DEPTH || (depth > 3 && high - low < 0.05)) {
        tern_put_u8(w, LEAF);
        tern_put_f64s(w, corners, 4);
        return;
    }
    tern_put_u8(w, SPLIT);
    for (int i = 0; i < 4; i++) put_cell(w, x + (i & 1) * size / 2, y + (i >> 1) * size / 2, size / 2, depth + 1);
}

static int send_mesh(int fd) {
    tern_writer w;
    tern_writer_init(&w, tern_sink_fd(fd), 0);
    tern_put_preamble(&w, MESH);
    tern_put_str(&w, (tern_str){"ring", 4});
    put_cell(&w, -1, -1, 2, 0);
    return tern_writer_fini(&w); /* errors stick: this is the only place to look */
}

typedef struct totals {
    unsigned cells, leaves;
    double volume;
} totals;

static void get_cell(tern_reader *r, double size, int depth, totals *t) {
    double corners[4];
    uint8_t kind = tern_get_u8(r);
    t->cells++;
    if (r->err) return; /* what has been read is zero then; a recursion must not go on with it */
    if (kind == SPLIT && depth < DEPTH) {
        for (int i = 0; i < 4; i++) get_cell(r, size / 2, depth + 1, t);
    } else if (kind == LEAF) {
        tern_get_f64s(r, corners, 4);
        t->leaves++;
        t->volume += size * size * (corners[0] + corners[1] + corners[2] + corners[3]) / 4;
    } else {
        tern_reader_fail(r, TERN_ERR_MALFORMED); /* deeper than agreed, or no kind of ours */
    }
}

static int receive_mesh(int fd) {
    tern_reader r;
    totals t = {0};
    char name[32] = "", why[160];
    tern_reader_init(&r, tern_source_fd(fd), 0);
    tern_get_preamble(&r, MESH);
    tern_str s = tern_get_str(&r, NULL);
    snprintf(name, sizeof name, "%.*s", (int)s.len, s.len ? s.data : ""); /* a view, valid until the next get */
    get_cell(&r, 2, 0, &t);
    if (r.err)
        fprintf(stderr, "mesh: %s\n", tern_reader_explain(&r, why, sizeof why));
    else
        printf("%s: %u cells, %u leaves, volume %.4f, %llu bytes\n", name, t.cells, t.leaves, t.volume,
               (unsigned long long)tern_reader_offset(&r));
    return tern_reader_fini(&r);
}

int main(int argc, char **argv) {
    if (argc > 1) {
        int fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0666);
        if (fd < 0 || send_mesh(fd) || lseek(fd, 0, SEEK_SET) < 0) {
            fprintf(stderr, "mesh: cannot write %s\n", argv[1]);
            return 1;
        }
        return receive_mesh(fd) != 0;
    }
    int fds[2], status = 1;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds)) return 1;
    pid_t child = fork(); /* before tern is used: its pool does not follow */
    if (child < 0) return 1;
    if (child == 0) {
        close(fds[0]);
        _exit(send_mesh(fds[1]) != 0);
    }
    close(fds[1]);
    int err = receive_mesh(fds[0]);
    waitpid(child, &status, 0);
    return err || status;
}
