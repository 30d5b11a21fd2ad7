/* The types of the conformance tests. */
#include "conformance_types.h"

static const tern_type *const types[] = {
    &protobuf_test_messages_proto3_TestAllTypesProto3_type,
    &protobuf_test_messages_proto3_ForeignMessage_type,
    &protobuf_test_messages_proto2_TestAllTypesProto2_type,
    &protobuf_test_messages_proto2_ForeignMessageProto2_type,
    &protobuf_test_messages_proto2_UnknownToTestAllTypes_type,
    &google_protobuf_Any_type,
    &google_protobuf_Duration_type,
    &google_protobuf_FieldMask_type,
    &google_protobuf_Struct_type,
    &google_protobuf_Value_type,
    &google_protobuf_ListValue_type,
    &google_protobuf_Timestamp_type,
    &google_protobuf_BoolValue_type,
    &google_protobuf_Int32Value_type,
    &google_protobuf_Int64Value_type,
    &google_protobuf_UInt32Value_type,
    &google_protobuf_UInt64Value_type,
    &google_protobuf_FloatValue_type,
    &google_protobuf_DoubleValue_type,
    &google_protobuf_StringValue_type,
    &google_protobuf_BytesValue_type,
};
const tern_registry conformance_registry = {types, sizeof types / sizeof *types};
