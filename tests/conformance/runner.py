#!/usr/bin/env python3
"""Lets protobuf's own conformance_test_runner test tern-conformance; TAP. The runner is no part of Debian's packages:
build_runner.sh makes it, and TERN_CONFORMANCE_RUNNER or PATH says where it is. Without it the test is skipped.

Environment: TERN_CONFORMANCE, TERN_CONFORMANCE_RUNNER (optional)."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

EXPECTED = pathlib.Path(__file__).resolve().parent / "expected_failures.txt"
SUITE = re.compile(r"CONFORMANCE SUITE (PASSED|FAILED): (\d+) successes, (\d+) skipped, (\d+) expected failures, "
                   r"(\d+) unexpected failures")


def main():
    runner = os.environ.get("TERN_CONFORMANCE_RUNNER") or shutil.which("conformance_test_runner")
    if not runner:
        print("1..0 # SKIP conformance_test_runner is not there (tests/conformance/build_runner.sh makes it)")
        return True
    with tempfile.TemporaryDirectory() as folder:
        command = [runner, "--enforce_recommended", "--failure_list", EXPECTED, "--output_dir", folder + "/",
                   os.environ["TERN_CONFORMANCE"]]
        result = subprocess.run(command, capture_output=True, check=False, timeout=250)
    log = (result.stdout + result.stderr).decode(errors="replace")
    suites = SUITE.findall(log)
    for line in log.splitlines():
        if line.startswith(("ERROR", "  Re", "WARNING")):
            print("#", line[:300])
    for number, (verdict, passed, skipped, expected, unexpected) in enumerate(suites, 1):
        print(f"{'ok' if verdict == 'PASSED' else 'not ok'} {number} - suite {number}: {passed} passed, "
              f"{skipped} skipped, {expected} expected failures, {unexpected} unexpected")
    if not suites:
        print(f"not ok 1 - the runner ran a suite ({log[-300:]!r})")
    print(f"1..{max(1, len(suites))}")
    return result.returncode == 0 and bool(suites)


sys.exit(0 if main() else 1)
