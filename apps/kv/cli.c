/* Options are asked for by table, so that --help and the parser cannot disagree. */
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/shortage.h"
#include "escape.h"

const char *cli_name(void) { return *program_invocation_short_name ? program_invocation_short_name : "kv"; }

__attribute__((format(printf, 1, 0))) static void complain(const char *format, va_list args) {
    char *line;
    int len = vasprintf(&line, format, args);
    fflush(stdout);
    fprintf(stderr, "%s: ", cli_name());
    if (len >= 0) {
        escape_print(stderr, line, (size_t)len);
        free(line);
    }
    fputc('\n', stderr);
}

void cli_complain(const char *format, ...) {
    va_list args;
    va_start(args, format);
    complain(format, args);
    va_end(args);
}

const char *cli_errno_text(int error) {
    const char *shortage = tern__shortage(error);
    return shortage ? shortage : strerror(error);
}

int cli_usage_error(const char *format, ...) {
    va_list args;
    va_start(args, format);
    complain(format, args);
    va_end(args);
    return CLI_USAGE;
}

/* The multiplier behind a number: 1 for none, 0 for what is none. */
static uint64_t suffix(const char *text, uint64_t k) {
    if (*text == '\0') return 1;
    if (text[1] != '\0') return 0;
    switch (*text) {
    case 'k':
    case 'K': return k;
    case 'm':
    case 'M': return k * k;
    case 'g':
    case 'G': return k * k * k;
    default: return 0;
    }
}

static bool parse_integer(const char *text, uint64_t k, uint64_t *out) {
    if (*text < '0' || *text > '9') return false;
    char *end;
    errno = 0;
    uint64_t value = strtoull(text, &end, 10), times = suffix(end, k);
    if (errno || times == 0 || value > UINT64_MAX / times) return false;
    *out = value * times;
    return true;
}

bool cli_parse_count(const char *text, uint64_t *out) { return parse_integer(text, 1000, out); }
bool cli_parse_bytes(const char *text, uint64_t *out) { return parse_integer(text, 1024, out); }

bool cli_parse_real(const char *text, double *out) {
    if ((*text < '0' || *text > '9') && *text != '.') return false;
    char *end;
    double value = strtod(text, &end);
    uint64_t times = suffix(end, 1000);
    if (end == text || times == 0 || !isfinite(value * (double)times)) return false;
    *out = value * (double)times;
    return true;
}

static void print_help(const cli_command *command) {
    printf("usage: %s %s %s%s\n\n%s\n", cli_name(), command->name, command->n_options ? "[options] " : "",
           command->synopsis, command->about);
    static const char *const placeholder[] = {
        [CLI_FLAG] = "", [CLI_COUNT] = " N", [CLI_BYTES] = " BYTES", [CLI_REAL] = " X", [CLI_TEXT] = " TEXT"};
    if (command->n_options) printf("\noptions:\n");
    for (size_t i = 0; i < command->n_options; i++) {
        const cli_option *o = &command->options[i];
        char left[40];
        snprintf(left, sizeof left, "%s%s", o->name, placeholder[o->kind]);
        printf("  %-22s %s\n", left, o->help);
    }
}

static bool set_option(const cli_option *o, const char *text) {
    switch (o->kind) {
    case CLI_FLAG: return false;
    case CLI_COUNT: return cli_parse_count(text, o->value);
    case CLI_BYTES: return cli_parse_bytes(text, o->value);
    case CLI_REAL: return cli_parse_real(text, o->value);
    case CLI_TEXT: *(const char **)o->value = text; return true;
    }
    return false;
}

static const cli_option *find_option(const cli_command *command, const char *arg, size_t len) {
    for (size_t i = 0; i < command->n_options; i++) {
        const char *name = command->options[i].name;
        if (strlen(name) == len && memcmp(name, arg, len) == 0) return &command->options[i];
    }
    return NULL;
}

/* One option at argv[*i], with its value there or in the next argument. */
static int take_option(const cli_command *command, int argc, char **argv, int *i) {
    const char *arg = argv[*i], *equals = strchr(arg, '=');
    size_t len = equals ? (size_t)(equals - arg) : strlen(arg);
    if (strcmp(arg, "--help") == 0) {
        print_help(command);
        return CLI_OK;
    }
    const cli_option *o = find_option(command, arg, len);
    if (!o)
        return cli_usage_error("%s: no such option: %s (see %s %s --help)", command->name, arg, cli_name(),
                               command->name);
    if (o->kind == CLI_FLAG) {
        if (equals) return cli_usage_error("%s takes no value", o->name);
        *(bool *)o->value = true;
        return CLI_GO_ON;
    }
    const char *text = equals ? equals + 1 : *i + 1 < argc ? argv[++*i] : NULL;
    if (!text) return cli_usage_error("%s needs a value", o->name);
    if (!set_option(o, text)) return cli_usage_error("%s: not a valid value: %s", o->name, text);
    return CLI_GO_ON;
}

int cli_parse(const cli_command *command, int *argc, char **argv) {
    int n_args = 0;
    bool options = true;
    for (int i = 1; i < *argc; i++) {
        if (options && strcmp(argv[i], "--") == 0) {
            options = false;
        } else if (options && argv[i][0] == '-' && argv[i][1] != '\0') {
            int code = take_option(command, *argc, argv, &i);
            if (code != CLI_GO_ON) return code;
        } else {
            argv[++n_args] = argv[i];
        }
    }
    *argc = n_args + 1;
    if (n_args >= command->min_args && n_args <= command->max_args) return CLI_GO_ON;
    return cli_usage_error("usage: %s %s %s%s (see %s %s --help)", cli_name(), command->name,
                           command->n_options ? "[options] " : "", command->synopsis, cli_name(), command->name);
}

cli_size cli_format_bytes(uint64_t bytes) {
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
    double value = (double)bytes;
    unsigned unit = 0;
    while (value >= 999.95 && unit < 6) {
        value /= 1000;
        unit++;
    }
    cli_size size;
    snprintf(size.text, sizeof size.text, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
    return size;
}
