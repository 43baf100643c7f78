# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cost of a call into a library, beside a function of the program; and the records of imports."""

import re
import subprocess

import programs
from common import Line, differences, run_with_buffer, scratch

GROUP = "calls into libraries (nanoseconds a call)"
SIZE = "records of imports"


def measure(setting):
    samples = run_with_buffer([setting.program("bench_library_calls"), str(setting.rounds(61, 31))])
    idle = Line(GROUP, "a call through a stub, untraced", "ns", samples["library/idle"])
    idle.against("through the slot as it was", samples["library/direct"])
    traced = Line(GROUP, "function_graph entry + exit of a library's function", "ns",
                  differences(samples["library/graph"], samples["library/direct"]))
    traced.against("a function of the program", differences(samples["own/graph"], samples["own/direct"]))
    traced.within("<= 1.2 x", traced.ratio, 1.2)
    untouched = Line(GROUP, "a call before calls are asked for", "ns", samples["library/direct"])
    untouched.note = "the slot is the linker's: there is nothing of ours in the way"
    return [untouched, idle, traced, *sizes(setting)]


def sizes(setting):
    """Bytes of __ftrace_proto and __ftrace_str that records of imports take, by objects with one callee and with many."""
    with scratch() as folder:
        def bytes_of(count):
            source = folder / "callees.c"
            declared = "".join(f"int callee_{i:03}(int);\n" for i in range(count))
            called = "".join(f"  n += callee_{i:03}(n);\n" for i in range(count))
            source.write_text(f"{declared}int caller(int n) {{\n{called}  return n;\n}}\n", encoding="utf-8")
            subprocess.run([programs.CLANG, "-O2", programs.instrument(setting), "-c", source, "-o", folder / "callees.o"],
                           check=True)
            listed = subprocess.run(["readelf", "-SW", folder / "callees.o"], capture_output=True, text=True, check=True).stdout
            return [sum(int(size, 16) for size in re.findall(rf"{section}\s+PROGBITS\s+\S+ \S+ (\S+)", listed))
                    for section in ("__ftrace_proto", "__ftrace_str")]

        one, many = bytes_of(1), bytes_of(101)
    records, texts = ((after - before) / 100 for before, after in zip(one, many))
    line = Line(SIZE, "a callee that the object does not define", "bytes", [records])
    line.note = f"and its name, {texts:.0f} bytes here, which the linker merges"
    return [line.within("<= 20 bytes", line.median, 20)]
