#!/bin/sh
# Builds what the tests of a build folder need, runs them, and closes with "N passed, N failed[, N skipped]". The numbers count test cases,
# not programs; the reason of each skip, and the output of each failure, stand above.
# usage: scripts/test.sh BUILD_DIR [meson test arguments]
set -u
build=$1
shift
meson test -C "$build" --print-errorlogs "$@"
status=$?
python3 "$(dirname "$0")/summary.py" "$build/meson-logs/testlog.json" $status
