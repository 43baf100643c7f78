# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""attach.py NOPHOOK RUNTIME PROGRAM SCRATCH: recordings of a process that runs already."""

import re
import subprocess
import sys

from serving import PATIENCE, Serving


def expect(found, wanted):
    if found != wanted:
        sys.exit(f"found {found!r}, not {wanted!r}")


def expect_in(text, *wanted):
    for part in wanted:
        if part not in text:
            sys.exit(f"{part!r} is not in {text!r}")


def main():
    nophook, runtime, program, scratch = sys.argv[1:]
    serving = Serving(nophook, runtime, program)

    def call(count):
        expect(serving.tell(count), "done")

    def attach(name, *options):
        recorder = subprocess.Popen([nophook, "attach", str(serving.pid), "-o", f"{scratch}.{name}", *options],
                                    stderr=subprocess.PIPE, text=True)
        expect_in(recorder.stderr.readline(), f"nophook: recording {serving.pid} (")
        return recorder

    def end(recorder, status=0):
        said = recorder.stderr.read()  # communicate() would leave out what has come with the first line
        recorder.wait(timeout=PATIENCE)
        expect(recorder.returncode, status)
        return said

    def report(name, *options):
        done = serving.run("report", f"{scratch}.{name}", *options)
        expect(done.stderr, "")
        return done.stdout

    def state():
        files = ("current_tracer", "set_ftrace_filter", "set_ftrace_notrace", "max_graph_depth", "enabled_functions")
        return [serving.get(file) for file in files]

    call(5)  # nobody sees these
    serving.set("set_ftrace_notrace", "main")
    before = state()
    recorder = attach("graph", "-l", "t*k")
    call(1000)
    meanwhile = state()
    second = serving.run("attach", serving.pid, "-o", f"{scratch}.second", "-l", "nothing_of_this", "-p", "function")
    expect_in(second.stderr, "another recorder reads")  # which is found out before a setting is changed
    expect(state(), meanwhile)
    call(1)
    recorder.terminate()
    expect_in(end(recorder), "has ended on SIGTERM", "4004 events of 2 functions in 1 thread, 0 events lost")
    expect(len(re.findall(r"tock\(\) \{", report("graph"))), 1001)
    expect(state(), before)

    call(7)  # nor these
    recorder = attach("function", "-p", "function", "-S", "set_ftrace_filter=tick", "-z")
    call(300000)
    recorder.terminate()
    expect_in(end(recorder), "300000 events of 1 function in 1 thread, 0 events lost")
    expect(len(re.findall("tick <-tock", report("function"))), 300000)
    expect(state(), before)

    recorder = attach("depth", "-S", "max_graph_depth=1", "--duration", "1ms")
    expect_in(end(recorder), "after 0.001 s (--duration)")
    expect(state(), before)
    wrong = serving.run("attach", serving.pid, "-o", f"{scratch}.wrong", "-l", "tick", "-S", "max_graph_depth=many")
    expect(wrong.returncode, 2)
    expect_in(wrong.stderr, "max_graph_depth")
    wrong = serving.run("attach", serving.pid, "-o", f"{scratch}.wrong", "-l", "tick", "-S", "tracing_none=1")
    expect(wrong.returncode, 1)  # the process has no such file
    expect(state(), before)

    recorder = attach("last", "-l", "tock")  # and the process ends while it records
    call(10)
    expect(serving.end(), (0, "the answer\n"))
    expect_in(end(recorder), "has ended because the process ended")
    expect(len(re.findall(r"tock\(\);", report("last"))), 10)
    gone = serving.run("attach", serving.pid, "-o", f"{scratch}.gone")
    expect(gone.returncode, 1)


main()
