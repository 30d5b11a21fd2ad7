#include "tap.h"

#include "rpc/handlers.h"

static void thunk(tern__any_fn *handler, tern_call call, const void *request, void *user) {
    (void)handler, (void)call, (void)request, (void)user;
}

static void handlers__find_what_was_added_however_many(void) {
    tern__handlers handlers;
    tern__handlers_init(&handlers);
    CHECK(tern__handlers_find(&handlers, 0) == NULL);
    for (uint32_t i = 0; i < 1000; i++) {
        /* Multiples of 64 collide in every small table. */
        tern__handler entry = {.id = i * 64, .thunk = thunk};
        CHECK_EQ(tern__handlers_add(&handlers, &entry), 0);
    }
    for (uint32_t i = 0; i < 1000; i++) {
        const tern__handler *found = tern__handlers_find(&handlers, i * 64);
        CHECK(found && found->id == i * 64);
        CHECK(tern__handlers_find(&handlers, i * 64 + 1) == NULL);
    }
    tern__handlers_fini(&handlers);
}

static void handlers_add__the_same_id_twice_is_refused(void) {
    tern__handlers handlers;
    tern__handlers_init(&handlers);
    tern__handler entry = {.id = 5, .thunk = thunk};
    CHECK_EQ(tern__handlers_add(&handlers, &entry), 0);
    CHECK_EQ(tern__handlers_add(&handlers, &entry), TERN_ERR_EXISTS);
    tern__handlers_fini(&handlers);
}

TAP_MAIN(TEST(handlers__find_what_was_added_however_many), TEST(handlers_add__the_same_id_twice_is_refused))
