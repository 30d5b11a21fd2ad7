/* The memory that this process may use, read from trees of files as kernels of several kinds lay them out. */
#include "base/memory_limit.h"

#include <ftw.h>
#include <limits.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"

static char tree[] = "/tmp/tern_memory_limit_XXXXXX";

/* A file below the tree, and the folders on the way to it. */
static void lay(const char *path, const char *text) {
    char full[PATH_MAX];
    snprintf(full, sizeof full, "%s/%s", tree, path);
    for (char *p = full + strlen(tree) + 1; (p = strchr(p, '/')) != NULL; p++) {
        *p = '\0';
        mkdir(full, 0700);
        *p = '/';
    }
    FILE *file = fopen(full, "w");
    if (!file) abort();
    fputs(text, file);
    fclose(file);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at) {
    (void)st, (void)type;
    return at->level == 0 ? 0 : remove(path);
}

static void clear(void) { nftw(tree, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

/* What /proc says, after everything of the test before is gone. */
static void lay_proc(const char *cgroup, const char *mountinfo) {
    clear();
    lay("proc/self/cgroup", cgroup);
    lay("proc/self/mountinfo", mountinfo);
    lay("proc/meminfo", "MemTotal:       16000000 kB\nMemFree:          100 kB\nMemAvailable:    8000000 kB\n");
}

static uint64_t cgroup_bytes(void) { return tern__memory_limit_read(tree).cgroup_bytes; }

static const char v2_mount[] =
    "24 1 0:22 / / rw - overlay overlay rw\n"
    "30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 master:1 - cgroup2 cgroup rw,nsdelegate\n";

static void memory_limit__v2_takes_the_least_on_the_way_up(void) {
    lay_proc("0::/a/b/c\n", v2_mount);
    lay("sys/fs/cgroup/a/b/c/memory.max", "max\n");
    lay("sys/fs/cgroup/a/b/memory.max", "300000000\n");
    lay("sys/fs/cgroup/a/memory.max", "500000000\n");
    lay("sys/fs/cgroup/other/memory.max", "1000\n");
    CHECK_EQ(cgroup_bytes(), 300000000);
    lay("sys/fs/cgroup/a/b/c/memory.max", "200000000\n");
    CHECK_EQ(cgroup_bytes(), 200000000);
    lay("sys/fs/cgroup/a/memory.high", "100000000\n");
    CHECK_EQ(cgroup_bytes(), 100000000);
    lay("sys/fs/cgroup/memory.max", "50000000\n");
    CHECK_EQ(cgroup_bytes(), 50000000);
}

/* In a container the group is the root of its namespace, whose limit stands at the mount point. */
static void memory_limit__v2_in_a_namespace(void) {
    lay_proc("0::/\n", v2_mount);
    lay("sys/fs/cgroup/memory.max", "314572800\n");
    CHECK_EQ(cgroup_bytes(), 314572800);
    lay_proc("0::/../../elsewhere\n", v2_mount);
    lay("sys/fs/cgroup/memory.max", "314572800\n");
    lay("sys/memory.max", "1\n");
    CHECK_EQ(cgroup_bytes(), 314572800);
}

static void memory_limit__v1_below_the_mounts_root(void) {
    lay_proc("5:cpu,cpuacct:/docker/abc\n4:hugetlb,memory:/docker/abc/in\n0::/docker/abc\n",
             "33 32 0:29 /docker/abc /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
             "34 32 0:30 /docker/abc /sys/fs/cgroup/memory\\040one rw - cgroup cgroup rw,hugetlb,memory\n");
    lay("sys/fs/cgroup/memory one/memory.limit_in_bytes", "400000000\n");
    lay("sys/fs/cgroup/memory one/in/memory.limit_in_bytes", "9223372036854771712\n");
    lay("sys/fs/cgroup/cpu/memory.limit_in_bytes", "7\n");
    lay("sys/fs/cgroup/memory one/docker/abc/memory.limit_in_bytes", "7\n");
    CHECK_EQ(cgroup_bytes(), 400000000);
    lay("sys/fs/cgroup/memory one/in/memory.limit_in_bytes", "399999999\n");
    CHECK_EQ(cgroup_bytes(), 399999999);
}

/* A mount of another group's subtree: only its mount point is looked at. */
static void memory_limit__v1_outside_the_mounts_root(void) {
    lay_proc("4:memory:/docker/abcdef\n", "34 32 0:30 /docker/abc /cg rw - cgroup cgroup rw,memory\n");
    lay("cg/memory.limit_in_bytes", "1234567\n");
    lay("cgdef/memory.limit_in_bytes", "1\n");
    CHECK_EQ(cgroup_bytes(), 1234567);
}

/* Systems of both kinds have the memory controller in v1; either may hold a limit. */
static void memory_limit__both_hierarchies(void) {
    lay_proc("4:memory:/x\n0::/y\n", "34 32 0:30 / /one rw - cgroup cgroup rw,memory\n"
                                     "35 32 0:31 / /two rw - cgroup2 cgroup2 rw\n");
    lay("one/x/memory.limit_in_bytes", "2000\n");
    CHECK_EQ(cgroup_bytes(), 2000);
    lay("two/y/memory.max", "1000\n");
    CHECK_EQ(cgroup_bytes(), 1000);
}

static void memory_limit__no_limit(void) {
    lay_proc("0::/a\n", v2_mount);
    CHECK(cgroup_bytes() == UINT64_MAX);
    lay("sys/fs/cgroup/a/memory.max", "max\n");
    CHECK(cgroup_bytes() == UINT64_MAX);
    lay("sys/fs/cgroup/a/memory.max", "99999999999999999999999\n");
    CHECK(cgroup_bytes() == UINT64_MAX);
    lay("sys/fs/cgroup/a/memory.max", "");
    CHECK(cgroup_bytes() == UINT64_MAX);
    CHECK_EQ(tern__memory_limit_read(tree).available_bytes, 8000000ll << 10);
}

static void memory_limit__the_lesser(void) {
    lay_proc("0::/\n", v2_mount);
    lay("sys/fs/cgroup/memory.max", "9000000000\n");
    tern__memory_limit limit = tern__memory_limit_read(tree);
    CHECK_EQ(tern__memory_limit_least(&limit), 8000000ll << 10);
    lay("sys/fs/cgroup/memory.max", "8000000000\n");
    limit = tern__memory_limit_read(tree);
    CHECK_EQ(tern__memory_limit_least(&limit), 8000000000);
}

static void memory_limit__files_that_make_no_sense(void) {
    static const char *const odd[] = {"",
                                      "\n",
                                      ":\n::\n0:\n0::\n",
                                      "0::relative\n",
                                      "- - - -\n",
                                      " - cgroup2\n",
                                      "1 2 3 / /x - cgroup2 c rw\n",
                                      "MemAvailable: 12 MB\n",
                                      "MemAvailable: x kB\n"};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        lay_proc(odd[i], odd[i]);
        lay("proc/meminfo", odd[i]);
        tern__memory_limit limit = tern__memory_limit_read(tree);
        CHECK(tern__memory_limit_least(&limit) == UINT64_MAX);
    }
    clear();
    tern__memory_limit limit = tern__memory_limit_read(tree);
    CHECK(tern__memory_limit_least(&limit) == UINT64_MAX);
}

static void memory_limit__of_this_machine(void) {
    tern__memory_limit limit = tern__memory_limit_read("");
    if (access("/proc/meminfo", R_OK) != 0) SKIP("this machine has no /proc/meminfo");
    CHECK(limit.available_bytes > 0 && limit.available_bytes < UINT64_MAX);
    CHECK(limit.cgroup_bytes > 0);
}

/* With this soft limit in place of the process's own. */
static uint64_t process_bytes_with(int resource, rlim_t bytes) {
    struct rlimit own, other;
    if (getrlimit(resource, &own) != 0) abort();
    other = own;
    other.rlim_cur = bytes;
    if (setrlimit(resource, &other) != 0) return 0;
    uint64_t got = tern__memory_limit_read(tree).process_bytes;
    if (setrlimit(resource, &own) != 0) abort();
    return got;
}

/* Limits above all that a sanitizer reserves. */
static void memory_limit__of_the_process(void) {
    struct rlimit as, data;
    CHECK(getrlimit(RLIMIT_AS, &as) == 0 && getrlimit(RLIMIT_DATA, &data) == 0);
    if (as.rlim_cur != RLIM_INFINITY || data.rlim_cur != RLIM_INFINITY) SKIP("this process has limits already");
    CHECK(tern__memory_limit_read(tree).process_bytes == UINT64_MAX);
    CHECK_EQ(process_bytes_with(RLIMIT_AS, (rlim_t)1 << 50), 1ll << 50);
    CHECK_EQ(process_bytes_with(RLIMIT_DATA, (rlim_t)1 << 49), 1ll << 49);
}

static void memory_limit__which_is_the_least(void) {
    static const struct {
        tern__memory_limit limit;
        uint64_t least;
        tern__memory_bound bound;
    } cases[] = {
        {{1, 2, 3}, 1, TERN__MEMORY_BY_CGROUP},
        {{2, 1, 3}, 1, TERN__MEMORY_BY_MACHINE},
        {{3, 2, 1}, 1, TERN__MEMORY_BY_PROCESS},
        {{2, 3, 1}, 1, TERN__MEMORY_BY_PROCESS},
        {{UINT64_MAX, UINT64_MAX, 5}, 5, TERN__MEMORY_BY_PROCESS},
        {{UINT64_MAX, UINT64_MAX, UINT64_MAX}, UINT64_MAX, TERN__MEMORY_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK(tern__memory_limit_least(&cases[i].limit) == cases[i].least);
        CHECK_EQ(tern__memory_limit_bound(&cases[i].limit), cases[i].bound);
    }
}

__attribute__((constructor)) static void make_tree(void) {
    if (!mkdtemp(tree)) abort();
}

__attribute__((destructor)) static void remove_tree(void) {
    clear();
    rmdir(tree);
}

TAP_MAIN(TEST(memory_limit__v2_takes_the_least_on_the_way_up), TEST(memory_limit__v2_in_a_namespace),
         TEST(memory_limit__v1_below_the_mounts_root), TEST(memory_limit__v1_outside_the_mounts_root),
         TEST(memory_limit__both_hierarchies), TEST(memory_limit__no_limit), TEST(memory_limit__the_lesser),
         TEST(memory_limit__files_that_make_no_sense), TEST(memory_limit__of_this_machine),
         TEST(memory_limit__of_the_process), TEST(memory_limit__which_is_the_least))
