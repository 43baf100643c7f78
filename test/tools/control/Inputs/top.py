# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""top.py NOPHOOK RUNTIME PROGRAM: its busiest functions."""

import json
import os
import signal
import sys
import threading
import time

from serving import PATIENCE, Serving
from terminal import GIVE_BACK, Terminal, pictures


def expect(found, wanted):
    if found != wanted:
        sys.exit(f"found {found!r}, not {wanted!r}")


def main():
    nophook, runtime, program = sys.argv[1:]
    serving = Serving(nophook, runtime, program)
    goes_on = True

    def call():
        while goes_on:
            serving.tell(100)

    caller = threading.Thread(target=call, daemon=True)
    caller.start()
    serving.set("set_ftrace_notrace", "main")
    files = ("current_tracer", "function_profile_enabled", "set_ftrace_filter", "set_ftrace_notrace", "tracing_on")
    before = [serving.get(file) for file in files]

    def unchanged():
        expect([serving.get(file) for file in files], before)

    def shows(wanted, read, *options):
        """Once the program has made its calls while it looked: on a busy machine that may take more than one try."""
        end = time.monotonic() + PATIENCE
        found = None
        while found != wanted and time.monotonic() < end:
            done = serving.run("top", *options)
            expect((done.returncode, done.stderr), (0, ""))
            found = read(done.stdout.splitlines())
        expect(found, wanted)

    shows(["tick", "tock"], lambda lines: sorted(line.split()[-1] for line in lines[2:]), "--once", "-d", "100ms")
    shows([("tock", True, True)],
          lambda lines: [(row["function"], row["calls"] > 0, row["self_ns"] > 0) for row in map(json.loads, lines)],
          serving.pid, "--json", "-l", "tock")
    unchanged()

    for how in ("key", "signal"):
        screen = Terminal(nophook, "top", "-d", "50ms")
        screen.wait(lambda text: any("tock" in picture[-1] or "tick" in picture[-1] for picture in pictures(text)))
        screen.resize(3, 30)
        screen.wait(lambda text: len(pictures(text)[-1]) == 3 and max(map(len, pictures(text)[-1])) <= 30)
        expect(serving.get("current_tracer"), "profile\n")
        if how == "key":
            os.write(screen.fd, b"q")
        else:
            os.kill(screen.pid, signal.SIGINT)
        screen.wait(lambda text: GIVE_BACK in text)
        screen.end()
        unchanged()
    serving.set("current_tracer", "function")
    expect("is being traced by function" in serving.run("top").stderr, True)
    serving.set("current_tracer", "nop")

    screen = Terminal(nophook, "top", str(serving.pid), "-d", "50ms")
    screen.wait(lambda text: any("tock" in picture[-1] or "tick" in picture[-1] for picture in pictures(text)))
    goes_on = False
    caller.join()
    expect(serving.end(), (0, "the answer\n"))
    screen.end()


main()
