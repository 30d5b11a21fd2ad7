/* Messages of any type, filled at random: scalars with few and with many bits, strings in UTF-8, lists and
 * sub-messages to a bounded depth. NaNs are left out, since they do not survive text. */
#ifndef TERN_TESTS_UNIT_CODEC_RANDOM_MESSAGE_H
#define TERN_TESTS_UNIT_CODEC_RANDOM_MESSAGE_H

#include "base/rng.h"
#include "tern/codec.h"

/* Fills msg, which is zeroed; memory from the arena. */
void random_message(const tern_type *type, void *msg, tern_arena *arena, tern__rng *rng, unsigned depth);

#endif
