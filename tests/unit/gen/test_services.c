/* Generated services and names. */
#include "names.tern.h"
#include "services.tern.h"
#include "tap.h"

static void service__methods_and_ids(void) {
    CHECK_EQ(test_svc_Calls_service.n_methods, 2);
    CHECK(strcmp(test_svc_Calls_service.name, "test.svc.Calls") == 0);
    CHECK(strcmp(test_svc_Calls_Get_method.name, "test.svc.Calls/Get") == 0);
    CHECK_EQ(test_svc_Calls_Get_method.id, tern_method_id("test.svc.Calls/Get"));
    CHECK_EQ(test_svc_Calls_service.methods[1].id, tern_method_id("test.svc.Calls/Look"));
    CHECK(test_svc_Calls_Look_method.response == &test_other_Imported_type);
    CHECK_EQ(test_svc_Idle_service.n_methods, 0);
}

static void names__keywords_and_collisions(void) {
    Keyword m = {0};
    Keyword_set_class(&m, 1);
    CHECK_EQ(m.class_, 1);
    int_ number = {.register_ = 3};
    m.int__ = &number;
    CHECK(Keyword_size(&m) > 0);
    CHECK(strcmp(Keyword_type.field_names[0], "class") == 0);
    CHECK(strcmp(Foo_list__type.name, "Foo.list") == 0);
    CHECK(strcmp(Foo_type__type.name, "Foo.type") == 0);
    CHECK(strcmp(Svc_Get_wait__method.name, "Svc/Get_wait") == 0);
    CHECK(strcmp(Svc_serve_on__method.name, "Svc/serve_on") == 0);
    CHECK(strcmp(Svc_handlers__method.name, "Svc/handlers") == 0);
    CHECK(strcmp(Svc_serve_on__service.name, "Svc_serve_on") == 0);
    CHECK(strcmp(on_message_type.name, "on_message") == 0);
}

TAP_MAIN(TEST(service__methods_and_ids), TEST(names__keywords_and_collisions))
