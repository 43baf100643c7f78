# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""flood.py NOPHOOK RUNTIME PROGRAM: clients that send much and never read."""

import random
import sys

from serving import HELLO, Serving, ask

MESSAGES, MOST_OF_ONE = 100000, 4000


def expect(found, wanted):
    if found != wanted:
        sys.exit(f"found {found!r}, not {wanted!r}")


def main():
    serving = Serving(*sys.argv[1:])
    random.seed(6)
    serving.set("set_ftrace_filter", "tock")
    serving.set("current_tracer", "function")
    left, rounds = MESSAGES, 0
    while left > 0:
        client = serving.connect()
        expect(ask(client, HELLO, offset=1)[0], serving.pid)
        serving.program.stdin.write("1000\n")
        serving.program.stdin.flush()
        rounds += 1
        try:
            for _ in range(MOST_OF_ONE):
                left -= 1
                client.send(bytes([random.randrange(9, 255), 0, 0, 0]) + random.randbytes(20))
        except OSError:
            pass  # its answers have no room any more
        client.close()
        expect(serving.program.stdout.readline(), "done\n")
    expect(serving.get("trace").count("tock <-main"), 1000 * rounds)
    expect(serving.end(), (0, "the answer\n"))


main()
