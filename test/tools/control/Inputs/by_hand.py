# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""by_hand.py NOPHOOK RUNTIME PROGRAM: it is traced by hand."""

import os
import re
import subprocess
import sys

from serving import PATIENCE, Serving

# Files with counts, files with data other than settings, and files that wait for events.
NO_SETTINGS = {"trace", "trace_pipe", "free_buffer", "trace_marker", "trace_marker_raw", "touched_functions",
               "saved_cmdlines", "saved_tgids", "stack_trace", "trace_stat/function0", "recursed_functions",
               "kprobe_profile", "log"}


def expect(found, wanted):
    if found != wanted:
        sys.exit(f"found {found!r}, not {wanted!r}")


def main():
    nophook, runtime, program = sys.argv[1:]
    none = f"no process serves (start one with NOPHOOK=serve LD_PRELOAD={os.path.abspath(runtime)})\n"
    expect(subprocess.run([nophook, "stop"], capture_output=True, text=True).stderr, f"nophook: PID: {none}")
    ps = subprocess.run([nophook, "ps"], capture_output=True, text=True)
    expect(ps.returncode, 0)
    if not ps.stdout:  # processes of other tests serve elsewhere
        expect(ps.stderr.startswith(f"nophook: {none}"), True)  # other users' may stand behind it
    serving = Serving(nophook, runtime, program)

    def call(count):
        expect(serving.tell(count), "done")

    def run(*words):
        done = serving.run(*words)
        expect((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def shown(*options):
        return re.findall(r": (\w+ <-\w+)$", run("show", *options), re.M)

    def settings(folder=""):
        texts = {}
        for name in run("get", serving.pid, folder.rstrip("/")).split():
            path = folder + name
            if name.endswith("/"):
                if path != "per_cpu/":
                    texts |= settings(path)
            elif path not in NO_SETTINGS:
                done = serving.run("get", serving.pid, path)
                texts[path] = done.stdout if done.returncode == 0 else None
        return texts

    before = settings()
    run("start", "-p", "function", "-l", "t*k", "-n", "tock")
    call(3)
    expect(shown(), ["tick <-tock"] * 3)
    run("stop")
    name = os.path.basename(program)[:15]  # the program's, though the thread that serves has made the buffer
    expect(run("stat", serving.pid).splitlines()[0].split(":")[0], f"{serving.pid} {name}")
    call(2)
    expect(shown(), ["tick <-tock"] * 3)
    run("start", serving.pid, "--function", "tock")
    call(2)
    expect(re.findall(r"\w+\(\)", run("show")), ["tock()", "tick()"] * 2)
    wrong = serving.run("start", "no_such_function")
    expect((wrong.returncode, "matches no function" in wrong.stderr or "Invalid" in wrong.stderr), (1, True))
    run("start", "-p", "profile", serving.pid)
    call(5)
    expect(re.findall(r"^  (t[io]ck) +(\d+)", run("show"), re.M), [("tock", "5"), ("tick", "5")])
    run("start", "-p", "function")
    call(1)
    pipe = subprocess.Popen([nophook, "show", "-p"], stdout=subprocess.PIPE, text=True)
    expect([pipe.stdout.readline().split(": ")[1] for _ in range(2)], ["tock <-main\n", "tick <-tock\n"])
    pipe.terminate()
    pipe.wait(PATIENCE)
    expect(shown(), [])

    for path, text in (("set_ftrace_filter", "tick:traceoff:3"), ("set_ftrace_filter", "tock:stacktrace"),
                       ("set_graph_notrace", "tick"), ("set_ftrace_pid", "1"), ("max_graph_depth", "3"),
                       ("tracing_thresh", "7"), ("tracing_cpumask", "1"), ("options/graph-time", "0"),
                       ("options/func_stack_trace", "1"), ("dynamic_events", "f:my/event tick"),
                       ("events/my/event/filter", "common_pid > 1"), ("events/my/event/trigger", "traceoff:2"),
                       ("events/my/event/enable", "1"), ("snapshot", "1"), ("set_usdt_filter", "tick")):
        expect((path, serving.set(path, "-a", text)), (path, None))
    serving.set("set_ftrace_filter", "nonsense")
    run("reset")
    expect(shown(), [])
    after = settings()
    expect({path: text for path, text in after.items() if text != before.get(path)}, {})
    expect(sorted(after), sorted(before))

    other = Serving(nophook, runtime, program)
    expect("2 processes serve: name one" in serving.run("reset").stderr, True)
    expect(other.end(), (0, "the answer\n"))
    expect(serving.end(), (0, "the answer\n"))


main()
