#!/bin/sh
# Writes the generator's own tables anew: src/gen/bootstrap, or OUT_DIR, from the descriptor.proto and
# plugin.proto of libprotoc-dev. Comments are left out. Exit status 77: there is no protoc 3.21, whose
# files these are.
# usage: scripts/regenerate_bootstrap.sh PROTOC_GEN_TERN [OUT_DIR]
set -eu
plugin=$1
out=${2:-$(dirname "$0")/../src/gen/bootstrap}
case $(protoc --version 2>/dev/null) in
"libprotoc 3.21."*) ;;
*) exit 77 ;;
esac
files="google/protobuf/descriptor.proto google/protobuf/compiler/plugin.proto"
set=$(mktemp)
trap 'rm -f "$set"' EXIT
for include in /usr/include /usr/local/include; do
    [ -f $include/google/protobuf/compiler/plugin.proto ] && break
done
[ -f $include/google/protobuf/compiler/plugin.proto ] || exit 77
protoc -I $include --include_imports --descriptor_set_out="$set" $files
mkdir -p "$out"
protoc --descriptor_set_in="$set" --plugin=protoc-gen-tern="$plugin" --tern_out="$out" $files
