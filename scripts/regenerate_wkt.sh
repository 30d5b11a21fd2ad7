#!/bin/sh
# Writes the code of the well-known types anew, descriptor.proto and plugin.proto with which the generator reads its
# requests among them: headers to include/google, sources to src/wkt, here or below OUT_DIR. Comments are left out.
# A generator that lays structs or tables out in a new way is built with the old code before it writes the new one.
# Exit status 77: there is no protoc 3.21, whose files these are.
# usage: scripts/regenerate_wkt.sh PROTOC_GEN_TERN [OUT_DIR]
set -eu
plugin=$1
out=${2:-$(dirname "$0")/..}
case $(protoc --version 2>/dev/null) in
"libprotoc 3.21."*) ;;
*) exit 77 ;;
esac
files="any api compiler/plugin descriptor duration empty field_mask source_context struct timestamp type wrappers"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for include in /usr/include /usr/local/include; do
    [ -f $include/google/protobuf/compiler/plugin.proto ] && break
done
[ -f $include/google/protobuf/compiler/plugin.proto ] || exit 77
paths=
for file in $files; do paths="$paths google/protobuf/$file.proto"; done
protoc -I $include --include_imports --descriptor_set_out="$work/set" $paths
protoc --descriptor_set_in="$work/set" --plugin=protoc-gen-tern="$plugin" --tern_out="$work" $paths
mkdir -p "$out/include/google/protobuf/compiler" "$out/src/wkt/google/protobuf/compiler"
for file in $files; do
    cp "$work/google/protobuf/$file.tern.h" "$out/include/google/protobuf/$file.tern.h"
    cp "$work/google/protobuf/$file.tern.c" "$out/src/wkt/google/protobuf/$file.tern.c"
done
