# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the calls of all threads, each with its duration where it ends: nophook script replay.py [PATH]"""

import nophook

print("# DURATION        TID  FUNCTION")
for kind, event in nophook.walk():
    if kind not in ("entry", "exit"):
        continue
    indent = "  " * (event.depth or 0)
    if kind == "entry":
        arguments = ", ".join(f"{name}={value}" for name, value in event.arguments.items())
        print(f" {'':>12} {event.tid:>8} | {indent}{event.function}({arguments}) {{")
    else:
        duration = nophook.duration_text(event.duration_ns) if event.duration_ns is not None else ""
        result = f" = {event.result}" if event.result is not None else ""
        print(f" {duration:>12} {event.tid:>8} | {indent}}} /* {event.function}{result} */")
