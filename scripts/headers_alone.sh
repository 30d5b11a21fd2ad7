#!/bin/sh
# Compiles each header by itself: the public ones as C17 and C++17, the internal ones as C17.
set -eu
cd "$(dirname "$0")/.."
for header in include/tern/*.h include/google/protobuf/*.h include/google/protobuf/*/*.h; do
    echo "$header"
    gcc -std=c17 -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only -x c "$header"
    g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -Iinclude -fsyntax-only -x c++ "$header"
done
for header in src/*/*.h; do
    echo "$header"
    gcc -std=gnu17 -D_GNU_SOURCE -Wall -Wextra -Werror -Wno-unused -Iinclude -Isrc -fsyntax-only -x c "$header"
done
