/* The tables of methods (tables.h). */
#include "rpc/tables.h"

#include <stdio.h>

#include "type/version.h"

static void log_unreadable(const tern_endpoint *ep, const tern_method *method, const char *of,
                           const tern__unreadable *why) {
    char line[640];
    if (why->field)
        snprintf(line, sizeof line,
                 "method %.200s: field %u of type %.200s, which its %s has, is of a kind (%u) or has flags (0x%x) that "
                 "this library does not know",
                 method->name, why->field->number, why->type->name, of, why->field->kind, why->field->flags);
    else
        snprintf(line, sizeof line,
                 "method %.200s: a table of its %s has version %u and flags 0x%x; this library knows version %u: use "
                 "the library for which the tables were made",
                 method->name, of, why->type->version, why->type->flags, TERN_TYPE_VERSION);
    tern__endpoint_log(ep, TERN_LOG_ERROR, line);
}

int tern__tables_check(const tern_endpoint *ep, const tern_method *method) {
    tern__unreadable why;
    bool request = tern__type_find_unreadable(method->request, &why);
    if (!request && !tern__type_find_unreadable(method->response, &why)) return 0;
    log_unreadable(ep, method, request ? "request" : "response", &why);
    return TERN_ERR_VERSION;
}
