#!/usr/bin/env bash
# The store between two hosts (netns_lib.sh): the server in one, the loader and the checker in the other.
#
# usage: tests/e2e/netns.sh KV
set -u -o pipefail
kv=$1 first=netns__load_and_check
. "$(dirname "$0")/netns_lib.sh"

mkdir -p "$tmp/tree/deep/er"
for i in $(seq 1 40); do head -c $((i * 977)) /dev/urandom >"$tmp/tree/deep/file $i"; done
head -c 3000000 /dev/urandom >"$tmp/tree/deep/er/large"
: >"$tmp/tree/empty"

# Calls are under way when the network goes: they fail in seconds, not in minutes.
cut_off_under_load() { # ADDRESS
    timeout 20 ip netns exec "$here" "$kv" bench --rate 2k --seconds 50 --keys 500 "$1" &
    local client=$! code
    sleep 1
    cut
    wait $client
    code=$?
    mend
    [ $code -eq 3 ] || { echo "exit code $code, not 3"; return 1; }
}

for scheme in udp tcp; do
    address=$scheme://10.77.0.2:7000
    serve "$address"
    result "netns_${scheme}__load" ip netns exec "$here" "$kv" load "$address" "$tmp/tree"
    result "netns_${scheme}__check" ip netns exec "$here" "$kv" check "$address" "$tmp/tree"
    cut
    result "netns_${scheme}__cut_off_is_an_error" bash -c "! timeout 20 ip netns exec $here $kv get $address empty"
    mend
    result "netns_${scheme}__mended" ip netns exec "$here" "$kv" check "$address" "$tmp/tree"
    result "netns_${scheme}__cut_off_under_load" cut_off_under_load "$address"
    stop_server
done
echo "1..$n"
exit $failed
