"""Talks to a program that speaks the conformance runner's protocol."""
import os
import pathlib
import struct
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
SCHEMAS = HERE / "schemas"
PROTO2 = "protobuf_test_messages.proto2.TestAllTypesProto2"
PROTO3 = "protobuf_test_messages.proto3.TestAllTypesProto3"
SCHEMA_OF = {PROTO2: "test_messages_proto2.proto", PROTO3: "test_messages_proto3.proto"}
PROTOBUF, JSON, JSPB, TEXT = 1, 2, 3, 4
PAYLOAD_FIELD = {PROTOBUF: 1, JSON: 2, JSPB: 7, TEXT: 8}
RESULTS = {1: "parse_error", 2: "runtime_error", 3: "protobuf", 4: "json", 5: "skipped", 6: "serialize_error",
           7: "jspb", 8: "text"}


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def field(number, value):
    """A varint or length-delimited field."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def request(payload, kind, message_type, output, category=0, print_unknown=False):
    out = field(PAYLOAD_FIELD[kind], payload) + field(3, output) + field(4, message_type.encode())
    out += field(5, category) if category else b""
    return out + (field(9, 1) if print_unknown else b"")


def read_varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, at


def parse_response(data):
    """(name of the result, its bytes): the response's one field."""
    tag, at = read_varint(data, 0)
    length, at = read_varint(data, at)
    assert tag & 7 == 2 and at + length == len(data), "the response is not one field"
    return RESULTS[tag >> 3], data[at:]


class Peer:
    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask_raw(self, data):
        self.process.stdin.write(struct.pack("<I", len(data)) + data)
        self.process.stdin.flush()
        (length,) = struct.unpack("<I", self.process.stdout.read(4))
        return parse_response(self.process.stdout.read(length))

    def ask(self, *args, **kwargs):
        return self.ask_raw(request(*args, **kwargs))

    def close(self):
        self.process.stdin.close()
        return self.process.wait(timeout=10)


def data_folder():
    """The outside vectors: TERN_TEST_DATA, or ../shared/data beside the source tree; None where they are not."""
    folder = pathlib.Path(os.environ.get("TERN_TEST_DATA", HERE.parent.parent.parent / "shared" / "data"))
    return folder / "conformance" if (folder / "conformance").is_dir() else None
