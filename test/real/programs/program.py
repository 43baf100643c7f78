#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A real program: its description, its two builds, and one run of its own tests.

A description is a file NAME.toml beside this one:

    source    the Debian source package; it is unpacked in build/src/SOURCE
    build     what builds it in an empty folder TREE, from SRC, by CC and CXX (Rust: CARGO)
    made      instead, two paths below build/ that test/real/Makefile makes, plain and traced; if there is a build, too, for
              the short part alone
    copy      true: TREE begins as a copy of SRC, for build systems that build nowhere else
    version   what it is, without a source package
    compiler  "gcc" or "rustc" instead of clang
    test      the fixed part of its own tests, run in an empty folder, with TREE, SRC, HERE
    short     the part that ./do test runs; without it the program belongs to the long form
    tests     what that part is, in words
    count     a regular expression: its matches in the plain output are the tests that are counted
    same      [pattern, replacement] pairs: the parts of the output that differ from run to run, such as times
    sort      true: the lines come in any order
    wake      true: a server, whose fork children are woken so that they are toggled, too
    exits     names of functions that end a process (_exit, exec): a thread whose innermost open call is one of theirs may have open
              calls at the end
    jumps     true: fork children jump out of their parent's calls, so a call at depth 0 begins a tree of its own in them
    detached  true: threads that never end are inside calls when their process exits, so only first threads must end at depth 0
    depths    false: depths are not compared. `report --json` does not name the stack of a line, and a thread has several: fibers, or
              what a longjmp leaves for calls whose entries the ring has overwritten
    fibers    true: stacks that lie side by side alternate in a thread and move between threads. The reader cannot always tell them
              apart (docs/limits.md), so nesting is not checked
    seconds   of one run, at most

A build is made again if the plugin, the wrapper, the source's version or what it is built by changes. Several tests may want one:
the first one makes it.

    program.py NAME.toml BUILD      makes both builds, whole
"""

import ctypes
import fcntl
import hashlib
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.append(str(ROOT / "scripts"))
from hung import end_hung  # noqa: E402

KEYS = {"source", "version", "made", "build", "copy", "compiler", "test", "short", "tests", "count", "same", "sort", "wake", "exits", "jumps",
        "detached", "depths", "fibers", "seconds"}
SECONDS = 900
GRACE_S = 10  # for a daemon that is still ending
PR_SET_CHILD_SUBREAPER = 36


class Failed(Exception):
    """An error, in a sentence."""


class Program:
    def __init__(self, path, build, is_long):
        self.path, self.name, self.build_folder = pathlib.Path(path), pathlib.Path(path).stem, pathlib.Path(build).resolve()
        self.has = tomllib.loads(self.path.read_text(encoding="utf-8"))
        if unknown := set(self.has) - KEYS:
            raise Failed(f"{self.path}: unknown keys: {' '.join(sorted(unknown))}")
        self.is_long = is_long or "short" not in self.has
        self.is_made = "made" in self.has and not (self.is_long and "build" in self.has)
        source = self.has.get("source")
        self.source = self.build_folder / "src" / source if source else HERE

    def tree(self, kind):
        """Where a build is: kind is `plain` or `traced`."""
        if self.is_made:
            return self.build_folder / self.has["made"][kind == "traced"]
        return self.build_folder / "real" / "programs" / f"{self.name}-{kind}"

    def version(self):
        changelog = self.source / "debian" / "changelog"
        if not changelog.exists():
            return self.has.get("version", "")
        with open(changelog, encoding="utf-8") as lines:
            return re.search(r"\((.*?)\)", lines.readline())[1]

    def compilers(self, kind):
        gcc = self.has.get("compiler") == "gcc"
        wrapper = self.build_folder / "bin" / "nophook"
        plain = {"CC": "gcc", "CXX": "g++"} if gcc else {"CC": "clang-22", "CXX": "clang++-22"}
        if kind == "plain":
            return {**plain, "CARGO": "cargo"}
        chosen = {"NOPHOOK_CC": "gcc"} if gcc else {}
        return {"CC": f"{wrapper} cc", "CXX": f"{wrapper} c++", "CARGO": f"{wrapper} cargo", **chosen}

    def environment(self, kind):
        dropped = ("NOPHOOK", "LD_PRELOAD", "MAKEFLAGS", "MFLAGS")
        kept = {name: value for name, value in os.environ.items() if name not in dropped}
        return {**kept, "LC_ALL": "C.UTF-8", "SRC": str(self.source), "TREE": str(self.tree(kind)), "HERE": str(HERE),
                "NPROC": str(os.cpu_count()), **self.compilers(kind)}

    def needs(self, kind):
        """A digest of what a build depends on."""
        digest = hashlib.sha256(repr([self.version(), *map(self.has.get, ("build", "copy", "compiler"))]).encode())
        if kind == "traced":
            names = ["lib/NophookPass.so", "lib/nophook_module.o", "share/nophook/ftrace.lds", "bin/recordmcount"]
            files = [self.build_folder / name for name in names] + sorted((ROOT / "tools" / "build" / "cc").glob("*"))
            for file in [*files, ROOT / "tools" / "cc.cpp", ROOT / "tools" / "ld.cpp", ROOT / "tools" / "rust.cpp"]:
                digest.update(file.read_bytes())
        return digest.hexdigest()

    def make(self):
        """Builds both, where they are not up to date."""
        if self.is_made:
            return
        folder = self.build_folder / "real" / "programs"
        folder.mkdir(parents=True, exist_ok=True)
        with open(folder / f"{self.name}.lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.make_both()

    def make_both(self):
        for kind in ("plain", "traced"):
            tree, stamp = self.tree(kind), self.tree(kind).with_suffix(".built")
            needs = self.needs(kind)
            if stamp.exists() and stamp.read_text() == needs:
                continue
            if not self.source.exists():
                raise Failed(f"{self.source} is missing: ./do test --real fetches it")
            stamp.unlink(missing_ok=True)
            shutil.rmtree(tree, ignore_errors=True)
            if self.has.get("copy"):
                shutil.copytree(self.source, tree, symlinks=True)
            else:
                tree.mkdir()
            log = tree.with_suffix(".log")
            with open(log, "wb") as out:
                status = subprocess.run(["bash", "-euc", self.has["build"]], cwd=tree, env=self.environment(kind), stdin=subprocess.DEVNULL,
                                        stdout=out, stderr=out, check=False).returncode
            if status:
                last = "\n".join(log.read_text(errors="replace").splitlines()[-30:])
                raise Failed(f"{self.name}: the {kind} build has failed, all of it in {log}:\n{last}")
            stamp.write_text(needs)

    def count(self, output):
        return len(re.findall(self.has["count"], output, re.M)) if "count" in self.has and self.is_long else None

    def run(self, kind, work, settings=None, prefix=()):
        """Runs the tests in `work`, behind `prefix`. Returns the exit status, the output that must be the same, and seconds."""
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        (work.parent / "test.sh").write_text(self.has["test" if self.is_long else "short"], encoding="utf-8")
        output, errors = work.parent / "output", work.parent / "errors"
        shell = ["bash", "-euc", 'exec 2>"$2" >"$0"; . "$1"', output, work.parent / "test.sh", errors]
        seconds = self.has.get("seconds", SECONDS)
        start = time.monotonic()
        process = subprocess.Popen([*prefix, *shell], cwd=work, env={**self.environment(kind), **(settings or {})},
                                   stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            status = wait(process, start + seconds)
        except BaseException:
            end(process)
            raise
        if status is None:
            stood = "\n".join(end_hung(process.pid, 0))
            end(process)
            raise Failed(f"{self.name}: runs for more than {seconds} s; it stood at:\n{stood}")
        took = time.monotonic() - start
        end_orphans()
        if said := [line for line in errors.read_text(errors="replace").splitlines() if line.startswith("nophook")]:
            raise Failed(f"{self.name}: the runtime says: " + "\n".join(said[:10]))
        return status, self.normalised(output.read_text(encoding="utf-8", errors="surrogateescape"), kind, work), took

    def normalised(self, text, kind, work):
        text = text.replace(str(self.tree(kind)), "TREE").replace(str(work), "WORK")
        for pattern, replacement in self.has.get("same", []):
            text = re.sub(pattern, replacement, text, flags=re.M)
        return "".join(sorted(text.splitlines(True))) if self.has.get("sort") else text


def wait(process, end_s):
    while time.monotonic() < end_s:
        try:
            return process.wait(1)
        except subprocess.TimeoutExpired:
            pass
    return None


def end(process):
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def adopt_orphans():
    """Processes whose parents have ended become this one's children: none is overlooked."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_orphans():
    """Waits for what the tests have left running; an orphan that a signal has killed, or that does not end, is a fault."""
    end_s = time.monotonic() + GRACE_S
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid and os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGABRT, signal.SIGTRAP):
            raise Failed(f"a process that the tests left running has been killed by signal {os.WTERMSIG(status)}")
        if not pid:
            if time.monotonic() > end_s:
                children = pathlib.Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
                for child in children:
                    os.kill(int(child), signal.SIGKILL)
                raise Failed(f"the tests have left {len(children)} processes running")
            time.sleep(0.01)


if __name__ == "__main__":
    try:
        Program(sys.argv[1], sys.argv[2], True).make()
    except Failed as error:
        sys.exit(f"program.py: {error}")
