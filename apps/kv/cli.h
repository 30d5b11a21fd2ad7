/* The command line: options in tables, numbers with suffixes, messages and exit codes. What a user types is
 * checked completely before anything happens. */
#ifndef KV_CLI_H
#define KV_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CLI_OK = 0,
    CLI_DATA = 1,   /* what was asked for is missing or different */
    CLI_USAGE = 2,  /* the command line makes no sense */
    CLI_SERVER = 3, /* the server could not be reached, or a call failed */
    CLI_LOCAL = 4,  /* this machine: a file, memory */
    CLI_GO_ON = -1, /* cli_parse: all is well, run the command */
};

typedef enum cli_kind {
    CLI_FLAG,  /* bool */
    CLI_COUNT, /* uint64_t; k, M and G multiply by 1000, 10^6, 10^9 */
    CLI_BYTES, /* uint64_t; k, M and G multiply by 2^10, 2^20, 2^30 */
    CLI_REAL,  /* double, finite and not negative; k, M, G as for counts */
    CLI_TEXT,  /* const char * */
} cli_kind;

typedef struct cli_option {
    const char *name; /* with the dashes */
    cli_kind kind;
    void *value; /* of the type that kind names; holds the default */
    const char *help;
} cli_option;

typedef struct cli_command {
    const char *name;     /* "serve" */
    const char *synopsis; /* "ADDRESS..." */
    const char *about;    /* what it does, for --help */
    int min_args, max_args;
    const cli_option *options;
    size_t n_options;
} cli_command;

/* Take the options out of argv[1..argc) and leave the arguments in argv[1..*argc). Returns CLI_GO_ON, or the exit
 * code of the program: CLI_OK after --help, CLI_USAGE after a complaint. "--" ends the options. */
int cli_parse(const cli_command *command, int *argc, char **argv);

/* Numbers as the kinds above; false when the text is not one, whole. *out is set on success only. */
bool cli_parse_count(const char *text, uint64_t *out);
bool cli_parse_bytes(const char *text, uint64_t *out);
bool cli_parse_real(const char *text, double *out);

/* What the program was started as: "kv", or "tern-kv" where it is installed. */
const char *cli_name(void);

/* "kv: ...", as escape.h shows it, and a newline on stderr. */
__attribute__((format(printf, 1, 2))) void cli_complain(const char *format, ...);

/* The same, and CLI_USAGE. */
__attribute__((format(printf, 1, 2))) int cli_usage_error(const char *format, ...);

/* What a failed system call left, in words: of a shortage those of tern's log, with what to do. */
const char *cli_errno_text(int error);

/* "12.3 MB" into buf, which is returned. */
typedef struct cli_size {
    char text[16];
} cli_size;
cli_size cli_format_bytes(uint64_t bytes);

#endif
