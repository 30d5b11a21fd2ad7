/* kv: a key-value server, its client, a loader and checker for directory trees, and a load generator. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "client.h"
#include "commands.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *synopsis, *about;
} commands[] = {
    {"serve", serve_main, "ADDRESS...", "serve a store at these addresses"},
    {"load", load_main, "ADDRESS DIR", "store every regular file below DIR under its relative path"},
    {"check", check_main, "ADDRESS DIR", "fetch them back and compare SHA-256"},
    {"get", get_main, "ADDRESS KEY...", "write values to stdout"},
    {"put", put_main, "ADDRESS KEY [FILE]", "store a file, or stdin"},
    {"del", del_main, "ADDRESS KEY...", "delete keys"},
    {"list", list_main, "ADDRESS KEY...", "show the segments of values"},
    {"scan", scan_main, "ADDRESS", "show the keys in order, or dump them with their values"},
    {"import", import_main, "ADDRESS [FILE]", "store what such a dump holds"},
    {"stats", stats_main, "ADDRESS", "show the server's counters"},
    {"bench", bench_main, "ADDRESS", "measure latency under load"},
};

static void print_usage(FILE *out) {
    const char *name = cli_name();
    fprintf(out, "usage: %s [--trace FILE] COMMAND [options] ...\n\n", name);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        fprintf(out, "  %s %-6s %-19s %s\n", name, commands[i].name, commands[i].synopsis, commands[i].about);
    fprintf(out,
            "\nADDRESS is shm:///path, udp://host:port, tcp://host:port or unix:///path.\n"
            "--trace FILE writes what the library does to a qlog file (docs/guide/tracing.md).\n"
            "%s COMMAND --help tells the options.\n"
            "Exit codes: 0 done, 1 missing or different data, 2 usage, 3 server or call failed, 4 this machine.\n",
            name);
}

int main(int argc, char **argv) {
    /* A reader of our output that goes away shows up as a write error, which is reported. */
    signal(SIGPIPE, SIG_IGN);
    if (argc >= 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0)) {
        print_usage(stdout);
        return CLI_OK;
    }
    if (argc >= 3 && strcmp(argv[1], "--trace") == 0) {
        client_trace_path = argv[2];
        argc -= 2;
        argv += 2;
    }
    for (size_t i = 0; argc >= 2 && i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(argv[1], commands[i].name) != 0) continue;
        int code = commands[i].run(argc - 1, argv + 1);
        if (fflush(stdout) == 0 && !ferror(stdout)) return code;
        cli_complain("cannot write to stdout");
        return CLI_LOCAL;
    }
    if (argc >= 2) cli_complain("no such command: %s", argv[1]);
    print_usage(stderr);
    return CLI_USAGE;
}
