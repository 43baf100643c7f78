# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The parts that all groups of lines share: running the programs, and the line itself.

A line never decides anything. It carries the samples of one run, the floor or peer that was
measured in turns with it, and the budget of the design; the table says met or missed.
"""

import contextlib
import dataclasses
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

from usage import usage_of


@dataclasses.dataclass
class Line:
    group: str
    what: str
    unit: str = ""
    samples: list = dataclasses.field(default_factory=list)
    reference: float | None = None  # the floor or peer, in the same unit
    reference_name: str = ""
    ratio: float | None = None
    best_ratio: float | None = None  # ratio of the fastest rounds, without noise
    budget: str = ""
    met: bool | None = None
    note: str = ""

    @property
    def median(self):
        return statistics.median(self.samples) if self.samples else None

    def against(self, name, reference, best_reference=None, best=None):
        """Fills reference and ratios: the median of the rounds' ratios, and our best over its best.

        Numbers of the same round meet the same machine, which is faster in some rounds than in others.
        """
        self.reference_name, self.reference = name, statistics.median(reference)
        if len(reference) == len(self.samples) and min(reference) > 0:
            self.ratio = statistics.median(ours / its for ours, its in zip(self.samples, reference))
        else:
            self.ratio = self.median / self.reference if self.reference else None
        best = min(self.samples) if best is None else best
        least = min(reference) if best_reference is None else best_reference
        self.best_ratio = best / least if least else None  # a floor may be none at all
        return self

    def within(self, budget, value, limit):
        self.budget, self.met = budget, value <= limit
        return self


@dataclasses.dataclass
class Setting:
    root: pathlib.Path
    build: pathlib.Path
    quick: bool

    def program(self, name):
        return str(self.build / "bench" / name)

    def rounds(self, usual, quick):
        return quick if self.quick else usual


def say(text):
    print(text, file=sys.stderr, flush=True)


@contextlib.contextmanager
def scratch():
    """A fresh folder in memory, so that no disk is measured."""
    base = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    folder = tempfile.mkdtemp(prefix="nophook-bench.", dir=base)
    try:
        yield pathlib.Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def parse_samples(text):
    """NAME VALUE... lines. A value that is no number keeps its line as text."""
    result = {}
    for line in text.splitlines():
        name, _, rest = line.partition(" ")
        try:
            result[name] = [float(value) for value in rest.split()]
        except ValueError:
            result[name] = rest
    return result


def run_samples(command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, **options)
    return parse_samples(done.stdout)


def run_with_buffer(command, kib=65536):
    """Runs a program that writes events into a buffer of its own and reads it itself."""
    with scratch() as folder:
        environment = dict(os.environ, NOPHOOK=f"buffer_dir={folder} buffer_size_kb={kib}")
        return run_samples(command, env=environment)


def processor_seconds(command):
    """User + system time of a command that is one process."""
    return usage_of(command)[0]


def in_turns(setting, runs, usual, quick):
    """A list of what each of the functions returns, once in each round; every other round runs backwards."""
    found = {name: [] for name in runs}
    for number in range(setting.rounds(usual, quick)):
        for name in list(runs) if number % 2 else reversed(runs):
            found[name].append(runs[name]())
    return found


def differences(values, base):
    return [value - b for value, b in zip(values, base)]
