# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hostile.py NOPHOOK RUNTIME PROGRAM: clients that mean harm, or break in the middle."""

import os
import random
import sys

from serving import CLOSE, HELLO, LIST, OPEN, READ, WRITE, Serving, ask


def expect(found, wanted):
    if found != wanted:
        sys.exit(f"found {found!r}, not {wanted!r}")


def garbage(serving):
    """Random packets, and requests whose every field is wrong."""
    random.seed(5)
    for number in range(300):
        client = serving.connect()
        try:
            if number % 2:
                expect(ask(client, HELLO, offset=1)[0], serving.pid)
            for _ in range(5):
                head = random.choice([b"", random.randbytes(24), bytes([random.randrange(10), 0, 0, 0]) + random.randbytes(20)])
                client.send(head + random.randbytes(random.choice([0, 1, 100, 40000])))
        except OSError:
            pass  # it has hung up
        client.close()


def main():
    serving = Serving(*sys.argv[1:])
    before = sorted(os.readlink(f"/proc/{serving.pid}/fd/{fd}") for fd in os.listdir(f"/proc/{serving.pid}/fd"))
    expect([path for path in before if path.startswith("socket")], [])  # the program sees none
    garbage(serving)

    client = serving.connect()
    expect(ask(client, OPEN, data=b"current_tracer")[0], -71)  # EPROTO: the client has not sent HELLO
    expect(ask(client, HELLO, offset=99)[0], -71)
    expect(ask(client, HELLO, offset=1)[0], serving.pid)
    expect(ask(client, OPEN, data=b"x" * 1000)[0], -36)  # ENAMETOOLONG
    expect(ask(client, READ, handle=12345678)[0], -9)  # EBADF
    expect(ask(client, 77)[0], -38)  # ENOSYS
    handles = [ask(client, OPEN, data=b"README")[0] for _ in range(65)]
    expect(handles, [*range(64), -24])  # EMFILE
    expect(ask(client, CLOSE, handle=0)[0], 0)
    expect(ask(client, READ, handle=1, offset=1 << 60), (0, b""))
    expect(ask(client, LIST, data=b"sys")[1], b"040700 kernel\n")

    # A client that hangs up in the middle of an edit has changed nothing.
    handle, _ = ask(client, OPEN, flags=os.O_WRONLY | os.O_TRUNC, data=b"set_ftrace_filter")
    expect(ask(client, WRITE, handle=handle, data=b"tick\n")[0], 5)
    client.close()
    expect(serving.get("set_ftrace_filter"), "#### all functions enabled ####\n")

    # A client that asks and never reads is disconnected; one that is only connected is replaced by others.
    silent = [serving.connect() for _ in range(16)]
    deaf = serving.connect()
    try:
        for _ in range(100000):
            deaf.send(bytes([LIST]) + bytes(23))
    except OSError:
        pass
    expect(serving.get("current_tracer"), "nop\n")
    for one in [*silent, deaf]:
        one.close()
    after = sorted(os.readlink(f"/proc/{serving.pid}/fd/{fd}") for fd in os.listdir(f"/proc/{serving.pid}/fd"))
    expect(after, before)
    expect(serving.end(), (0, "the answer\n"))


main()
