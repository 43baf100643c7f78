# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""events.py NOPHOOK RUNTIME PROGRAM: the files of events, of known calls."""

import re
import subprocess
import sys

from serving import Serving


def expect(found, wanted):
    if found != wanted:
        sys.exit(f"found {found!r}, not {wanted!r}")


def calls(text):
    """The function lines, without time and CPU."""
    return re.findall(r"[0-9]+\.[0-9]{6}: (.*)", text)


def counts(text):
    return re.search(r"entries-in-buffer/entries-written: (\d+)/(\d+)   #P:\d+\n", text).groups()


class Pipe:
    """A reader of trace_pipe: a process of its own."""

    def __init__(self, serving, path="trace_pipe"):
        self.reader = subprocess.Popen([serving.nophook, "get", str(serving.pid), path], stdout=subprocess.PIPE,
                                       text=True)

    def take(self, lines):
        return [calls(self.reader.stdout.readline())[0] for _ in range(lines)]

    def end(self):
        self.reader.terminate()
        self.reader.wait()


def main():
    serving = Serving(*sys.argv[1:])

    def call(count):
        expect(serving.tell(count), "done")

    empty = serving.get("trace")
    expect(empty.splitlines()[0], "# tracer: nop")
    expect(counts(empty), ("0", "0"))
    serving.set("set_ftrace_filter", "tick", "tock")
    serving.set("current_tracer", "function")
    call(3)
    one = ["tock <-main", "tick <-tock"]
    for _ in range(2):
        text = serving.get("trace")
        expect(text.splitlines()[0], "# tracer: function")
        expect(counts(text), ("6", "6"))
        expect(calls(text), 3 * one)

    # The events of each CPU, and of all CPUs together.
    cpus = [name for name in serving.get("per_cpu").split()]
    parts = [calls(serving.get(f"per_cpu/{cpu}trace")) for cpu in cpus]
    expect(sorted(sum(parts, [])), sorted(3 * one))
    entries = [int(re.match(r"entries: (\d+)", serving.get(f"per_cpu/{cpu}stats"))[1]) for cpu in cpus]
    expect(entries, [len(part) for part in parts])

    # Two readers one after the other: each event once; then none is left.
    pipe = Pipe(serving)
    expect(pipe.take(6), 3 * one)
    call(1)
    expect(pipe.take(2), one)
    pipe.end()
    expect(calls(serving.get("trace")), [])
    call(2)
    expect(calls(serving.get("trace")), 2 * one)
    pipe = Pipe(serving)
    expect(pipe.take(4), 2 * one)
    pipe.end()

    # More than a sub-buffer, part of it read.
    call(20000)
    pipe = Pipe(serving)
    expect(pipe.take(30000), 15000 * one)
    pipe.end()

    call(1)
    expect(serving.set("trace", ""), None)
    text = serving.get("trace")
    expect((counts(text), calls(text)), (("0", "0"), []))
    call(1)
    expect(calls(serving.get("trace")), one)
    expect(serving.end(), (0, "the answer\n"))


main()
