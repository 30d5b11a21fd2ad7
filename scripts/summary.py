#!/usr/bin/env python3
"""Counts the TAP cases in a meson test log and prints the closing line.

usage: summary.py TESTLOG_JSON [EXIT_STATUS]

A program that died, timed out or printed no TAP counts as one case. Exits 1 if anything failed.
"""
import json
import re
import sys

NO_PLAN = re.compile(r"^1\.\.0\s*#\s*SKIP\b\s*(.*)", re.IGNORECASE | re.MULTILINE)
CASE = re.compile(r"^(not ok|ok)\b([^#]*)(?:#\s*SKIP\b\s*(.*))?", re.IGNORECASE)


def count(log):
    passed, failed, skipped = 0, 0, []
    for line in open(log):
        test = json.loads(line)
        cases = [m for m in map(CASE.match, test.get("stdout", "").splitlines()) if m]
        bad = 0
        for case in cases:
            verdict, name, reason = case.groups()
            if verdict.lower() == "not ok":
                bad += 1
            elif reason is not None:
                skipped.append((test["name"], name.strip(" -"), reason))
            else:
                passed += 1
        if test["result"] in ("OK", "EXPECTEDFAIL") and not cases:
            passed += 1
        elif test["result"] == "SKIP" and not cases:
            reason = NO_PLAN.search(test.get("stdout", ""))
            skipped.append((test["name"], "all of it", reason.group(1) if reason else "the program skipped itself"))
        elif test["result"] not in ("OK", "SKIP", "EXPECTEDFAIL") and bad == 0:
            bad = 1
        failed += bad
    return passed, failed, skipped


def main():
    try:
        passed, failed, skipped = count(sys.argv[1])
    except (OSError, ValueError, KeyError) as error:
        print(f"no test log: {error}")
        passed, failed, skipped = 0, 1, []
    if len(sys.argv) > 2 and sys.argv[2] != "0" and failed == 0:
        failed = 1
    for program, name, reason in skipped:
        print(f"skipped: {program}: {name}: {reason}")
    tail = f", {len(skipped)} skipped" if skipped else ""
    print(f"{passed} passed, {failed} failed{tail}")
    sys.exit(1 if failed else 0)


main()
