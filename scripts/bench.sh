#!/bin/sh
# Runs the bench programs of a build folder, one after the other, each at most some 15 seconds.
# With --record, also writes what they said into docs/performance.md, and, where all of them ran, into its answers and the
# README.
# usage: scripts/bench.sh BUILD_DIR [--record] [PROGRAM...]
set -eu
build=$1
shift
root=$(cd "$(dirname "$0")/.." && pwd)
record=
[ "${1:-}" != --record ] || { record=yes; shift; }
out=$root/out/bench
mkdir -p "$out"
all=
[ $# -gt 0 ] || all=yes
[ -z "$all" ] || set -- rpc_latency rpc_rate rpc_workers rpc_kill sim_scale sim_incast sim_loss rpc_factor rpc_sessions rpc_bandwidth rpc_stream rpc_overload serialize protobuf stream
for program in "$@"; do
    echo "== $program"
    "$build/bench/$program" --json >"$out/$program.txt"
    sed '$d' "$out/$program.txt"
    tail -n 1 "$out/$program.txt" >"$out/$program.json"
done
[ -z "$record" ] || python3 "$root/scripts/record_bench.py" "$root/docs/performance.md" "$out" "$@"
[ -z "$record" ] || [ -z "$all" ] || python3 "$root/scripts/record_answers.py" "$out"
