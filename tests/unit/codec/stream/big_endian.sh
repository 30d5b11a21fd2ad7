#!/bin/bash
# Streams between this machine and a big-endian one, which Debian's cross compiler and qemu-user stand for.
# usage: big_endian.sh SOURCE_DIR
cd "$1" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cross=$(command -v s390x-linux-gnu-gcc)
qemu=$(command -v qemu-s390x-static || command -v qemu-s390x)
if [ -z "$cross" ] || [ -z "$qemu" ]; then
    echo "ok 1 - stream__between_byte_orders # SKIP gcc-s390x-linux-gnu and qemu-user-static are not installed"
    echo "1..1"
    exit 0
fi
make() { # COMPILER OUTPUT FLAGS...
    local compiler=$1 output=$2
    shift 2
    "$compiler" -std=gnu17 -O2 -Wall -Wextra -Werror "$@" -Iinclude -Isrc -Itests/unit/codec/stream \
        tests/unit/codec/stream/{other_end,every_*}.c src/codec/stream_{reader,swap,writer}.c src/base/sized.c -o "$output"
}
make "${CC:-cc}" "$work/here" && make "$cross" "$work/there.bin" -static || exit 1
printf '#!/bin/sh\nexec %s %s "$@"\n' "$qemu" "$work/there.bin" >"$work/there"
chmod +x "$work/there"

n=0
ok() { # NAME COMMAND...
    local name=$1
    shift
    n=$((n + 1))
    if "$@" >"$work/log" 2>&1; then echo "ok $n - $name"; else echo "not ok $n - $name"; sed 's/^/# /' "$work/log"; fi
}
same() { cmp <("$work/here" put "$1") <("$work/there" put "$2"); }
passes() { "$work/$1" put "$2" | "$work/$3" get "$4"; }
refuses() { ! passes "$@"; }
ok stream__swapped_here_is_native_there same swapped native
ok stream__native_here_is_swapped_there same native swapped
ok stream__codes_swapped_here_are_native_there same codes_swapped codes
ok stream__hook_here_is_native_there same hook native
ok stream__reader_here_makes_right passes there native here peer
ok stream__reader_there_makes_right passes here native there peer
ok stream__swapping_reader_there passes here native there swapped
ok stream__native_reader_there_refuses refuses here native there native
echo "1..$n"
