/* `tern cat`: prints a recorded stream or messages. */
#ifndef TERN_TOOLS_CAT_H
#define TERN_TOOLS_CAT_H

int cat_main(int argc, char **argv);

#endif
