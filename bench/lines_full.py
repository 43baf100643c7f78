# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cost of a full buffer that has no reader: a call, and a thread that comes and goes after many others."""

import functools
import os

from common import Line, differences, in_turns, run_samples, scratch

GROUP = "a full buffer without a reader (CPU time above the same program untraced)"
RUNS = [  # tracer, buffer_mode, KiB
    ("function", "drop", 16384),
    ("function_graph", "drop", 16384),
    ("function", "overwrite", 2048),
    ("function_graph", "overwrite", 2048),
    ("function_graph", "overwrite", 16384),
    ("function", "wait:1", 2048),
]
CALL_NS, THREAD_US = 10, 20


def run(setting, settings):
    command = [setting.program("bench_full"), "1000000", str(setting.rounds(10000, 2000))]
    with scratch() as folder:
        env = dict(os.environ, LD_PRELOAD=str(setting.build / "lib" / "libnophook.so"),
                   NOPHOOK=f"buffer_dir={folder} {settings}")
        return run_samples(command, env=env)


def measure(setting):
    runs = {kind: f"current_tracer={kind[0]} buffer_mode={kind[1]} buffer_size_kb={kind[2]}" for kind in RUNS}
    runs[None] = ""
    found = in_turns(setting, {kind: functools.partial(run, setting, settings) for kind, settings in runs.items()}, 5, 3)
    samples = {kind: {name: sum((one[name] for one in rounds), []) for name in ("call", "thread")} for kind, rounds in found.items()}
    lines = []
    for kind in RUNS:
        tracer, mode, kib = kind
        for what, unit, budget in (("call", "ns", CALL_NS if mode == "drop" else None), ("thread", "us", THREAD_US)):
            base = samples[None][what]
            line = Line(GROUP, f"{tracer}, {mode}, {kib} KiB: a {what}", unit, differences(samples[kind][what], base))
            line.against("untraced", base, best=min(samples[kind][what]) - min(base))
            if budget:
                line.within(f"<= {budget} {unit}", line.median, budget)
            lines.append(line)
    return lines
