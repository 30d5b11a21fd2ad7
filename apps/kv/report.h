/* How results of the load generator are shown: rows of one table, JSON lines, and data for a plot. */
#ifndef KV_REPORT_H
#define KV_REPORT_H

#include <stdio.h>

#include "generator.h"

typedef struct report {
    const char *port;     /* scheme of the address: "shm" */
    const char *workload; /* its name */
    bool json, header;    /* header: explain the table and print its head before the first row */
    FILE *data;           /* NULL: none */
} report;

void report_row(report *r, const generator_result *result);

#endif
