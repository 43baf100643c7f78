# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fork children that make one traced call each, without a recorder: each makes a buffer of its own."""

import functools
import os

from common import Line, differences, in_turns, run_samples, scratch

GROUP = "fork children with one call, CPU time of child and parent"
BUDGET_US = 100
FORKS = 200


def measure(setting):
    program = setting.program("bench_forks")
    with scratch() as folder:
        runs = {name: functools.partial(forks, setting, program, name, folder) for name in ("untraced", "function", "function_graph")}
        samples = {name: sum(found, []) for name, found in in_turns(setting, runs, 15, 5).items()}
    lines = [Line(GROUP, "untraced", "us", samples["untraced"])]
    for name in ("function", "function_graph"):
        line = Line(GROUP, name, "us", samples[name]).against("untraced", samples["untraced"])
        added = Line(GROUP, "", "us", differences(samples[name], samples["untraced"])).median
        lines.append(line.within(f"<= +{BUDGET_US} us", added, BUDGET_US))
    return lines


def forks(setting, program, name, folder):
    return run_samples([program, name, str(FORKS)], env=environment(setting, name, folder))[name]


def environment(setting, name, folder):
    if name == "untraced":
        return dict(os.environ)
    return dict(os.environ, XDG_RUNTIME_DIR=str(folder), NOPHOOK=f"current_tracer={name} buffer_size_kb=65536",
                LD_PRELOAD=str(setting.build / "lib" / "libnophook.so"))
