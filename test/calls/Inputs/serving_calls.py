# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""serving_calls.py NOPHOOK RUNTIME PROGRAM RECORDING: its calls into libraries, by each command that traces a process."""

import json
import pathlib
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "tools/control/Inputs"))
from serving import PATIENCE, Serving  # noqa: E402


def demand(condition, *what):
    if not condition:
        sys.exit(" ".join(map(str, what)))


def attach(serving, recording):
    command = [serving.nophook, "attach", "--calls", "-l", "lib:srand", "-o", recording, str(serving.pid)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as attached:
        demand("Ctrl-C ends it" in (said := attached.stderr.readline()), said)
        serving.tell(20)
        attached.send_signal(signal.SIGINT)
        demand(attached.wait(timeout=PATIENCE) == 0, attached.stderr.read())
    report = serving.run("report", "--by", "function", "--json", recording)
    rows = [json.loads(line) for line in report.stdout.splitlines()]
    demand([(row["function"], row["hits"]) for row in rows] == [("srand [libc.so.6]", 20)], "attach:", report)
    demand(serving.get("calls") == "0\n", "attach leaves calls as they were")


def start(serving):
    wrong = serving.run("start", "--calls", serving.pid, "no_such_function")
    demand(wrong.returncode and serving.get("calls") == "0\n", "a wrong filter leaves calls as they were:", wrong)
    demand(serving.get("tracing_on") == "1\n", "and tracing goes on:", wrong)
    done = serving.run("start", "--calls", serving.pid, "lib:puts")
    demand(done.returncode == 0, done.stderr)
    serving.tell(2)
    serving.run("stop", serving.pid)
    shown = serving.run("show", serving.pid).stdout
    demand(shown.count("puts [libc.so.6]();") == 1 and "srand" not in shown, shown)
    demand(serving.run("reset", serving.pid).returncode == 0 and serving.get("calls") == "0\n", "reset")


def top(serving):
    goes_on = True

    def call():
        while goes_on:
            serving.tell(100)

    caller = threading.Thread(target=call)
    caller.start()
    end = time.monotonic() + PATIENCE
    found = []
    while found != [("srand [libc.so.6]", True)] and time.monotonic() < end:
        done = serving.run("top", "--calls", "--json", "-l", "lib:srand", serving.pid)
        demand(done.returncode == 0, done.stderr)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        found = [(row["function"], row["calls"] > 0) for row in rows]
    goes_on = False
    caller.join()
    demand(found == [("srand [libc.so.6]", True)], "top:", found)
    demand(serving.get("calls") == "0\n", "top leaves calls as they were")


def main():
    nophook, runtime, program, recording = sys.argv[1:]
    serving = Serving(nophook, runtime, program)
    attach(serving, recording)
    start(serving)
    top(serving)
    serving.end()


main()
