# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""top.py NOPHOOK RUNTIME PROGRAM: its busiest functions."""

import fcntl
import json
import os
import pty
import select
import signal
import struct
import sys
import termios
import threading
import time

from serving import PATIENCE, Serving

TAKE, GIVE_BACK, HOME = "\033[?1049h", "\033[?1049l", "\033[H"


def expect(found, wanted):
    if found != wanted:
        sys.exit(f"found {found!r}, not {wanted!r}")


class Terminal:
    """nophook on a terminal of its own."""

    def __init__(self, *words):
        self.text = ""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execv(words[0], words)

    def resize(self, rows, columns):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def wait(self, happens):
        end = time.monotonic() + PATIENCE
        while not happens(self.text):
            if time.monotonic() > end:
                sys.exit(f"nothing happens: {self.text[-1000:]!r}")
            if select.select([self.fd], [], [], 0.1)[0]:
                try:
                    self.text += os.read(self.fd, 1 << 16).decode()
                except OSError:  # it has ended
                    return

    def end(self):
        self.wait(lambda text: False)  # reads to its end
        _, status = os.waitpid(self.pid, 0)
        expect(os.waitstatus_to_exitcode(status), 0)
        expect(self.text.count(TAKE) == 1 and TAKE in self.text.split(GIVE_BACK)[0], True)
        expect("FUNCTION" in self.text.split(GIVE_BACK)[1], True)


def pictures(text):
    """Those that are whole, as lines."""
    return [picture.split("\033[J")[0].replace("\033[K", "").replace("\r", "").split("\n")
            for picture in text.split(HOME)[1:] if "\033[J" in picture]


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
