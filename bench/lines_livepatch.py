# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A call of a patched function, many threads that change over, looks at a running thread from outside, and a server under load whose live patch is loaded, reverted and
unloaded again and again."""

import re
import statistics
import subprocess
import time

from common import Line, run_samples, say, scratch
from programs import CLANG, instrument

THREADS = "a live patch"
GROUP = "a server with eight clients while a live patch comes and goes"
ROUNDS_SECONDS = 60  # behind that, and five rounds, the server begins no other round
LONGEST = re.compile(r"(\d+) cycles, (\d+) requests, (\d+) failed, still loaded: \d+, longest (\d+) us\n(\d+) ms")


def measure(setting):
    return measure_calls(setting) + measure_stops(setting) + measure_server(setting)


def measure_calls(setting):
    say("  calls, and 800 threads")
    samples = run_samples([setting.program("bench_livepatch"), str(setting.rounds(20, 5))])
    call = Line(THREADS, "a call of a patched function", "ns", samples["patched"]).against("not patched", samples["plain"])
    switches = Line(THREADS, "a switch of a registered fiber is announced", "ns", samples["switches"])
    threads = Line(THREADS, "800 threads that leave the function each 20 ms change over", "ms", samples["threads"])
    return [call, switches, threads.within("<= 500 ms", max(samples["threads"]), 500)]


def measure_stops(setting):
    say("  looks from outside")
    samples = run_samples([setting.program("bench_stop"), str(setting.rounds(1000, 100))])
    stood, took = [Line(THREADS, f"{what}, {len(samples[name])} looks", "us", samples[name])
                   for name, what in (("stood", "a thread stands still for a look from outside"), ("took", "the same from the request on"))]
    for line in stood, took:
        line.note = f"p99 {p99(line.samples):.0f}, max {max(line.samples):.0f} us"
    return [stood.within("p99 <= 1 ms", p99(stood.samples), 1000), took]


def p99(samples):
    return statistics.quantiles(samples, n=100)[98]


def measure_server(setting):
    cycles, quiet, failed, took = [], [], 0, []
    count = setting.rounds(4, 2)  # a cycle may take some seconds: a library goes when each thread has slept outside of it
    with scratch() as folder:
        build(setting, folder)
        rounds, begun = setting.rounds(15, 3), time.monotonic()
        for done in range(rounds):
            if done >= 5 and time.monotonic() - begun > ROUNDS_SECONDS:
                break
            say(f"  a server, round {done + 1} of {rounds}")
            _, _, lost, longest, milliseconds = run(folder, count)
            failed += lost
            cycles.append(longest)
            took.append(milliseconds / count)
            quiet.append(run(folder, 0, milliseconds)[3])
    stall = Line(GROUP, "longest request", "us", cycles).against("no patch, as long", quiet)
    stall.note = f"{failed} requests failed in {count * len(cycles)} cycles"
    return [stall, Line(GROUP, "a cycle: load, all changed over, revert, all changed back", "ms", took)]


def build(setting, folder):
    source = setting.root / "test/runtime/livepatch/server.c"
    common = [CLANG, "-O1", "-g", "-D_GNU_SOURCE", "-pthread", instrument(setting), f"-I{setting.root}/include",
              f"-I{setting.root}/test/support", f"-I{setting.root}/test/runtime/tracefs", str(source), "-fuse-ld=lld",
              f"-Wl,-T,{setting.build}/share/nophook/ftrace.lds", f"{setting.build}/lib/nophook_module.o"]
    subprocess.run([*common, "-DFIX", "-shared", "-fPIC", "-o", folder / "fix.so"], check=True)
    subprocess.run([*common, "-rdynamic", "-Wl,-u,nophook_register_module", f"-L{setting.build}/lib", "-lnophook",
                    f"-Wl,-rpath,{setting.build}/lib", "-o", folder / "server"], check=True)


def run(folder, cycles, milliseconds=0):
    done = subprocess.run([folder / "server", folder / "fix.so", str(cycles), str(milliseconds)], stdout=subprocess.PIPE,
                          text=True, check=True)
    return [int(number) for number in LONGEST.search(done.stdout).groups()]
