# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""drive.py NOPHOOK RUNTIME PROGRAM: by `nophook ps`, `get` and `set`, as a person would."""

import os
import sys

from serving import Serving


def expect(found, wanted):
    if found != wanted:
        sys.exit(f"found {found!r}, not {wanted!r}")


def main():
    serving = Serving(*sys.argv[1:])
    expect(os.stat(serving.socket_path()).st_mode & 0o777, 0o600)
    expect(serving.get("current_tracer"), "nop\n")
    expect("current_tracer\n" in serving.get(""), True)
    expect("ftrace_enabled\n" in serving.get("sys/kernel"), True)
    expect(serving.set("set_ftrace_filter", "tick"), None)
    expect(serving.set("current_tracer", "function"), None)
    expect(serving.get("current_tracer"), "function\n")
    expect(serving.get("enabled_functions").split()[0], "tick")
    expect(serving.set("-a", "set_ftrace_filter", "tock"), None)
    expect(serving.get("set_ftrace_filter"), "tick\ntock\n")
    expect(serving.set("set_ftrace_filter", "nonsense"), "nophook: set_ftrace_filter: a pattern matches no function\n")
    expect(serving.set("current_tracer", "nop"), None)
    expect(serving.set("dynamic_events", "p nothing"), "nophook: dynamic_events: Invalid probed address or symbol\n")
    expect(serving.set("no_such_file", "1"), "nophook: no_such_file: No such file or directory\n")
    expect(serving.get("enabled_functions"), "")
    status, output = serving.end()
    expect((status, output), (0, "the answer\n"))
    expect(os.path.exists(serving.socket_path()), False)
    expect(serving.set("current_tracer", "nop"), f"nophook: process {serving.pid}: there is no such process\n")


main()
