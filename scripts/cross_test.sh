#!/bin/sh
# Builds the unit tests of codecs, types and engine for 64-bit Arm, and runs them by qemu. Closes with "N passed, N
# failed[, N skipped]", as scripts/test.sh does; without a compiler for Arm or qemu that is one skip with its reason. What
# counts to millions (test_bounds) takes minutes there, and is left out.
# usage: scripts/cross_test.sh BUILD_DIR GENERATOR      (GENERATOR: a protoc-gen-tern of this machine)
set -u
build=$1 generator=$2
root=$(cd "$(dirname "$0")/.." && pwd)
for tool in aarch64-linux-gnu-gcc qemu-aarch64-static; do
    command -v $tool >/dev/null || { echo "skipped: aarch64: $tool is not installed"; echo "0 passed, 0 failed, 1 skipped"; exit 0; }
done
[ -f "$build/build.ninja" ] ||
    meson setup "$build" --cross-file "$root/scripts/aarch64-linux-gnu.ini" -Dgenerator="$(realpath "$generator")" -Dbench=false || exit 1
programs=$(ninja -C "$build" -t targets all | grep -oE '^tests/unit/(codec|type|engine)/test_[a-z_0-9]+:' | tr -d : | grep -v test_bounds)
ninja -C "$build" $programs || exit 1
passed=0 failed=0 skipped=0
for program in $programs; do
    log=$(timeout 300 qemu-aarch64-static -L /usr/aarch64-linux-gnu "$build/$program" 2>&1)
    status=$?
    bad=$(echo "$log" | grep -c '^not ok')
    passed=$((passed + $(echo "$log" | grep '^ok' | grep -vc '# SKIP')))
    skipped=$((skipped + $(echo "$log" | grep -c '^ok.*# SKIP')))
    [ $status -eq 0 ] || [ "$bad" -gt 0 ] || bad=1
    failed=$((failed + bad))
    [ "$bad" -eq 0 ] || { echo "== $program, exit status $status"; echo "$log" | tail -n 30; }
    echo "$log" | sed -n 's/^ok.* - \(.*\) # SKIP \(.*\)/skipped: aarch64: \1: \2/p'
done
tail=
[ "$skipped" -eq 0 ] || tail=", $skipped skipped"
echo "$passed passed, $failed failed$tail"
[ "$failed" -eq 0 ]
