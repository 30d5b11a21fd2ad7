/* The regular files of a directory tree, in an order that depends on names alone, each with the key under
 * which it is stored: its path relative to the root. Symbolic links are not followed. */
#ifndef KV_WALK_H
#define KV_WALK_H

#include <fts.h>
#include <stdbool.h>
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
    bool begun;                    /* something has been read */
    bool cut;                      /* a maximum ended it */
    bool broken;                   /* this process lacks what it takes to go on: descriptors, memory */
} walk;

typedef struct walk_file {
    const char *path; /* to open it; valid until the next step */
    tern_str key;     /* part of path */
    uint64_t bytes;   /* its size when it was looked at */
} walk_file;

/* Maxima of 0 mean none. Returns 0 or TERN_ERR_IO, with errno set: the root is no directory that can be read. */
int walk_open(walk *w, const char *root, uint64_t max_files, uint64_t max_bytes);

/* The next file; false when there is none, or a maximum has been reached, or the walk is broken, now and from then on.
 * What is skipped though it holds data is complained about, the first few times by name. */
bool walk_next(walk *w, walk_file *file);
void walk_close(walk *w);

/* Open a file for reading if it is still a regular file; otherwise -1, and it is counted as unreadable or the walk is
 * broken, after a complaint. */
int walk_open_file(walk *w, const char *path);

/* 0, or the exit code for data that was skipped or a walk that is broken: CLI_LOCAL. */
int walk_exit_code(const walk *w);

/* " (skipped: 3 symbolic links, ...)", or nothing when nothing was. */
void walk_print_skipped(const walk *w);

#endif
