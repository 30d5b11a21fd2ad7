#!/usr/bin/env python3
"""Generates code for every schema at hand that protoc accepts, and compiles all of it as C17 and C++17 with the
compilers that are there, warnings being errors; TAP.

The schemas: those of tests/proto, those that protoc ships, the outside ones (TERN_TEST_DATA or ../shared/data), and
some made here of names and texts that are keywords, macros or otherwise odd. TERN_TEST_SCHEMAS names further folders,
separated by colons.

usage: compile_all.py PROTOC PLUGIN SOURCE_DIR
"""
import filecmp
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PROTOC, PLUGIN, SOURCE = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
FLAGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror", "-fsyntax-only"]
COMPILERS = [[shutil.which(name), *language] for name, language in (
    ("gcc", ["-std=c17"]), ("clang", ["-std=c17"]), ("g++", ["-x", "c++", "-std=c++17"]),
    ("clang++", ["-x", "c++", "-std=c++17"])) if shutil.which(name)]

KEYWORDS = """auto break case char const continue default do double else enum extern float for goto if inline int long
register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while _Bool
alignas alignof bool catch class constexpr const_cast decltype delete dynamic_cast explicit export false friend mutable
namespace new noexcept nullptr operator private protected public reinterpret_cast static_assert static_cast template
this thread_local throw true try typeid typename using virtual wchar_t and bitand compl not or xor concept requires
NULL EOF TRUE FALSE errno stdin stdout stderr assert offsetof linux unix i386 signal isnan INFINITY NAN HUGE_VAL BUFSIZ
SEEK_SET EINTR ERANGE SIGINT INT_MAX INT32_MAX CHAR_BIT M_PI FP_NAN TERN_US DBL_MAX RAND_MAX true_ has unknown data len cap index value key msg arena entry
made heap err element n tern_str tern_type tern_arena tern_heap size_t int32_t uint8_t FILE time memcpy strlen printf abort exit read write open
main log exp sin y0 j1 index_ environ optarg getopt""".split()


class Failed(Exception):
    pass


def run(*command, cwd=None):
    result = subprocess.run([str(part) for part in command], cwd=cwd, text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT)
    return result.returncode, result.stdout


def accepted(root, name):
    return run(PROTOC, "-I", root, "-I", SOURCE / "include", "--descriptor_set_out=/dev/null", root / name)[0] == 0


def generate(root, names, out):
    status, said = run(PROTOC, "-I", root, "-I", SOURCE / "include", f"--plugin=protoc-gen-tern={PLUGIN}", f"--tern_out={out}",
                       *[root / name for name in names])
    if status != 0:
        raise Failed(f"{names[0]}: {said[:2000]}")


def compile_all(sources, includes):
    for compiler in COMPILERS:
        for source in sources:
            status, said = run(*compiler, *FLAGS, *[f"-I{folder}" for folder in includes], source)
            if status != 0:
                raise Failed(f"{compiler[0]}: {source.name}: {said[:2000]}")


def check_folder(root, work):
    """Every schema below the folder that protoc accepts. Returns how many."""
    names = sorted(path.relative_to(root) for path in root.rglob("*.proto"))
    names = [name for name in names if accepted(root, name)]
    again = work / "again"
    again.mkdir()
    for name in names:
        generate(root, [name], work)
        generate(root, [name], again)
    sources = sorted(work.rglob("*.tern.c"))
    sources = [source for source in sources if again not in source.parents]
    for source in sources:
        for path in (source, source.with_suffix(".h")):
            if not filecmp.cmp(path, again / path.relative_to(work), shallow=False):
                raise Failed(f"{path.name} differs from run to run")
    # The shipped well-known types stand in for those that are not below the folder.
    compile_all(sources, [work, SOURCE / "include"])
    return len(names)


def proto_fields(syntax):
    label = "optional " if syntax == "proto2" else ""
    words = KEYWORDS if syntax == "proto2" else distinct(KEYWORDS)  # proto3 wants different names in JSON
    plain = "".join(f"  {label}int32 {word} = {i};\n" for i, word in enumerate(words, 1))
    present = "".join(f"  optional string {word} = {i};\n" for i, word in enumerate(words, 1))
    lists = "".join(f"  repeated Plain {word} = {i};\n" for i, word in enumerate(words, 1))
    maps = "".join(f"  map<string, Plain> {word} = {i};\n" for i, word in enumerate(distinct(KEYWORDS), 1))
    members = "".join(f"    uint64 {word} = {i};\n" for i, word in enumerate(words, 1))
    oneofs = "".join(f"  oneof {word} {{ Plain x{i} = {i}; bool y{i} = {i + 1000}; }}\n"
                     for i, word in enumerate(words, 1))
    return (f"message Plain {{\n{plain}}}\nmessage Present {{\n{present}}}\nmessage Lists {{\n{lists}}}\n"
            f"message Maps {{\n{maps}}}\nmessage Members {{\n  oneof pick {{\n{members}  }}\n}}\n"
            f"message Oneofs {{\n{oneofs}}}\n")


def distinct(words):
    """Words that differ without case and underscores, as the values of one enum and the entries of maps must."""
    seen = {}
    for word in words:
        seen.setdefault(word.lower().replace("_", ""), word)
    return list(seen.values())


# What the generator puts behind the names of services, methods, messages and enums, and before those of fields.
SERVICE_ENDINGS = "service handlers serve serve_on _methods _tables".split()
METHOD_ENDINGS = """method handler done wait reply events server_events accept write_request write_response _handle _finish
_take _take_request""".split()
MESSAGE_ENDINGS = "list type size encode decode copy equal new _fields _names _json _subs _enums _tables map".split()
FIELD_VERBS = """reserve add make set clear has get put remove which heap_reserve heap_add heap_put heap_index heap_make
heap_set""".split()

# Parameters and locals of generated functions.
LOCALS = "on_message on_writable on_end on_finished any_fn stream session request response handler".split()


def colliding_services():
    """Methods and types that are called as what the generator derives from a service or a method."""
    def methods(stream):
        shapes = "  rpc Get({0}M) returns ({0}M);\n  rpc Half(M) returns (stream M);\n  rpc Up(stream M) returns (M);\n"
        plain = "".join(f"  rpc {end}({stream}M) returns ({stream}M);\n" for end in SERVICE_ENDINGS + METHOD_ENDINGS)
        return shapes.format(stream) + plain + "".join(
            f"  rpc {of}_{end}(M) returns (M);\n" for end in METHOD_ENDINGS for of in ("Get", "Half", "Up"))

    head = 'syntax = "proto3";\nmessage M {}\n'
    yield "methods_like_endings.proto", f"{head}service S {{\n{methods('')}}}\nservice T {{\n{methods('stream ')}}}\n"
    yield "types_like_methods.proto", (
        head + "service S { rpc Get(M) returns (M); rpc Get_wait(M) returns (M); rpc St(stream M) returns (stream M); }\n"
        + "".join(f"message S_{end} {{}}\n" for end in SERVICE_ENDINGS)
        + "".join(f"message S_{of}_{end} {{}}\n" for end in METHOD_ENDINGS for of in ("Get", "Get_wait", "Get_wait_", "St"))
        + "message S_Get_wait_ {}\nmessage S_Get {}\n")
    yield "services_like_endings.proto", (
        head + "".join(f"service S_{end} {{ rpc Get(M) returns (M); }}\n"
                       for end in SERVICE_ENDINGS + ["Get_" + end for end in METHOD_ENDINGS])
        + "service S { rpc Get(M) returns (M); rpc serve_on(stream M) returns (M); }\n")
    types = "".join(f"message {word} {{ .{word} {word} = 1; repeated .{word} a_{word} = 2; map<string, .{word}> m_{word} = 3;\n"
                    f"  oneof o {{ .{word} b_{word} = 4; string s = 5; }} optional uint32 c_{word} = 6; }}\n" for word in LOCALS)
    calls = "".join(f"  rpc A{i}(.{word}) returns (.{word});\n  rpc B{i}(stream .{word}) returns (stream .{word});\n"
                    f"  rpc C{i}(.{word}) returns (stream .{word});\n  rpc D{i}(stream .{word}) returns (.{word});\n"
                    f"  rpc {word}(.{word}) returns (.{word});\n" for i, word in enumerate(LOCALS))
    yield "types_like_locals.proto", f'syntax = "proto3";\n{types}service V {{\n{calls}}}\n'


def colliding_types():
    """Messages, fields and enums that are called as what the generator derives from others."""
    fields = "f l mm o g h".split()
    nested = [*MESSAGE_ENDINGS, *(f"{verb}_{field}" for verb in FIELD_VERBS for field in fields)]
    yield "types_like_endings.proto", (
        'syntax = "proto3";\nmessage A {\n  optional uint32 f = 1; repeated A l = 2; map<string, A> mm = 3;\n'
        "  oneof o { string g = 4; A h = 5; }\n" + "".join(f"  message {word} {{}}\n" for word in nested)
        + "  message o_case {} message o_NOT_SET {} message o_g {} enum o_h { OO = 0; }\n"
        "  enum E { enum = 0; _values = 1; x = 3; }\n  message E_x {} message E_enum {} message E__values {}\n"
        "  message E_list {} message MmEntry_map {} message MmEntry_type {}\n"
        "  E e = 6; repeated E es = 7; map<string, E> em = 8;\n}\n")
    words = distinct([*(f"{verb}_f" for verb in FIELD_VERBS), *MESSAGE_ENDINGS, *"""f_list case NOT_SET len data cap key
        value has unknown which o o_case has_f unused_ which_o index""".split()])
    numbered = list(enumerate(words, 1))
    yield "fields_like_endings.proto", (
        'syntax = "proto3";\nmessage P {\n' + "".join(f"  optional uint32 {word} = {i};\n" for i, word in numbered)
        + "}\nmessage R {\n" + "".join(f"  repeated string {word} = {i};\n" for i, word in numbered)
        + "}\nmessage Q {\n" + "".join(f"  map<uint32, P> {word} = {i};\n" for i, word in numbered)
        + "}\nmessage O {\n  oneof oo {\n" + "".join(f"    P {word} = {i};\n" for i, word in numbered)
        + "  }\n}\nmessage N {\n" + "".join(f"  oneof {word} {{ P y{i} = {i}; }}\n" for i, word in numbered) + "}\n")
    yield "enums_like_endings.proto", (
        'syntax = "proto3";\nenum E { ZERO = 0; enum = 1; _values = 2; _tables = 3; }\nmessage E_ZERO {}\nmessage E_enum {}\n'
        "message E__values {}\nmessage E__tables {}\nenum E_enum_ { Z2 = 0; }\n"
        "service E_ { rpc ZERO(E_ZERO) returns (E_enum); }\n")


def with_heap_functions(schemas):
    for name, text in schemas:
        options = 'import "tern/options.proto";\noption (tern.file).heap_functions = true;\n'
        yield f"heap_{name}", text.replace('";\n', f'";\n{options}', 1)


def odd_schemas():
    yield from colliding_services()
    yield from colliding_types()
    yield from with_heap_functions([*colliding_types(), ("words3.proto", 'syntax = "proto3";\n' + proto_fields("proto3")),
                                    ("words2.proto", 'syntax = "proto2";\n' + proto_fields("proto2"))])
    types = "".join(f"message {word} {{ .{word} {word} = 1; }}\n" for word in KEYWORDS)
    nested = "".join(f"  message {word} {{ message {word} {{}} }}\n" for word in KEYWORDS)
    values = "".join(f"  {word} = {i};\n" for i, word in enumerate(distinct(KEYWORDS)))
    enums = "".join(f"enum {word} {{ V{i} = 0; }}\n" for i, word in enumerate(KEYWORDS))
    methods = "".join(f"  rpc {word}(M) returns (M);\n" for word in KEYWORDS)
    yield "plain3.proto", 'syntax = "proto3";\npackage odd.three;\noption java_package = "x";\n' + proto_fields("proto3")
    yield "plain2.proto", 'syntax = "proto2";\npackage odd.two;\n' + proto_fields("proto2")
    yield "types.proto", f'syntax = "proto3";\n{types}'
    yield "nested.proto", f'syntax = "proto3";\npackage class.int.nested;\nmessage Outer {{\n{nested}}}\n'
    yield "values.proto", (f'syntax = "proto3";\npackage v;\nenum Words {{\n{values}}}\nmessage Of {{ enum NULL {{\n'
                           f'{values.replace(" =", "_ =")}}} NULL n = 1; }}\n')
    yield "enums.proto", f'syntax = "proto3";\n{enums}'
    yield "methods.proto", f'syntax = "proto3";\npackage m;\nmessage M {{}}\nservice S {{\n{methods}}}\nservice class {{}}\n'
    yield "empty.proto", ""
    yield "only_package.proto", 'syntax = "proto3";\npackage only.this;\n'
    yield "dir with space/3d-file.v1.proto", 'syntax = "proto3";\nmessage InOddFile {}\n'
    yield "base.proto", 'syntax = "proto3";\npackage b;\nmessage Base { int32 a = 1; }\nenum E { Z = 0; }\n'
    yield "tables.proto", ('syntax = "proto3";\nmessage First { message _tables {} enum _tables_ { T = 0; } }\n'
                           'message First__tables {}\n')
    yield "only_enum.proto", 'syntax = "proto3";\npackage alone;\nenum E { Z = 0; _tables = 1; }\n'
    yield "only_service.proto", ('syntax = "proto3";\npackage alone.too;\nimport "base.proto";\n'
                                 'service S { rpc _tables(b.Base) returns (b.Base); rpc A(b.Base) returns (b.Base); }\n')
    yield "public.proto", 'syntax = "proto3";\nimport public "base.proto";\n'
    yield "weaker.proto", 'syntax = "proto3";\nimport weak "base.proto";\nmessage Weaker { b.Base f = 1; }\n'
    yield "user.proto", ('syntax = "proto3";\nimport "public.proto";\nmessage User { b.Base base = 1; b.E e = 2;\n'
                         'map<int32, b.Base> m = 3; map<int32, b.E> n = 4; oneof o { b.Base p = 5; b.E q = 6; } }\n')
    yield "custom.proto", ('syntax = "proto2";\nimport "google/protobuf/descriptor.proto";\n'
                           'extend google.protobuf.FieldOptions { optional string note = 50000; }\n'
                           'message Noted { optional int32 a = 1 [(note) = "x", deprecated = true]; }\n')
    yield "texts.proto", (
        'syntax = "proto2";\npackage t;\n'
        '// ends in a trigraph ?\?/\n// and in a backslash \\\n// %s %n "quotes" /* opens */ closes // line\n'
        'message Texts {\n'
        f'  optional string long = 1 [default = "{"0123456789" * 1000}"];\n'
        f'  optional bytes zeros = 2 [default = "{chr(92) + "0"}{(chr(92) + "0001") * 3000}"];\n'
        '  /* not closed: / * and * / and **/\n  optional string trigraphs = 3 [default = "??=??/??\'??(??)??!??<??>??-"];\n'
        '  optional double nan = 4 [default = nan]; // trailing ??/\n  optional float inf = 5 [default = -inf];\n'
        '  optional double dinf = 6 [default = inf];\n  optional uint64 max = 7 [default = 0xFFFFFFFFFFFFFFFF];\n'
        '  optional sint64 min = 8 [default = -0x8000000000000000];\n  optional float small = 9 [default = 1e-60];\n'
        '  optional float huge = 10 [default = 1e60];\n  optional bytes all = 11 [default = "'
        + "".join(f"\\{i:03o}" for i in range(256)) + '"];\n}\n'
        .replace("?\\?", "??"))
    numbers = "".join(f"  optional uint32 f{i} = {i};\n" for i in [*range(1, 300), 18999, 20000, 536870911])
    yield "wide.proto", f'syntax = "proto2";\nmessage Wide {{\n{numbers}}}\n'
    deep = "".join(f"message M{i} {{ " for i in range(25)) + "}" * 25
    yield "deep.proto", f'syntax = "proto3";\n{deep}\n'


def odd_names(work):
    root, out = work / "schemas", work / "out"
    out.mkdir()
    names = []
    for name, text in odd_schemas():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        status, said = run(PROTOC, "-I", root, "-I", SOURCE / "include", "--descriptor_set_out=/dev/null", path)
        if status != 0:
            raise Failed(f"protoc refuses {name}: {said[:500]}")
        generate(root, [name], out)
        names.append(name)
    # Behind headers that define macros and functions with short names.
    behind = []
    for path in sorted(out.rglob("*.tern.c")):
        source = path.with_suffix(".behind.c")
        source.write_text("#define _GNU_SOURCE 1\n" + "".join(
            f"#include <{h}.h>\n" for h in ("stdio", "stdlib", "string", "math", "errno", "signal", "time", "assert",
                                            "limits", "ctype", "locale", "float", "setjmp"))
            + f'#include "{path.name}"\n')
        behind += [path, source]
    compile_all(behind, [out, SOURCE / "include"])
    return len(names)


def plugin_order(work):
    """A file's code is the same whichever files are generated with it."""
    root = SOURCE / "tests" / "proto"
    names = sorted(path.name for path in root.glob("*.proto"))
    for folder in ("together", "backwards", "alone"):
        (work / folder).mkdir()
    generate(root, names, work / "together")
    generate(root, names[::-1], work / "backwards")
    for name in names:
        generate(root, [name], work / "alone")
    for other in ("backwards", "alone"):
        for path in (work / "together").iterdir():
            if not filecmp.cmp(path, work / other / path.name, shallow=False):
                raise Failed(f"{path.name}: {other} differs")
    return len(names)


def folder_test(name, root):
    return name, (lambda work: check_folder(root, work)) if root and root.is_dir() else None


def main():
    data = pathlib.Path(os.environ.get("TERN_TEST_DATA", SOURCE.parent / "shared" / "data"))
    shipped = next((root for root in map(pathlib.Path, ("/usr/include", "/usr/local/include"))
                    if (root / "google" / "protobuf" / "any.proto").exists()), None)
    tests = [folder_test("own_schemas", SOURCE / "tests" / "proto"),
             folder_test("schemas_of_protoc", shipped), folder_test("conformance", data / "conformance"),
             folder_test("hyperprotobench", data / "hyperprotobench"), ("odd_names", odd_names),
             ("order_makes_no_difference", plugin_order)]
    extra = [pathlib.Path(folder) for folder in os.environ.get("TERN_TEST_SCHEMAS", "").split(":") if folder]
    tests += [folder_test(f"further_schemas_{i}", folder) for i, folder in enumerate(extra, 1)]
    for number, (name, test) in enumerate(tests, 1):
        if not test:
            print(f"ok {number} - compile_all__{name} # SKIP the folder is not there")
            continue
        try:
            with tempfile.TemporaryDirectory(prefix="tern-compile-") as work:
                print(f"# {test(pathlib.Path(work))} schemas")
            print(f"ok {number} - compile_all__{name}", flush=True)
        except Failed as failure:
            print("\n".join(f"# {line}" for line in str(failure).splitlines()))
            print(f"not ok {number} - compile_all__{name}", flush=True)
    print(f"1..{len(tests)}")


main()
