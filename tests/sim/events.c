#include "events.h"

#include <inttypes.h>

void events_add(events *e, uint32_t node, const tern__trace_event *event) {
    uint32_t i = (uint32_t)(e->n++ % EVENTS_KEPT);
    e->kept[i].node = node;
    e->kept[i].event = *event;
}

static void print_one(uint32_t node, const tern__trace_event *event, tern_time start, FILE *out) {
    static const char *const roles[] = {"client", "server", "-"};
    char text[256] = "";
    tern__trace_format(event, text, sizeof text);
    fprintf(out, "# %12.6f  node %" PRIu32 "  %-6s %08" PRIx32 "  %s\n", (double)(event->at - start) / 1e9, node,
            roles[event->role % 3], event->session, text);
}

void events_print(const events *e, tern_time start, FILE *out) {
    uint64_t first = e->n > EVENTS_KEPT ? e->n - EVENTS_KEPT : 0;
    fprintf(out, "# the last %" PRIu64 " of %" PRIu64 " events:\n", e->n - first, e->n);
    for (uint64_t i = first; i < e->n; i++)
        print_one(e->kept[i % EVENTS_KEPT].node, &e->kept[i % EVENTS_KEPT].event, start, out);
}
