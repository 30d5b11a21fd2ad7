#!/bin/sh
# Writes the code of the well-known types anew, descriptor.proto and plugin.proto with which the generator reads its
# requests among them, and those of tern/options.proto and tern/object.proto: headers to include, sources to src/wkt, here or below OUT_DIR.
# Comments are left out.
# A generator that lays structs or tables out in a new way is built with the old code before it writes the new one.
# Exit status 77: there is no protoc 3.21, whose files these are.
# usage: scripts/regenerate_wkt.sh PROTOC_GEN_TERN [OUT_DIR]
set -eu
plugin=$1
root=$(dirname "$0")/..
out=${2:-$root}
case $(protoc --version 2>/dev/null) in
"libprotoc 3.21."*) ;;
*) exit 77 ;;
esac
files="tern/options tern/object"
for name in any api compiler/plugin descriptor duration empty field_mask source_context struct timestamp type wrappers; do
    files="$files google/protobuf/$name"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for include in /usr/include /usr/local/include; do
    [ -f $include/google/protobuf/compiler/plugin.proto ] && break
done
[ -f $include/google/protobuf/compiler/plugin.proto ] || exit 77
paths=
for file in $files; do paths="$paths $file.proto"; done
protoc -I $include -I "$root/include" --include_imports --descriptor_set_out="$work/set" $paths
protoc --descriptor_set_in="$work/set" --plugin=protoc-gen-tern="$plugin" --tern_out="$work" $paths
for file in $files; do
    mkdir -p "$(dirname "$out/include/$file")" "$(dirname "$out/src/wkt/$file")"
    cp "$work/$file.tern.h" "$out/include/$file.tern.h"
    cp "$work/$file.tern.c" "$out/src/wkt/$file.tern.c"
done
