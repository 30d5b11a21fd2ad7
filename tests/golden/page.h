/* Examples in a page of docs: blocks "```hex name" of lines "offset  bytes | words". */
#ifndef TERN_TESTS_GOLDEN_PAGE_H
#define TERN_TESTS_GOLDEN_PAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE_MAX_BYTES = 256 };

/* One line "offset  bytes | words": appends the bytes. False when the line is not such a line, or its offset is
 * not where the bytes are. */
static inline bool page_read_line(const char *line, uint8_t *out, size_t *n) {
    char *end;
    if (strtoul(line, &end, 16) != *n || end == line) return false;
    for (line = end;; line = end) {
        line += strspn(line, " ");
        if (*line == '|') return true;
        unsigned long byte = strtoul(line, &end, 16);
        if (end != line + 2 || byte > 255 || *n == PAGE_MAX_BYTES) return false;
        out[(*n)++] = (uint8_t)byte;
    }
}

/* The bytes of the page's block "```hex name"; 0 when there is none or it is not well-formed. */
static inline size_t page_read_example(const char *path, const char *name, uint8_t *out) {
    char line[512], fence[64];
    size_t n = 0;
    bool inside = false;
    FILE *page = fopen(path, "r");
    if (!page) return 0;
    snprintf(fence, sizeof fence, "```hex %s\n", name);
    while (fgets(line, sizeof line, page)) {
        if (!inside) {
            inside = strcmp(line, fence) == 0;
        } else if (strcmp(line, "```\n") == 0) {
            fclose(page);
            return n;
        } else if (!page_read_line(line, out, &n)) {
            printf("# bad line: %s", line);
            break;
        }
    }
    fclose(page);
    return 0;
}

#endif
