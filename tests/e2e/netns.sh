#!/usr/bin/env bash
# The store between two hosts: two network namespaces joined by a veth pair of Ethernet's MTU, the server in one, the
# loader and the checker in the other. Results are TAP.
#
# usage: tests/e2e/netns.sh KV
set -u -o pipefail
kv=$1
here=tern-a-$$ there=tern-b-$$
tmp=$(mktemp -d)
server=

cleanup() {
    [ -z "$server" ] || { kill -9 "$server" && wait "$server"; } 2>/dev/null
    ip netns del "$here" 2>/dev/null
    ip netns del "$there" 2>/dev/null
    rm -rf "$tmp"
}
trap cleanup EXIT

skip() {
    echo "ok 1 - netns__load_and_check # SKIP $1"
    echo "1..1"
    exit 0
}

n=0 failed=0
result() { # NAME COMMAND...
    n=$((n + 1))
    local name=$1
    shift
    if "$@" >"$tmp/log" 2>&1; then
        echo "ok $n - $name"
    else
        sed 's/^/# /' "$tmp/log"
        echo "not ok $n - $name"
        failed=1
    fi
}

[ "$(id -u)" = 0 ] || skip "needs root to make network namespaces"
command -v ip >/dev/null || skip "iproute2 is not installed"
ip netns add "$here" 2>/dev/null && ip netns add "$there" 2>/dev/null || skip "network namespaces cannot be made here"
ip netns exec "$here" true 2>/dev/null && ip netns exec "$there" true 2>/dev/null || skip "namespaces cannot be entered here"
ip link add tern0 netns "$here" type veth peer name tern1 netns "$there" 2>/dev/null || skip "veth pairs cannot be made here"
ip -n "$here" addr add 10.77.0.1/24 dev tern0 && ip -n "$here" link set tern0 up
ip -n "$there" addr add 10.77.0.2/24 dev tern1 && ip -n "$there" link set tern1 up

mkdir -p "$tmp/tree/deep/er"
for i in $(seq 1 40); do head -c $((i * 977)) /dev/urandom >"$tmp/tree/deep/file $i"; done
head -c 3000000 /dev/urandom >"$tmp/tree/deep/er/large"
: >"$tmp/tree/empty"

serve() { # ADDRESS
    ip netns exec "$there" "$kv" serve "$1" >"$tmp/server" 2>&1 &
    server=$!
    for _ in $(seq 1 100); do
        grep -q 7000 "$tmp/server" && break
        sleep 0.05
    done
}

stop_server() {
    { kill -9 "$server" && wait "$server"; } 2>/dev/null
    server=
}

# Calls are under way when the network goes: they fail in seconds, not in minutes.
cut_off_under_load() { # ADDRESS
    timeout 20 ip netns exec "$here" "$kv" bench --rate 2k --seconds 50 --keys 500 "$1" &
    local client=$! code
    sleep 1
    ip -n "$there" link set tern1 down
    wait $client
    code=$?
    ip -n "$there" link set tern1 up
    [ $code -eq 3 ] || { echo "exit code $code, not 3"; return 1; }
}

for scheme in udp tcp; do
    address=$scheme://10.77.0.2:7000
    serve "$address"
    result "netns_${scheme}__load" ip netns exec "$here" "$kv" load "$address" "$tmp/tree"
    result "netns_${scheme}__check" ip netns exec "$here" "$kv" check "$address" "$tmp/tree"
    ip -n "$there" link set tern1 down
    result "netns_${scheme}__cut_off_is_an_error" bash -c "! timeout 20 ip netns exec $here $kv get $address empty"
    ip -n "$there" link set tern1 up
    result "netns_${scheme}__mended" ip netns exec "$here" "$kv" check "$address" "$tmp/tree"
    result "netns_${scheme}__cut_off_under_load" cut_off_under_load "$address"
    stop_server
done
echo "1..$n"
exit $failed
