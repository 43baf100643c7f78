# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The life of a program that has 50,000 sites and traces nothing, against the same program
compiled without the plugin."""

import os
import pathlib
import re
import subprocess
import time

from common import Line, differences, run_samples

GROUP = "start-up with 50,000 sites, idle (from vfork to the end of wait)"
BASE = "bench_idle_plain"
PRELOADED = "preloaded:"  # how bench_spawn names a program that it starts with LD_PRELOAD

VARIANTS = [  # program, what, budget in ms
    ("bench_idle_none_rela", "sites, no runtime, RELA", 0.15),
    ("bench_idle_none_relr", "sites, no runtime, RELR", 0.15),
    ("bench_idle_archive_rela", "runtime as archive, RELA", 0.3),
    ("bench_idle_archive_relr", "runtime as archive, RELR", 0.3),
    ("bench_idle_shared_rela", "runtime as .so, RELA", 0.3),
    ("bench_idle_shared_relr", "runtime as .so, RELR", 0.3),
    (PRELOADED + "bench_idle_none_rela", "runtime preloaded, RELA", 0.3),
    (PRELOADED + "bench_idle_none_relr", "runtime preloaded, RELR", 0.3),
    ("bench_idle_library", "peer: plain + an empty .so", None),
    ("bench_idle_xray", "peer: LLVM XRay, with its runtime", None),
]


def measure(setting):
    programs = [BASE] + [name for name, _, _ in VARIANTS]
    rounds = setting.rounds(301, 101)
    raw = run_samples([setting.program("bench_spawn"), str(rounds), str(setting.build / "lib" / "libnophook.so"),
                       *(path_of(setting, name) for name in programs)])
    samples = dict(zip(programs, raw.values()))
    plain = samples[BASE]
    lines = [Line(GROUP, "the program without sites", "ms", plain)]
    for name, what, budget in VARIANTS:
        line = Line(GROUP, "added: " + what, "ms", differences(samples[name], plain))
        line.reference_name, line.reference = "plain", lines[0].median
        line.ratio = 1 + line.median / lines[0].median
        line.best_ratio = min(samples[name]) / min(plain)
        if budget:
            line.within(f"<= +{budget} ms", line.median, budget)
        lines.append(line)
    return lines + [idle_line(setting, name, what) for name, what, _ in VARIANTS[2:6]]


def path_of(setting, name):
    prefix, program = (PRELOADED, name.removeprefix(PRELOADED)) if name.startswith(PRELOADED) else ("", name)
    return prefix + setting.program(program)


def idle_line(setting, name, what):
    """Looks at a process of it that waits."""
    program = setting.program(name)
    # Pages of a file that has just been linked are dirty as well until they are on the disk.
    for path in (program, setting.build / "lib" / "libnophook.so"):
        with open(path, "rb") as file:
            os.fsync(file.fileno())
    with subprocess.Popen([program, "idle"], stdin=subprocess.PIPE) as process:
        folder = pathlib.Path("/proc") / str(process.pid)
        wait_until_it_reads(folder)
        dirty = text_private_dirty(folder, os.path.realpath(program))
        threads = len(list((folder / "task").iterdir()))
        rss = int(re.search(r"VmRSS:\s+(\d+)", (folder / "status").read_text())[1])
        process.stdin.close()
    line = Line(GROUP, f"Private_Dirty of text: {what}", "KiB", [dirty])
    line.note = f"{threads} thread{'s' if threads != 1 else ''}, RSS {rss} KiB"
    line.budget, line.met = "0, 1 thread", dirty == 0 and threads == 1
    return line


def wait_until_it_reads(folder):
    """Until it waits for its standard input: the loader may sleep as well, but not for a pipe."""
    while "pipe" not in (folder / "wchan").read_text():
        time.sleep(0.001)


def text_private_dirty(folder, path):
    """KiB, over the executable mappings of the program and of the runtime."""
    total, counted = 0, False
    for line in (folder / "smaps").read_text().splitlines():
        fields = line.split()
        if re.match(r"[0-9a-f]+-[0-9a-f]+ ", line):
            name = fields[5] if len(fields) > 5 else ""
            counted = "x" in fields[1] and (name == path or "libnophook" in name)
        elif counted and fields[0] == "Private_Dirty:":
            total += int(fields[1])
    return total
