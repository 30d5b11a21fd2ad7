/* The stream code on a machine of the other byte order, for big_endian.sh. tern itself runs on little-endian machines
 * only, so what streams need of its pool is malloc's here.
 *
 * usage: other_end put SETTING >bytes; other_end get SETTING <bytes */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "every_all.h"
#include "tern/stream.h"

void *tern_alloc(size_t bytes) { return malloc(bytes); }
bool tern_in_pool(const void *ptr) { return (void)ptr, false; }
void tern_unref(const void *ptr) { free((void *)(uintptr_t)ptr); }
void *tern__arena_alloc_slow(tern_arena *arena, size_t bytes) { return (void)arena, malloc(bytes); }
const char *tern_strerror(int err) { return (void)err, "an error"; }

static const struct {
    const char *name;
    void (*put)(tern_writer *w);
    bool (*get)(tern_reader *r, tern_arena *arena);
} settings[] = {
#define SETTING_ROW(name) {#name, every_put_##name, every_get_##name},
    EVERY_SETTINGS(SETTING_ROW)};

int main(int argc, char **argv) {
    static uint8_t bytes[4096];
    for (size_t i = 0; argc == 3 && i < sizeof settings / sizeof *settings; i++) {
        if (strcmp(argv[2], settings[i].name)) continue;
        if (!strcmp(argv[1], "put")) {
            tern_writer w;
            tern_writer_init_memory(&w, bytes, sizeof bytes);
            settings[i].put(&w);
            tern_bytes b = tern_writer_memory(&w);
            return b.len == 0 || fwrite(b.data, 1, b.len, stdout) != b.len;
        }
        tern_reader r;
        tern_reader_init_memory(&r, bytes, fread(bytes, 1, sizeof bytes, stdin));
        return !settings[i].get(&r, NULL) || tern_reader_fini(&r);
    }
    return 2;
}
