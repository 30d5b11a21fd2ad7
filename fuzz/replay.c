/* A fuzzer without libFuzzer: runs every seed of a folder, and for each a bounded number of its prefixes and
 * of copies with one byte changed, always the same ones. Inputs lie in memory of exactly their size. */
#include <dirent.h>

#include "base/rng.h"
#include "fuzz.h"

enum { SEED_MAX_BYTES = 1 << 20, VARIANTS = 64 };

static void run(const uint8_t *data, size_t len) {
    uint8_t *copy = malloc(len ? len : 1);
    if (!copy) return;
    memcpy(copy, data, len);
    LLVMFuzzerTestOneInput(copy, len);
    free(copy);
}

static void run_variants(uint8_t *data, size_t len) {
    tern__rng rng;
    tern__rng_seed(&rng, len);
    run(data, len);
    for (int i = 0; i < VARIANTS && len > 0; i++) {
        size_t at = tern__rng_below(&rng, len);
        uint8_t kept = data[at];
        run(data, at);
        data[at] = (uint8_t)tern__rng_next(&rng);
        run(data, len);
        data[at] = kept;
    }
}

static int run_file(const char *folder, const char *name) {
    static uint8_t data[SEED_MAX_BYTES];
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) return -1;
    size_t len = fread(data, 1, sizeof data, file);
    fclose(file);
    run_variants(data, len);
    return 0;
}

int main(int argc, char **argv) {
    int n = 0, n_failed = 0;
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    if (!folder) {
        printf("Bail out! usage: %s FOLDER\n", argv[0]);
        return 1;
    }
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        if (entry->d_name[0] == '.') continue;
        int err = run_file(argv[1], entry->d_name);
        printf("%s %d - %s\n", err ? "not ok" : "ok", ++n, entry->d_name);
        n_failed += err != 0;
    }
    closedir(folder);
    printf("1..%d\n", n);
    return n == 0 || n_failed;
}
