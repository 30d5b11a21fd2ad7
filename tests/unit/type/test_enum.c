/* Enum values by number and by name; types by name. */
#include "base/base.h"
#include "shapes.h"
#include "tap.h"

static const tern_enum_value values[] = {{INT32_MIN, "LEAST"}, {-1, "MINUS"}, {0, "ZERO"}, {0, "NIL"},
                                         {0, "NONE"},          {7, "SEVEN"},  {7, "VII"},  {INT32_MAX, "MOST"}};
static const tern_enum some = {.name = "test.Some", .values = values, .n_values = TERN__COUNT(values)};
static const tern_enum none = {.name = "test.None"};

static void name__first_of_the_aliases(void) {
    static const struct {
        int32_t number;
        const char *name;
    } cases[] = {{INT32_MIN, "LEAST"}, {-1, "MINUS"}, {0, "ZERO"}, {7, "SEVEN"},         {INT32_MAX, "MOST"},
                 {-2, NULL},           {1, NULL},     {6, NULL},   {INT32_MAX - 1, NULL}};
    for (size_t i = 0; i < TERN__COUNT(cases); i++) {
        const char *name = tern_enum_name(&some, cases[i].number);
        CHECK(cases[i].name ? name && strcmp(name, cases[i].name) == 0 : !name);
    }
    CHECK(!tern_enum_name(&none, 0));
}

static void number__of_every_name(void) {
    int32_t number = 99;
    for (size_t i = 0; i < TERN__COUNT(values); i++) {
        CHECK_EQ(tern_enum_number(&some, tern_str_of(values[i].name), &number), 0);
        CHECK_EQ(number, values[i].number);
    }
    number = 99;
    CHECK_EQ(tern_enum_number(&some, tern_str_of("ZER"), &number), TERN_ERR_NOT_FOUND);
    CHECK_EQ(tern_enum_number(&some, tern_str_of(""), &number), TERN_ERR_NOT_FOUND);
    CHECK_EQ(tern_enum_number(&none, tern_str_of("ZERO"), &number), TERN_ERR_NOT_FOUND);
    CHECK_EQ(number, 99);
}

static void registry__by_full_name(void) {
    static const tern_type *const types[] = {&counts_entry_type, &shape_type};
    const tern_registry registry = {types, 2};
    CHECK(tern_registry_find(&registry, tern_str_of("test.Shape")) == &shape_type);
    CHECK(tern_registry_find(&registry, (tern_str){"test.Shape...", 10}) == &shape_type);
    CHECK(!tern_registry_find(&registry, tern_str_of("test.Nod")));
    CHECK(!tern_registry_find(&registry, (tern_str){NULL, 0}));
    CHECK(!tern_registry_find(NULL, tern_str_of("test.Shape")));
    CHECK(!tern_registry_find(&(tern_registry){0}, tern_str_of("test.Shape")));
}

TAP_MAIN(TEST(name__first_of_the_aliases), TEST(number__of_every_name), TEST(registry__by_full_name))
