#!/bin/sh
# Builds protobuf's own conformance_test_runner from Debian's source package and installed libprotobuf:
#   build_runner.sh FOLDER
# leaves FOLDER/conformance_test_runner. Needs the network, apt-get, g++, protoc and libprotobuf-dev. Run the suite
# with it by `TERN_CONFORMANCE_RUNNER=FOLDER/conformance_test_runner meson test conformance_runner`.
set -eu
[ $# -eq 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
mkdir -p "$1" && cd "$1"
here=$PWD

# The package lists of sources live in the folder, so that the system's configuration stays as it is.
mkdir -p apt/lists/partial apt/cache/archives/partial
. /etc/os-release
echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]" \
    "http://deb.debian.org/debian $VERSION_CODENAME main" > apt/sources.list
apt="apt-get -qq -o Dir::Etc::sourcelist=$here/apt/sources.list -o Dir::Etc::sourceparts=/dev/null
    -o Dir::State::lists=$here/apt/lists -o Dir::Cache=$here/apt/cache"
ls protobuf_*.orig.tar.* > /dev/null 2>&1 || { $apt update; $apt source --download-only protobuf; }
mkdir -p source && tar xf protobuf_*.orig.tar.* -C source --strip-components=1

mkdir -p out
protoc -Isource/conformance -Isource/src --cpp_out=out conformance.proto google/protobuf/test_messages_proto2.proto \
    google/protobuf/test_messages_proto3.proto
cd out
suite=../source/conformance
for file in "$suite"/conformance_test.cc "$suite"/conformance_test_main.cc "$suite"/conformance_test_runner.cc \
    "$suite"/binary_json_conformance_suite.cc "$suite"/text_format_conformance_suite.cc \
    "$suite"/third_party/jsoncpp/jsoncpp.cpp conformance.pb.cc google/protobuf/test_messages_proto2.pb.cc \
    google/protobuf/test_messages_proto3.pb.cc; do
    object=$(basename "$file").o
    [ -e "$object" ] || ${CXX:-g++} -std=c++14 -O1 -w -I. -I"$suite" -idirafter ../source/src -c "$file" -o "$object"
done
${CXX:-g++} ./*.o -lprotobuf -lpthread -o "$here/conformance_test_runner"
echo "$here/conformance_test_runner"
