#!/usr/bin/env python3
"""Runs each bench program of a build folder as briefly as it can be run: it must end well and print its rows, none of
them negative or no number. What they say is worth nothing as a measurement.
usage: scripts/bench_smoke.py BUILD
"""
import json
import math
import subprocess
import sys
import time

SHORT = ["--rounds", "1", "--round-ms", "5"]
PROGRAMS = {
    "rpc_latency": SHORT,
    "rpc_rate": SHORT,
    "rpc_workers": SHORT,
    "rpc_kill": ["--rounds", "1"],
    "rpc_factor": SHORT,
    "rpc_sessions": [*SHORT, "--sessions", "200"],
    "rpc_bandwidth": SHORT,
    "rpc_stream": SHORT,
    "rpc_overload": SHORT,
    "rpc_hostile": ["--attack", "declares_odd", "--port", "udp", "--seconds", "0.3"],
    "rpc_calls": ["--calls", "50"],
    "sim_scale": ["--nodes", "8"],
    "sim_incast": ["--ms", "2"],
    "sim_loss": ["--messages", "20"],
    "graph_walk": ["--objects", "1000", "--repeats", "1"],
    "graph_collect": ["--nodes", "1000", "--repeats", "1"],
    "serialize": ["--rounds", "1", "--slice", "1"],
    "protobuf": ["--rounds", "1", "--slice-us", "50"],
    "stream": ["--rounds", "1", "--ms", "1"],
}


def run(build, program, options):
    json_option = [] if program == "rpc_calls" else ["--json"]
    done = subprocess.run([f"{build}/bench/{program}", *json_option, *options], capture_output=True, text=True, timeout=60)
    if done.returncode:
        return f"exit status {done.returncode}: {done.stderr.strip()[-300:]}"
    if not json_option:
        return None
    rows = json.loads(done.stdout.splitlines()[-1])["rows"]
    bad = [row["name"] for row in rows if not (math.isfinite(row["value"]) and row["value"] >= 0)]
    return f"rows that are no numbers: {', '.join(bad)}" if bad else None if rows else "no rows"


def main():
    failed = 0
    for program, options in PROGRAMS.items():
        begin = time.monotonic()
        wrong = run(sys.argv[1], program, options)
        failed += wrong is not None
        print(f"{'FAILED' if wrong else 'ok'}: {program}, {time.monotonic() - begin:.1f} s{': ' + wrong if wrong else ''}")
    print(f"{len(PROGRAMS) - failed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
