#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the test suites and closes with one line: N passed, N failed[, N skipped].

Each suite is run by its own tool (lit, ctest), which writes its results to a file; the sum
is taken from those files, test by test, never from an exit status alone. A suite that ran
no test at all counts as one failure: a broken configuration must not look like success.

Usage: run_tests.py [-k PATTERN] [--all] [--real [CHANGES]]      from the tree's root, after a build
"""

import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree

from hung import end_hung

ROOT = pathlib.Path.cwd()
LOG = ROOT / "build" / "log"
PASSED = {"PASS", "XFAIL", "FLAKYPASS"}
SKIPPED = {"UNSUPPORTED", "SKIPPED"}
ONLY_ALL = re.compile(r"unavailable features:.*\blong\b")  # lit's reason for a skip; --all runs the test
CHANGES = "2000"  # of each real program, in the long form
SLOWEST = 15  # tests that are listed at the end
WORKERS = f"-j{os.cpu_count() + 1}"  # of lit: some tests wait more than they compute
OUTPUT_LINES = 60  # of a failed test, at most; the suite's log has the rest
# A process of a test that is older hangs. The slowest test takes a quarter of it; in the long form some take an hour.
HUNG_SECONDS = 300
# All suites together take a third of it. CI ends a run that takes much longer, and then nothing would be shown.
MOST_SECONDS = 3300
HUNG_SECONDS_LONG = MOST_SECONDS_LONG = 12 * 3600


class Suite:
    """One run of one tool. `command` writes its results to `results`."""

    def __init__(self, name, command, reader, suffix, env=None):
        self.name = name
        self.slug = re.sub(r"\W+", "-", name)
        self.results = LOG / f"{self.slug}.{suffix}"
        self.command = [part.replace("RESULTS", str(self.results)) for part in command]
        self.env = {key: value.replace("RESULTS", str(self.results)) for key, value in (env or {}).items()}
        self.reader = reader
        self.times = []  # seconds and name of each test, behind run()
        self.only_all = []  # names of tests that this run leaves to --all

    def run(self, hung_seconds, end):
        """Runs until the monotonic time `end`, at most. Returns (passed, failed, skipped) as lists of names, failed ones with their output."""
        self.results.unlink(missing_ok=True)
        log = LOG / f"{self.slug}.log"
        passed, failed, skipped = [], [], []
        with open(log, "w", encoding="utf-8") as out:
            suite = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                     env={**os.environ, **self.env}, start_new_session=True)
            try:
                while (status := wait(suite)) is None:
                    for hung in end_hung(suite.pid, hung_seconds):
                        print(f"{self.name}: hangs: {hung}", flush=True)  # at once: the run may be ended from outside
                        failed.append((f"{self.name}: a process hung", hung))
                    if time.monotonic() > end:
                        os.killpg(suite.pid, signal.SIGKILL)
            except KeyboardInterrupt:
                os.killpg(suite.pid, signal.SIGINT)  # a session of its own does not hear the terminal
                raise
        narrowed = "--filter" in " ".join([*self.command, *self.env.values()])
        if status == 0 and narrowed and not self.results.exists():
            return passed, failed, skipped, log  # no test of this suite has the name asked for
        try:
            for name, verdict, output, seconds in self.reader(self.results):
                self.times.append((seconds, f"{self.name}: {name}"))
                if verdict == "passed":
                    passed.append(name)
                elif verdict == "skipped":
                    skipped.append(name)
                elif verdict == "only --all":
                    self.only_all.append(name)
                else:
                    failed.append((f"{self.name}: {name}", output))
        except (OSError, ValueError, KeyError, xml.etree.ElementTree.ParseError) as error:
            failed.append((f"{self.name}: no results ({error})", tail(log)))
        if status and not failed:
            failed.append((f"{self.name}: {self.command[0]} ended with status {status}", tail(log)))
        return passed, failed, skipped, log


def wait(process):
    """Its exit status; None: it has been running for ten seconds more."""
    try:
        return process.wait(10)
    except subprocess.TimeoutExpired:
        return None


def tail(path):
    return "\n".join(path.read_text(errors="replace").splitlines()[-OUTPUT_LINES:])


def read_lit(path):
    for test in json.loads(path.read_text(encoding="utf-8"))["tests"]:
        code = test["code"]
        if code == "EXCLUDED":
            continue
        verdict = "passed" if code in PASSED else "skipped" if code in SKIPPED else "failed"
        if verdict == "skipped" and ONLY_ALL.search(test.get("output", "")):
            verdict = "only --all"
        yield test["name"], verdict, test.get("output", ""), test.get("elapsed") or 0


def read_ctest(path):
    for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        status = case.get("status")
        verdict = {"run": "passed", "fail": "failed"}.get(status, "skipped")
        reason = case.find("skipped")
        # A program that was never built is "notrun" as a skipped test is: that is no skip.
        if status == "notrun" and (reason is None or "SKIP" not in reason.get("message", "").upper()):
            verdict = "failed"
        yield case.get("name"), verdict, case.findtext("system-out") or "", float(case.get("time") or 0)


def lit(name, folder, pattern):
    narrow = ["--filter", pattern, "--allow-empty-runs"] if pattern else []
    return Suite(name, ["lit-22", "-v", WORKERS, "-o", "RESULTS", *narrow, folder], read_lit, "json")


def ninja_lit(name, tree, pattern, target="check-lit"):
    options = f"-v {WORKERS} -o RESULTS" + (f" --filter={pattern}" if pattern else "")
    return Suite(name, ["ninja", "-C", tree, target], read_lit, "json", {"LIT_OPTS": options})


def ctest(name, tree, pattern):
    narrow = ["-R", pattern] if pattern else []
    return Suite(name, ["ctest", "--test-dir", tree, "--output-on-failure", "-j", str(os.cpu_count()),
                        "--output-junit", "RESULTS", *narrow], read_ctest, "xml")


def suites(pattern, only_real, is_long):
    real = lit("real", "test/real", pattern)
    if only_real:
        return [real]
    old_llvm = [ctest("unit, LLVM 19", "build/llvm19", pattern), ninja_lit("lit, LLVM 19", "build/llvm19", pattern)]
    return [
        lit("house", "test/house", pattern),
        ctest("unit, LLVM 22", "build", pattern),
        ninja_lit("lit, LLVM 22", "build", pattern),
        *(old_llvm if is_long else [ninja_lit("compiler, LLVM 19", "build", pattern, "check-compiler-19")]),
        lit("view", "test/view", pattern),
        real,
        lit("soak", "test/soak", pattern),
    ]


def main():
    parser = argparse.ArgumentParser(prog="./do test", description="Runs every test.")
    parser.add_argument("-k", metavar="PATTERN", default="", help="only tests whose name matches this regular expression")
    parser.add_argument("--all", action="store_true",
                        help="each test in its long form, and all under LLVM 19 too: every optimization level, more seeds and rounds, ten minutes of torture, "
                             "a billion events, hundreds of processes, the real programs as by --real")
    parser.add_argument("--sanitize", metavar="SECONDS", nargs="?",
                        help="instead: the runtime and ftrace-torture under AddressSanitizer and ThreadSanitizer (30 s each)")
    parser.add_argument("--real", metavar="CHANGES", nargs="?", const=CHANGES,
                        help="only the real programs; each is toggled at random until so many changes were made "
                             f"({CHANGES})")
    arguments = parser.parse_args()
    pattern = arguments.k
    if arguments.all:
        os.environ["NOPHOOK_LONG"] = "1"
    if arguments.real or arguments.all:
        os.environ["NOPHOOK_CHANGES"] = arguments.real or CHANGES
    is_long = arguments.all or arguments.real
    hung_seconds = HUNG_SECONDS_LONG if is_long else HUNG_SECONDS
    end = time.monotonic() + (MOST_SECONDS_LONG if is_long else MOST_SECONDS)
    LOG.mkdir(parents=True, exist_ok=True)
    total = [0, 0, 0]
    times = []
    for suite in suites(pattern, arguments.real, is_long):
        start = time.monotonic()
        if sys.stderr.isatty():
            print(f"\r\033[K{suite.name} ...", end="", file=sys.stderr, flush=True)
        passed, failed, skipped, log = suite.run(hung_seconds, end)
        if not passed and not failed and not pattern:
            failed = [(f"{suite.name}: not one test was run", tail(log))]
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        for name, output in failed:
            lines = output.splitlines()
            cut = ["[...]"] if len(lines) > OUTPUT_LINES else []
            print(f"\nFAILED {name}", *cut, *lines[-OUTPUT_LINES:], "", sep="\n")
        print(f"{suite.name + ':':16} {len(passed)} passed, {len(failed)} failed, {len(skipped) + len(suite.only_all)} skipped"
              f" ({time.monotonic() - start:.0f} s, {log.relative_to(ROOT)})", flush=True)
        for name in skipped:
            print(f"{'':16} skipped {name}")
        if suite.only_all:
            print(f"{'':16} skipped {len(suite.only_all)} that only --all runs")
        times += suite.times
        total = [sum_ + len(part) for sum_, part in zip(total, (passed, failed, skipped + suite.only_all))]
    if not pattern:
        print(f"the slowest of {len(times)} tests, of {sum(seconds for seconds, _ in times):.0f} s in all:")
        for seconds, name in sorted(times, reverse=True)[:SLOWEST]:
            print(f"{seconds:16.1f} s  {name}")
    print(f"{total[0]} passed, {total[1]} failed" + (f", {total[2]} skipped" if total[2] else ""), flush=True)
    return 1 if total[1] or not total[0] else 0


if __name__ == "__main__":
    sys.exit(main())
