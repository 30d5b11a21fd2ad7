// Valid messages of any type, filled at random through protobuf C++'s reflection.
#ifndef TERN_FUZZ_RANDOM_MESSAGE_H
#define TERN_FUZZ_RANDOM_MESSAGE_H

#include <google/protobuf/message.h>

#include "wire_tree.h"

namespace fuzz {

// Required fields are set, all others with luck; unknown fields are among them.
void fill_message(google::protobuf::Message *message, Random *random);

} // namespace fuzz

#endif
