#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a report of this machine with some groups of lines, which a test makes a page of.

    performance_report.py BENCH REPORT
"""

import sys

sys.path.append(sys.argv[1])
import common  # noqa: E402
import machine  # noqa: E402
import table  # noqa: E402

CALLS = {"nophook, hits": 2, "nophook, function": 10, "quick": 20, "slow": 160, "kernel": 10_000, "kernel, exit": 12_000}
BYTES = {"nophook": 1, "other": 8, "third": 16}

THROWS = {"nophook, function_graph": 900, "LLVM XRay, FDR": 200, "a tool of tomorrow": 100, "a slow one": 890}


def main():
    lines = [common.Line("peers: a call (nanoseconds)", name, "ns", [value]) for name, value in CALLS.items()]
    lines += [common.Line("peers: bytes of an event", name, "bytes", [value]) for name, value in BYTES.items()]
    lines += [common.Line("peers: an exception through three frames", name, "ns", [value]) for name, value in THROWS.items()]
    lines.append(common.Line("toggling one site", "by address", "us", [7]).within("<= 5 us", 7, 5))
    table.write_json(sys.argv[2], lines, machine.machine())


main()
