# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""recordmcount over a tree of objects, against `cp` of the same files, two at a time each."""

import shutil
import subprocess
import time

from common import Line, scratch
from generate_objects import compile_sources, make_tree
from usage import usage_of

GROUP = "recordmcount -j2, a tree of g++'s objects with debug information, in memory"
JOBS = 2


def measure(setting):
    count = setting.rounds(2000, 400)
    with scratch() as folder:
        objects = compile_sources(folder)
        small, large = folder / "small", folder / "large"
        make_tree(objects, small, count // 4)
        bytes_ = make_tree(objects, large, count)
        samples = rounds(setting, folder, small, large)
    return lines(count, bytes_, samples)


def rounds(setting, folder, small, large):
    """Seconds of each way, which take turns, and MiB."""
    tool = str(setting.build / "bin" / "recordmcount")
    ways = {"all": ["-q"], "small": ["-q"], "cp": None}
    if "--no-descriptors" in subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout:
        ways["sites"] = ["-q", "--no-descriptors"]
    samples = {way: [] for way in ways}
    memory = []
    for number in range(setting.rounds(7, 3)):
        for way in ways if number % 2 else reversed(ways):
            source, work = (small if way == "small" else large), folder / "work"
            if way == "cp":
                samples[way].append(copy(source, work))
            else:
                shutil.copytree(source, work)
                samples[way].append(run([tool, f"-j{JOBS}", *ways[way], *files_of(work)]))
            shutil.rmtree(work)
        shutil.copytree(large, work)
        memory.append(usage_of([tool, f"-j{JOBS}", *ways["all"], *files_of(work)])[1])
        shutil.rmtree(work)
    samples["memory"] = memory
    return samples


def files_of(folder):
    return sorted(str(path) for path in folder.glob("*/*.o"))


def copy(source, target):
    """Two cp, half of the folders each."""
    target.mkdir()
    parts = sorted(str(path) for path in source.iterdir())
    start = time.monotonic()
    running = [subprocess.Popen(["cp", "-r", *parts[half::JOBS], str(target)]) for half in range(JOBS)]
    if any([process.wait() for process in running]):
        raise RuntimeError("cp failed")
    return time.monotonic() - start


def run(command):
    """Wall seconds."""
    start = time.monotonic()
    subprocess.run(command, check=True)
    return time.monotonic() - start


def lines(count, bytes_, samples):
    whole = Line(GROUP, f"{count:,} objects", "ms", [1000 * s for s in samples["all"]])
    whole.against("cp", [1000 * s for s in samples["cp"]])
    whole.note = (f"{bytes_ / 1e6:.0f} MB: {count / whole.median * 1000:,.0f} objects/s, "
                  f"{bytes_ / whole.median / 1000:,.0f} MB/s; cp {bytes_ / whole.reference / 1000:,.0f} MB/s")
    result = [whole.within("<= 2 x cp", whole.ratio, 2)]
    if "sites" in samples:
        sites = Line(GROUP, "the same without descriptors from the debug information", "ms",
                     [1000 * s for s in samples["sites"]])
        result.append(sites.against("cp", [1000 * s for s in samples["cp"]]).within("<= 2 x cp", sites.ratio, 2))
    growth = Line(GROUP, "4 times as many objects take", "times",
                  [a / b for a, b in zip(samples["all"], samples["small"])])
    # The fixed cost of a run counts for the small tree only: less than 4 is usual.
    result.append(growth.within("<= 4 times + 5 %", growth.median, 4.2))
    return result + [Line(GROUP, "peak memory", "MiB", samples["memory"])]
