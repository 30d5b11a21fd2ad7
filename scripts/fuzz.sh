#!/bin/sh
# Runs each fuzzer for some seconds on its corpus, one per processor at a time, findings kept under out/fuzz. Closes with "N passed, N failed".
# usage: scripts/fuzz.sh BUILD_DIR SECONDS [FUZZER...]
set -u
build=$1 seconds=$2
shift 2
root=$(cd "$(dirname "$0")/.." && pwd)
[ -f "$build/build.ninja" ] || CC=clang CXX=clang++ meson setup "$build" -Dfuzz=true -Dbench=false \
    -Db_sanitize=address,undefined -Db_lundef=false >/dev/null || exit 1
ninja -C "$build" fuzzers >"$build/fuzz-build.log" || { tail -n 30 "$build/fuzz-build.log"; exit 1; }
[ $# -gt 0 ] || set -- $(cd "$root/fuzz/corpus" && ls)

# Entropic scheduling looks through all rare features for each feature of an input, of which a program that runs two
# engines has thousands.
how() {
    case $1 in
        packet | accounts) echo -entropic=0 -print_funcs=0 ;;
    esac
}

# The differential fuzzer is no libFuzzer program: it makes its own cases, of another seed each day.
run() {
    if [ "$1" = differential ]; then
        [ -x "$build/fuzz/differential/fuzz_differential" ] || { echo "skipped: protobuf C++ is not installed"; return 0; }
        "$build/fuzz/differential/fuzz_differential" --seed "$(date +%Y%m%d)" --seconds "$seconds" --cases 1000000000 \
            --keep "$work/new" --corpus "$root/fuzz/corpus/$1"
    else
        "$build/fuzz/fuzz_$1" -max_total_time="$seconds" -rss_limit_mb=4096 -timeout=10 -print_final_stats=1 \
            $(how "$1") -artifact_prefix="$work/" "$work/new" "$root/fuzz/corpus/$1"
    fi
}

try() {
    work=$root/out/fuzz/$1
    mkdir -p "$work/new"
    rm -f "$work/status"
    run "$1" >"$work/log" 2>&1
    echo $? >"$work/status"
}

n=0
for name in "$@"; do
    try "$name" &
    n=$((n + 1))
    [ $((n % $(nproc))) -ne 0 ] || wait
done
wait

passed=0 failed=0
for name in "$@"; do
    work=$root/out/fuzz/$name
    if [ "$(cat "$work/status")" = 0 ]; then
        passed=$((passed + 1))
        echo "ok: $name: $(sed -n 's/^stat::number_of_executed_units: *//p; s/^ok .* - seed \(.*\)/seed \1/p' "$work/log")"
    else
        failed=$((failed + 1))
        echo "FAILED: $name; what broke it lies in $work"
        tail -n 40 "$work/log"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
