#!/usr/bin/env bash
# The main job, start to finish: a real directory stored, served over shared memory and over UDP from one process
# to another, every file verified by SHA-256, then loaded at rising rates, with a table and a picture.
#
# usage: scripts/demo.sh [BUILD_DIR]      DEMO_DIR=... picks the directory, DEMO_SECONDS=... the time per rate
set -u -o pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${1:-$root/build}
[ -x "$build/apps/kv/kv" ] || build=$root/$build
kv=$build/apps/kv/kv
out=$root/out/demo
seconds=${DEMO_SECONDS:-1.5}
caps=(--max-files 20000 --max-bytes 200M)
min_bytes=$((20 * 1000 * 1000))
min_files=2000
servers=()

fail() {
    echo "demo: $*" >&2
    exit 1
}

cleanup() {
    local pid
    for pid in "${servers[@]:-}"; do
        [ -n "$pid" ] && kill "$pid" 2>/dev/null
    done
    wait 2>/dev/null
    rm -rf "$tmp"
}

say() { echo "== $*"; }

# The first directory of this machine that is large enough to mean something.
pick_directory() {
    local dir n_files n_bytes
    for dir in ${DEMO_DIR:+"$DEMO_DIR"} /usr/share/doc /usr/share /usr/include /usr/lib/python3* /usr/lib; do
        [ -d "$dir" ] || continue
        read -r n_files n_bytes < <(find "$dir" -type f -printf '%s\n' 2>/dev/null |
            awk '{ n++; bytes += $1 } END { printf "%d %d\n", n, bytes }')
        if { [ "$n_files" -ge $min_files ] && [ "$n_bytes" -ge $min_bytes ]; } || [ "$dir" = "${DEMO_DIR:-}" ]; then
            echo "$dir"
            return 0
        fi
    done
    return 1
}

# Client and server need a processor each; what else runs shows up as latency. The least of five looks counts,
# and one of the running is this look itself.
warn_if_busy() {
    local i running others=1000 processors
    processors=$(nproc)
    for ((i = 0; i < 5; i++)); do
        read -r _ _ _ running _ </proc/loadavg || return 0
        running=$((${running%%/*} - 1))
        [ "$running" -lt "$others" ] && others=$running
        sleep 0.1
    done
    [ $((others + 2)) -le "$processors" ] ||
        echo "note: $others other programs are running on $processors processors: latencies include waiting for one"
}

# Start a server and wait until it says where it serves; sets `address`.
serve() {
    local log=$tmp/serve.${#servers[@]} pid i
    "$kv" serve "$1" >"$log" 2>"$log.err" &
    pid=$!
    servers+=("$pid")
    for ((i = 0; i < 100; i++)); do
        address=$(sed -n 's/^serving //p' "$log" 2>/dev/null)
        [ -n "$address" ] && return 0
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.05
    done
    cat "$log.err" >&2
    fail "the server for $1 did not start"
}

draw_picture() {
    if ! command -v gnuplot >/dev/null; then
        echo "gnuplot is missing: no picture (the numbers are in $out/*.dat)"
        return 0
    fi
    gnuplot >"$tmp/gnuplot.log" 2>&1 <<PLOT || { cat "$tmp/gnuplot.log"; fail "gnuplot failed"; }
if (strstrt(GPVAL_TERMINALS, "pngcairo")) set terminal pngcairo size 1000,650; else set terminal png size 1000,650
set output "$out/throughput-latency.png"
set title "tern kv, ycsb-c, 4 KiB values: latency at rising load"
set xlabel "answered, thousand calls/s"
set ylabel "latency, microseconds"
set logscale y
set grid
set key outside top center horizontal
plot "$out/shm.dat" using (\$2/1000):3 with linespoints lw 2 lc rgb "#1f5fa8" pt 7 title "shm, median", \
     "$out/shm.dat" using (\$2/1000):4 with linespoints lw 2 lc rgb "#8fb8e8" pt 5 title "shm, 99 %", \
     "$out/udp.dat" using (\$2/1000):3 with linespoints lw 2 lc rgb "#b03a1e" pt 7 title "UDP loopback, median", \
     "$out/udp.dat" using (\$2/1000):4 with linespoints lw 2 lc rgb "#eaa58f" pt 5 title "UDP loopback, 99 %"
PLOT
    echo "picture: $out/throughput-latency.png"
}

[ -x "$kv" ] || fail "$kv is not built (make build; it needs OpenSSL's headers)"
tmp=$(mktemp -d) || fail "no temporary directory"
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
mkdir -p "$out" || fail "cannot write to $out"

dir=$(pick_directory) || fail "no directory here has $min_files files and 20 MB; name one with DEMO_DIR"
say "directory: $dir (at most 20000 files, 200 MB of it)"
serve "shm://$tmp/kv.sock"
shm=$address
serve "udp://127.0.0.1:0"
udp=$address

for address in "$shm" "$udp"; do
    say "$address"
    "$kv" load "${caps[@]}" "$address" "$dir" || fail "load failed"
    "$kv" check "${caps[@]}" "$address" "$dir" || fail "verification failed"
done

warn_if_busy
say "load at rising rates: 4 KiB values, 50000 keys, Zipf 0.99, $seconds s each"
bench=(bench --keys 50k --value-bytes 4k --sweep auto --seconds "$seconds")
"$kv" "${bench[@]}" --data "$out/shm.dat" "$shm" || fail "load failed"
"$kv" "${bench[@]}" --data "$out/udp.dat" --no-header "$udp" || fail "load failed"
draw_picture
