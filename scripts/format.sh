#!/bin/sh
# Checks the formatting of every C and C++ file that git tracks; with --fix, mends it. Lines of comments, which
# clang-format leaves alone, must fit as well.
set -eu
cd "$(dirname "$0")/.."
files=$(git ls-files '*.c' '*.h' '*.cc' | grep -v '\.tern\.[ch]$' || true)
[ -n "$files" ] || exit 0
if [ "${1:-}" = --fix ]; then
    clang-format -i $files
else
    clang-format --dry-run -Werror $files
fi
! grep -nE '^.{121}' $files || { echo "lines of more than 120 columns"; exit 1; }
