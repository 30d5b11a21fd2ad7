#!/usr/bin/env python3
"""Runs the outside vectors of ../shared/data/conformance through tern-conformance; TAP, with the passes by folder.

NNNN.req is a message in the binary format. NNNN.out is what the reference implementation writes after parsing it, and
NNNN.reject says that it must be refused. Contents are compared, not bytes: as the text that C++ (cpp-conformance or
protoc --decode) prints. Where cpp-conformance is built, each valid vector also goes through JSON, there and back by
both sides, and its text format must be C++'s byte for byte.

Environment: TERN_CONFORMANCE, CPP_CONFORMANCE (optional), PROTOC, TERN_TEST_DATA (optional).
"""
import collections
import json
import os
import random
import subprocess
import sys

import peer
from peer import JSON, PROTOBUF, TEXT

N_STRUNG = 200
FOLDERS = {"proto2": peer.PROTO2, "proto3": peer.PROTO3}


class Tally:
    """Passes and failures by folder and kind of check."""

    def __init__(self):
        self.passed = collections.Counter()
        self.failed = collections.defaultdict(list)

    def note(self, key, name, ok, what=""):
        if ok:
            self.passed[key] += 1
        else:
            self.failed[key].append(f"{name}: {what}"[:400])

    def report(self, keys):
        for number, key in enumerate(keys, 1):
            failures = self.failed[key]
            for failure in failures[:10]:
                print("#", failure)
            total = self.passed[key] + len(failures)
            print(f"{'not ok' if failures or not total else 'ok'} {number} - {key}: {self.passed[key]} of {total}")
        print(f"1..{len(keys)}")
        return not any(self.failed.values())


class Reader:
    """The content of a binary message as text, by C++."""

    def __init__(self, cpp):
        self.cpp = cpp

    def text(self, data, message_type):
        if self.cpp:
            kind, text = self.cpp.ask(data, PROTOBUF, message_type, TEXT, print_unknown=True)
            return text if kind == "text" else None
        result = subprocess.run([os.environ.get("PROTOC", "protoc"), f"--decode={message_type}", "-I", peer.SCHEMAS,
                                 peer.SCHEMA_OF[message_type]], input=data, capture_output=True, check=False)
        return result.stdout if result.returncode == 0 else None


def check_binary(tern, reader, tally, folder, path, message_type):
    data = path.read_bytes()
    kind, out = tern.ask(data, PROTOBUF, message_type, PROTOBUF)
    if path.with_suffix(".reject").exists():
        tally.note(f"{folder}, malformed, refused", path.name, kind == "parse_error", kind)
        return False
    want = reader.text(path.with_suffix(".out").read_bytes(), message_type)
    ok = kind == "protobuf" and want is not None and reader.text(out, message_type) == want
    tally.note(f"{folder}, valid, binary to binary", path.name, ok, kind)
    return True


def check_json(tern, cpp, reader, tally, key, name, data, message_type):
    """tern and C++ write JSON, and each reads what either wrote: all four must mean the same."""
    written = [side.ask(data, PROTOBUF, message_type, JSON) for side in (tern, cpp)]
    if "serialize_error" in (written[0][0], written[1][0]):
        tally.note(key, name, written[0][0] == written[1][0], written)
        return
    meanings = set()
    for _, text in written:
        for side in (tern, cpp):
            kind, out = side.ask(text, JSON, message_type, PROTOBUF)
            meanings.add(reader.text(out, message_type) if kind == "protobuf" else (kind, out))
    same = len(meanings) == 1 and isinstance(next(iter(meanings)), bytes)
    same = same and json.loads(written[0][1]) == json.loads(written[1][1])
    tally.note(key, name, same, (written, meanings))


def check_text(tern, cpp, tally, key, name, data, message_type):
    for unknown in (True, False):
        texts = [side.ask(data, PROTOBUF, message_type, TEXT, print_unknown=unknown) for side in (tern, cpp)]
        tally.note(key, name, texts[0] == texts[1], texts)


def check_with_cpp(tern, cpp, reader, tally, folder, vectors, message_type):
    """The valid vectors, and some of them strung together, which merges them."""
    rng = random.Random(1)
    strung = [b"".join(rng.choices(vectors, k=rng.randrange(2, 8))) for _ in range(N_STRUNG)]
    for what, messages in (("valid", vectors), ("strung together", strung)):
        for number, data in enumerate(messages):
            check_json(tern, cpp, reader, tally, f"{folder}, {what}, through JSON by tern and C++", number, data,
                       message_type)
            check_text(tern, cpp, tally, f"{folder}, {what}, text as C++ prints it", number, data, message_type)


def main():
    data = peer.data_folder()
    if not data:
        print("1..0 # SKIP the vectors are not there (../shared/data or TERN_TEST_DATA)")
        return True
    tern = peer.Peer(os.environ["TERN_CONFORMANCE"])
    cpp = peer.Peer(os.environ["CPP_CONFORMANCE"]) if "CPP_CONFORMANCE" in os.environ else None
    reader, tally, keys = Reader(cpp), Tally(), []
    for folder, message_type in FOLDERS.items():
        keys += [f"{folder}, malformed, refused", f"{folder}, valid, binary to binary"]
        valid = [path.read_bytes() for path in sorted((data / folder).glob("*.req"))
                 if check_binary(tern, reader, tally, folder, path, message_type)]
        if cpp:
            keys += [f"{folder}, {what}, {how}" for what in ("valid", "strung together")
                     for how in ("through JSON by tern and C++", "text as C++ prints it")]
            check_with_cpp(tern, cpp, reader, tally, folder, valid, message_type)
    ok = tally.report(keys)
    for side in filter(None, (tern, cpp)):
        side.close()
    return ok


sys.exit(0 if main() else 1)
