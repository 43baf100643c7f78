# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""thread_exit.py NOPHOOK RUNTIME PROGRAM: threads that end in the middle of calls while a client looks at them."""

import re
import subprocess
import sys

from serving import Serving

THREAD = ["body() {", "leaver(); /* thread exit */", "} /* body thread exit */"]


def lines(text):
    return [match[1] for line in text.splitlines() if (match := re.match(r"[^#|]*[0-9]\).*\|  +(.*)", line))]


def expect(found, wanted):
    if found != wanted:
        sys.exit(f"found {found!r}, not {wanted!r}")


def main():
    serving = Serving(*sys.argv[1:])

    def run(count):
        expect(serving.tell(count), "done")

    serving.set("set_ftrace_filter", "body", "leaver")
    serving.set("current_tracer", "function_graph")
    run(3)
    for _ in range(2):
        expect(lines(serving.get("trace")), 3 * THREAD)
    pipe = subprocess.Popen([serving.nophook, "get", str(serving.pid), "trace_pipe"], stdout=subprocess.PIPE, text=True)
    found = []
    while len(found) < 9:
        found += lines(pipe.stdout.readline())
    expect(found, 3 * THREAD)
    run(1)
    while len(found) < 12:
        found += lines(pipe.stdout.readline())
    expect(found, 4 * THREAD)
    pipe.terminate()
    pipe.wait()
    expect(lines(serving.get("trace")), [])
    expect(serving.end()[0], 0)


main()
