#!/usr/bin/env python3
"""Writes what a whole recording says in words: the first paragraph below each question of docs/performance.md, the tables
there that put several programs' rows together, and the table of the README. record_bench.py writes the other tables.

usage: record_answers.py FOLDER    (with NAME.json of every bench program, of one recording)
"""
import json
import pathlib
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
MESSAGES = [("2x2048", "2 × 2048 B"), ("4x512", "4 × 512 B"), ("1x4096", "1 × 4096 B"), ("32x64", "32 × 64 B")]
PROTOBUF = [
    ("bench0: decode, strings in place", "bench0_decode_alias", ""),
    ("bench1: decode, strings in place", "bench1_decode_alias", "0.6"),
    ("bench2: decode, strings in place", "bench2_decode_alias", "0.35"),
    ("bench0: decode, strings copied", "bench0_decode_copy", "0.9"),
    ("bench1: decode, strings copied", "bench1_decode_copy", "0.9"),
    ("bench2: decode, strings copied", "bench2_decode_copy", "0.9"),
    ("bench0: encode", "bench0_encode", "1.05"),
    ("bench1: encode", "bench1_encode", "0.9"),
    ("bench2: encode", "bench2_encode", "0.9"),
    ("bench0: encode into a sink, strings in place", "bench0_encode_sg", "0.1"),
    ("bench1: encode into a sink, strings in place", "bench1_encode_sg", ""),
    ("bench2: encode into a sink, strings in place", "bench2_encode_sg", ""),
    ("numbers only: decode", "ints_decode", "0.9"),
    ("numbers only: encode", "ints_encode", "0.9"),
]


class Results:
    """The rows of all programs: value, what it is compared with, the ratio."""

    def __init__(self, folder):
        self.rows = {}
        for file in pathlib.Path(folder).glob("*.json"):
            result = json.loads(file.read_text())
            for row in result["rows"]:
                self.rows[result["bench"], row["name"]] = row

    def value(self, program, name):
        return self.rows[program, name]["value"]

    def against(self, program, name):
        return self.rows[program, name]["vs"]

    def ratio(self, program, name):
        return self.rows[program, name]["ratio"]

    def ratios(self, program, names):
        of = [self.ratio(program, name) for name in names]
        return f"{min(of):.2f} to {max(of):.2f}"


def number(x):
    return f"{x:,.0f}" if abs(x) >= 100 else f"{x:.3g}"


def time(ns, unit="us"):
    return f"{ns:,.0f} ns" if ns < 1000 else f"{ns / 1000:.3g} {unit}"


def millions(x):
    return f"{x / 1e6:.3g}"


def small_calls(r):
    at, ratio = (lambda row: time(r.value("rpc_latency", row))), (lambda row: f"{r.ratio('rpc_latency', row):.2f}")
    return (f"A 32-byte call takes {at('shm_32B')} over shared memory, {ratio('shm_32B')} of the raw exchange, {at('udp_32B')} "
            f"over UDP, {ratio('udp_32B')} of the raw exchange, and {at('tcp_32B')} over TCP, {ratio('tcp_32B')} of the raw exchange.")


def rate(r):
    shm, udp = r.rows["rpc_rate", "shm_32B"], r.rows["rpc_rate", "udp_32B"]
    return (f"One client makes {millions(shm['value'])} million 32-byte calls a second over shared memory, {shm['ratio']:.2f} of the raw "
            f"echo, and {millions(udp['value'])} million over UDP, {udp['ratio']:.2f} of the raw echo.")


def factors(r):
    def most(port):
        begin = f"{port}_without_"
        rows = [name for program, name in r.rows if program == "rpc_factor" and name.startswith(begin) and not name.endswith("_any")]
        return min(rows, key=lambda name: r.ratio("rpc_factor", name))[len(begin):].replace("_", " ")

    return (f"The rate falls to {r.ratio('rpc_factor', 'shm_without_any'):.2f} over shared memory and to "
            f"{r.ratio('rpc_factor', 'udp_without_any'):.2f} over UDP when all of the optimizations are off; the {most('shm')} is worth "
            f"the most over shared memory, {most('udp')} over UDP.")


def workers(r):
    return (f"The 99th percentile of short calls is {r.against('rpc_workers', 'short_p99_dispatch'):.3g} us without long calls, "
            f"{r.value('rpc_workers', 'short_p99_dispatch'):.3g} us with long calls on the endpoint's thread, and "
            f"{r.value('rpc_workers', 'short_p99_workers'):.3g} us with long calls on a worker.")


def sessions(r):
    return (f"With 20,000 sessions instead of 8 the rate is {r.ratio('rpc_sessions', 'sessions_20000'):.2f} over UDP and "
            f"{r.ratio('rpc_sessions', 'shm_sessions_20000'):.2f} over shared memory.")


def overload(r):
    names = [f"{port}_goodput_{load}" for port in ("shm", "udp", "tcp") for load in ("1.5", "2")]
    late = r.ratios("rpc_overload", [f"{port}_p99_2" for port in ("shm", "udp", "tcp")])
    return (f"It keeps {r.ratios('rpc_overload', names)} of its peak when 1.5 and 2 times that is offered, and 99 of 100 calls that it "
            f"takes end within {late} of the time that 99 of 100 take at 0.8 of the peak.")


def idle_session(r):
    return (f"An idle session takes {r.value('sim_scale', 'client_bytes_per_session'):.0f} bytes at the client and "
            f"{r.value('sim_scale', 'server_bytes_per_session'):.0f} bytes at the server.")


def bandwidth(r):
    sizes = ["32KB", "1MB", "8MB", "64MB"]
    shm, udp = (r.ratios("rpc_bandwidth", [f"{port}_{size}" for size in sizes]) for port in ("shm", "udp"))
    return (f"From 32 KB on, messages move at {shm} of one memcpy over shared memory and at {udp} of raw sends and receives "
            "over UDP.")


def streams(r):
    return (f"A stream in pieces of 64 KB moves {r.value('rpc_stream', 'shm_64KB'):.3g} GB/s, {r.ratio('rpc_stream', 'shm_64KB'):.2f} "
            f"of the throughput of calls of that size, and a stream of flushed 32-byte messages moves "
            f"{r.value('rpc_stream', 'shm_small') / 1e6:.2g} million a second.")


def deaths(r):
    kill = lambda *ports: max(r.value("rpc_kill", f"kill_{port}") for port in ports)
    back = max(r.value("rpc_kill", f"reclaim_{port}") for port in ("shm", "udp", "tcp", "unix")) / 1000
    return (f"A client's calls end with UNAVAILABLE within {kill('tcp', 'unix'):.2g} ms over TCP and Unix sockets, {kill('udp'):.0f} ms "
            f"over UDP and {kill('shm'):.0f} ms over shared memory, and a server has its memory back after {back:.3g} s at most.")


def incast(r):
    clients = (20, 50, 100)
    worst = max(r.value("sim_incast", f"rtt_p99_{n}") for n in clients)
    drops = any(r.value("sim_incast", f"drops_{n}") for n in clients)
    return ("With 20, 50 or 100 clients that send to one server the goodput stays that of no control, the 99th percentile of round "
            f"trips is at most {worst:.0f} us, and {'packets are' if drops else 'no packet is'} dropped.")


def loss(r):
    return f"A flow keeps {r.ratio('sim_loss', 'loss_1e-3'):.3g} of its lossless throughput when one packet in a thousand is lost."


def messages(r):
    hot = r.ratios("serialize", [f"{key}_vs_best" for key, _ in MESSAGES])
    cold = r.ratios("serialize", [f"{key}_cold_vs_best" for key, _ in MESSAGES])
    return f"tern takes {hot} of the time of the best other library when values are in the cache, and {cold} when they are not."


def protobuf(r):
    of = lambda way: r.ratios("protobuf", [f"bench{k}_{way}" for k in range(3)])
    return (f"Decoding takes {of('decode_alias')} of the time of protobuf C++ when strings stay in place, {of('decode_copy')} when strings "
            f"are copied, and {r.ratio('protobuf', 'ints_decode'):.2f} with numbers only; encoding takes {of('encode')}.")


MEDIA, LENGTHS = ["memory", "socketpair", "tcp", "shm", "udp"], (1, 16, 256, 2048)


def doubles(r):
    of = lambda suffix: [r.ratio("stream", f"{m}_{n}{suffix}") for m in MEDIA for n in LENGTHS]
    same, swapped = of(""), of("_swapped")
    return (f"A stream costs {min(same):.3g} to {max(same):.3g} of a raw writer with a 64 KB buffer over the same medium, and a reversed "
            f"stream costs {min(swapped):.3g} to {max(swapped):.3g} of a raw writer that reverses.")


ANSWERS = {
    "How long does a small call take?": small_calls,
    "How many small calls a second?": rate,
    "What is each optimization worth?": factors,
    "What do long calls do to short ones?": workers,
    "What does a server do that is offered more than it can do?": overload,
    "What do many sessions cost?": sessions,
    "How much memory does an idle session take?": idle_session,
    "How fast do large messages move?": bandwidth,
    "How fast are streaming calls?": streams,
    "What happens when a peer dies?": deaths,
    "What happens under incast?": incast,
    "What happens under loss?": loss,
    "How fast is a message built and emitted?": messages,
    "How fast is protobuf?": protobuf,
    "How fast are streams of doubles?": doubles,
}


def message_rows(r):
    for key, name in MESSAGES:
        for heat, suffix in (("hot", ""), ("cold", "_cold")):
            row = r.rows["serialize", f"{key}{suffix}_vs_best"]
            memcpy, iovec = (number(r.value("serialize", f"{key}_{heat}_{floor}")) for floor in ("memcpy", "iovec"))
            yield (f"| {name}, {heat} | {number(row['value'])} | {row['vs_name']} | {number(row['vs'])} | {row['ratio']:.3g} "
                   f"| {memcpy} | {iovec} |")


def protobuf_rows(r):
    for name, row, target in PROTOBUF:
        row = r.rows["protobuf", row]
        yield f"| {name} | {number(row['value'])} | {number(row['vs'])} | {row['ratio']:.3g} | {target} |"


def doubles_rows(r):
    for medium in MEDIA:
        for suffix, name in (("", medium), ("_swapped", f"{medium}, swapped")):
            rows = [r.rows["stream", f"{medium}_{n}{suffix}"] for n in LENGTHS]
            cells = [f"{number(row['value'])} / {number(row['vs'])} ({row['ratio']:.3g})" for row in rows]
            yield f"| {name} | " + " | ".join(cells) + " |"


# The tables of the page that are put together here: how the first row begins.
TABLES = [("| 2 × 2048 B, hot |", message_rows), ("| bench0: decode, strings in place |", protobuf_rows),
          ("| memory | ", doubles_rows)]

CPP, LIBRARY = "protobuf C++ 3.21", None
# The README's rows: what, the program, its row, how a value reads, what stands beside it (LIBRARY: the row says).
README = [
    ("one 32-byte call and its response, shared memory", "rpc_latency", "shm_32B", "time", "raw slot ring"),
    ("the same, UDP loopback", "rpc_latency", "udp_32B", "time", "raw UDP ping-pong"),
    ("the same, TCP loopback", "rpc_latency", "tcp_32B", "time", "raw TCP ping-pong"),
    ("32-byte calls, 60 in flight, one client core, shared memory", "rpc_rate", "shm_32B", "rate", "raw ring echo"),
    ("the same, UDP loopback", "rpc_rate", "udp_32B", "rate", "raw UDP GSO+GRO echo"),
    ("values of 1 MB, shared memory, both ends by one thread", "rpc_bandwidth", "shm_1MB", "{:.3g} GB/s", "one memcpy"),
    ("values of 8 MB, UDP loopback, likewise", "rpc_bandwidth", "udp_8MB", "{:.3g} GB/s", "raw UDP GSO+GRO"),
    ("building and emitting 2 × 2048 B, hot", "serialize", "2x2048_vs_best", "time", LIBRARY),
    ("4 × 512 B, hot", "serialize", "4x512_vs_best", "time", LIBRARY),
    ("1 × 4096 B, hot", "serialize", "1x4096_vs_best", "time", LIBRARY),
    ("32 × 64 B, hot", "serialize", "32x64_vs_best", "time", LIBRARY),
    ("2 × 2048 B, cold", "serialize", "2x2048_cold_vs_best", "time", LIBRARY),
    ("decoding protobuf, HyperProtoBench 1, strings in place", "protobuf", "bench1_decode_alias", "{:.0f} ns", CPP),
    ("HyperProtoBench 2, strings in place", "protobuf", "bench2_decode_alias", "{:.0f} ns", CPP),
    ("HyperProtoBench 2, strings copied", "protobuf", "bench2_decode_copy", "{:.0f} ns", CPP),
    ("encoding protobuf, HyperProtoBench 2", "protobuf", "bench2_encode", "{:.0f} ns", CPP),
    ("streaming doubles into memory, one at a time", "stream", "memory_1", "{:.2f} ns", "a 64 KB buffer by hand"),
    ("a streaming call over shared memory, 64 KB pieces", "rpc_stream", "shm_64KB", "{:.3g} GB/s", "calls of 64 KB"),
    ("50-way incast at 25 GbE, simulated, 99th percentile round trip", "sim_incast", "rtt_p99_50", "{:.0f} µs", "no control"),
]


def readme_rows(r):
    read_as = {"time": lambda x: time(x, "µs"), "rate": lambda x: f"{millions(x)} M/s"}
    yield "| | tern | beside it | ratio |"
    yield "|---|---:|---:|---:|"
    for what, program, name, form, rival in README:
        row = r.rows[program, name]
        text = read_as.get(form, form.format)
        yield f"| {what} | {text(row['value'])} | {text(row['vs'])}, {rival or row['vs_name']} | {row['ratio']:.2f} |"


def replace_until_blank(text, begin, new):
    """The lines from where `begin` stands to the next empty line."""
    at = text.index(begin)
    return text[:at] + new + text[text.index("\n\n", at):]


def main():
    r = Results(sys.argv[1])
    page = ROOT / "docs/performance.md"
    text = page.read_text()
    for question, answer in ANSWERS.items():
        heading = f"## {question}\n\n"
        at = text.index(heading) + len(heading)
        text = text[:at] + textwrap.fill(answer(r), 150) + text[text.index("\n\n", at):]
    for begin, rows in TABLES:
        text = replace_until_blank(text, begin, "\n".join(rows(r)))
    page.write_text(text)
    readme = ROOT / "README.md"
    readme.write_text(replace_until_blank(readme.read_text(), "| | tern | beside it | ratio |", "\n".join(readme_rows(r))))


main()
