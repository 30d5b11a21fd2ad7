# Two hosts for tests: network namespaces joined by a veth pair of Ethernet's MTU, 10.77.0.1 and 10.77.0.2, with a kv server in
# the second. Sourced, with kv set to the program and `first` to the name of the first test; results are TAP.
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
    echo "ok 1 - $first # SKIP $1"
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

cut() { ip -n "$there" link set tern1 down; }
mend() { ip -n "$there" link set tern1 up; }

# The same to the moment: the kernel looks once a second at links that have come up, but frames to nobody are lost from now
# on, and others are not.
mac() { ip -n "$1" -o link show dev "$2" | sed 's/.*ether \([0-9a-f:]*\).*/\1/'; }
aim() { # MAC_OF_HERE MAC_OF_THERE
    ip -n "$there" neigh replace 10.77.0.1 lladdr "$1" dev tern1 nud permanent
    ip -n "$here" neigh replace 10.77.0.2 lladdr "$2" dev tern0 nud permanent
}
mac_here=$(mac "$here" tern0) mac_there=$(mac "$there" tern1)
cut_sharply() { aim 02:00:00:00:00:99 02:00:00:00:00:99; }
mend_sharply() { aim "$mac_here" "$mac_there"; }
