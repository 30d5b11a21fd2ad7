/* fts does the walking: it keeps no descriptor per level and survives names that change under it. */
#include "walk.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "store.h"
#include "utf8.h"

static int by_name(const FTSENT **a, const FTSENT **b) { return strcmp((*a)->fts_name, (*b)->fts_name); }

int walk_open(walk *w, const char *root, uint64_t max_files, uint64_t max_bytes) {
    *w = (walk){.max_files = max_files ? max_files : UINT64_MAX, .max_bytes = max_bytes ? max_bytes : UINT64_MAX};
    /* A slash at the end makes the kernel follow a link given as root and refuse what is no directory. */
    char path[4096];
    int len = snprintf(path, sizeof path, "%s/", root);
    if (len < 2 || (size_t)len >= sizeof path) {
        errno = len < 2 ? ENOENT : ENAMETOOLONG;
        return TERN_ERR_IO;
    }
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return TERN_ERR_IO;
    close(fd);
    char *roots[] = {path, NULL};
    w->fts = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
    if (!w->fts) return TERN_ERR_IO;
    w->root_len = (size_t)len;
    return 0;
}

/* The part of the path behind the root and the slashes that follow it. */
static tern_str key_of(const walk *w, const FTSENT *e) {
    size_t at = w->root_len;
    while (at > 0 && e->fts_path[at - 1] != '/') at--; /* fts trims trailing slashes of its own accord */
    while (e->fts_path[at] == '/') at++;
    return (tern_str){e->fts_path + at, e->fts_pathlen - at};
}

enum { MAX_COMPLAINTS = 10 };

/* The errors of this process rather than of one file: who skips for their sake skips everything that follows. */
static bool is_shortage(int error) { return error == EMFILE || error == ENFILE || error == ENOMEM; }

static void skip(walk *w, uint64_t *count, const char *path, const char *why) {
    ++*count;
    if (w->n_unreadable + w->n_names <= MAX_COMPLAINTS) cli_complain("%s: skipped: %s", path, why);
}

static void skip_unreadable(walk *w, const char *path, int error) {
    if (!is_shortage(error)) {
        skip(w, &w->n_unreadable, path, cli_errno_text(error));
        return;
    }
    w->broken = true;
    cli_complain("%s: %s", path, cli_errno_text(error));
}

/* fts ends with NULL and no error. */
static FTSENT *step(walk *w) {
    errno = 0;
    w->begun = true;
    FTSENT *e = w->broken || w->cut ? NULL : fts_read(w->fts);
    if (!e && errno) {
        w->broken = true;
        cli_complain("cannot walk on: %s", cli_errno_text(errno));
    }
    return e;
}

bool walk_next(walk *w, walk_file *file) {
    FTSENT *e;
    while ((e = step(w)) != NULL) {
        switch (e->fts_info) {
        case FTS_F: break;
        case FTS_SL:
        case FTS_SLNONE: w->n_links++; continue;
        case FTS_DNR:
        case FTS_ERR:
        case FTS_NS: skip_unreadable(w, e->fts_path, e->fts_errno); continue;
        case FTS_DEFAULT: w->n_special++; continue;
        default: continue;
        }
        file->key = key_of(w, e);
        if (!utf8_valid(file->key.data, file->key.len) || file->key.len > STORE_MAX_KEY_BYTES) {
            skip(w, &w->n_names, e->fts_path, "a key is UTF-8, of 16384 bytes at most");
            continue;
        }
        file->path = e->fts_path;
        file->bytes = (uint64_t)e->fts_statp->st_size;
        if (w->n_files == w->max_files || file->bytes > w->max_bytes - w->n_bytes) {
            w->cut = true;
            return false;
        }
        w->n_files++;
        w->n_bytes += file->bytes;
        return true;
    }
    return false;
}

void walk_close(walk *w) {
    if (!w->fts) return;
    if (!w->begun) fts_read(w->fts); /* glibc's fts_close() leaks the root where nothing was read */
    fts_close(w->fts);
    w->fts = NULL;
}

int walk_open_file(walk *w, const char *path) {
    /* O_NONBLOCK: a pipe that has taken the file's place must not hang us. */
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    if (fd < 0) {
        skip_unreadable(w, path, errno);
        return -1;
    }
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) return fd;
    close(fd);
    skip(w, &w->n_unreadable, path, "it is no regular file any more");
    return -1;
}

int walk_exit_code(const walk *w) { return w->broken || w->n_unreadable || w->n_names ? CLI_LOCAL : CLI_OK; }

void walk_print_skipped(const walk *w) {
    const struct {
        uint64_t n;
        const char *what;
    } kinds[] = {{w->n_links, "symbolic links"},
                 {w->n_special, "special files"},
                 {w->n_unreadable, "unreadable"},
                 {w->n_names, "unusable names"}};
    const char *before = " (skipped: ";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (kinds[i].n == 0) continue;
        printf("%s%" PRIu64 " %s", before, kinds[i].n, kinds[i].what);
        before = ", ";
    }
    if (*before == ',') putchar(')');
}
