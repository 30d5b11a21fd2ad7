#!/bin/sh
# Runs protoc with our plugin on one schema, which is found by its file name alone, as tern/options.proto is; further
# arguments go to protoc (-I for the folders of other imports).
# usage: generate.sh PROTOC PLUGIN OUT_DIR SCHEMA [ARGUMENT...]
protoc=$1 plugin=$2 out=$3 schema=$4
shift 4
exec "$protoc" --plugin=protoc-gen-tern="$plugin" --tern_out="$out" -I "$(dirname "$schema")" \
    -I "$(dirname "$0")/../../include" "$@" "$schema"
