# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""attach_again.py NOPHOOK RUNTIME PROGRAM DATA: the settings before a recording, and what it leaves behind."""

import os
import subprocess
import sys
import time

from serving import CLOSE, HELLO, OPEN, PATIENCE, READ, Serving, ask

nophook, runtime, program, data = sys.argv[1:]
serving = Serving(nophook, runtime, program)


def expect(found, wanted):
    if wanted not in found:
        sys.exit(f"{wanted!r} is not in {found!r}")


def attach(*options):
    recorder = subprocess.Popen([nophook, "attach", str(serving.pid), "-o", data, *options], stderr=subprocess.PIPE, text=True)
    said = ""
    while "Ctrl-C" not in said:
        line = recorder.stderr.readline()
        said += line or sys.exit(f"attach has ended: {said}")
    return recorder, said


def record(*options):
    """The messages about a recording of ten calls."""
    recorder, said = attach(*options)
    expect(serving.tell(10), "done")
    recorder.terminate()
    said += recorder.stderr.read()
    recorder.wait(timeout=PATIENCE)
    return said


expect(serving.tell(7), "done")
top = subprocess.Popen([nophook, "top", "--once", "-d", "1s", str(serving.pid)], stdout=subprocess.PIPE, text=True)
while serving.get("current_tracer") != "profile\n" and top.poll() is None:
    time.sleep(0.01)
expect(serving.tell(1000), "done")
top.communicate()
expect(record(), "40 events of 2 functions in 1 thread, 0 events lost")
expect(record("-p", "profile"), "20 calls counted")
expect(record("-p", "hits"), "20 calls counted")
expect(record("-p", "hits", "-S", "trace_clock=boot"), "20 calls counted")
expect(record("-p", "profile"), "20 calls counted")

serving.set("tracing_on", "0")
said = record()
expect(said, "tracing was paused (tracing_on was 0); it is on during the recording")
expect(said, "40 events of 2 functions")
expect(serving.get("tracing_on"), "0\n")
serving.set("tracing_on", "1")

recorder, _ = attach("-l", "tick")
recorder.kill()
recorder.wait(timeout=PATIENCE)
end = time.monotonic() + PATIENCE
while serving.get("current_tracer") != "nop\n" or "all functions" not in serving.get("set_ftrace_filter"):
    if time.monotonic() > end:
        sys.exit("a recorder that was killed leaves its settings behind")
    time.sleep(0.02)
expect(record(), "40 events of 2 functions")

# An interrupt at the moment at which the first setting is made: the recording ends as any other.
client = serving.connect()
ask(client, HELLO, offset=1)
recorder = subprocess.Popen([nophook, "attach", str(serving.pid), "-o", data, "-l", "tick"], stderr=subprocess.PIPE, text=True)
handle, _ = ask(client, OPEN, flags=os.O_RDONLY, data=b"set_ftrace_filter")
while b"all functions" in ask(client, READ, handle, 0, 4096)[1] and recorder.poll() is None:
    ask(client, CLOSE, handle)
    handle, _ = ask(client, OPEN, flags=os.O_RDONLY, data=b"set_ftrace_filter")
recorder.terminate()
expect(recorder.stderr.read(), "has ended on SIGTERM")
expect(str(recorder.wait(timeout=PATIENCE)), "0")
serving.end()
