/* What tells threads apart. */
#include "graph/heap_record.h"

_Thread_local char tern__heap_thread;
