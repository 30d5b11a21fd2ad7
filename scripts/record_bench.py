#!/usr/bin/env python3
"""Writes the JSON lines of bench programs as tables into docs/performance.md, between the markers
`<!-- begin NAME -->` and `<!-- end NAME -->` of each program.

usage: record_bench.py PAGE FOLDER NAME...
"""
import datetime
import json
import pathlib
import platform
import re
import sys


def number(value):
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def cpu():
    for line in open("/proc/cpuinfo"):
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


ATTACK_ROWS = ["memory_per_byte", "stall_ms_per_kb", "honest_p99", "honest_p99_ms"]


def attacks(rows):
    """What rpc_hostile says: a line for each attack, after the worst of all."""
    values = {row["name"]: row["value"] for row in rows}
    names = [row["name"].removesuffix("_memory_per_byte") for row in rows if row["name"].endswith("_memory_per_byte")]
    lines = ["| attack | bytes of memory for each byte | ms of the server for each KB | honest p99, times that before | the same, ms |",
             "|---|---:|---:|---:|---:|"]
    for title, prefix in [("**the worst of all**", "")] + [(f"*{name}*", f"{name}_") for name in names]:
        lines.append(f"| {title} | " + " | ".join(number(values[prefix + row]) for row in ATTACK_ROWS) + " |")
    return lines + ["", f"Honest calls that failed: {number(values['honest_failures'])}."]


def table(result):
    today = datetime.date.today().isoformat()
    lines = [f"`build/bench/{result['bench']}` on {cpu()}, two processors that were "
             f"{'threads of one core' if result['mode'] == 'smt' else 'cores' if result['mode'] == 'cores' else 'one'}"
             f" in this run; {today}.", ""]
    if result["bench"] == "rpc_hostile":
        return "\n".join(lines + attacks(result["rows"]))
    lines += ["| row | value | unit | against | its value | ratio |", "|---|---:|---|---|---:|---:|"]
    for row in result["rows"]:
        against, vs = row.get("vs_name") or "", row.get("vs")
        ratio = f"{row['ratio']:.3g}" if row.get("ratio") else ""
        lines.append(f"| {row['name']} | {number(row['value'])} | {row['unit']} | {against} | "
                     f"{number(vs) if vs else ''} | {ratio} |")
    return "\n".join(lines)


def main():
    page, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    text = page.read_text()
    for name in sys.argv[3:]:
        result = json.loads((folder / f"{name}.json").read_text())
        marked = re.compile(rf"(<!-- begin {name} -->\n).*?(<!-- end {name} -->)", re.S)
        if not marked.search(text):
            sys.exit(f"{page} has no place for {name}")
        text = marked.sub(lambda m: m.group(1) + table(result) + "\n" + m.group(2), text)
    page.write_text(text)


main()
