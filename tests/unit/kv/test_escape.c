/* Keys as they are shown: one line each, and nothing that a terminal obeys. */
#include "escape.h"

#include "tap.h"

static char *shown;
static size_t shown_len;

/* Whether the text is shown so. */
static bool shows(const char *text, size_t len, const char *want) {
    FILE *out = open_memstream(&shown, &shown_len);
    if (!out) abort();
    escape_print(out, text, len);
    fclose(out);
    bool same = strcmp(shown, want) == 0 && shown_len == strlen(want);
    if (!same) printf("# shown: %s\n", shown);
    free(shown);
    return same;
}

#define SHOWS(literal, want) CHECK(shows(literal, sizeof(literal) - 1, want))

static void escape__leaves_text_alone(void) {
    SHOWS("", "");
    SHOWS("bash/copyright", "bash/copyright");
    SHOWS("gr\xc3\xb6\xc3\x9f"
          "e \xf0\x9f\x90\xa6 %s %n",
          "gr\xc3\xb6\xc3\x9f"
          "e \xf0\x9f\x90\xa6 %s %n");
    SHOWS("\xc2\xa0\xe2\x80\x8d\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa",
          "\xc2\xa0\xe2\x80\x8d\xe2\x80\xa7\xe2\x80\xaf\xe2\x81\xa5\xe2\x81\xaa");
}

static void escape__controls(void) {
    SHOWS("a\nb\tc\rd\\e", "a\\nb\\tc\\rd\\\\e");
    SHOWS("\x1b[31mred\x07\x7f", "\\x1b[31mred\\x07\\x7f");
    SHOWS("\0x", "\\x00x");
    SHOWS("\xc2\x9b"
          "2J",
          "\\xc2\\x9b2J"); /* a control sequence of one character, U+009B */
}

static void escape__lines_and_directions(void) {
    SHOWS("\xe2\x80\xae", "\\xe2\\x80\\xae");
    SHOWS("\xe2\x80\xa8\xe2\x80\x8f", "\\xe2\\x80\\xa8\\xe2\\x80\\x8f");
    SHOWS("\xe2\x81\xa6\xe2\x81\xa9", "\\xe2\\x81\\xa6\\xe2\\x81\\xa9");
}

static void escape__what_is_not_utf8(void) {
    SHOWS("\xff\xfe", "\\xff\\xfe");
    SHOWS("a\xc3", "a\\xc3");
    SHOWS("\xe2\x80", "\\xe2\\x80");
    SHOWS("\x80\x9b", "\\x80\\x9b");
}

TAP_MAIN(TEST(escape__leaves_text_alone), TEST(escape__controls), TEST(escape__lines_and_directions),
         TEST(escape__what_is_not_utf8))
