#!/usr/bin/env bash
# Streams between two hosts (netns_lib.sh) when the network is away for some seconds in the middle: a scan goes on where it
# was, an import ends with an error and leaves what came before it.
#
# usage: tests/e2e/netns_streams.sh KV
set -u -o pipefail
kv=$1 first=netns__streams
. "$(dirname "$0")/netns_lib.sh"

entries=150000

# A dump of as many entries, as kv scan --dump writes it: keys in order, values of 60 bytes.
make_dump() {
    python3 - "$entries" >"$tmp/dump" <<'PYTHON'
import struct, sys
out = bytearray(b"XB\x01\x02" + struct.pack("<I", 0x4B564455))
def align():
    out.extend(bytes(-len(out) % 4))
for i in range(int(sys.argv[1])):
    key, value = b"key/%07d\0" % i, b"%060d" % i
    out.append(11); align(); out += struct.pack("<I", len(key)) + key
    for number in (0, 1):
        out.append(5); align(); out += struct.pack("<I", number)
    out.append(12); align(); out += struct.pack("<I", len(value)) + value
sys.stdout.buffer.write(out)
PYTHON
}

client() { timeout 60 ip netns exec "$here" "$kv" "$@"; }

# Some bytes at once, the rest at a walk: a reader or a feeder that gives the network time to go. What it passes on is not
# touched.
walk() { # BYTES_AT_ONCE
    for _ in $(seq 1 25); do
        head -c "$1"
        sleep 0.1
    done
    cat
}

cut_for() { # SECONDS BEFORE [cut_sharply mend_sharply]; how long it was in ms is in $tmp/cut
    sleep "$2"
    local start=${EPOCHREALTIME/./}
    "${3:-cut}"
    sleep "$1"
    "${4:-mend}"
    echo $(((${EPOCHREALTIME/./} - start) / 1000)) >"$tmp/cut"
}

# The server is not reached for 4 s: the session is lost, and the scan goes on over another.
scan_through_a_cut() { # WANT OPTION...
    local want=$1
    shift
    cut_for 4 0.7 &
    local cutter=$!
    client scan "$@" "$address" | walk 60000 >"$tmp/out" || { wait $cutter; return 1; }
    wait $cutter
    cmp "$tmp/out" "$want"
}

# For a tenth of a second: nobody notices but the retransmissions. TCP repeats after 0.2, 0.6 and 1.4 s, and a second is
# what a peer gets: where the machine is so busy that the cut takes longer than half a second, it says nothing.
import_through_a_short_cut() {
    local code
    client del "$address" key/0000000 || return 1
    for _ in 1 2 3; do
        cut_for 0.1 0.7 cut_sharply mend_sharply &
        local cutter=$!
        walk 400000 <"$tmp/dump" | client import "$address"
        code=$?
        wait $cutter
        [ $code -ne 0 ] && [ "$(cat "$tmp/cut")" -gt 500 ] || break
        echo "the cut of 100 ms took $(cat "$tmp/cut") ms: once more"
    done
    [ $code -eq 0 ] || { echo "after a cut of $(cat "$tmp/cut") ms"; return 1; }
    client scan "$address" | cmp - "$tmp/keys"
}

# For 4 s: it is told, and the entries that have been stored are the first ones, each once.
import_into_a_cut() {
    stop_server
    serve "$address"
    cut_for 4 0.7 &
    local cutter=$!
    (walk 400000 <"$tmp/dump") 2>/dev/null | client import "$address" >"$tmp/import" 2>&1
    local code=${PIPESTATUS[1]}
    wait $cutter
    cat "$tmp/import"
    [ "$code" -eq 3 ] || { echo "exit code $code, not 3"; return 1; }
    grep -q 'import: UNAVAILABLE' "$tmp/import" || return 1
    client scan "$address" >"$tmp/out" || return 1
    local n
    n=$(wc -l <"$tmp/out")
    echo "$n entries came"
    [ "$n" -gt 0 ] && [ "$n" -lt "$entries" ] && head -n "$n" "$tmp/keys" | cmp - "$tmp/out" || return 1
    client import "$address" "$tmp/dump" && client scan --dump "$address" | cmp - "$tmp/dump"
}

command -v python3 >/dev/null || skip "python3 is not installed"
make_dump
for i in $(seq 0 $((entries - 1))); do printf 'key/%07d\t60\n' "$i"; done >"$tmp/keys"
for scheme in udp tcp; do
    address=$scheme://10.77.0.2:7000
    serve "$address"
    result "netns_${scheme}__import" client import "$address" "$tmp/dump"
    result "netns_${scheme}__scan_through_a_cut" scan_through_a_cut "$tmp/keys"
    result "netns_${scheme}__dump_through_a_cut" scan_through_a_cut "$tmp/dump" --dump
    result "netns_${scheme}__import_through_a_short_cut" import_through_a_short_cut
    result "netns_${scheme}__import_into_a_cut" import_into_a_cut
    stop_server
done
echo "1..$n"
exit $failed
