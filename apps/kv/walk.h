/* The regular files of a directory tree, in an order that depends on names alone, each with the key under
 * which it is stored: its path relative to the root. Symbolic links are not followed. */
#ifndef KV_WALK_H
#define KV_WALK_H

#include <fts.h>
#include <stdint.h>

#include "tern/type.h"

typedef struct walk {
    FTS *fts;
    size_t root_len;
    uint64_t max_files, max_bytes; /* the walk ends before it would pass either */
    uint64_t n_files, n_bytes;     /* given out so far */
    uint64_t n_links, n_special;   /* skipped: symbolic links; sockets, devices and pipes */
    uint64_t n_unreadable;         /* skipped: files and directories that cannot be read */
    uint64_t n_names;              /* skipped: names that are not UTF-8, or too long for a key */
    bool cut;                      /* a maximum ended it */
} walk;

typedef struct walk_file {
    const char *path; /* to open it; valid until the next step */
    tern_str key;     /* part of path */
    uint64_t bytes;   /* its size when it was looked at */
} walk_file;

/* Maxima of 0 mean none. Returns 0 or TERN_ERR_IO, with errno set: the root is no directory that can be read. */
int walk_open(walk *w, const char *root, uint64_t max_files, uint64_t max_bytes);
bool walk_next(walk *w, walk_file *file);
void walk_close(walk *w);

/* Open a file for reading if it is still a regular file; -1 and counted as unreadable otherwise. */
int walk_open_file(walk *w, const char *path);

/* " (skipped: 3 symbolic links, ...)", or nothing when nothing was. */
void walk_print_skipped(const walk *w);

#endif
