#!/usr/bin/env python3
"""Installs tern into an empty folder (`make install`) and uses the copy as a stranger would: pkg-config, static and shared,
CMake, protoc with the installed plugin, every header alone, every example, every snippet of the documentation.

usage: test_install.py SOURCE_DIR BUILD_DIR
"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(sys.argv[1]).resolve()
BUILD = pathlib.Path(sys.argv[2]).resolve()
WARN = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]


class Failed(Exception):
    pass


class Skipped(Exception):
    pass


def run(*command, cwd=None, env=None, timeout=120, stderr=subprocess.STDOUT):
    result = subprocess.run([str(part) for part in command], cwd=cwd, env=env, timeout=timeout, text=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=stderr)
    if result.returncode != 0:
        raise Failed(f"{' '.join(map(str, command))}: exit {result.returncode}\n{result.stdout}")
    return result.stdout


class Copy:
    """The installed copy, and a folder to work in."""

    def __init__(self, root):
        self.prefix = root / "prefix"
        self.work = root / "work"
        self.work.mkdir()
        # Installed below DESTDIR for the default prefix; pkg-config is told where that ended up.
        self.destdir = root / "dest"
        run("make", "-C", SOURCE, "install", f"DESTDIR={self.destdir}", f"RELEASE={BUILD}/release", timeout=280)
        libs = list(self.destdir.rglob("tern.pc"))
        if len(libs) != 1:
            raise Failed(f"expected one tern.pc, found {libs}")
        self.libdir = libs[0].parent.parent
        self.prefix = next(p for p in self.libdir.parents if (p / "include" / "tern").is_dir())
        self.plugin = self.prefix / "bin" / "protoc-gen-tern"
        self.env = dict(os.environ, PKG_CONFIG_PATH=str(libs[0].parent), LD_LIBRARY_PATH=str(self.libdir))

    def pkg_config(self, *args):
        prefix = f"--define-variable=prefix={self.prefix}"
        return run("pkg-config", prefix, *args, "tern", env=self.env).split()

    def generate(self, proto):
        (folder,) = self.pkg_config("--variable=protodir")
        run("protoc", f"--plugin=protoc-gen-tern={self.plugin}", f"--proto_path={proto.parent}", f"--proto_path={folder}",
            f"--tern_out={self.work}", proto)
        return self.work / f"{proto.stem}.tern.c"

    def compile(self, name, *sources, static=False):
        program = self.work / name
        link = self.pkg_config("--static", "--libs") if static else self.pkg_config("--libs")
        if static:
            link = [str(self.libdir / "libtern.a") if word == "-ltern" else word for word in link]
        run("gcc", "-std=gnu17", *WARN, f"-I{self.work}", *self.pkg_config("--cflags"), "-o", program, *sources, *link)
        return program


def installed_headers(copy):
    include = copy.prefix / "include"
    return sorted([*(include / "tern").glob("*.h"), *(include / "google").rglob("*.tern.h")])


def headers_compile_alone(copy):
    for header in installed_headers(copy):
        for language, standard in (("c", "c17"), ("c++", "c++17")):
            run("g++" if language == "c++" else "gcc", f"-std={standard}", *WARN, "-fsyntax-only", "-x", language,
                *copy.pkg_config("--cflags"), header)


def only_declared_symbols_are_exported(copy):
    exported = run("nm", "-D", "--defined-only", copy.libdir / "libtern.so")
    names = {line.split()[-1].split("@")[0] for line in exported.splitlines()} - {"TERN_0"}
    module = copy.prefix / "include" / "tern" / "stream.f90"
    declared = "".join(p.read_text() for p in [*installed_headers(copy), module])
    stray = sorted(name for name in names if not re.search(rf"\b{re.escape(name)}\b", declared))
    if stray:
        raise Failed(f"exported but declared nowhere: {stray}")
    if "tern_poll" not in names:
        raise Failed("tern_poll is not exported")


def it_is_a_release_build(copy):
    """A mistake that ends a program of another build is counted, and stderr is the program's own."""
    source = copy.work / "twice.c"
    source.write_text("""
        #include "tern/mem.h"
        int main(void) {
            tern_mem_stats stats;
            void *buf = tern_alloc(100);
            tern_unref(buf);
            tern_unref(buf);
            tern_mem_get_stats(&stats);
            return stats.bad_unrefs != 1;
        }
    """)
    for static in (False, True):
        printed = run(copy.compile("twice", source, static=static), env=copy.env)
        if printed:
            raise Failed(f"printed: {printed}")


def greet(copy, static):
    stub = copy.generate(SOURCE / "examples" / "greet.proto")
    kind = "static" if static else "shared"
    server = copy.compile(f"server_{kind}", SOURCE / "examples" / "greet_server.c", stub, static=static)
    client = copy.compile(f"client_{kind}", SOURCE / "examples" / "greet_client.c", stub, static=static)
    local = f"{copy.work}/{kind}"
    for address in ("udp://127.0.0.1:0", f"shm://{local}.sock", "tcp://127.0.0.1:0", f"unix://{local}.stream"):
        process = subprocess.Popen([server, address], stdout=subprocess.PIPE, text=True, env=copy.env)
        try:
            where = process.stdout.readline().removeprefix("serving at ").strip()
            answer = run(client, where, "stranger", env=copy.env, stderr=None)  # the log goes along
            if answer != "Hello, stranger!\n":
                raise Failed(f"{address}: the answer was {answer!r}")
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait()


def greet_shared(copy):
    greet(copy, static=False)


def greet_static(copy):
    greet(copy, static=True)


def examples_compile_and_run(copy):
    stub = copy.generate(SOURCE / "examples" / "greet.proto")
    for source in sorted((SOURCE / "examples").glob("*.c")):
        lines = len(source.read_text().splitlines())
        if lines >= 120:
            raise Failed(f"{source.name} has {lines} lines; examples stay under 120")
        program = copy.compile(source.stem, source, stub)
        if not source.stem.startswith("greet_"):
            run(program, env=copy.env)


def well_known_types_are_there(copy):
    """A schema that imports timestamp.proto needs nothing but the installed headers and library."""
    stub = copy.generate(SOURCE / "tests" / "proto" / "event.proto")
    source = copy.work / "event.c"
    source.write_text("""
        #include <stdio.h>
        #include "event.tern.h"
        #include "tern/wkt.h"
        int main(void) {
            test_event_Event event = {0}, back;
            unsigned char bytes[64];
            tern_arena arena;
            tern_arena_init(&arena, 0, 0);
            if (!test_event_Event_make_start(&event, &arena)) return 1;
            tern_timestamp_from_ns(1700000000000000005, event.start);
            int64_t len = test_event_Event_encode(&event, bytes, sizeof bytes);
            if (len < 0 || test_event_Event_decode(bytes, (size_t)len, &arena, TERN_DECODE_ALIAS, &back)) return 2;
            if (!test_event_Event_equal(&event, &back)) return 3;
            printf("%s %lld %d\\n", google_protobuf_Timestamp_type.name, (long long)back.start->seconds,
                   (int)back.start->nanos);
            tern_arena_fini(&arena);
            return 0;
        }
    """)
    for static in (False, True):
        answer = run(copy.compile(f"event_{static}", source, stub, static=static), env=copy.env)
        if answer != "google.protobuf.Timestamp 1700000000 5\n":
            raise Failed(f"the answer was {answer!r}")


def another_layout_is_not_linked(copy):
    """Tables of a layout that the library does not know: the linker names the symbol that is missing."""
    stub = copy.generate(SOURCE / "tests" / "proto" / "event.proto")
    newer, source = copy.work / "newer.tern.c", copy.work / "newer.c"
    newer.write_text("#define tern__tables_1 tern__tables_999\n" + stub.read_text())
    source.write_text("int main(void) { return 0; }\n")
    for static in (False, True):
        copy.compile(f"known_{static}", source, stub, static=static)
        try:
            copy.compile(f"newer_{static}", source, newer, static=static)
        except Failed as failure:
            if "tern__tables_999" not in str(failure):
                raise
        else:
            raise Failed("it was linked")


# What the headers of another version have for these structs: members up to the one named, or one more than there are.
GROWING = {"rpc.h": {"tern_endpoint_config": "max_message_bytes", "tern_endpoint_stats": "rx_packets", "tern_call_opts": "timeout"},
           "call_stream.h": {"tern_stream_opts": "buffer_bytes"}, "mem.h": {"tern_mem_stats": "committed_bytes"}}

OTHER_VERSION = """
#include <stdio.h>
#include <string.h>
#include "tern/tern.h"
static int ended = -1, n_lines;
static void done(void *user, int status, const void *response) { (void)user, (void)response, ended = status; }
static void never(tern_call call, const void *request, void *user) { (void)call, (void)request, (void)user; }
static void on_line(void *user, tern_log_level level, const char *line) {
    (void)user;
    n_lines += level == TERN_LOG_ERROR && strstr(line, "newer tern") != NULL;
}
static void serve(tern_stream stream, void *user) {
    const tern_stream_events events = TERN_STREAM_EVENTS(.on_end = NULL);
    (void)user;
    tern_stream_accept(stream, &TERN_STREAM_OPTS(.window_bytes = 1 << 20), &events, NULL);
}
int main(void) {
    struct { tern_endpoint_stats stats; unsigned char guard[64]; } s;
    struct { tern_mem_stats stats; unsigned char guard[64]; } m;
    unsigned char want[64];
    tern_endpoint_config config;
    tern_endpoint *ep;
    tern_session *session;
    tern_stream stream;
    const tern_stream_events events = TERN_STREAM_EVENTS(.on_end = NULL);
    tern_call_opts opts = TERN_CALL_OPTS(.timeout = 20 * TERN_MS);
    memset(&s, 0xa5, sizeof s), memset(&m, 0xa5, sizeof m), memset(want, 0xa5, sizeof want);
    tern_endpoint_config_init(&config);
    config.log = on_line;
    if (tern_endpoint_new(&config, &ep) || tern_listen(ep, "udp://127.0.0.1:0")) return 1;
    if (tern_serve_raw(ep, 7, never, NULL) || tern_serve_stream(ep, 8, serve, NULL)) return 2;
    if (tern_connect(ep, tern_listen_address(ep, 0), &session)) return 3;
    if (tern_call_start_raw(session, 7, tern_bytes_of("x", 1), &opts, done, NULL)) return 4;
    if (tern_stream_start(session, 8, &TERN_STREAM_OPTS(.buffer_bytes = 1 << 20), &events, NULL, &stream)) return 5;
    while (ended < 0) tern_poll(ep);
    if (ended != TERN_STATUS_DEADLINE_EXCEEDED) return 6;
    if (tern_endpoint_get_stats(ep, &s.stats) || !s.stats.tx_packets || memcmp(s.guard, want, sizeof want)) return 7;
    tern_mem_get_stats(&m.stats);
    if (!m.stats.committed_bytes || memcmp(m.guard, want, sizeof want)) return 8;
#ifdef NEWER
    if (s.stats.newer || m.stats.newer) return 9;
    opts.newer = 1;
    if (tern_call_start_raw(session, 7, tern_bytes_of("x", 1), &opts, done, NULL) != TERN_ERR_INVALID) return 10;
    config.newer = 1;
    tern_endpoint *other;
    if (tern_endpoint_new(&config, &other) != TERN_ERR_INVALID || n_lines != 2) return 11;
#endif
    return tern_endpoint_free(ep) != 0 || n_lines > 2;
}
"""


def programs_of_other_versions_run(copy):
    """Programs that were built with the headers of an older and of a newer version, against this library."""
    source = copy.work / "other_version.c"
    source.write_text(OTHER_VERSION)
    for newer in (False, True):
        include = copy.work / ("newer" if newer else "older")
        shutil.copytree(copy.prefix / "include", include)
        for name, structs in GROWING.items():
            header = include / "tern" / name
            text = header.read_text()
            for struct, last in structs.items():
                begin, end = text.index(f"typedef struct {struct} {{"), text.index(f"}} {struct};")
                members = text[begin:end]
                kept = members + "    uint64_t newer;\n" if newer else members[:members.index(";", members.index(last)) + 1] + "\n"
                text = text[:begin] + kept + text[end:]
            header.write_text(text)
        program = copy.work / f"{include.name}_version"
        run("gcc", "-std=gnu17", *(["-DNEWER"] if newer else []), f"-I{include}", "-o", program, source,
            *copy.pkg_config("--libs"))
        run(program, env=copy.env)


CPP_USER = """
#include "tern/tern.h"
#include "tern/stream.hpp"
int main() {
    tern_call_opts call;
    tern_stream_opts stream;
    tern_stream_events events;
    tern_limits limits;
    tern_endpoint_config config;
    tern_json_options json;
    tern_mem_stats stats;
    tern_call_opts_init(&call), tern_stream_opts_init(&stream), tern_stream_events_init(&events);
    tern_limits_init(&limits), tern_endpoint_config_init(&config), tern_json_options_init(&json);
    tern_mem_get_stats(&stats);
    config.max_sessions = 8;
    tern_endpoint *ep;
    if (call.size != sizeof call || limits.max_depth == 0 || tern_endpoint_new(&config, &ep)) return 1;
    return tern_endpoint_free(ep);
}
"""


def cpp_programs_say_sizes(copy):
    source, program = copy.work / "sizes.cc", copy.work / "sizes_cc"
    source.write_text(CPP_USER)
    for standard in ("c++17", "c++20"):
        run("g++", f"-std={standard}", *WARN, *copy.pkg_config("--cflags"), "-o", program, source, *copy.pkg_config("--libs"))
        run(program, env=copy.env)


OPTIONS = """syntax = "proto3";
package shop;
import "tern/options.proto";
message Blob { bytes data = 1; }
service Store {
  rpc Put(Blob) returns (Blob) { option (tern.method).receive_shared = true; }
  rpc Get(Blob) returns (Blob) { option (tern.method).borrow = true; }
}
"""

OPTIONS_USER = """
#include "shop.tern.h"
#include "tern/options.tern.h"
int main(void) {
    tern_MethodOptions options = {.borrow = true};
    if (shop_Store_Put_method.flags != TERN_METHOD_RECEIVE_SHARED) return 1;
    if (shop_Store_Get_method.flags != TERN_METHOD_BORROW) return 2;
    return tern_MethodOptions_size(&options) != 2 || tern_type_check(&shop_Blob_type) != 0;
}
"""


def options_are_found(copy):
    """A schema that imports tern/options.proto needs nothing but the installed folder, which pkg-config names; and
    CMake's function knows the folder."""
    proto, user = copy.work / "shop.proto", copy.work / "shop_user.c"
    proto.write_text(OPTIONS)
    user.write_text(OPTIONS_USER)
    (folder,) = copy.pkg_config("--variable=protodir")
    run("protoc", f"--plugin=protoc-gen-tern={copy.plugin}", f"--proto_path={copy.work}", f"--proto_path={folder}",
        f"--tern_out={copy.work}", proto)
    for static in (False, True):
        run(copy.compile(f"shop_{static}", user, copy.work / "shop.tern.c", static=static), env=copy.env)
    if not shutil.which("cmake"):
        raise Skipped("cmake is not installed: tried with pkg-config alone")
    project = copy.work / "cmake_options"
    project.mkdir()
    (project / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.18)\nproject(shop C)\nfind_package(tern 0.1 REQUIRED)\n"
        f"add_executable(shop {user})\ntern_generate(shop {proto})\ntarget_link_libraries(shop tern::tern)\n")
    run("cmake", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={copy.prefix}", cwd=project)
    run("cmake", "--build", project / "build")
    run(project / "build" / "shop", env=copy.env)


def cmake_finds_it(copy):
    if not shutil.which("cmake"):
        raise Skipped("cmake is not installed")
    project = copy.work / "cmake"
    project.mkdir()
    (project / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.18)\nproject(stranger C)\nfind_package(tern 0.1 REQUIRED)\n"
        f"add_executable(in_flight {SOURCE}/examples/in_flight.c)\n"
        f"tern_generate(in_flight {SOURCE}/examples/greet.proto)\ntarget_link_libraries(in_flight tern::tern)\n")
    run("cmake", "-S", project, "-B", project / "build", f"-DCMAKE_PREFIX_PATH={copy.prefix}", cwd=project)
    run("cmake", "--build", project / "build")
    run(project / "build" / "in_flight", env=copy.env)


def snippets_are_true(copy):
    """Blocks named after a file show that file; blocks marked `c` alone that have a main() are programs that
    compile, with the code for the page's own schema if it has one; those of the guide also run."""
    greet = copy.generate(SOURCE / "examples" / "greet.proto")
    n_shown = 0
    for page in [SOURCE / "README.md", *sorted((SOURCE / "docs").rglob("*.md"))]:
        text = page.read_text()
        for name, block in re.findall(r"^`([\w./-]+)`:\n\n```\w+\n(.*?)^```", text, re.M | re.S):
            if (SOURCE / name).read_text() != block:
                raise Failed(f"{page.name}: the block named {name} differs from the file")
            n_shown += 1
        stubs = []
        for name, block in re.findall(r"`(\w+\.proto)`:\n\n```proto\n(.*?)^```", text, re.M | re.S):
            (copy.work / name).write_text(block)
            stubs.append(copy.generate(copy.work / name))
        for block in re.findall(r"^```c\n(.*?)^```", text, re.M | re.S):
            if "int main(" not in block:
                continue
            program = copy.work / "snippet.c"
            program.write_text(block)
            stub = next((stub for stub in stubs if f'"{stub.stem}.h"' in block), greet)
            snippet = copy.compile("snippet", program, stub)
            if page.parent.name == "guide":
                run(snippet, env=copy.env)
    if n_shown == 0:
        raise Failed("README.md shows no file")


def guide_snippets_run(copy):
    """Each C block of the guide is the inside of a function, which runs and returns 0; one that defines a struct
    stands so in the generated header."""
    stub = copy.generate(SOURCE / "tests" / "proto" / "guide.proto")
    header = stub.with_suffix(".h").read_text()
    page = (SOURCE / "docs" / "guide" / "generated-code.md").read_text()
    functions = []
    for block in re.findall(r"^```c\n(.*?)^```", page, re.M | re.S):
        if re.search(r"^struct \w+ \{", block, re.M):
            if block not in header:
                raise Failed(f"not in the generated header:\n{block}")
        else:
            functions.append(f"static int snippet_{len(functions)}(tern_arena *arena) {{\n(void)arena;\n{block}return 0;\n}}\n")
    if len(functions) < 8:
        raise Failed(f"the guide has {len(functions)} snippets")
    source = copy.work / "guide.c"
    calls = "".join(f"    if (snippet_{i}(&arena)) return {i + 1};\n" for i in range(len(functions)))
    source.write_text('#include "guide.tern.h"\n#include "tern/wkt.h"\n' + "".join(functions) +
                      f"int main(void) {{\n    tern_arena arena;\n    tern_arena_init(&arena, 0, 0);\n{calls}"
                      "    tern_arena_fini(&arena);\n    return 0;\n}\n")
    run(copy.compile("guide", source, stub), env=copy.env)


def main():
    tests = [headers_compile_alone, only_declared_symbols_are_exported, it_is_a_release_build, greet_shared, greet_static,
             examples_compile_and_run, well_known_types_are_there, another_layout_is_not_linked,
             programs_of_other_versions_run, cpp_programs_say_sizes, options_are_found, cmake_finds_it, snippets_are_true, guide_snippets_run]
    options = {option["name"]: option["value"] for option in json.loads(run("meson", "introspect", "--buildoptions", BUILD))}
    with tempfile.TemporaryDirectory(prefix="tern-install-") as root:
        copy, broken, n_failed = None, None, 0
        skip_all = None
        if options["b_sanitize"] != "none":
            skip_all = "a sanitized library is not for installing"
        else:
            try:
                copy = Copy(pathlib.Path(root))
            except Failed as error:
                broken = error
        for number, test in enumerate(tests, 1):
            name, verdict, tail = test.__name__, "ok", ""
            try:
                if skip_all:
                    raise Skipped(skip_all)
                if broken:
                    raise broken
                test(copy)
            except Skipped as reason:
                tail = f" # SKIP {reason}"
            except (Failed, OSError, subprocess.TimeoutExpired) as error:
                verdict, n_failed = "not ok", n_failed + 1
                print("\n".join(f"# {line}" for line in str(error).splitlines()))
            print(f"{verdict} {number} - install__{name}{tail}", flush=True)
        print(f"1..{len(tests)}")
    return 1 if n_failed else 0


sys.exit(main())
