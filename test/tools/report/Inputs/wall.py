# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""wall.py NOPHOOK PROGRAM DATA: all outputs have the time at which the program ran."""

import datetime
import json
import os
import subprocess
import sys
import time

NOPHOOK, PROGRAM, DATA = sys.argv[1:]
os.environ["TZ"] = "XYZ-5"  # five hours east


def run(*command):
    return subprocess.run(command, check=True, capture_output=True).stdout


def day_text(ns):
    zone = datetime.timezone(datetime.timedelta(hours=5))
    return datetime.datetime.fromtimestamp(ns / 1e9, zone).strftime("%Y-%m-%dT%H:%M:%S.%f")


before = time.time_ns()
run(NOPHOOK, "record", "-o", DATA, "--", PROGRAM)
after = time.time_ns()
events = [json.loads(line) for line in run(NOPHOOK, "report", "--json", "-O", "wall", DATA).splitlines()]
times = [event["realtime_ns"] for event in events]
assert times and before < min(times) <= max(times) < after, (before, times, after)
assert times == sorted(times), times

lines = run(NOPHOOK, "report", "-O", "wall", DATA).decode().splitlines()
shown = [line.split()[0] for line in lines if "work()" in line]
assert len(shown) == 10 and day_text(before) < shown[0] <= shown[-1] < day_text(after), shown

works = [event for event in events if event["function"] == "work"]
# Texts have microseconds, and all ten calls may be in one.
window = f"{day_text(works[3]['realtime_ns'] - 1000)},{day_text(works[6]['realtime_ns'] + 1000)}"
chosen = [json.loads(line)["time_ns"] for line in run(NOPHOOK, "report", "--json", "--time", window, DATA).splitlines()]
assert {event["time_ns"] for event in works[4:6]} <= set(chosen), (window, chosen)
of_day = window.replace(day_text(before)[:11], "")
assert run(NOPHOOK, "report", "--json", "--time", of_day, DATA) == run(NOPHOOK, "report", "--json", "--time", window, DATA)

chrome = json.loads(run(NOPHOOK, "export", "--format", "chrome", "-o", "/dev/stdout", DATA))["otherData"]
assert before < chrome["realtime_us"] * 1000 < after, chrome
firefox = json.loads(run(NOPHOOK, "export", "--format", "firefox", "-o", "/dev/stdout", DATA))["meta"]
assert before / 1e6 < firefox["startTime"] < after / 1e6, firefox["startTime"]
