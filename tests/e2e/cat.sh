#!/bin/bash
# `tern cat` on a stream that examples/mesh recorded, on messages of a schema, and on what is neither.
# usage: cat.sh TERN MESH PROTOC PROTO_DIR
tern=$1 mesh=$2 protoc=$3 protos=$4
PATH=$(dirname "$protoc"):$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=0
ok() { # NAME COMMAND...
    local name=$1
    shift
    n=$((n + 1))
    if "$@" >"$work/log" 2>&1; then echo "ok $n - $name"; else echo "not ok $n - $name"; sed 's/^/# /' "$work/log" | head -20; fi
}

"$mesh" "$work/mesh" >/dev/null
printf '       0  preamble, content 0x4d455348\n       8  string "ring"\n      21  u8 1\n' >"$work/want"
stream() { "$tern" cat "$work/mesh" >"$work/out" && head -n 3 "$work/out" | cmp - "$work/want" && [ "$(grep -c 'u8 0' "$work/out")" = "$(grep -c 'array of f64' "$work/out")" ]; }
ok cat__stream_by_its_type_codes stream
max() { "$tern" cat --max 1 "$work/mesh" | grep -q 'array of f64 [^ ]* \.\.\. (4)$'; }
ok cat__max_numbers max
torn() { head -c 100 "$work/mesh" | "$tern" cat >"$work/out"; [ $? = 1 ]; }
ok cat__torn_stream_is_code_1 torn
noise() { echo noise | "$tern" cat; [ $? = 1 ]; }
ok cat__noise_is_code_1 noise

cat >"$work/note.proto" <<'PROTO'
syntax = "proto3";
package note;
message Part { string name = 1; double weight = 2; map<string, int32> counts = 3; }
enum Color { NONE = 0; RED = 1; }
message Note {
  string text = 1;
  sint64 big = 2;
  repeated uint32 list = 3;
  Part part = 4;
  repeated Part parts = 5;
  oneof pick { Color color = 6; bytes blob = 7; Part other = 8; }
  optional bool flag = 9;
}
PROTO
cat >"$work/message.txt" <<'TEXT'
text: "line 1\nline 2"
big: -5
list: 1
list: 300
part { name: "p" weight: 0.5 counts { key: "a" value: 7 } }
parts { name: "q" }
parts { }
other { weight: -1 }
flag: false
TEXT
"$protoc" -I"$work" --encode=note.Note note.proto <"$work/message.txt" >"$work/message"
text() { "$tern" cat --schema "$work/note.proto" --message note.Note "$work/message" >"$work/out" &&
    "$protoc" -I"$work" --decode=note.Note note.proto <"$work/message" | cmp - "$work/out"; }
ok cat__message_as_protoc_prints_it text
json() { "$tern" cat --json --schema "$work/note.proto" --message note.Note "$work/message" | python3 -c '
import json, sys
m = json.load(sys.stdin)
assert m["big"] == "-5" and m["list"] == [1, 300] and m["part"]["counts"] == {"a": 7}, m
assert m["parts"] == [{"name": "q"}, {}] and m["other"] == {"weight": -1} and m["flag"] is False, m'; }
ok cat__message_as_json json
delimited() { { printf '\x03'; printf '\x0a\x01a'; printf '\x00'; } |
    "$tern" cat --delimited --json --schema "$work/note.proto" --message note.Note >"$work/out" &&
    printf '{"text":"a"}\n{}\n' | cmp - "$work/out"; }
ok cat__delimited_messages delimited
damaged() { head -c 5 "$work/message" | "$tern" cat --schema "$work/note.proto" --message note.Note; [ $? = 1 ]; }
ok cat__damaged_message_is_code_1 damaged
absent() { "$tern" cat --schema "$work/note.proto" --message note.Nothing "$work/message"; [ $? = 2 ]; }
ok cat__no_such_message_is_code_2 absent
old() { "$tern" cat --schema "$protos/legacy.proto" -I "$protos" --message nothing "$work/message"; [ $? = 2 ]; }
ok cat__proto2_schema_with_imports_loads old
usage() { "$tern" cat --max; [ $? = 2 ] && "$tern" nothing; [ $? = 2 ] && "$tern" --help; }
ok tern__usage usage
echo "1..$n"
