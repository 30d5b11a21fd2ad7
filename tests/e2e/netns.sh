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

ip netns exec "$there" "$kv" serve udp://10.77.0.2:7000 >"$tmp/server" 2>&1 &
server=$!
for _ in $(seq 1 100); do
    grep -q 7000 "$tmp/server" && break
    sleep 0.05
done

result netns__load ip netns exec "$here" "$kv" load udp://10.77.0.2:7000 "$tmp/tree"
result netns__check ip netns exec "$here" "$kv" check udp://10.77.0.2:7000 "$tmp/tree"
ip -n "$there" link set tern1 down
result netns__cut_off_is_an_error bash -c "! timeout 20 ip netns exec $here $kv get udp://10.77.0.2:7000 empty"
ip -n "$there" link set tern1 up
result netns__mended ip netns exec "$here" "$kv" check udp://10.77.0.2:7000 "$tmp/tree"
echo "1..$n"
exit $failed
