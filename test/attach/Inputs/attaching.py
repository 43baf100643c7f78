# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program that was started without preparation, and how tests attach to it."""

import mmap
import os
import subprocess
import sys
import time

PATIENCE = 600  # seconds: a test fails by this only if nothing happens at all


def expect(found, wanted):
    if found != wanted:
        sys.exit(f"found {found!r}, not {wanted!r}")


def expect_in(part, text):
    if part not in text:
        sys.exit(f"found {text!r}, without {part!r}")


def until(condition, what):
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"in vain: {what}")
        time.sleep(0.002)


class Target:
    """PROGRAM FOLDER/turns ARGUMENTS: counts its turns in the file's first word. PROGRAM: a path, or a list of words."""

    def __init__(self, nophook, program, folder, *arguments, **options):
        self.nophook = nophook
        self.scratch = os.path.join(folder, "data")
        path = os.path.join(folder, "turns")
        with open(path, "wb") as file:
            file.write(bytes(4096))
        with open(path, "rb") as file:
            self.words = mmap.mmap(file.fileno(), 4096, prot=mmap.PROT_READ)
        os.chmod(path, 0o666)
        words = [program] if isinstance(program, str) else program
        self.program = subprocess.Popen([*words, path, *arguments], stdin=subprocess.PIPE, **options)
        self.pid = self.program.pid
        self.goes_on()

    def turns(self):
        return int.from_bytes(self.words[:8], "little")

    def goes_on(self):
        """It makes two turns more: one may have been under way."""
        before = self.turns()
        until(lambda: self.turns() > before + 1 or self.program.poll() is not None, "a turn")
        expect(self.program.poll(), None)

    def run(self, *arguments, **options):
        return subprocess.run([self.nophook, *map(str, arguments)], capture_output=True, text=True, check=False, **options)

    def attach(self, *options):
        """Records it for a moment; what was said."""
        done = self.run("attach", self.pid, "-o", self.scratch, "-p", "function", "--duration", "1ms", *options)
        if done.returncode:
            sys.exit(f"attach: {done.returncode}: {done.stderr} (status {self.program.poll()})")
        return done.stderr

    def comms(self):
        """The names of its threads."""
        names = []
        for folder in os.listdir(f"/proc/{self.pid}/task"):
            try:
                with open(f"/proc/{self.pid}/task/{folder}/comm", encoding="utf-8") as file:
                    names.append(file.read().strip())
            except FileNotFoundError:
                pass
        return names

    def is_dormant(self):
        """The runtime's thread ends behind its socket."""
        until(lambda: not any(name.startswith("nophook") for name in self.comms()), "the end of the thread")
        return str(self.pid) not in self.run("ps", "--json").stdout

    def maps(self):
        with open(f"/proc/{self.pid}/maps", encoding="utf-8") as file:
            return file.read()

    def end(self):
        """Its exit status: it ends with its standard input."""
        self.program.stdin.close()
        return self.program.wait(timeout=PATIENCE)
