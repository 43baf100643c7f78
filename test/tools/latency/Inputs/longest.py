#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""longest.py NOPHOOK DATA FROM [TO]: what `latency` finds is the longest of all such times in the recording of one thread,
whichever of them a busy machine has made so.

FROM and TO as those of `latency`: FUNCTION, FUNCTION%return, mark:TEXT.
"""

import fnmatch
import json
import subprocess
import sys

ROUNDING_NS = 2


def json_lines(*command):
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [json.loads(line) for line in text.splitlines()]


def is_point(event, point):
    if point.startswith("mark:"):
        return event["kind"] == "mark" and fnmatch.fnmatchcase(event["text"], point[5:])
    name, _, end = point.partition("%")
    return event["kind"] == ("exit" if end else "entry") and event["function"] == name


def main():
    nophook, data, begin, *rest = sys.argv[1:]
    end = rest[0] if rest else f"{begin}%return"
    times, since = {}, None
    for event in json_lines(nophook, "report", "--json", data):
        if is_point(event, begin):
            since = event["time_ns"]
        elif is_point(event, end) and since:
            times[since], since = event["time_ns"] - since, None
    found = json_lines(nophook, "latency", "--trace", "--json", begin, *(["--to", *rest] if rest else []), data)
    head, shown = found[0], [event for event in found[1:] if is_point(event, begin)]
    most = max(times.values())
    if (head["intervals"] != len(times) or abs(head["longest_ns"] - most) > ROUNDING_NS or len(times) < 2
            or times.get(head["from_ns"], 0) < most - ROUNDING_NS or [event["time_ns"] for event in shown] != [head["from_ns"]]):
        sys.exit(f"found {found}, of {times}")


main()
