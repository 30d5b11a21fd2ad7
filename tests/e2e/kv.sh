#!/usr/bin/env bash
# kv end to end, between processes, over shared memory, UDP, TCP and a Unix socket: what is loaded comes back, and what goes wrong
# (missing data, a full store, a dead server) ends in the right message and exit code. Prints TAP.
#
# usage: kv.sh KV
set -u
export UBSAN_OPTIONS=halt_on_error=1:${UBSAN_OPTIONS:-}

kv=$1
tmp=$(mktemp -d)
n=0
failed=0
server=

cleanup() {
    [ -n "$server" ] && kill -9 "$server" 2>/dev/null
    wait 2>/dev/null
    rm -rf "$tmp"
}
trap cleanup EXIT
trap 'exit 1' INT TERM HUP

# test NAME COMMAND...: one TAP line; what a failed command printed follows as comments.
test_case() {
    local name=$1
    shift
    n=$((n + 1))
    if "$@" >"$tmp/log" 2>&1; then
        echo "ok $n - $name"
    else
        failed=1
        sed 's/^/# /' "$tmp/log"
        echo "not ok $n - $name"
    fi
}

# serve ADDRESS [OPTION...]: sets server and address.
serve() {
    local listen=$1 i
    shift
    rm -f "$tmp/serve"
    "$kv" serve "$@" "$listen" >"$tmp/serve" 2>"$tmp/serve.err" &
    server=$!
    for ((i = 0; i < 200; i++)); do
        address=$(sed -n 's/^serving //p' "$tmp/serve" 2>/dev/null)
        [ -n "$address" ] && return 0
        kill -0 $server 2>/dev/null || break
        sleep 0.05
    done
    sed 's/^/# /' "$tmp/serve.err"
    return 1
}

stop_server() {
    kill "$server"
    wait "$server"
    local code=$?
    server=
    return $code
}

# expect CODE PATTERN COMMAND...: the exit code, and a line of the output that matches.
expect() {
    local code=$1 pattern=$2 got
    shift 2
    timeout 20 "$@" >"$tmp/out" 2>&1
    got=$?
    cat "$tmp/out"
    [ $got -eq "$code" ] || { echo "exit code $got, not $code"; return 1; }
    grep -q -e "$pattern" "$tmp/out" || { echo "no line matches: $pattern"; return 1; }
}

make_tree() {
    local dir=$1 i
    mkdir -p "$dir/sub/deep/er" "$dir/ leading space"
    : >"$dir/empty"
    head -c 3000000 /dev/urandom >"$dir/three megabytes"
    head -c 512 /dev/urandom >"$dir/sub/512"
    head -c 511 /dev/urandom >"$dir/sub/511"
    printf 'x' >"$dir/sub/deep/er/one byte"
    for ((i = 0; i < 300; i++)); do head -c $((i * 37)) /dev/urandom >"$dir/sub/file$i"; done
    echo 1 >"$dir/-dash"
    echo 2 >"$dir/"$'new\nline'
    echo 3 >"$dir/sub/größe 🐦 %s %n * ?"
    echo 4 >"$dir/ leading space/.hidden"
    echo 5 >"$dir/$(printf 'l%.0s' {1..255})"
    ln -s empty "$dir/link"
    ln -s . "$dir/loop"
    mkfifo "$dir/pipe"
}

load_counts() {
    expect 0 '^loaded 310 files' "$kv" load "$address" "$tmp/tree" || return 1
    grep -q '2 symbolic links, 1 special files' "$tmp/out"
}

# A sanitizer and libc need descriptors of their own.
few_descriptors() {
    local n="$1"
    shift
    (ulimit -n "$n" && "$@")
}

# With few descriptors fewer files are open at once; with too few the load says so and fails.
descriptors_run_out() {
    few_descriptors 30 load_counts && few_descriptors 30 check_equal || return 1
    local n command code walks=0
    for n in {7..13}; do
        for command in load check; do
            few_descriptors "$n" timeout 20 "$kv" "$command" "$address" "$tmp/tree" >"$tmp/out" 2>&1
            code=$?
            [ $code != 0 ] || continue
            cat "$tmp/out"
            [ $code = 3 ] || [ $code = 4 ] || return 1
            grep -qF 'the process has no descriptors left (EMFILE): raise its limit (ulimit -n)' "$tmp/out" || return 1
            ! grep -q 'unreadable\|Too many open files\|configured limit\|as many' "$tmp/out" || return 1
            [ $code != 4 ] || grep -q '^gave up after' "$tmp/out" || return 1
            [ $code != 4 ] || walks=$((walks + 1))
        done
    done
    [ $walks != 0 ] || [ "$port" = shm ] # where the connection itself takes the last ones
}

# What holds data and cannot be stored is named, counted, and the exit code tells.
cannot_be_stored() {
    local dir=$tmp/odd code
    mkdir -p "$dir" && echo 1 >"$dir/good" && echo 2 >"$dir/"$'not utf-8 \xff\xfe' || return 1
    expect 4 '^loaded 1 files.*skipped: 1 unusable names' "$kv" load "$address" "$dir" &&
        grep -qF 'not utf-8 \xff\xfe: skipped: a key is UTF-8' "$tmp/out" &&
        expect 4 '^checked 1 files: 1 equal.*skipped: 1 unusable names' "$kv" check "$address" "$dir"
    code=$?
    rm -rf "$dir"
    return $code
}

# Both commands end at the first file that would pass the maximum, though later ones would fit.
max_bytes_selects_the_same() {
    local dir=$tmp/sizes i
    mkdir -p "$dir"
    for ((i = 100; i < 300; i++)); do head -c 1000 /dev/urandom >"$dir/a$i"; done
    head -c 500000 /dev/urandom >"$dir/b"
    for ((i = 100; i < 300; i++)); do head -c 100 /dev/urandom >"$dir/c$i"; done
    expect 0 '^loaded 200 files' "$kv" load --max-bytes 300000 "$address" "$dir" &&
        expect 0 '^checked 200 files: 200 equal' "$kv" check --max-bytes 300000 "$address" "$dir" &&
        "$kv" del "$address" a{100..299}
    local code=$?
    rm -rf "$dir"
    return $code
}

# Keys are shown in one line each, and obeyed by no terminal.
keys_are_escaped() {
    local key=$'esc/\x1b[31m\nback\\slash'
    echo v | "$kv" put "$address" "$key" || return 1
    "$kv" scan --prefix esc/ "$address" >"$tmp/out"
    printf 'esc/\\x1b[31m\\nback\\\\slash\t2\n' | cmp - "$tmp/out" || return 1
    expect 0 '^esc/.x1b.31m.nback..slash$' "$kv" list "$address" "$key" && "$kv" del "$address" "$key" &&
        expect 1 '' "$kv" get "$address" "$key" && grep -qF 'esc/\x1b[31m\nback\\slash: NOT_FOUND' "$tmp/out"
}

# The bound that nobody named is told, and is what the store has.
default_quota_is_told() {
    serve "shm://$tmp/quota.sock" && grep -q '^kv: keys and values may take .* (--max-bytes)$' "$tmp/serve.err" || return 1
    "$kv" stats --json "$address" >"$tmp/out" && stop_server && python3 - "$tmp/out" <<'PY'
import json, sys
bound = json.load(open(sys.argv[1]))["max_bytes"]
kb = [int(line.split()[1]) for line in open("/proc/meminfo") if line.startswith("MemAvailable")][0]
assert 0 < bound <= 4 << 30 and bound <= kb * 1024, (bound, kb)
PY
}

check_equal() { expect 0 '^checked 310 files: 310 equal by SHA-256, 0 different, 0 missing' "$kv" check "$address" "$tmp/tree"; }

get_is_exact() {
    "$kv" get "$address" "three megabytes" | cmp - "$tmp/tree/three megabytes" &&
        "$kv" get "$address" "sub/größe 🐦 %s %n * ?" | cmp - "$tmp/tree/sub/größe 🐦 %s %n * ?" &&
        "$kv" get "$address" -- -dash | cmp - "$tmp/tree/-dash" &&
        [ -z "$("$kv" get "$address" empty)" ]
}

# A changed and a new file are told apart, by name.
check_finds_differences() {
    cp -a "$tmp/tree" "$tmp/changed"
    printf 'y' >"$tmp/changed/sub/deep/er/one byte"
    echo new >"$tmp/changed/sub/new file"
    expect 1 'checked 311 files: 309 equal by SHA-256, 1 different, 1 missing' "$kv" check "$address" "$tmp/changed" &&
        grep -q 'one byte: the stored value differs' "$tmp/out" && grep -q 'new file: is not in the store' "$tmp/out"
    local code=$?
    rm -rf "$tmp/changed"
    return $code
}

segments() {
    expect 0 '^loaded 310 files' "$kv" load --segment 100000 "$address" "$tmp/tree" &&
        expect 0 'segment 29: 100000 bytes' "$kv" list "$address" "three megabytes" && check_equal
}

put_get_delete() {
    printf 'a value' | "$kv" put "$address" 'a key' && [ "$("$kv" get "$address" 'a key')" = 'a value' ] &&
        "$kv" del "$address" 'a key' && expect 1 'NOT_FOUND: the server has no such key' "$kv" get "$address" 'a key' &&
        expect 1 'NOT_FOUND' "$kv" del "$address" 'a key'
}

# The keys of a folder in the order of their bytes, with their lengths.
scan_is_ordered() {
    (cd "$tmp/tree" && LC_ALL=C ls sub | grep '^file' | LC_ALL=C sort | while read -r f; do
        printf 'sub/%s\t%s\n' "$f" "$(stat -c %s "sub/$f")"
    done) >"$tmp/want"
    "$kv" scan --prefix sub/file "$address" >"$tmp/out" && diff "$tmp/out" "$tmp/want" >&2
}

# Pages, each after the last key of the one before, make the whole.
scan_goes_on() {
    local last= page
    : >"$tmp/pages"
    while page=$("$kv" scan --prefix sub/file --limit 37 --after "$last" "$address") && [ -n "$page" ]; do
        echo "$page" >>"$tmp/pages"
        last=$(tail -n 1 <<<"$page" | cut -f1)
    done
    "$kv" scan --prefix sub/file "$address" | cmp - "$tmp/pages"
}

# What was dumped and deleted comes back by import.
dump_and_import() {
    "$kv" scan --dump "$address" >"$tmp/dump" && "$kv" del "$address" "three megabytes" sub/512 empty &&
        expect 1 'three megabytes: is not in the store' "$kv" check "$address" "$tmp/tree" &&
        expect 0 '^31[0-9] entries' "$kv" import "$address" "$tmp/dump" && check_equal &&
        "$kv" import "$address" <"$tmp/dump" && check_equal
}

damaged_dumps() {
    head -c 1000 "$tmp/dump" | expect 1 'the dump is damaged: the input ends' "$kv" import "$address" &&
        echo noise | expect 1 'the dump is damaged' "$kv" import "$address" &&
        expect 4 'No such file' "$kv" import "$address" "$tmp/nothing" && check_equal
}

import_into_a_full_store() { expect 3 'RESOURCE_EXHAUSTED' "$kv" import "$address" "$tmp/dump"; }

# Large values leave the server from where they lie.
replies_are_in_place() {
    "$kv" stats --json "$address" >"$tmp/before" && "$kv" get "$address" "three megabytes" >/dev/null &&
        "$kv" stats --json "$address" >"$tmp/after" && python3 - "$tmp/before" "$tmp/after" <<'PY'
import json, sys
before, after = (json.load(open(path)) for path in sys.argv[1:])
assert after["inplace_bytes"] - before["inplace_bytes"] == 3000000, (before, after)
assert after["copied_bytes"] == before["copied_bytes"], (before, after)
PY
}

# The store keeps the buffer that brought a large value.
put_keeps_the_packet() {
    "$kv" stats --json "$address" >"$tmp/before" && "$kv" put "$address" held "$tmp/tree/three megabytes" &&
        "$kv" stats --json "$address" >"$tmp/after" && python3 - "$tmp/before" "$tmp/after" <<'PY' && "$kv" del "$address" held
import json, sys
before, after = (json.load(open(path)) for path in sys.argv[1:])
assert after["held_segments"] == before["held_segments"] + 1, (before, after)
assert after["copied_segments"] == before["copied_segments"], (before, after)
PY
}

bench_row() {
    expect 0 '^{"port"' "$kv" bench --json --rate 2k --seconds 0.3 --keys 500 --puts 0.2 "$@" "$address" && python3 - "$tmp/out" <<'PY'
import json, sys
row = [json.loads(line) for line in open(sys.argv[1]) if line.startswith("{")][0]
assert row["ok"] > 0 and row["errors"] == 0 and row["missing_keys"] == 0, row
assert 0 < row["p50_us"] <= row["p99_us"] <= row["p999_us"] <= row["max_us"], row
PY
}

# A server that stands still for 0.4 s is charged for every request that was due meanwhile: about a quarter of
# them waited, half of those for more than 0.2 s.
stall_is_charged() {
    "$kv" bench --json --rate 1k --seconds 1.6 --keys 100 "$address" >"$tmp/out" &
    local client=$!
    sleep 0.7
    kill -STOP "$server"
    sleep 0.4
    kill -CONT "$server"
    wait $client || return 1
    cat "$tmp/out"
    python3 - "$tmp/out" <<'PY'
import json, sys
row = json.load(open(sys.argv[1]))
assert row["ok"] > 1200 and row["errors"] == 0, row
assert row["max_us"] > 300000 and row["p99_us"] > 250000, row
assert row["mean_us"] > 20000, row
PY
}

trace_replay() {
    printf 'time,key,ksize,vsize,client,op,ttl\n5,a,20,700,1,get,0\n5,b,20,10,1,set,60\n5,nonsense\n6,a,20,700,1,get,0\n6,b,9,10,1,get,0\n6,b,9,1,1,flush,0\n6,b,9,0,1,delete,0\n' >"$tmp/trace"
    expect 0 '5 operations, 2 malformed lines and 1 unknown operations skipped' \
        "$kv" bench --json --trace "$tmp/trace" --speed 20 "$address" && grep -q '"errors":0' "$tmp/out"
}

# stat NAME: one of the server's counters.
stat_of() { "$kv" stats --json "$address" | python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"; }

# until_stat NAME OPERATOR NUMBER: wait for a counter, ten seconds at most.
until_stat() {
    local i
    for ((i = 0; i < 200; i++)); do
        [ "$(stat_of "$1")" "$2" "$3" ] && return 0
        sleep 0.05
    done
    echo "$1 is $(stat_of "$1"), not $2 $3"
    return 1
}

old_value_is_there() {
    [ "$("$kv" get "$address" big)" = "the old value" ] || { echo "the old value has gone"; return 1; }
}

# The second part of a value has no room: the key keeps what it had, and the first part is given back.
refused_put_keeps_the_old_value() {
    printf 'the old value' | "$kv" put "$address" big && truncate -s 60M "$tmp/sixty" || return 1
    local before
    before=$(stat_of memory_bytes)
    expect 3 'big: RESOURCE_EXHAUSTED: the store is full' "$kv" put "$address" big "$tmp/sixty" && old_value_is_there &&
        [ "$(stat_of uploads)" = 0 ] && [ "$(stat_of memory_bytes)" = "$before" ]
}

# feed_put FUNCTION: `kv put big` reads a pipe, of which 34 MB have come and one part is at the server; then the function
# runs with the client in $client, and descriptor 9 open for more.
feed_put() {
    local client code
    rm -f "$tmp/feed"
    mkfifo "$tmp/feed" || return 1
    "$kv" put "$address" big <"$tmp/feed" >"$tmp/out" 2>&1 &
    client=$!
    exec 9>"$tmp/feed"
    head -c 34000000 /dev/zero >&9
    until_stat uploads = 1 && "$1"
    code=$?
    exec 9>&-
    wait $client
    rm "$tmp/feed"
    cat "$tmp/out"
    return $code
}

kill_client() {
    [ "$(stat_of upload_bytes)" -gt 33000000 ] && [ "$(stat_of memory_bytes)" -gt 33000000 ] || return 1
    kill -9 "$client" && old_value_is_there && until_stat uploads = 0 && [ "$(stat_of upload_bytes)" = 0 ] &&
        [ "$(stat_of memory_bytes)" -lt 1000000 ] && old_value_is_there
}

killed_put_keeps_the_old_value() {
    printf 'the old value' | "$kv" put "$address" big && feed_put kill_client
}

# Longer than the upload's lease without input: the client keeps it.
stand_still_and_end() {
    sleep 2.5
    old_value_is_there && printf 'the end' >&9
    local code=$?
    exec 9>&-
    wait "$client" && [ $code = 0 ]
}

slow_put_is_kept() {
    feed_put stand_still_and_end && "$kv" get "$address" big >"$tmp/big" && [ "$(stat -c %s "$tmp/big")" = 34000007 ] &&
        [ "$(tail -c 7 "$tmp/big")" = 'the end' ]
}

# A dump that ends within a value: the value before it is there, the key of that one keeps what it had.
broken_import_keeps_the_old_value() {
    mkdir -p "$tmp/two" && head -c 100 /dev/urandom >"$tmp/two/a" && head -c 4000000 /dev/urandom >"$tmp/two/big" || return 1
    "$kv" load --segment 100000 "$address" "$tmp/two" && "$kv" scan --dump "$address" >"$tmp/dump" && "$kv" del "$address" a &&
        printf 'the old value' | "$kv" put "$address" big || return 1
    head -c 3000000 "$tmp/dump" | expect 1 'the dump is damaged: the input ends' "$kv" import "$address" && old_value_is_there &&
        until_stat uploads = 0 && "$kv" get "$address" a | cmp - "$tmp/two/a" &&
        expect 0 '^[0-9]* entries' "$kv" import "$address" "$tmp/dump" && "$kv" get "$address" big | cmp - "$tmp/two/big"
}

full_store() { expect 3 'RESOURCE_EXHAUSTED' "$kv" load "$address" "$tmp/tree"; }

# The second of two parts finds the server dead.
killed_between_puts() {
    mkfifo "$tmp/feed"
    timeout 20 "$kv" put "$address" big <"$tmp/feed" >"$tmp/out" 2>&1 &
    local client=$!
    exec 9>"$tmp/feed"
    head -c 34000000 /dev/zero >&9
    until_stat uploads = 1
    kill -9 "$server"
    wait "$server" 2>/dev/null
    exec 9>&-
    wait $client
    local code=$?
    rm "$tmp/feed"
    cat "$tmp/out"
    [ $code -eq 3 ] && grep -q "^kv: $address: big: UNAVAILABLE: the peer cannot be reached or has died" "$tmp/out"
}

# A scan does not go on at a server that has started again, and says so.
restarted_during_scan() {
    head -c 60000000 /dev/zero | "$kv" put "$address" big || return 1
    rm -f "$tmp/begun" "$tmp/back"
    mkfifo "$tmp/back" || return 1
    ("$kv" scan --dump "$address" 2>"$tmp/out" |
        (head -c 1000000 >/dev/null; touch "$tmp/begun"; read -r <"$tmp/back"; cat >/dev/null)
        exit "${PIPESTATUS[0]}") &
    local client=$! i
    for ((i = 0; i < 200; i++)); do
        [ ! -e "$tmp/begun" ] || break
        sleep 0.1
    done
    kill -9 "$server"
    wait "$server" 2>/dev/null
    serve "${1:-$address}"
    local served=$?
    echo >"$tmp/back"
    wait $client
    local code=$?
    [ $served = 0 ] || return 1
    cat "$tmp/out"
    [ $code -eq 3 ] && grep -q 'scan: ABORTED' "$tmp/out"
}

# A load under way ends soon after the server does.
killed_under_load() {
    timeout 20 "$kv" bench --rate 2k --seconds 50 --keys 500 "$address" >"$tmp/out" 2>&1 &
    local client=$!
    sleep 0.5
    kill -9 "$server"
    wait "$server" 2>/dev/null
    wait $client
    local code=$?
    cat "$tmp/out"
    [ $code -eq 3 ] && grep -q "UNAVAILABLE: the peer cannot be reached or has died" "$tmp/out"
}

killed_while_loading() {
    mkdir -p "$tmp/sparse"
    truncate -s 900M "$tmp/sparse/file"
    timeout 20 "$kv" load --segment 16000 "$address" "$tmp/sparse" >"$tmp/out" 2>&1 &
    local client=$!
    until_stat uploads = 1
    kill -9 "$server"
    wait "$server" 2>/dev/null
    wait $client
    local code=$?
    cat "$tmp/out"
    [ $code -eq 3 ] && grep -q "put file: UNAVAILABLE" "$tmp/out" && grep -q '^gave up after 0 files' "$tmp/out"
}

nobody_there() { expect 3 'UNAVAILABLE: the peer cannot be reached or has died' "$kv" stats "$address"; }

# Command lines that make no sense: exit code 2, nothing but a message.
usage_errors() {
    local args
    while IFS= read -r args; do
        # shellcheck disable=SC2086
        expect 2 '^kv: \|^usage: ' "$kv" $args || { echo "kv $args"; return 1; }
    done <<'ARGS'

nonsense
serve
serve nowhere
serve tcp://x
serve --max-bytes 10 shm:///tmp/never
serve --upload-time 0 shm:///tmp/never
serve --max-bytes 12Q shm:///tmp/never
serve --max-bytes 99999999999999999999 shm:///tmp/never
load udp://127.0.0.1:9
load --segment 0 udp://127.0.0.1:9 /tmp
load --segment 1G udp://127.0.0.1:9 /tmp
load udp://127.0.0.1:9 /does/not/exist
check udp://127.0.0.1:9 /dev/null
get
get udp://127.0.0.1:9
get udp://127.0.0.1:999999 key
stats --xml udp://127.0.0.1:9
scan
scan --limit x udp://127.0.0.1:9
import
bench --rate -1 udp://127.0.0.1:9
bench --rate nan udp://127.0.0.1:9
bench --sweep 1,x udp://127.0.0.1:9
bench --keys 0 udp://127.0.0.1:9
bench --values 65 udp://127.0.0.1:9
bench --batch 2 --values 2 udp://127.0.0.1:9
bench --workload tpcc udp://127.0.0.1:9
bench --timeout 0 udp://127.0.0.1:9
ARGS
}

help_texts() {
    local command
    expect 0 '^usage: kv \[--trace FILE\] COMMAND' "$kv" --help || return 1
    for command in serve load check get put del list scan import stats bench; do
        expect 0 "^usage: kv $command" "$kv" $command --help || return 1
    done
}

# Installed it has another name, and says so.
own_name() {
    ln -s "$(realpath "$kv")" "$tmp/tern-kv" && expect 0 '^usage: tern-kv \[--trace FILE\] COMMAND' "$tmp/tern-kv" --help &&
        expect 0 '^usage: tern-kv get' "$tmp/tern-kv" get --help && expect 2 '^tern-kv: ' "$tmp/tern-kv" nonsense
}

endless_trace() { expect 4 '/dev/zero: this is no trace' "$kv" bench --trace /dev/zero udp://127.0.0.1:9; }

# A sanitizer's own addresses are above any limit.
few_addresses() {
    ! grep -qa __asan_init "$kv" && ! grep -qa __tsan_init "$kv" || { echo "skipped: a sanitizer is linked in"; return 0; }
    (ulimit -v 1000000 && serve "shm://$tmp/few.sock" &&
        grep -q 'may take 512.0 MB, half of the 1.0 GB that this process may address' "$tmp/serve.err" && load_counts && check_equal && get_is_exact && stop_server)
}

# KB of addresses that a server has which has done nothing.
idle_addresses() {
    ! grep -qa __asan_init "$kv" && ! grep -qa __tsan_init "$kv" || return 0
    serve "shm://$tmp/idle.sock" "udp://127.0.0.1:0" || return 1
    local kb
    kb=$(awk '/^VmPeak/ {print $2}' /proc/$server/status)
    stop_server
    echo "$kb KB"
    [ "$kb" -le 1000000 ]
}

test_case usage_errors usage_errors
test_case help_texts help_texts
test_case own_name own_name
test_case endless_trace endless_trace
make_tree "$tmp/tree"
test_case few_addresses few_addresses
test_case idle_addresses idle_addresses
test_case default_quota_is_told default_quota_is_told
for listen in "shm://$tmp/kv.sock" "udp://127.0.0.1:0" "tcp://127.0.0.1:0" "unix://$tmp/kv.stream"; do
    port=${listen%%:*}
    test_case "${port}__serve" serve "$listen"
    test_case "${port}__load_counts" load_counts
    test_case "${port}__check_equal" check_equal
    test_case "${port}__get_is_exact" get_is_exact
    test_case "${port}__descriptors_run_out" descriptors_run_out
    test_case "${port}__cannot_be_stored" cannot_be_stored
    test_case "${port}__max_bytes_selects_the_same" max_bytes_selects_the_same
    test_case "${port}__keys_are_escaped" keys_are_escaped
    test_case "${port}__check_finds_differences" check_finds_differences
    test_case "${port}__replies_are_in_place" replies_are_in_place
    test_case "${port}__put_keeps_the_packet" put_keeps_the_packet
    test_case "${port}__segments" segments
    test_case "${port}__put_get_delete" put_get_delete
    test_case "${port}__scan_is_ordered" scan_is_ordered
    test_case "${port}__scan_goes_on" scan_goes_on
    test_case "${port}__dump_and_import" dump_and_import
    test_case "${port}__damaged_dumps" damaged_dumps
    test_case "${port}__bench_ycsb" bench_row --workload ycsb-c
    test_case "${port}__bench_values" bench_row --workload ycsb-c --values 4 --value-bytes 8192
    test_case "${port}__bench_batch" bench_row --workload ycsb-c --batch 8
    test_case "${port}__bench_google" bench_row --workload google --values 8
    test_case "${port}__stall_is_charged" stall_is_charged
    test_case "${port}__trace_replay" trace_replay
    test_case "${port}__server_stops_on_sigterm" stop_server
    test_case "${port}__nobody_there" nobody_there
    serve "$listen" --max-bytes 2M
    test_case "${port}__full_store" full_store
    test_case "${port}__import_into_a_full_store" import_into_a_full_store
    kill "$server"
    wait "$server"
    serve "$listen" --max-bytes 40M --upload-time 1
    test_case "${port}__refused_put_keeps_the_old_value" refused_put_keeps_the_old_value
    test_case "${port}__killed_put_keeps_the_old_value" killed_put_keeps_the_old_value
    test_case "${port}__slow_put_is_kept" slow_put_is_kept
    "$kv" del "$address" big
    test_case "${port}__broken_import_keeps_the_old_value" broken_import_keeps_the_old_value
    kill "$server"
    wait "$server"
    serve "$listen"
    test_case "${port}__restarted_during_scan" restarted_during_scan
    test_case "${port}__killed_under_load" killed_under_load
    serve "$listen"
    test_case "${port}__killed_between_puts" killed_between_puts
    serve "$listen"
    test_case "${port}__killed_while_loading" killed_while_loading
    server=
done
echo "1..$n"
exit $failed
