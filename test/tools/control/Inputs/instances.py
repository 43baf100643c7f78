# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""instances.py NOPHOOK RUNTIME PROGRAM: instances by the socket's doors."""

import re
import sys

from serving import HELLO, MKDIR, OPEN, RMDIR, Serving, ask

EPERM, ENOENT, EBUSY, EEXIST, ENAMETOOLONG = -1, -2, -16, -17, -36


def expect(found, wanted):
    if found != wanted:
        sys.exit(f"found {found!r}, not {wanted!r}")


def main():
    serving = Serving(*sys.argv[1:])

    def greeted():
        client = serving.connect()
        expect(ask(client, HELLO, offset=1)[0], serving.pid)
        return client

    expect(serving.set("instances/foo", "--mkdir"), None)
    expect("File exists" in serving.set("instances/foo", "--mkdir"), True)
    expect("not permitted" in serving.set("options/foo", "--mkdir"), True)
    expect(serving.get("instances"), "foo/\n")
    expect(serving.set("instances/foo/set_ftrace_filter", "tick"), None)
    expect(serving.set("instances/foo/current_tracer", "function"), None)
    expect(serving.tell(3), "done")
    shown = serving.get("instances/foo/trace")
    expect(re.findall(r": (\w+ <-\w+)$", shown, re.M), ["tick <-tock"] * 3)
    expect("tick" in serving.get("trace"), False)
    expect(serving.set("instances/foo/trace"), None)
    expect("tick" in serving.get("instances/foo/trace"), False)

    client = greeted()
    expect(ask(client, MKDIR, data=b"instances/foo")[0], EEXIST)
    expect(ask(client, MKDIR, data=b"x" * 1000)[0], ENAMETOOLONG)
    expect(ask(client, MKDIR, data=b"instances/foo/bar")[0], EPERM)
    expect(ask(client, RMDIR, data=b"instances/bar")[0], ENOENT)
    expect(ask(client, RMDIR, data=b"")[0], EPERM)
    expect(ask(client, OPEN, data=b"instances/foo/tracing_on")[0], 0)
    other = greeted()
    expect(ask(other, RMDIR, data=b"instances/foo")[0], EBUSY)
    expect("busy" in serving.set("instances/foo", "--rmdir"), True)
    expect(ask(other, OPEN, data=b"instances/foo/tracing_on")[0], 0)
    client.close()
    other.close()
    # The server sees the ends of connections before what comes later.
    client = greeted()
    expect(ask(client, RMDIR, data=b"instances/foo")[0], 0)
    expect(serving.get("instances"), "")
    expect(serving.end(), (0, "the answer\n"))


main()
