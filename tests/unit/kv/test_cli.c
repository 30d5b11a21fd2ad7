/* Options and numbers as people and scripts type them. What is complained about goes to stderr. */
#include "../../../apps/kv/cli.h"

#include "tap.h"

static bool flag;
static uint64_t count, bytes;
static double real;
static const char *text;

static const cli_option options[] = {
    {"--flag", CLI_FLAG, &flag, ""}, {"--count", CLI_COUNT, &count, ""}, {"--bytes", CLI_BYTES, &bytes, ""},
    {"--real", CLI_REAL, &real, ""}, {"--text", CLI_TEXT, &text, ""},
};
static const cli_command command = {"test", "A [B]", "", 1, 2, options, sizeof options / sizeof *options};

/* Parse words separated by blanks; the arguments as they are left. */
static char words[256], *args[16];
static int n_args;

static int parse(const char *line) {
    snprintf(words, sizeof words, "%s", line);
    n_args = 0;
    args[n_args++] = words; /* stands for the command's name */
    char *rest = words, *word;
    while ((word = strsep(&rest, " ")) != NULL) args[n_args++] = word;
    flag = false;
    count = bytes = 0;
    real = 0;
    text = NULL;
    return cli_parse(&command, &n_args, args);
}

static void parse__options_anywhere(void) {
    CHECK_EQ(parse("first --flag --count 12k second --bytes=3M --real .5 --text=a=b"), CLI_GO_ON);
    CHECK_EQ(n_args, 3);
    CHECK(strcmp(args[1], "first") == 0 && strcmp(args[2], "second") == 0);
    CHECK(flag);
    CHECK_EQ(count, 12000);
    CHECK_EQ(bytes, 3 << 20);
    CHECK(real == 0.5);
    CHECK(strcmp(text, "a=b") == 0);
}

static void parse__double_dash_and_dash(void) {
    CHECK_EQ(parse("-- --flag"), CLI_GO_ON);
    CHECK(!flag);
    CHECK(strcmp(args[1], "--flag") == 0);
    CHECK_EQ(parse("a -"), CLI_GO_ON);
    CHECK(strcmp(args[2], "-") == 0);
}

static void parse__complains(void) {
    static const char *const lines[] = {"--flag",        "a b c",         "a --nope",
                                        "a --flag=1",    "a --count",     "a --count x",
                                        "a --count 1kk", "a --count -1",  "a --count 1.5",
                                        "a --count= ",   "a --real nan",  "a --real 1e400",
                                        "a --real -1",   "a --bytes 20E", "a --bytes 17179869184G",
                                        "a -f"};
    CHECK(freopen("/dev/null", "w", stderr));
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) CHECK_EQ(parse(lines[i]), CLI_USAGE);
}

static void format_bytes__units(void) {
    static const struct {
        uint64_t bytes;
        const char *text;
    } cases[] = {{0, "0 B"},         {999, "999 B"},          {1000, "1.0 kB"},
                 {999999, "1.0 MB"}, {123456789, "123.5 MB"}, {UINT64_MAX, "18.4 EB"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK(strcmp(cli_format_bytes(cases[i].bytes).text, cases[i].text) == 0);
}

TAP_MAIN(TEST(parse__options_anywhere), TEST(parse__double_dash_and_dash), TEST(parse__complains),
         TEST(format_bytes__units))
