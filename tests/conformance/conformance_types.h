/* The types of the conformance tests: what a request may name, and what an Any may hold. */
#ifndef TERN_TESTS_CONFORMANCE_TYPES_H
#define TERN_TESTS_CONFORMANCE_TYPES_H

#include "test_messages_proto2.tern.h"
#include "test_messages_proto3.tern.h"

extern const tern_registry conformance_registry;

#endif
