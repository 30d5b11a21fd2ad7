#!/bin/bash
# Instructions per small call, both ends and their polls together, by callgrind: the same on every run and machine of one
# kind, except that a busy machine makes packets late, and udp then sends some again. So each count is the least of three.
# usage: scripts/instructions.sh BUILD_DIR [BUILD_DIR_BEFORE]      (of the latter also the ratio)
set -u
now=$1
before=${2:-}
few=2000 many=6000
command -v valgrind >/dev/null || { echo "instructions: valgrind is not installed" >&2; exit 1; }

total() { # PROGRAM CALLS options...
    local program=$1 calls=$2
    shift 2
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$program" --calls "$calls" "$@" 2>&1 | awk '/Collected/ {print $4}'
}

per_call() { # BUILD_DIR options...
    local program=$1/bench/rpc_calls a b
    shift
    a=$(total "$program" $few "$@")
    b=$(total "$program" $many "$@")
    [ -n "$a" ] && [ -n "$b" ] || { echo "instructions: $program failed" >&2; exit 1; }
    echo $(((b - a) / (many - few)))
}

least() { # BUILD_DIR options...
    local count best=
    for _ in 1 2 3; do
        count=$(per_call "$@") || exit 1
        [ -z "$best" ] || [ "$count" -lt "$best" ] && best=$count
    done
    echo "$best"
}

echo "| calls | instructions |${before:+ before | ratio |}"
echo "|---|---:|${before:+---:|---:|}"
while read -r name options; do
    count=$(least "$now" $options) || exit 1
    if [ -n "$before" ]; then
        old=$(least "$before" $options) || exit 1
        ratio=$(awk "BEGIN {printf \"%.3f\", $count / $old}")
        echo "| ${name//_/ } | $count | $old | $ratio |"
    else
        echo "| ${name//_/ } | $count |"
    fi
done <<'ROWS'
shm,_one_at_a_time --at shm:///tmp/tern-instructions.sock --window 1
shm,_56_in_flight --at shm:///tmp/tern-instructions.sock --window 56
shm,_messages,_one_at_a_time --at shm:///tmp/tern-instructions.sock --window 1 --typed
shm,_messages,_56_in_flight --at shm:///tmp/tern-instructions.sock --window 56 --typed
shm,_1_KB_one_way,_16_in_flight --at shm:///tmp/tern-instructions.sock --window 16 --bytes 1024 --one-way
shm,_flushed_messages_of_a_stream --at shm:///tmp/tern-instructions.sock --stream
UDP,_one_at_a_time --at udp://127.0.0.1:0 --window 1
UDP,_56_in_flight --at udp://127.0.0.1:0 --window 56
UDP,_messages,_56_in_flight --at udp://127.0.0.1:0 --window 56 --typed
UDP,_600_bytes,_56_in_flight --at udp://127.0.0.1:0 --window 56 --bytes 600
TCP,_56_in_flight --at tcp://127.0.0.1:0 --window 56
TCP,_messages,_one_at_a_time --at tcp://127.0.0.1:0 --window 1 --typed
TCP,_flushed_messages_of_a_stream --at tcp://127.0.0.1:0 --stream
ROWS
