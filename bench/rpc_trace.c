#include "rpc_trace.h"

#include <stdio.h>
#include <stdlib.h>

static const char *path; /* NULL: no trace */
static unsigned n_traces;

void rpc_trace_arg(bench_args *args) {
    path = bench_arg_str(args, "--trace", NULL, "write what the client's endpoints do to this qlog file");
}

void rpc_trace(tern_endpoint *ep) {
    char name[4096];
    if (!path) return;
    n_traces++;
    int len = snprintf(name, sizeof name, "%s", path);
    if (n_traces > 1 && len > 0 && (size_t)len < sizeof name)
        snprintf(name + len, sizeof name - (size_t)len, ".%u", n_traces);
    int err = tern_endpoint_trace(ep, name);
    if (!err) return;
    fprintf(stderr, "--trace: %s: %s\n", name, tern_strerror(err));
    exit(1);
}
