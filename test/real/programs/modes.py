#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the own tests of one real program in four modes, and compares what they do.

    modes.py NAME.toml --build DIR --work DIR [--changes N] [--seed S] [--long] [--results DIR]

plain         built as anyone would build it: output and exit status, which must be 0, are the reference
instrumented  built by `nophook cc`, without the runtime
graph         every process of the tests with all its functions under function_graph, in a flight recorder. Afterwards
              the recording is read: no event is lost (in the long form: is lost without being counted), depths are those
              of the tree of calls, and no call is open at the end
toggled       a client changes tracers, filters, values, instances and clocks of every process at random
              (toggler.py), until the tests end; repeated until N changes were made. The events left in the buffers are read, and
              depths are those of the tree of calls

Prints one line for each mode. --results adds NAME.json, for table.py. A seed of 0 is a new one, which is printed.
"""

import argparse
import datetime
import glob
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

from nesting import KINDS, Nesting
from program import Failed, ROOT, Program, adopt_orphans
from toggler import Toggler

MOST_LINES = 4_000_000  # lines of a recording that are checked: Python takes 10 s for them
BUFFER = "buffer_mode=overwrite buffer_size_kb=1024"
RECORD_MIB = "4"  # limit of each process
EXPECTED = (" events lost", " event lost", " itself has no traceable functions")  # lines that the recorder may print; the shell is Debian's
MOST_READ = 16  # number of buffers of a toggled run


class Modes:
    def __init__(self, options):
        self.options = options
        self.program = Program(options.program, options.build, options.long)
        self.work = pathlib.Path(options.work).resolve()
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        self.nophook = self.program.build_folder / "bin" / "nophook"
        self.left_calls = 0  # in the buffers of toggled runs
        self.result = {"name": self.program.name, "source": self.program.has.get("source", ""), "version": self.program.version(),
                       "compiler": self.program.has.get("compiler", "clang"), "what": self.program.has["tests"], "long": self.program.is_long}

    def run(self, kind, **more):
        return self.program.run(kind, self.work / "run", **more)

    def compare(self, mode, result, reference):
        """A run is the reference's status and output, line by line; returns its seconds."""
        if result[:2] != reference[:2]:
            for name, value in (("expected", reference), (mode, result)):
                (self.work / name).write_text(f"{value[1]}\nstatus {value[0]}\n", encoding="utf-8", errors="surrogateescape")
            told = subprocess.run(["diff", "-a", self.work / "expected", self.work / mode], capture_output=True, text=True, errors="replace",
                                  check=False).stdout
            raise Failed(f"{mode}: not the same as plain, see {self.work}/{{expected,{mode}}}:\n" + "\n".join(told.splitlines()[:40]))
        self.result[f"{mode}_s"] = round(result[2], 2)

    def plain(self):
        reference = self.run("plain")
        if reference[0]:
            raise Failed(f"plain: status {reference[0]}, so there is nothing to compare with:\n" + reference[1][-2000:]
                         + (self.work / "errors").read_text(errors="replace")[-2000:])
        self.result["tests"] = self.program.count(reference[1])
        if self.result["tests"] == 0:
            raise Failed("plain: the output has not one test")
        self.compare("plain", reference, reference)
        print(f"plain: {self.result['tests'] or 'status 0'}{' tests' if self.result['tests'] else ''}")
        return reference

    def graph(self, reference):
        data = self.work / "data"
        record = [self.nophook, "record", "--overwrite", "-m", RECORD_MIB, "-p", "function_graph", "-o", data, "--"]
        said = self.work / "record"
        with open(said, "w", encoding="utf-8") as out:
            result = self.run("traced", prefix=["bash", "-c", 'exec "$@" 2>"$0"', said, *record])
        self.compare("graph", result, reference)
        lines = [line for line in said.read_text().splitlines() if not any(words in line for words in EXPECTED)]
        if lines:
            raise Failed("graph: the recorder says:\n" + "\n".join(lines))
        info = json.loads(subprocess.run([self.nophook, "info", "--json", data], capture_output=True, check=True).stdout)
        may_lose = self.program.is_long  # on a busy machine: each is counted, and is in the result
        if info["lost"] and not may_lose or info["damage"] or not info["events"]:
            raise Failed(f"graph: {info['events']} events, {info['lost']} lost, damage: {info['damage']}")
        if self.program.has.get("fibers"):
            self.result["nesting"] = ["fibers"]
        else:
            self.check_nesting(data, info)
        data.unlink()
        self.result |= {"events": info["events"] + info["overwritten"], "lost": info["lost"], "processes": len(info["processes"]),
                        "threads": info["threads"]}
        print(f"graph: the same, {self.result['events']} events, {info['lost']} lost")

    def check_nesting(self, data, info):
        has = self.program.has
        nesting, is_whole = Nesting(info["processes"], has.get("jumps")), True
        report = subprocess.Popen([self.nophook, "report", "--json", data], stdout=subprocess.PIPE)
        for number, line in enumerate(report.stdout):
            if number >= MOST_LINES:
                is_whole = False
                report.kill()
                break
            nesting.add(json.loads(line))
        status = report.wait()
        counts, open_calls = nesting.counts, nesting.open_calls(has.get("detached"), has.get("exits", ()))
        wrong = f"wrong depth: {counts.wrong_depth}, beyond the caller: {counts.beyond}, open: {open_calls}"
        if self.wrong_depth(counts) or counts.beyond or is_whole and (open_calls or status):
            raise Failed(f"graph: {wrong} (status {status}), see {data}")
        self.result["nesting"] = [key for key in ("depths", "detached", "exits", "jumps") if key in has]
        self.result["nesting"] += ["lines"] * (not is_whole) + ["lost"] * bool(nesting.losing)
        print(f"{counts.calls} calls read, {wrong}", file=sys.stderr)

    def wrong_depth(self, counts):
        return counts.wrong_depth if self.program.has.get("depths", True) else 0

    def toggled(self, reference):
        seed = self.options.seed or random.SystemRandom().randrange(1 << 32)
        print(f"seed {seed}", file=sys.stderr)
        chance = random.Random(seed)
        sums = {"changes": 0, "refusals": 0, "toggled_processes": 0, "runs": 0}
        while sums["changes"] < self.options.changes:
            buffers = tempfile.mkdtemp(prefix="nophook-programs-")  # short: sockets are in it
            tracer = "current_tracer=function " if self.program.has.get("wake") else ""
            toggler = Toggler(buffers, chance, self.nophook if self.program.has.get("wake") else None)
            toggler.start()
            try:
                result = self.run("traced", settings={"LD_PRELOAD": str(self.program.build_folder / "lib" / "libnophook.so"),
                                                      "NOPHOOK": f"serve {tracer}{BUFFER} buffer_dir={buffers}"})
            finally:
                toggler.end()
            sums = {"changes": sums["changes"] + toggler.changes, "refusals": sums["refusals"] + toggler.refused,
                    "toggled_processes": sums["toggled_processes"] + toggler.processes, "runs": sums["runs"] + 1}
            if toggler.wrong:
                raise Failed(f"toggled: refused without a reason: {toggler.wrong}")
            self.compare("toggled", result, reference)
            self.read_buffers(buffers)
            shutil.rmtree(buffers)
            if not sums["changes"] and sums["runs"] == 3:
                raise Failed("toggled: in three runs no process could be changed")
        self.result |= sums
        print(f"{sums['changes']} changes and {sums['refusals']} refusals in {sums['runs']} runs, {sums['toggled_processes']} processes, "
              f"{self.left_calls} calls read", file=sys.stderr)
        print("toggled: the same")

    def read_buffers(self, folder):
        """Checks that the events left in buffers are whole: each can be read, and calls nest. Which of them have a line depends on
        the changes, so some are open at the end."""
        for path in sorted(glob.glob(f"{folder}/*.buf"), key=os.path.getsize)[-MOST_READ:]:
            done = subprocess.run([self.nophook, "report", "--json", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
            if done.returncode and "no events" not in done.stderr:
                raise Failed(f"toggled: {path} cannot be read: {done.stderr}")
            if not self.program.has.get("fibers"):
                self.check_left_calls(path, done.stdout)

    def check_left_calls(self, path, report):
        pid = int(pathlib.Path(path).name.split("-")[0])
        nesting = Nesting([{"pid": pid, "ppid": pid}], self.program.has.get("jumps"))  # the parent does not matter here
        for line in report.splitlines():
            event = json.loads(line)
            if event.get("kind") in KINDS | {"lost"}:
                nesting.add(event)
        counts = nesting.counts
        if self.wrong_depth(counts) or counts.beyond:
            raise Failed(f"toggled: wrong depth: {counts.wrong_depth}, beyond the caller: {counts.beyond}, see {path}")
        self.left_calls += counts.calls

    def all(self):
        self.program.make()
        reference = self.plain()
        self.compare("instrumented", self.run("traced"), reference)
        print("instrumented: the same")
        self.graph(reference)
        self.toggled(reference)
        if self.options.results:
            self.save()

    def save(self):
        folder = pathlib.Path(self.options.results)
        folder.mkdir(parents=True, exist_ok=True)
        git = ["git", "-C", str(ROOT)]
        commit = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False).stdout.strip()
        changed = subprocess.run([*git, "status", "--porcelain"], capture_output=True, text=True, check=False).stdout.strip()
        self.result |= {"commit": commit + ("+" if changed else ""), "date": datetime.date.today().isoformat()}
        (folder / f"{self.program.name}.json").write_text(json.dumps(self.result, indent=1) + "\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--build", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("--changes", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--results")
    adopt_orphans()
    try:
        Modes(parser.parse_args()).all()
    except Failed as error:
        sys.exit(f"{parser.prog}: {error}")


if __name__ == "__main__":
    main()
