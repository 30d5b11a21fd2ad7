#!/usr/bin/env python3
"""Times of two builds side by side: each bench program runs from both, in pairs whose order alternates.

For each row of a program: the median of both builds, and the median of the ratios of the pairs with the interval that
holds the true median with at least 95 % (order statistics, no assumption on the distribution). A row is better or worse
only where the whole interval lies on one side of 1; p99 rows are listed too, but wander.
Pairs in which the two processors were cores for one build and threads of one core for the other are left out, and so
are pairs of which a program failed; then what it printed stands above the table, and the exit status is 1.
usage: scripts/pairs.py BUILD BUILD_BEFORE [--pairs N] [PROGRAM...]
"""
import argparse
import json
import math
import statistics
import subprocess

QUICK = {
    "rpc_latency": ["--rounds", "3", "--round-ms", "60"],
    "rpc_rate": ["--rounds", "3", "--round-ms", "60"],
    "rpc_sessions": ["--rounds", "3", "--round-ms", "60"],
    "rpc_bandwidth": ["--rounds", "3", "--round-ms", "30"],
    "rpc_stream": ["--rounds", "3", "--round-ms", "40"],
    "serialize": ["--rounds", "9", "--slice", "400", "--working-set", "0"],
    "protobuf": ["--rounds", "5", "--slice-us", "500"],
    "stream": ["--rounds", "5"],
}
LOWER_IS_BETTER = {"ns", "us", "ms", "ns/double", "B"}


def measure(build, program):
    out = subprocess.run([f"{build}/bench/{program}", "--json", *QUICK[program]], capture_output=True, text=True)
    if out.returncode:
        print(f"{build}/bench/{program} failed with {out.returncode}: {out.stderr}", flush=True)
        return None
    return json.loads(out.stdout.splitlines()[-1])


def interval(values):
    """The ranks whose values enclose the median with at least 95 %, or all values where there are too few."""
    n, rank, tail = len(values), 0, 0.0
    while True:
        tail += math.comb(n, rank) / 2**n
        if tail > 0.025:
            break
        rank += 1
    rank = max(rank, 1)
    ordered = sorted(values)
    return ordered[rank - 1], ordered[n - rank]


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("build")
    args.add_argument("before")
    args.add_argument("--pairs", type=int, default=25)
    args.add_argument("programs", nargs="*", default=list(QUICK))
    args = args.parse_intermixed_args()
    pairs, dropped, failed, modes = {}, 0, 0, {}
    for i in range(args.pairs):
        for program in args.programs:
            order = [args.build, args.before] if i % 2 == 0 else [args.before, args.build]
            got = {build: measure(build, program) for build in order}
            now, before = got[args.build], got[args.before]
            if not now or not before:
                failed += 1
                continue
            if now["mode"] != before["mode"]:
                dropped += 1
                continue
            modes[now["mode"]] = modes.get(now["mode"], 0) + 1
            old = {row["name"]: row["value"] for row in before["rows"]}
            for row in now["rows"]:
                if row["name"] in old and row.get("vs_name") != "tern":  # else it is of another library
                    pairs.setdefault((program, row["name"], row["unit"]), []).append((row["value"], old[row["name"]]))
    print(f"{args.pairs} pairs; runs by kind of processors: {modes}; pairs left out because the kind changed: {dropped}, "
          f"because a program failed: {failed}\n")
    print("| program | row | now | before | unit | now / before | 95 % | verdict |")
    print("|---|---|---:|---:|---|---:|---|---|")
    for (program, name, unit), values in pairs.items():
        ratios = [now / before for now, before in values]
        low, high = interval(ratios)
        lower = unit in LOWER_IS_BETTER
        verdict = "same" if low <= 1 <= high else "better" if (high < 1) == lower else "worse"
        now, before = (statistics.median(side) for side in zip(*values))
        print(f"| {program} | {name} | {now:,.4g} | {before:,.4g} | {unit} | {statistics.median(ratios):.3f} "
              f"| {low:.3f} to {high:.3f} | {verdict} |")
    if failed:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
