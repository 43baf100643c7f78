# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fork children that make one traced call each, without a recorder: each makes a buffer of its own."""

import os

from common import Line, differences, run_samples, scratch

GROUP = "fork children with one call, CPU time of child and parent"
BUDGET_US = 100
FORKS = 200


def measure(setting):
    program = setting.program("bench_forks")
    samples = {name: [] for name in ("untraced", "function", "function_graph")}
    with scratch() as folder:
        for _ in range(setting.rounds(15, 5)):
            for name, values in samples.items():
                values += run_samples([program, name, str(FORKS)], env=environment(setting, name, folder))[name]
    lines = [Line(GROUP, "untraced", "us", samples["untraced"])]
    for name in ("function", "function_graph"):
        line = Line(GROUP, name, "us", samples[name]).against("untraced", samples["untraced"])
        added = Line(GROUP, "", "us", differences(samples[name], samples["untraced"])).median
        lines.append(line.within(f"<= +{BUDGET_US} us", added, BUDGET_US))
    return lines


def environment(setting, name, folder):
    if name == "untraced":
        return dict(os.environ)
    return dict(os.environ, XDG_RUNTIME_DIR=str(folder), NOPHOOK=f"current_tracer={name} buffer_size_kb=65536",
                LD_PRELOAD=str(setting.build / "lib" / "libnophook.so"))
