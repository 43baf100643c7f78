#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""slowest_list.py NOPHOOK DATA JSON FUNCTION: what `latency --slowest N --json FUNCTION` has written is every call of the
function in the recording, the longest first."""

import json
import subprocess
import sys

ROUNDING_NS = 2


def main():
    nophook, data, written, function = sys.argv[1:]
    with open(written, encoding="utf-8") as file:
        listed = [json.loads(line) for line in file]
    text = subprocess.run([nophook, "report", "--json", data], check=True, capture_output=True, text=True).stdout
    events = [json.loads(line) for line in text.splitlines()]
    durations = sorted((e["duration_ns"] for e in events if e.get("function") == function and "duration_ns" in e), reverse=True)
    begins = {e["time_ns"]: e for e in events if e.get("function") == function and e["kind"] == "entry"}
    if (len(listed) != len(durations) or [row["number"] for row in listed] != list(range(1, len(listed) + 1))
            or any(abs(row["ns"] - ns) > ROUNDING_NS for row, ns in zip(listed, durations))):
        sys.exit(f"listed {listed}, of {durations}")
    for row in listed:
        event = begins[row["from_ns"]]
        arguments = ", ".join(f"{value['name']}={value['value']}" for value in event["arguments"])
        if (row["call"], row["tid"], row["pid"]) != (f"{function}({arguments})", event["tid"], event["pid"]):
            sys.exit(f"listed {row}, of {event}")


main()
