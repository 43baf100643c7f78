# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The time of `nophook record` around a program that ends at once: every user's first trace."""

import os
import shutil
import subprocess
import time

from common import Line, scratch

GROUP = "nophook record of a program that ends at once (whole command)"
BUDGET_MS = 6
UFTRACE = "peer: uftrace record, of a build with -pg"


def measure(setting):
    nophook = str(setting.build / "bin" / "nophook")
    with scratch() as folder:
        program = str(folder / "hello")
        subprocess.run([nophook, "cc", "-O2", str(setting.root / "examples" / "hello.c"), "-o", program], check=True)
        commands = {
            "the program alone": [program],
            "nophook record": [nophook, "record", "-o", str(folder / "hello.data"), "--", program],
            "nophook record -p function_graph":
                [nophook, "record", "-p", "function_graph", "-o", str(folder / "graph.data"), "--", program],
        }
        lines = []
        if shutil.which("perf") and works(["perf", "stat", program]):
            commands["peer: perf stat"] = ["perf", "stat", program]
        else:
            lines.append(Line(GROUP, "peer: perf stat: not measured", note="perf is not installed, or may not count"))
        if not shutil.which("uftrace"):
            lines.append(Line(GROUP, f"{UFTRACE}: not measured", note="uftrace is not installed"))
        else:
            subprocess.run(["gcc", "-O2", "-pg", str(setting.root / "examples" / "hello.c"), "-o", f"{program}-pg"], check=True)
            commands[UFTRACE] = ["uftrace", "record", "-d", str(folder / "uftrace.data"), f"{program}-pg"]
        samples = {what: [] for what in commands}
        for number in range(setting.rounds(101, 21)):
            for what, command in list(commands.items()) if number % 2 else reversed(commands.items()):
                shutil.rmtree(folder / "uftrace.data", ignore_errors=True)  # or uftrace keeps the older one, and takes longer
                samples[what].append(wall_ms(command))
    for what, values in samples.items():
        line = Line(GROUP, what, "ms", values)
        if what == UFTRACE:
            line.against("nophook record", samples["nophook record"])
        elif what != "the program alone":
            line.against("alone", samples["the program alone"])
        if what.startswith("nophook"):
            line.within(f"<= {BUDGET_MS} ms", line.median, BUDGET_MS)
        lines.append(line)
    return lines


def works(command):
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0


def wall_ms(command):
    nowhere = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_WRONLY, 0) for number in (1, 2)]
    begin = time.perf_counter()
    pid = os.posix_spawnp(command[0], command, os.environ, file_actions=nowhere)
    _, status = os.waitpid(pid, 0)
    if status:
        raise RuntimeError(f"{command}: status {status}")
    return 1000 * (time.perf_counter() - begin)
