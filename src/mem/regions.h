/* Registered memory that is not the pool's, for the pool's own functions: what tern_ref() and tern_unref() do there. */
#ifndef TERN_MEM_REGIONS_H
#define TERN_MEM_REGIONS_H

#include "mem/chunks.h"

/* The count of all registered memory, so that it is told from a buffer's where counts are seldom (from 2^31 on): its
 * references are the owner's. */
#define TERN__REFS_FOREIGN ((uint32_t)3 << 30)

/* As tern__ref_locate(): the counter is one that says TERN__REFS_FOREIGN. */
bool tern__region_locate(const void *ptr, size_t len, uint32_t **counter);

/* TERN_ERR_INVALID when ptr is not in registered memory, or what the owner says. */
int tern__region_ref(const void *ptr);
/* Foreign pointers are ignored. False: there is no reference to give back. */
bool tern__region_unref(const void *ptr);

#endif
