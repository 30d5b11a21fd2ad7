#!/usr/bin/env python3
"""Checks a qlog file in JSON text sequences: each record is valid JSON with what qlog demands, and time never goes back.

usage: check_qlog.py FILE [EVENT[=COUNT]...] [vantage:TYPE]   each EVENT must occur, at least COUNT times
"""
import collections
import json
import sys


def records(path):
    data = open(path, "rb").read()
    if not data.startswith(b"\x1e") or not data.endswith(b"\n"):
        raise ValueError("not a JSON text sequence, or one that is cut off")
    for text in data[1:].split(b"\x1e"):
        if not text.endswith(b"\n") or text.count(b"\n") != 1:
            raise ValueError(f"a record is not one line: {text[:80]!r}")
        yield json.loads(text, parse_constant=lambda name: 1 / 0)


def check_header(header):
    assert header["qlog_format"] == "JSON-SEQ" and header["qlog_version"], header
    assert header["trace"]["vantage_point"]["type"] in ("client", "server", "unknown"), header
    fields = header["trace"]["common_fields"]
    assert fields["time_format"] == "relative" and fields["reference_time"] > 1.6e12, header


def check_event(event, before):
    assert isinstance(event["time"], (int, float)) and event["time"] >= before, event
    space, _, name = event["name"].partition(":")
    assert space in ("tern", "recovery") and name and "unknown" not in name, event
    data = event["data"]
    if name.startswith("packet_") and "header" in data:
        assert data["header"]["packet_type"] != "unknown" and data["raw"]["payload_length"] <= data["raw"]["length"], event
    if name == "packet_dropped":
        assert data["trigger"] != "unknown", event
    if name.endswith("state_updated") and "old" in data:
        assert data["old"] != data["new"] and "unknown" not in (data["old"], data["new"]), event
    if name == "metrics_updated":
        assert data.get("smoothed_rtt", 1) > 0 and data.get("congestion_window", 1) > 0, event
    return event["time"]


def main(path, *wanted):
    all_records = list(records(path))
    check_header(all_records[0])
    time, counts = 0, collections.Counter()
    for event in all_records[1:]:
        time = check_event(event, time)
        counts[event["name"]] += 1
    for want in wanted:
        if want.startswith("vantage:"):
            assert all_records[0]["trace"]["vantage_point"]["type"] == want[len("vantage:"):], all_records[0]
            continue
        name, _, count = want.partition("=")
        assert counts[name] >= int(count or 1), f"{name}: {counts[name]} of at least {count or 1}; {dict(counts)}"


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Exception as error:  # whatever it is, the file is not right
        sys.exit(f"# {type(error).__name__}: {error}")
