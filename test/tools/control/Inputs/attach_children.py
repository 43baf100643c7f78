# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""attach_children.py NOPHOOK RUNTIME PROGRAM SCRATCH: recordings of a process and its children."""

import os
import re
import subprocess
import sys

from serving import PATIENCE, Serving

LIFE = 3  # a descriptor that children wait on


def expect(found, wanted):
    if found != wanted:
        sys.exit(f"found {found!r}, not {wanted!r}")


def expect_in(found, wanted):
    if wanted not in found:
        sys.exit(f"no {wanted!r} in {found!r}")


def main():
    nophook, runtime, program, scratch = sys.argv[1:]
    life, held = os.pipe()
    os.dup2(life, LIFE, inheritable=True)
    serving = Serving(nophook, runtime, program, pass_fds=[LIFE])
    folder = os.path.dirname(serving.socket_path())

    def make(what, count):
        return serving.tell(f"{what} {count}")

    def attach(name, *options):
        recorder = subprocess.Popen([nophook, "attach", str(serving.pid), "-l", "tick", "-o", f"{scratch}.{name}", *options],
                                    stderr=subprocess.PIPE, text=True)
        expect(recorder.stderr.readline().startswith(f"nophook: recording {serving.pid} ("), True)
        return recorder

    def end(recorder):
        said = recorder.stderr.read()  # communicate() would leave out what has come with the first line
        recorder.wait(timeout=PATIENCE)
        expect(recorder.returncode, 0)
        return said

    def ticks(name):
        done = serving.run("report", "--top", f"{scratch}.{name}")
        expect(done.stderr, "")
        return int(re.search(r"(\d+) +tick", done.stdout).group(1))

    def get(pid, path):
        serving.wait_for(pid)
        return serving.run("get", pid, path).stdout

    recorder = attach("each")
    expect([make("fork", 1), make("exec", 20)], ["done", "done"])
    make("orphan", 150)  # calls as often in its program
    make("stay", 4000)
    executed = int(make("exec-stay", 50000))
    expect(get(executed, "current_tracer"), "function_graph\n")
    recorder.terminate()
    expect_in(end(recorder), "108642 events of 1 function in 6 threads, 0 events lost")
    expect(ticks("each"), 54321)
    expect((get(executed, "current_tracer"), get(executed, "set_ftrace_filter")),
           ("nop\n", "#### all functions enabled ####\n"))
    expect(os.path.exists(f"{folder}/follow"), False)

    recorder = attach("killed")  # so it leaves its file
    recorder.kill()
    recorder.wait()
    namespace = os.stat("/proc/self/ns/pid").st_ino
    expect(os.listdir(f"{folder}/follow"), [f"{namespace}-{serving.pid}"])
    expect(get(int(make("exec-stay", 7)), "current_tracer"), "nop\n")
    recorder = attach("function", "-p", "function")
    outlives = int(make("stay", 600))
    expect(make("exec", 60), "done")
    serving.program.stdin.close()
    expect(serving.program.wait(PATIENCE), 0)
    expect_in(end(recorder), "because the process ended, 1 process is still running: recorded up to here")
    expect(ticks("function"), 660)
    os.kill(outlives, 0)  # and it lives on

    os.close(held)  # all end now


main()
