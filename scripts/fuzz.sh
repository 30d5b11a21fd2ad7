#!/bin/sh
# Runs each fuzzer for some seconds on its corpus, findings kept under out/fuzz. Closes with "N passed, N failed".
# usage: scripts/fuzz.sh BUILD_DIR SECONDS [FUZZER...]
set -u
build=$1 seconds=$2
shift 2
root=$(cd "$(dirname "$0")/.." && pwd)
[ -f "$build/build.ninja" ] || CC=clang CXX=clang++ meson setup "$build" -Dfuzz=true -Dbench=false \
    -Db_sanitize=address,undefined -Db_lundef=false >/dev/null || exit 1
ninja -C "$build" fuzzers >"$build/fuzz-build.log" || { tail -n 30 "$build/fuzz-build.log"; exit 1; }
[ $# -gt 0 ] || set -- $(cd "$root/fuzz/corpus" && ls)
passed=0 failed=0
for name in "$@"; do
    work=$root/out/fuzz/$name
    mkdir -p "$work/new"
    if "$build/fuzz/fuzz_$name" -max_total_time="$seconds" -rss_limit_mb=4096 -timeout=10 -print_final_stats=1 \
        -artifact_prefix="$work/" "$work/new" "$root/fuzz/corpus/$name" >"$work/log" 2>&1; then
        passed=$((passed + 1))
        echo "ok: $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log") inputs"
    else
        failed=$((failed + 1))
        echo "FAILED: $name; what broke it lies in $work"
        tail -n 40 "$work/log"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
