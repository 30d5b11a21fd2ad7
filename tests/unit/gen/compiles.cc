/* Generated sources as C++: nothing here runs, it has to compile without a warning. */
#include "everything.tern.c"
#include "imported.tern.c"
#include "names.tern.c"
#include "old.tern.c"
#include "services.tern.c"
