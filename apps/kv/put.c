/* kv put: a value that fits one segment goes in one call. A longer one, which may be longer than a message and than our
 * memory, is uploaded segment by segment, and is the key's value once the last of them has come: what interrupts us
 * leaves the old value. While the input brings nothing, empty parts keep the upload. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "client.h"
#include "commands.h"
#include "kv.tern.h"
#include "utf8.h"

enum { SEGMENT_BYTES = (32 << 20) - (32 << 10) };

typedef struct putting {
    client *c;
    const char *key;
    int fd;
    uint64_t upload;   /* 0: not begun */
    uint32_t lease_ms; /* of the upload */
} putting;

static int put_whole(putting *p, tern_bytes value) {
    kv_PutRequest req = {.key = tern_str_of(p->key), .vals = {.data = &value, .len = 1}};
    const kv_PutResponse *rsp;
    tern_call_opts opts = client_call_and_tell(p->c);
    int status = kv_Store_Put_wait(p->c->session, &req, &opts, &rsp);
    if (status != TERN_STATUS_OK) return client_complain(p->c, p->key, status);
    tern_release(rsp);
    return CLI_OK;
}

/* The next part, of no segment if it is empty. */
static int put_part(putting *p, tern_bytes part, kv_UploadEnd end) {
    kv_UploadRequest req = {.upload = p->upload, .end = end, .vals = {.data = &part, .len = part.len > 0}};
    if (!p->upload) req.key = tern_str_of(p->key);
    const kv_UploadResponse *rsp;
    tern_call_opts opts = client_call_and_tell(p->c);
    int status = kv_Store_Upload_wait(p->c->session, &req, &opts, &rsp);
    if (status != TERN_STATUS_OK) {
        p->upload = 0; /* it has ended, or its lease will */
        return client_complain(p->c, p->key, status);
    }
    p->upload = rsp->upload;
    p->lease_ms = rsp->lease_ms;
    tern_release(rsp);
    return CLI_OK;
}

/* Wait for the input, and keep the upload meanwhile. Returns 0 or an exit code. */
static int await_input(putting *p) {
    struct pollfd pfd = {.fd = p->fd, .events = POLLIN};
    int code = 0;
    while (p->upload && !code && poll(&pfd, 1, (int)(p->lease_ms / 3)) == 0)
        code = put_part(p, (tern_bytes){0}, kv_UploadEnd_UPLOAD_GOES_ON);
    return code;
}

/* Fill the segment; *n < cap at the end of the input only. Returns 0, or an exit code after a complaint. */
static int read_segment(putting *p, char *segment, size_t cap, size_t *n) {
    *n = 0;
    while (*n < cap) {
        int code = await_input(p);
        if (code) return code;
        ssize_t got = read(p->fd, segment + *n, cap - *n);
        if (got == 0) break;
        if (got > 0) {
            *n += (size_t)got;
        } else if (errno != EINTR) {
            cli_complain("cannot read: %s", cli_errno_text(errno));
            return CLI_LOCAL;
        }
    }
    return CLI_OK;
}

/* Read and send one segment. *more: it is not the last. */
static int put_segment(putting *p, bool *more) {
    char *segment = tern_alloc(SEGMENT_BYTES);
    size_t n;
    if (!segment) {
        cli_complain("out of memory");
        return CLI_LOCAL;
    }
    int code = read_segment(p, segment, SEGMENT_BYTES, &n);
    tern_bytes bytes = tern_bytes_of(segment, n);
    *more = n == SEGMENT_BYTES;
    if (!code && !*more && !p->upload)
        code = put_whole(p, bytes);
    else if (!code)
        code = put_part(p, bytes, *more ? kv_UploadEnd_UPLOAD_GOES_ON : kv_UploadEnd_UPLOAD_COMMIT);
    tern_unref(segment);
    return code;
}

static int put_all(putting *p) {
    bool more = true;
    int code = CLI_OK;
    while (!code && more) code = put_segment(p, &more);
    if (p->upload) put_part(p, (tern_bytes){0}, kv_UploadEnd_UPLOAD_DISCARD);
    return code;
}

int put_main(int argc, char **argv) {
    const cli_command command = {"put",
                                 "ADDRESS KEY [FILE]",
                                 "Stores what FILE (or stdin, also as -) contains under the key. Until all of it is\n"
                                 "there the key keeps its old value.",
                                 2,
                                 3,
                                 NULL,
                                 0};
    client c;
    int code = cli_parse(&command, &argc, argv);
    if (code != CLI_GO_ON) return code;
    if (!utf8_valid(argv[2], strlen(argv[2])) || !argv[2][0]) return cli_usage_error("a key must be UTF-8, not empty");
    bool from_stdin = argc == 3 || strcmp(argv[3], "-") == 0;
    int fd = from_stdin ? STDIN_FILENO : open(argv[3], O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        cli_complain("%s: %s", argv[3], cli_errno_text(errno));
        return CLI_LOCAL;
    }
    code = client_open(&c, argv[1]);
    if (!code) {
        code = put_all(&(putting){.c = &c, .key = argv[2], .fd = fd});
        client_close(&c);
    }
    if (!from_stdin) close(fd);
    return code;
}
