# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Feeds the compiler plugin modules that no person would write; it must not crash on one.

    pass_fuzz.py LLVM-BIN PLUGIN [--seed N] [--modules N] [--minutes N] [--keep FOLDER] CORPUS.ll...

Each module comes from llvm-stress or is a mutation of one of the corpus (pass_mutate.py). It
goes through `opt` with random options and in random company (alone, twice, in the pipelines of
-O0 … -O3 and of LTO), and its result through `llc`. Wrong is

  - a crash of opt or a module that the verifier refuses, if without the pass it is fine;
  - an llc that fails on the result, but not on the module as it was.

Whatever LLVM refuses by itself is not counted. The same seed gives the same run. Failures are
kept as FOLDER/SEED-NUMBER.ll with the command in the first line; exit 1 if there was one.
"""

import argparse
import concurrent.futures
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

import pass_mutate

COMPANY = ["{pass}"] * 6 + ["{pass},{pass}", "default<O0>", "default<O2>", "default<O1>,{pass}", "{pass},default<O2>", "default<Oz>",
                            "lto-pre-link<O2>,lto<O2>", "thinlto-pre-link<O2>,thinlto<O2>", "thinlto-pre-link<O0>,{pass}", "strip,{pass}"]
LLC = ["-O0", "-O1", "-O2", "-O3", "-relocation-model=pic", "-function-sections", "-code-model=large", "-code-model=medium",
       "-frame-pointer=all", "-tailcallopt", "-fast-isel", "-basic-block-sections=all", "-filetype=obj", "-unique-section-names=0",
       "-exception-model=dwarf", "-stackrealign", "-x86-asm-syntax=intel", "-mattr=+avx512f"]
# Seconds. llc takes long over some types, with us or without; a pass that hangs is wrong.
TIMEOUT = {"opt": 900, "llc": 60}


class Fuzzer:
    def __init__(self, arguments, scratch):
        self.arguments, self.scratch = arguments, scratch
        self.corpus = [pathlib.Path(path).read_text(encoding="utf-8", errors="replace") for path in arguments.corpus]
        for name, text in (("some.txt", "fun:*a*\nsrc:*c\n"), ("none.txt", "fun:nothing\n"), ("all.txt", "[nophook]\nfun:*\n")):
            (scratch / name).write_text(text)

    def tool(self, name, *arguments):
        """Exit status (negative: died of a signal) and what it said."""
        try:
            done = subprocess.run([f"{self.arguments.llvm_bin}/{name}", *arguments], capture_output=True, check=False,
                                  timeout=TIMEOUT[name], errors="replace", text=True)
        except subprocess.TimeoutExpired:
            return -99, "timeout"
        return done.returncode, done.stderr

    def options(self, rng):
        lists = [f"{kind}={self.scratch}/{name}.txt" for kind in ("include", "exclude") for name in ("some", "none", "all")]
        known = [f"min-size={rng.choice([0, 1, 5, 10**9])}", "only-exported", "descriptors=off", "descriptors=on", *lists]
        chosen = rng.sample(known, rng.choice([0, 0, 1, 2, 4]))
        return "nophook" + (f"<{';'.join(chosen)}>" if chosen else "")

    def module(self, rng):
        if not self.corpus or rng.random() < 0.25:
            command = [f"{self.arguments.llvm_bin}/llvm-stress", f"-seed={rng.randrange(2**31)}", f"-size={rng.choice([10, 50, 200, 800])}"]
            text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            text = 'target triple = "x86_64-pc-linux-gnu"\n' + text
            return pass_mutate.mutate(rng, text) if rng.random() < 0.6 else text
        return pass_mutate.mutate(rng, rng.choice(self.corpus))

    def one(self, number):
        """`''` if LLVM refused it by itself, `'ok'`, `'told'` for an error of ours, or what went wrong."""
        rng = random.Random(f"{self.arguments.seed}/{number}")
        source, result = self.scratch / f"{number}.ll", self.scratch / f"{number}.out.ll"
        source.write_text(self.module(rng), encoding="utf-8")
        passes = rng.choice(COMPANY).replace("{pass}", self.options(rng))
        flags = rng.sample(LLC, rng.choice([1, 2, 3]))
        try:
            verdict, command = self.judge(source, result, passes, flags)
            if verdict not in ("", "ok", "told"):
                self.keep(number, source, command, verdict)
            return verdict
        finally:
            for file in (source, result, self.scratch / f"{number}.o"):
                file.unlink(missing_ok=True)

    def judge(self, source, result, passes, flags):
        plugin = f"-load-pass-plugin={self.arguments.plugin}"
        command = ["opt", plugin, f"-passes={passes}", "-S", str(source), "-o", str(result)]
        status, said = self.tool(*command)
        if status:
            if "error: nophook: " in said and status == 1:
                return "told", command
            if self.fails_alone(source, passes, flags):
                return "", command
            return f"opt: status {status}: {said[-1500:]}", command
        status, said = self.tool("opt", "-passes=verify", "-disable-output", str(result))
        if status:
            return ("", command) if self.fails_alone(source, passes, flags) else (f"does not read back: {said[-1500:]}", command)
        out = ["-o", str(source.with_suffix(".o"))]
        status, said = self.tool("llc", *flags, str(result), *out)
        if not status:
            return "ok", command
        if said == "timeout":
            return "", command
        if self.fails_alone(source, passes, flags):
            return "", command
        return f"llc {' '.join(flags)}: status {status}: {said[-1500:]}", command

    def fails_alone(self, source, passes, flags):
        """Whether LLVM refuses the module, or dies of it, without us: in the same company, or in llc."""
        company = ",".join(p for p in passes.split(",") if not p.startswith("nophook")) or "verify"
        plain = source.with_suffix(".plain.ll")
        try:
            return (self.tool("opt", f"-passes={company}", "-S", str(source), "-o", str(plain))[0] != 0
                    or self.tool("llc", *flags, str(plain), "-o", str(source.with_suffix(".o")))[0] != 0)
        finally:
            plain.unlink(missing_ok=True)

    def keep(self, number, source, command, verdict):
        folder = pathlib.Path(self.arguments.keep)
        folder.mkdir(parents=True, exist_ok=True)
        kept = folder / f"{self.arguments.seed}-{number}.ll"
        head = "".join(f"; {line}\n" for line in [" ".join(command), *verdict.splitlines()])
        kept.write_text(head + source.read_text(encoding="utf-8"), encoding="utf-8")
        print(f"{kept}: {verdict.splitlines()[0][:300]}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("llvm_bin")
    parser.add_argument("plugin")
    parser.add_argument("corpus", nargs="*")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--modules", type=int, default=10**9)
    parser.add_argument("--minutes", type=float, default=10**6)
    parser.add_argument("--keep", default="pass-fuzz-failures")
    arguments = parser.parse_intermixed_args()
    end = time.monotonic() + 60 * arguments.minutes
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="pass-fuzz."))
    count = {"ok": 0, "told": 0, "": 0, "wrong": 0}
    workers = len(os.sched_getaffinity(0))
    try:
        fuzzer = Fuzzer(arguments, scratch)
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            for start in range(0, arguments.modules, 64):
                numbers = range(start, min(start + 64, arguments.modules))
                for verdict in pool.map(fuzzer.one, numbers):
                    count[verdict if verdict in count else "wrong"] += 1
                if time.monotonic() > end:
                    break
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    print(f"{count['ok']} modules compiled, {count['told']} refused with a message, {count['wrong']} wrong"
          f" ({count['']} not valid by themselves)")
    return 1 if count["wrong"] or not count["ok"] else 0


if __name__ == "__main__":
    sys.exit(main())
