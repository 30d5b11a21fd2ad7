#!/usr/bin/env python3
"""Checks who includes whom: dependencies point up one list of layers only.

base <- mem <- type <- codec <- wkt <- engine <- port <- rpc <- {graph, device} <- {apps, tools, bench}

Also: type, codec and engine reach for no system call, clock, thread, global variable or environment, which is
checked as far as headers and well-known names tell.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RANK = {name: rank for rank, names in enumerate([
    ["base"], ["mem"], ["type"], ["codec"], ["wkt"], ["engine"], ["port"], ["rpc"], ["graph", "device"]]) for name in names}
# The generator is a program: it uses the public codec and the well-known types, and nothing uses it.
PROGRAMS = {"gen"}
PUBLIC = {"err.h": "base", "sized.h": "base", "mem.h": "mem", "type.h": "type", "codec.h": "codec", "json.h": "codec", "wkt.h": "wkt", "rpc.h": "engine",
          "tern.h": "rpc", "stream.h": "codec", "xdr.h": "codec", "graph.h": "graph", "device.h": "device"}
PURE = {"type", "codec", "engine"}
PURE_HEADERS = {"assert.h", "errno.h", "inttypes.h", "limits.h", "math.h", "stdalign.h", "stdarg.h", "stdbool.h",
                "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h", "immintrin.h", "float.h"}
PURE_BANNED = re.compile(r"\b(printf|fprintf|puts|fopen|getenv|clock|time|rand|srand|exit|abort|"
                         r"clock_gettime|pthread_\w+|_Thread_local)\s*\(|\b_Thread_local\b|\bstderr\b|\bstdout\b")
MUTABLE_GLOBAL = re.compile(r"^(static )?(?!const |static const |extern |typedef |__extension__ typedef |static inline |inline )"
                            r"[A-Za-z_][\w ]*[ *]\w+(\[[^\]]*\])?( = [^(]*)?;$")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def layer_of_include(name):
    parts = name.split("/")
    if parts[0] == "tern" and len(parts) == 2:
        return PUBLIC.get(parts[1])
    if parts[:2] == ["google", "protobuf"]:
        return "wkt"
    return parts[0] if parts[0] in RANK or parts[0] in PROGRAMS else None


def without_comments(text):
    return re.sub(r"/\*.*?\*/|//[^\n]*|\"(\\.|[^\"\\\n])*\"", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.S)


def check(path, layer):
    text = path.read_text()
    for kind, name in INCLUDE.findall(text):
        target = layer_of_include(name)
        if target is None:
            if layer in PURE and kind == "<" and name not in PURE_HEADERS:
                yield f"{path}: layer {layer} may not include <{name}>"
        elif layer in PROGRAMS:
            if target in RANK and RANK[target] > RANK["wkt"] and name != "tern/rpc.h":
                yield f"{path}: the generator may not include {name}"
        elif target in PROGRAMS or RANK[target] > RANK[layer]:
            yield f"{path}: layer {layer} may not include {name} of layer {target}"
    if layer not in PURE:
        return
    for number, line in enumerate(without_comments(text).splitlines(), 1):
        if PURE_BANNED.search(line):
            yield f"{path}:{number}: layer {layer} may not use {PURE_BANNED.search(line).group(0)}"
        if path.suffix == ".c" and MUTABLE_GLOBAL.match(line) and "return" not in line.split():
            yield f"{path}:{number}: layer {layer} may have no global variable: {line}"


def main():
    problems = []
    for layer_dir in sorted((ROOT / "src").iterdir()):
        if not layer_dir.is_dir():
            continue
        if layer_dir.name not in RANK and layer_dir.name not in PROGRAMS:
            problems.append(f"{layer_dir}: not a layer that the list knows")
            continue
        for path in sorted(layer_dir.rglob("*.[ch]")):
            problems += check(path, layer_dir.name)
    print("\n".join(problems) if problems else "include rule: kept")
    sys.exit(1 if problems else 0)


main()
