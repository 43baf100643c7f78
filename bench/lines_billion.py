# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A recording of a thousand million events, as one thread writes them: how long it takes to record, and to read.

The time to record is the whole command's above the program's alone. The file lies in memory, if 12 GiB are free there; else on a
disk, which is then measured, too."""

import os
import re
import shutil
import subprocess
import tempfile
import time

import programs
from common import Line, in_turns
from lines_peers import ns_of

GROUP = "a recording of 10^9 events of one thread"
RECORD_NS, TOP_S = 13, 25
ROOM_BYTES = 12 << 30
FLOOR_CALLS = 50_000_000


def seconds(command):
    begun = time.monotonic()
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    return time.monotonic() - begun, done


def build(setting, folder):
    peers = setting.root / "bench" / "peers"
    for source, flags in (("loop", [f"-I{setting.root}/include"]), ("functions", [programs.instrument(setting)])):
        subprocess.run(["clang++-22", "-O2", *flags, "-c", f"{peers}/{source}.cpp", "-o", f"{folder}/{source}.o"], check=True)
    subprocess.run(["clang++-22", f"{folder}/loop.o", f"{folder}/functions.o", *programs.link_traced(setting), "-pthread",
                    "-o", f"{folder}/loop"], check=True)
    return f"{folder}/loop"


def floor_ns(program):
    """A read of the time-stamp counter, of which an event needs one: by a call with two of them, above one without."""
    above, alone = (ns_of(subprocess.check_output([program, kind, str(FLOOR_CALLS)], text=True)) for kind in ("floor", "leaf"))
    return (above - alone) / 2


def record_and_read(nophook, program, data, wanted):
    """Seconds of the recording, its events, those lost, and what `report --top` takes for 10^9 of them."""
    taken, done = seconds([nophook, "record", "--wait", "10000", "-m", "4096", "-o", data, "--", *program])
    events, gone = (int(n) for n in re.search(r"(\d+) events of.*, (\d+) events lost", done.stderr).groups())
    if events + gone < wanted:
        raise RuntimeError(f"{wanted - events - gone} events are missing")
    return taken, events, gone, seconds([nophook, "report", "--top", data])[0] * 1e9 / events


def measure(setting):
    calls = setting.rounds(500_000_000, 20_000_000)
    nophook = str(setting.build / "bin" / "nophook")
    place = "/dev/shm" if shutil.disk_usage("/dev/shm").free >= ROOM_BYTES else "/var/tmp"
    with tempfile.TemporaryDirectory(prefix="nophook-bench.", dir=place) as folder:
        program, data = [build(setting, folder), "leaf", str(calls)], f"{folder}/data"
        found = in_turns(setting, {"alone": lambda: seconds(program)[0], "floor": lambda: floor_ns(program[0]),
                                   "record": lambda: record_and_read(nophook, program, data, 2 * calls)}, 5, 1)
        size = os.stat(data).st_size
    floor, (taken, events, gone, read) = found["floor"], zip(*found["record"])
    recorded = [1e9 * (traced - alone) / count for traced, alone, count in zip(taken, found["alone"], events)]
    events, lost = events[-1], sum(gone)
    line = Line(GROUP, "record, an event", "ns", recorded)
    line.against("a read of the counter", floor)
    line.note = f"{events / 1e6:.0f} million events, {lost} lost, {size >> 20} MiB in {place}"
    return [line.within(f"<= {RECORD_NS} ns", line.median, RECORD_NS),
            (top := Line(GROUP, "report --top, 10^9 events", "s", list(read))).within(f"<= {TOP_S} s", top.median, TOP_S)]
