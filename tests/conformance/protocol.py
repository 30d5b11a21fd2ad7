#!/usr/bin/env python3
"""Speaks the conformance runner's protocol to tern-conformance, requests of every kind and bytes of none; TAP.

Environment: TERN_CONFORMANCE."""
import os
import random
import struct
import subprocess
import sys

import peer
from peer import JSON, JSPB, PROTO2, PROTO3, PROTOBUF, TEXT

PROGRAM = os.environ["TERN_CONFORMANCE"]
CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def ask(*args, **kwargs):
    side = peer.Peer(PROGRAM)
    answer = side.ask(*args, **kwargs)
    assert side.close() == 0, "the program does not end well"
    return answer


def feed(data):
    """Everything at once: what the program writes, what it says, and how it ends."""
    result = subprocess.run([PROGRAM], input=data, capture_output=True, timeout=20, check=False)
    return result.stdout, result.stderr.decode(), result.returncode


@check
def formats__each_to_each():
    binary = peer.field(1, 5)
    json = b'{"optionalInt32":5}'
    for message_type in (PROTO2, PROTO3):
        for payload, kind in ((binary, PROTOBUF), (json, JSON)):
            assert ask(payload, kind, message_type, PROTOBUF) == ("protobuf", binary)
            assert ask(payload, kind, message_type, JSON) == ("json", json)
            assert ask(payload, kind, message_type, TEXT) == ("text", b"optional_int32: 5\n")


@check
def unknown_fields__are_kept_and_printed_on_request():
    binary = peer.field(501, 7) + peer.field(502, b"x")
    assert ask(binary, PROTOBUF, PROTO3, PROTOBUF) == ("protobuf", binary)
    assert ask(binary, PROTOBUF, PROTO3, JSON) == ("json", b"{}")
    assert ask(binary, PROTOBUF, PROTO3, TEXT) == ("text", b"")
    assert ask(binary, PROTOBUF, PROTO3, TEXT, print_unknown=True) == ("text", b'501: 7\n502: "x"\n')


@check
def unknown_names__are_ignored_in_their_category():
    json = b'{"nobody":[1],"optionalInt32":5}'
    assert ask(json, JSON, PROTO3, JSON)[0] == "parse_error"
    assert ask(json, JSON, PROTO3, JSON, category=3) == ("json", b'{"optionalInt32":5}')


@check
def unsupported__is_skipped():
    for kind in (JSPB, TEXT):
        assert ask(b"", kind, PROTO3, PROTOBUF)[0] == "skipped"
    assert ask(b"", PROTOBUF, PROTO3, JSPB)[0] == "skipped"
    assert ask(b"", PROTOBUF, PROTO3, 77)[0] == "skipped"
    assert ask(b"", PROTOBUF, "no.such.Type", PROTOBUF)[0] == "skipped"
    assert ask(b"", PROTOBUF, "", PROTOBUF)[0] == "skipped"


@check
def failure_set__is_empty():
    assert ask(b"", PROTOBUF, "conformance.FailureSet", PROTOBUF) == ("protobuf", b"")


@check
def errors__are_told_apart():
    assert ask(b"\x0d\x01", PROTOBUF, PROTO3, JSON)[0] == "parse_error"
    assert ask(b'{"optionalInt32":', JSON, PROTO3, PROTOBUF)[0] == "parse_error"
    late = peer.field(302, peer.field(1, 253402300800))
    assert ask(late, PROTOBUF, PROTO3, JSON)[0] == "serialize_error"
    side = peer.Peer(PROGRAM)
    assert side.ask_raw(b"")[0] == "skipped"
    assert side.ask_raw(b"\xff\xff\xff")[0] == "runtime_error"
    assert side.ask_raw(peer.field(3, PROTOBUF) + peer.field(4, PROTO3.encode()))[0] == "runtime_error"
    assert side.close() == 0


@check
def one_program__answers_many():
    side = peer.Peer(PROGRAM)
    for number in range(2000):
        binary = peer.field(1, number + 1)
        assert side.ask(binary, PROTOBUF, PROTO3, PROTOBUF) == ("protobuf", binary)
    large = peer.field(15, bytes(8 << 20))
    assert side.ask(large, PROTOBUF, PROTO3, PROTOBUF) == ("protobuf", large)
    assert side.close() == 0


@check
def input__may_end_anywhere():
    assert feed(b"") == (b"", "", 0)
    whole = peer.request(peer.field(1, 5), PROTOBUF, PROTO3, JSON)
    framed = struct.pack("<I", len(whole)) + whole
    for cut in range(1, len(framed)):
        out, said, code = feed(framed[:cut])
        assert (out, code) == (b"", 1) and said.startswith("tern-conformance: "), cut
    assert feed(framed)[2] == 0
    for length in (256 << 20, (256 << 20) + 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF):
        out, said, code = feed(struct.pack("<I", length) + b"abc")
        assert (out, code) == (b"", 1) and said.startswith("tern-conformance: "), length


@check
def garbage__gets_an_answer_each():
    rng = random.Random(1)
    side = peer.Peer(PROGRAM)
    whole = peer.request(b'{"optionalInt32":5,"mapStringString":{"a":"b"}}', JSON, PROTO3, TEXT)
    for _ in range(2000):
        data = bytearray(whole)
        for _ in range(rng.randrange(4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        kind, _ = side.ask_raw(bytes(data[:rng.randrange(len(data) + 1)]))
        assert kind in peer.RESULTS.values()
        side.ask_raw(rng.randbytes(rng.randrange(60)))
    assert side.close() == 0


def main():
    failed = 0
    for number, function in enumerate(CHECKS, 1):
        try:
            function()
        except (AssertionError, IndexError, struct.error, OSError) as error:
            print(f"# {type(error).__name__}: {error}")
            print(f"# in line {error.__traceback__.tb_next.tb_lineno}")
            failed += 1
            print("not ", end="")
        print(f"ok {number} - {function.__name__}")
    print(f"1..{len(CHECKS)}")
    return failed == 0


sys.exit(0 if main() else 1)
