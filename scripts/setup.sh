#!/bin/sh
# Installs what tern needs from Debian's packages: what is required, and what only one feature or bench program
# needs. Asks nothing. Says what it installs; silent when nothing is missing.
set -eu

required="gcc g++ make meson ninja-build pkg-config protobuf-compiler libprotobuf-dev libssl-dev python3"
optional="gnuplot-nox clang clang-format libclang-rt-14-dev flatbuffers-compiler libflatbuffers-dev capnproto
libcapnp-dev libprotoc-dev libprotobuf-c-dev protobuf-c-compiler iproute2 cmake
libc-ares-dev libtirpc-dev gfortran gcc-s390x-linux-gnu libc6-dev-s390x-cross gcc-aarch64-linux-gnu libc6-dev-arm64-cross
qemu-user-static"

missing() {
    for package in "$@"; do
        [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || printf '%s ' "$package"
    done
}

command -v dpkg-query >/dev/null 2>&1 || {
    echo "setup: not a Debian system; tern needs, by Debian's names: $required (optional: $optional)"
    exit 0
}

as_root=
[ "$(id -u)" = 0 ] || as_root=sudo
need=$(missing $required)
want=$(missing $optional)
[ -n "$need$want" ] || exit 0

if [ -n "$as_root" ] && ! command -v sudo >/dev/null 2>&1; then
    [ -z "$want" ] || echo "setup: not root and no sudo: doing without $want"
    [ -z "$need" ] || { echo "setup: not root and no sudo; please install: $need" >&2; exit 1; }
    exit 0
fi

export DEBIAN_FRONTEND=noninteractive
echo "setup: installing $need$want"
$as_root apt-get -qq update >/dev/null || echo "setup: the package lists could not be updated; trying with the old ones"
[ -z "$need" ] || $as_root apt-get -qq install -y --no-install-recommends $need >/dev/null
for package in $want; do
    $as_root apt-get -qq install -y --no-install-recommends "$package" >/dev/null 2>&1 ||
        echo "setup: $package cannot be installed; what needs it will be left out"
done
