# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""dated.py FORMAT NOPHOOK PROGRAM DATA: the times of day that readers find in an export lie between those before and after the run.

FORMAT is pprof, perfetto or ctf. Perfetto's clocks are related as trace_processor does it: by the snapshots of two clocks."""

import subprocess
import sys
import time

from decoded import decode, one

FORMAT, NOPHOOK, PROGRAM, DATA = sys.argv[1:]
MONOTONIC, REALTIME = 3, 1


def pprof(path):
    return [int(one(decode("profile.proto", "Profile", path), "time_nanos"))]


def perfetto(path):
    packets = [packet for _, packet in decode("perfetto.proto", "Trace", path)]
    snapshots = []
    for packet in packets:
        if snapshot := one(packet, "clock_snapshot"):
            assert int(one(snapshot, "primary_trace_clock")) == MONOTONIC, snapshot
            clocks = [clock for name, clock in snapshot if name == "clocks"]
            snapshots.append({int(one(clock, "clock_id")): int(one(clock, "timestamp")) for clock in clocks})
    stamps = [int(one(packet, "timestamp")) for packet in packets if one(packet, "track_event")]
    assert all(one(packet, "timestamp_clock_id") in (None, str(MONOTONIC)) for packet in packets)
    last = [max([s for s in snapshots if s[MONOTONIC] <= stamp] or snapshots[:1], key=lambda s: s[MONOTONIC]) for stamp in stamps]
    return [stamp - at[MONOTONIC] + at[REALTIME] for stamp, at in zip(stamps, last)]


def ctf(path):
    import bt2
    messages = [message for message in bt2.TraceCollectionMessageIterator(path) if type(message) is bt2._EventMessageConst]
    assert all(message.event.stream.cls.default_clock_class.origin_is_unix_epoch for message in messages)
    return [message.default_clock_snapshot.ns_from_origin for message in messages]


before = time.time_ns()
subprocess.run([NOPHOOK, "record", "-o", DATA, "--", PROGRAM], check=True)
after = time.time_ns()
subprocess.run([NOPHOOK, "export", "--format", FORMAT, "-o", f"{DATA}.{FORMAT}", DATA], check=True)
times = {"pprof": pprof, "perfetto": perfetto, "ctf": ctf}[FORMAT](f"{DATA}.{FORMAT}")
assert before < min(times) <= max(times) < after, (before, times, after)
print(len(times), "times")
