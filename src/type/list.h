/* Room for more elements in a list. */
#ifndef TERN_TYPE_LIST_H
#define TERN_TYPE_LIST_H

#include "base/base.h"
#include "tern/mem.h"
#include "tern/type.h"

/* tern_list_reserve() beyond the list's cap, without zeroing what it makes room for. */
int tern__list_grow(tern_list *list, size_t n, size_t elem_bytes, tern_arena *arena);

#endif
