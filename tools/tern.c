/* The `tern` command line. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cat.h"
#include "tern/tern.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *about;
} commands[] = {
    {"cat", cat_main, "print a recorded stream, or messages of a schema"},
};

static int usage(FILE *out, int code) {
    fprintf(out, "usage: tern COMMAND [options] ...   (tern %s)\n\n", TERN_VERSION);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        fprintf(out, "  tern %-6s %s\n", commands[i].name, commands[i].about);
    fprintf(out, "\ntern COMMAND --help tells the options.\n");
    return code;
}

int main(int argc, char **argv) {
    signal(SIGPIPE, SIG_IGN); /* shows up as a write error, which is reported */
    if (argc < 2) return usage(stderr, 2);
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "help")) return usage(stdout, 0);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(argv[1], commands[i].name)) continue;
        int code = commands[i].run(argc - 1, argv + 1);
        if (fflush(stdout) == 0 && !ferror(stdout)) return code;
        fprintf(stderr, "tern: cannot write to stdout\n");
        return 4;
    }
    fprintf(stderr, "tern: no such command: %s\n", argv[1]);
    return usage(stderr, 2);
}
