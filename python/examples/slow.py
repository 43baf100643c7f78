# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the calls that took at least a time, and the arguments of each: nophook script slow.py PATH TIME [FUNCTION]

TIME has a unit: 300ns, 10us, 2.5ms, 1s. At the end, a line says how many of the calls were that slow.
"""

import sys

import nophook

UNITS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9}


def parse_time(text):
    digits = text.rstrip("nums")
    unit = text[len(digits):]
    if unit not in UNITS or not digits.replace(".", "", 1).isdecimal():
        sys.exit(f"slow.py: {text}: a time has a unit, such as 300ns, 10us, 2.5ms or 1s")
    return float(digits) * UNITS[unit]


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: nophook script slow.py PATH TIME [FUNCTION]")
    least, function = parse_time(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else None
    begun, calls, slow = {}, 0, 0
    for kind, event in nophook.walk():
        if kind == "entry":
            begun[event.tid, event.depth] = event.arguments
        if kind != "exit" or event.duration_ns is None or function not in (None, event.function):
            continue
        calls += 1
        if event.duration_ns >= least:
            slow += 1
            arguments = ", ".join(f"{name}={value}" for name, value in begun.get((event.tid, event.depth), {}).items())
            print(f"{nophook.duration_text(event.duration_ns):>12}  {event.tid}  {event.function}({arguments})")
    print(f"# {slow} of {calls} calls")


main()
