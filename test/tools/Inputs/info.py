#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""info.py NOPHOOK DATA JSON: what `info --json` has written equals what the machine, the file and the events say."""

import json
import os
import subprocess
import sys
import time

ROUNDING_NS = 2


def main():
    nophook, data, written = sys.argv[1:]
    with open(written, encoding="utf-8") as file:
        said = json.load(file)
    text = subprocess.run([nophook, "report", "--json", data], check=True, capture_output=True, text=True).stdout
    events = [json.loads(line) for line in text.splitlines()]
    machine = os.uname()
    true = {
        "path": data,
        "bytes": os.path.getsize(data),
        "compressed": True,
        "host": machine.nodename,
        "kernel": f"{machine.sysname} {machine.release}",
        "machine": machine.machine,
        "cpus": os.sysconf("SC_NPROCESSORS_CONF"),
        "tracer": "function_graph",
        "filter": ["in_*"],
        "notrace": [],
        "threads": len({event["tid"] for event in events}),
        "events": 2 * len(events),  # each line is an entry and an exit
        "lost": 0,
        "damage": "",
    }
    for key, value in true.items():
        if said[key] != value:
            sys.exit(f"{key}: {said[key]!r}, not {value!r}")
    ends = [event["time_ns"] + event["duration_ns"] for event in events]
    if not 0 <= min(event["time_ns"] for event in events) - said["from_ns"] <= 10**9 or abs(said["to_ns"] - max(ends)) > ROUNDING_NS:
        sys.exit(f"from {said['from_ns']} to {said['to_ns']}: {events}")
    if not 0 <= time.time() - said["start_ns"] / 1e9 < 24 * 3600:
        sys.exit(f"start: {said['start_ns']}")
    if {process["pid"] for process in said["processes"]} != {event["pid"] for event in events} or len(said["processes"]) != 2:
        sys.exit(f"processes: {said['processes']}")
    parent, child = said["processes"]
    # The arguments of a process that ended before its buffer was found are not known.
    if child["ppid"] != parent["pid"] or parent["arguments"] not in ([], said["command"]) or said["command"][1:] != ["word"]:
        sys.exit(f"processes: {said['processes']}")


main()
