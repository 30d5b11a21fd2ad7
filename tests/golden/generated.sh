#!/bin/sh
# Generates code for the schemas of tests/proto and compares it with tests/golden/generated, or, with UPDATE=1,
# puts it there. The well-known types are compared likewise. Exit status 77: there is nothing to compare with.
# usage: generated.sh schemas|wkt PROTOC PROTOC_GEN_TERN
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
case $1 in
schemas)
    golden=$here/generated
    cd "$here/../proto"
    "$2" -I . -I ../../include --plugin=protoc-gen-tern="$3" --tern_out="$out" compound.proto everything.proto imported.proto \
        legacy.proto names.proto odd.proto old.proto options.proto \
        graphs.proto lean.proto lean2.proto objects.proto refs.proto services.proto streaming.proto
    ;;
wkt)
    "$here/../../scripts/regenerate_wkt.sh" "$3" "$out"
    [ "${UPDATE:-}" != 1 ] || "$here/../../scripts/regenerate_wkt.sh" "$3"
    diff -r "$here/../../include/google" "$out/include/google"
    diff -r "$here/../../src/wkt/google" "$out/src/wkt/google"
    diff -r "$here/../../src/wkt/tern" "$out/src/wkt/tern"
    for name in options object; do
        diff "$here/../../include/tern/$name.tern.h" "$out/include/tern/$name.tern.h"
    done
    exit 0
    ;;
esac
if [ "${UPDATE:-}" = 1 ]; then
    mkdir -p "$golden"
    cp -r "$out/." "$golden/"
fi
diff -r "$golden" "$out"
