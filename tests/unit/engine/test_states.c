/* The state tables of the specification, run: each cell of each table in docs/states.md and docs/protocol.md that a
 * marker names is tried. `--write FILE` prints the file with the cells as they come out. */
#include "states.h"

#include <ctype.h>

enum { MAX_LINE = 2048, MAX_COLUMNS = 10, FIRST_STATE = 2 };

typedef struct table {
    states_party party;
    bool reliable, is_on;
    unsigned states[MAX_COLUMNS], n_states;
} table;

static unsigned n_cells, n_wrong;
static bool is_writing;

static char *trim(char *text) {
    while (*text == ' ') text++;
    size_t len = strlen(text);
    while (len && isspace((unsigned char)text[len - 1])) text[--len] = '\0';
    return text;
}

/* The cells of a row, which is taken apart thereby. */
static unsigned split(char *line, char *cells[MAX_COLUMNS]) {
    unsigned n = 0;
    for (char *cell = line + 1, *end; n < MAX_COLUMNS && (end = strchr(cell, '|')); cell = end + 1) {
        *end = '\0';
        cells[n++] = trim(cell);
    }
    return n;
}

/* "<!-- states: server's slot, lossy -->" */
static bool read_marker(const char *line, table *t) {
    char name[32], link[16];
    if (sscanf(line, "<!-- states: %31[a-z' ], %15[a-z] -->", name, link) != 2) return false;
    *t = (table){.reliable = strcmp(link, "reliable") == 0, .is_on = true};
    if (!states_party_find(name, &t->party)) {
        printf("# no such party: %s\n", name);
        tap_failed = true;
    }
    return true;
}

static void read_header(char *cells[], unsigned n, table *t) {
    for (unsigned i = FIRST_STATE; i < n; i++) {
        if (states_state_find(t->party, cells[i], &t->states[t->n_states++])) continue;
        printf("# no such state: %s\n", cells[i]);
        tap_failed = true;
    }
}

static void run_row(const char *where, char *cells[], unsigned n, const table *t) {
    char packet[128] = "";
    sscanf(cells[0], "`%127[^`]`", packet);
    if (is_writing) printf("| %s | %s |", cells[0], cells[1]);
    for (unsigned i = 0; i < t->n_states && FIRST_STATE + i < n; i++) {
        char cell[STATES_MAX_CELL];
        const char *wrong = states_try(t->party, t->reliable, t->states[i], packet, cell);
        n_cells++;
        if (is_writing) printf(" %s |", wrong ? wrong : cell);
        if (!wrong && strcmp(cell, cells[FIRST_STATE + i]) == 0) continue;
        n_wrong++;
        if (!is_writing)
            printf("# %s, `%s`: the page says \"%s\", but: %s\n", where, packet, cells[FIRST_STATE + i],
                   wrong ? wrong : cell);
    }
    if (is_writing) printf("\n");
}

static void run_line(const char *where, char *line, table *t) {
    char copy[MAX_LINE], *cells[MAX_COLUMNS];
    snprintf(copy, sizeof copy, "%s", line);
    unsigned n = line[0] == '|' ? split(copy, cells) : 0;
    bool is_row = t->is_on && n > FIRST_STATE && cells[0][0] == '`';
    if (is_writing && !is_row) fputs(line, stdout);
    if (read_marker(line, t) || !t->is_on) return;
    if (n == 0) t->is_on = line[0] == '\n' && t->n_states == 0;
    if (n > FIRST_STATE && t->n_states == 0)
        read_header(cells, n, t);
    else if (is_row)
        run_row(where, cells, n, t);
}

static void run_page(const char *path) {
    char line[MAX_LINE], where[600];
    table t = {0};
    FILE *file = fopen(path, "r");
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    CHECK(file != NULL);
    for (unsigned i = 1; fgets(line, sizeof line, file) && !tap_failed; i++) {
        snprintf(where, sizeof where, "%s:%u", name, i);
        run_line(where, line, &t);
    }
    fclose(file);
    if (!is_writing) printf("# %s: %u cells\n", name, n_cells);
}

static void check_page(const char *path, unsigned at_least) {
    n_cells = n_wrong = 0;
    run_page(path);
    CHECK_OK();
    CHECK_EQ(n_wrong, 0);
    CHECK(n_cells >= at_least);
}

static void states__are_what_the_page_of_tables_says(void) { check_page(DOCS_DIR "/states.md", 2000); }
static void states__are_what_the_protocol_says(void) { check_page(DOCS_DIR "/protocol.md", 30); }

int main(int argc, char **argv) {
    static const tap_test tests[] = {TEST(states__are_what_the_page_of_tables_says),
                                     TEST(states__are_what_the_protocol_says)};
    if (argc == 3 && strcmp(argv[1], "--write") == 0) {
        is_writing = true;
        run_page(argv[2]);
        return tap_failed;
    }
    return tap_run(tests, sizeof tests / sizeof *tests, argc, argv);
}
