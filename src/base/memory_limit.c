/* Where a group's limits stand follows from two files: proc/self/cgroup names the process's group in each hierarchy,
 * and proc/self/mountinfo says where the hierarchies are mounted and which group of theirs is the mount's root. A limit
 * of any group on the way from the process's up to the mount point holds for the process. */
#include "base/memory_limit.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* A hierarchy of groups that may limit memory. */
typedef enum hierarchy { V1, V2, N_HIERARCHIES } hierarchy;

static const char *const limit_files[N_HIERARCHIES][2] = {
    [V1] = {"memory.limit_in_bytes", NULL},
    [V2] = {"memory.max", "memory.high"}, /* beyond `high` a process is not killed, but stands still */
};

typedef struct groups {
    const char *root;
    char *path[N_HIERARCHIES]; /* the process's group; NULL: it is in none */
    uint64_t least_bytes;
} groups;

static FILE *open_below(const char *root, const char *folder, const char *name) {
    char path[PATH_MAX];
    int len = snprintf(path, sizeof path, "%s%s/%s", root, folder, name);
    return len > 0 && (size_t)len < sizeof path ? fopen(path, "re") : NULL;
}

/* Whether a word is one of those in a list that commas separate. */
static bool has_word(const char *list, const char *word) {
    size_t len = strlen(word);
    for (const char *p = list; (p = strstr(p, word)) != NULL; p += len)
        if ((p == list || p[-1] == ',') && (p[len] == '\0' || p[len] == ',')) return true;
    return false;
}

/* A line is "NUMBER:CONTROLLERS:PATH"; v2's number is 0 and it names no controllers. */
static void take_group(groups *g, char *line) {
    char *rest = line, *number = strsep(&rest, ":"), *controllers = strsep(&rest, ":");
    if (!controllers || !rest || *rest != '/') return;
    hierarchy h = *controllers ? V1 : V2;
    if (h == V1 ? !has_word(controllers, "memory") : strcmp(number, "0") != 0) return;
    free(g->path[h]);
    g->path[h] = strdup(rest);
}

static void take_limit(groups *g, const char *folder, const char *name) {
    FILE *file = open_below(g->root, folder, name);
    char text[32] = "";
    if (!file) return;
    if (fgets(text, sizeof text, file) && *text >= '0' && *text <= '9') {
        errno = 0;
        uint64_t bytes = strtoull(text, NULL, 10);
        if (!errno && !(bytes >> TERN__MEMORY_NO_LIMIT_SHIFT) && bytes < g->least_bytes) g->least_bytes = bytes;
    }
    fclose(file);
}

/* The process's group below the mount's root. A path that leads out of the namespace, or is not below the mount's root,
 * cannot be followed: the mount point itself is all that is seen. */
static const char *place_below(const char *path, const char *mount_root) {
    size_t len = strcmp(mount_root, "/") == 0 ? 0 : strlen(mount_root);
    if (strncmp(path, mount_root, len) != 0 || (path[len] != '/' && path[len] != '\0')) return "";
    if (strncmp(path + len, "/..", 3) == 0 && (path[len + 3] == '/' || path[len + 3] == '\0')) return "";
    return strcmp(path + len, "/") == 0 ? "" : path + len;
}

static void take_mount(groups *g, hierarchy h, const char *mount_root, const char *mount_point) {
    char folder[PATH_MAX];
    if (!g->path[h]) return;
    int len = snprintf(folder, sizeof folder, "%s%s", mount_point, place_below(g->path[h], mount_root));
    size_t top = strlen(mount_point);
    if (len < 0 || (size_t)len >= sizeof folder) return;
    for (;;) {
        for (size_t i = 0; i < 2 && limit_files[h][i]; i++) take_limit(g, folder, limit_files[h][i]);
        char *slash = strrchr(folder + top, '/');
        if (!slash) return;
        *slash = '\0';
    }
}

/* Mountinfo writes blanks, tabs, newlines and backslashes in names as a backslash and three octal digits. */
static void unescape(char *text) {
    char *out = text;
    for (const char *p = text; *p; p++) {
        if (*p == '\\' && strspn(p + 1, "01234567") >= 3) {
            *out++ = (char)((p[1] - '0') << 6 | (p[2] - '0') << 3 | (p[3] - '0'));
            p += 3;
        } else {
            *out++ = *p;
        }
    }
    *out = '\0';
}

/* "ID PARENT MAJOR:MINOR ROOT MOUNT_POINT OPTIONS [OPTIONAL...] - TYPE SOURCE SUPER_OPTIONS" */
static void take_mount_line(groups *g, char *line) {
    char *words[6] = {0}, *rest = strstr(line, " - ");
    if (!rest) return;
    *rest = '\0';
    rest += 3;
    for (size_t i = 0; i < 6; i++) words[i] = strsep(&line, " ");
    char *type = strsep(&rest, " ");
    strsep(&rest, " ");
    if (!words[5] || !rest) return;
    unescape(words[3]);
    unescape(words[4]);
    if (strcmp(type, "cgroup2") == 0) take_mount(g, V2, words[3], words[4]);
    if (strcmp(type, "cgroup") == 0 && has_word(rest, "memory")) take_mount(g, V1, words[3], words[4]);
}

static void each_line(groups *g, const char *folder, const char *name, void (*take)(groups *g, char *line)) {
    FILE *file = open_below(g->root, folder, name);
    char *line = NULL;
    size_t room = 0;
    if (!file) return;
    while (getline(&line, &room, file) >= 0) {
        line[strcspn(line, "\n")] = '\0';
        take(g, line);
    }
    free(line);
    fclose(file);
}

/* Meminfo is read through the same walk: the line "MemAvailable:   N kB". */
static void take_available(groups *g, char *line) {
    static const char label[] = "MemAvailable:";
    char *end;
    if (strncmp(line, label, sizeof label - 1) != 0) return;
    errno = 0;
    uint64_t kb = strtoull(line + sizeof label - 1, &end, 10);
    if (!errno && strcmp(end, " kB") == 0 && kb <= UINT64_MAX >> 10) g->least_bytes = kb << 10;
}

static uint64_t process_limit(void) {
    struct rlimit limit;
    uint64_t least = UINT64_MAX;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) least = limit.rlim_cur;
    if (getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < least)
        least = limit.rlim_cur;
    return least;
}

tern__memory_limit tern__memory_limit_read(const char *root) {
    groups available = {.root = root, .least_bytes = UINT64_MAX}, g = available;
    each_line(&available, "/proc", "meminfo", take_available);
    each_line(&g, "/proc/self", "cgroup", take_group);
    each_line(&g, "/proc/self", "mountinfo", take_mount_line);
    for (hierarchy h = V1; h < N_HIERARCHIES; h++) free(g.path[h]);
    return (tern__memory_limit){
        .cgroup_bytes = g.least_bytes, .available_bytes = available.least_bytes, .process_bytes = process_limit()};
}
