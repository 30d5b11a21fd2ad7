/* What the factor analysis (bench/rpc_factor) can do without. In the library each question is the constant 0, so that
 * the compiler removes it; the bench builds the sources once more with TERN__FACTORS and answers at run time. */
#ifndef TERN_BASE_FACTOR_H
#define TERN_BASE_FACTOR_H

enum tern__factor {
    TERN__FACTOR_SHORT_WAY, /* small calls go through engine/direct.c */
    TERN__FACTOR_TIME,     /* one look at the clock for a batch of packets, and for what is started between two polls */
    TERN__FACTOR_REUSE,    /* memory of small messages and receives is used again without asking the pool */
    TERN__FACTOR_IN_PLACE, /* a handler reads the request where it was received */
    TERN__FACTOR_RUNS,     /* shm: small packets share cache lines */
    TERN__FACTOR_COALESCING, /* udp: UDP_SEGMENT and UDP_GRO; asked when a socket is made */
    TERN__FACTOR_BYPASS,     /* small requests, and sessions without a queue before them, pass by congestion control */
    TERN__FACTOR_AT_ONCE, /* handlers run as packets come, while they do not take long: for tests, not the analysis */
    TERN__N_FACTORS,
};

#ifdef TERN__FACTORS
extern unsigned tern__factors_off; /* a mask; the program's */
#define TERN__IS_OFF(factor) (tern__factors_off >> TERN__FACTOR_##factor & 1)
#else
#define TERN__IS_OFF(factor) 0
#endif

#endif
