# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""timed.py SPEEDSCOPE JSON: the calls that tracing_thresh has timed are frames with their times, each in the one around it."""

import json
import sys

file = json.load(open(sys.argv[1]))
names = [frame["name"] for frame in file["shared"]["frames"]]
(profile,) = (p for p in file["profiles"] if p["name"].endswith(" (tracing_thresh)"))
calls, stack = [], []
for event in profile["events"]:
    name = names[event["frame"]]
    if event["type"] == "O":
        stack.append((name, event["at"]))
    else:
        begun, start = stack.pop()
        assert begun == name
        calls.append((name, len(stack), event["at"]))
lines = [line for line in map(json.loads, open(sys.argv[2])) if line["kind"] == "exit"]
assert calls == [(line["function"], line["depth"], line["time_ns"]) for line in lines], (calls, lines)
assert [name for name, _, _ in calls][-3:] == ["slow_inner", "slow", "main"], calls  # a tick may be slow, too
