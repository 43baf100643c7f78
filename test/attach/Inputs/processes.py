# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""processes.py NOPHOOK RUNTIME PROGRAM FOLDER: a process and its child, before and after they are attached to."""

import json
import os
import subprocess
import sys

from attaching import Target, expect, expect_in, until


def turns(target):
    """Of the parent, of the child."""
    return [int.from_bytes(target.words[at:at + 8], "little") for at in (24, 32)]


def main():
    nophook, runtime, program, folder = sys.argv[1:]
    serving = Target(nophook, program, folder, env=dict(os.environ, NOPHOOK="serve", LD_PRELOAD=runtime))
    until(lambda: serving.words[8:16] != bytes(8) and serving.words[16:24] != bytes(8), "the child")
    child = int.from_bytes(serving.words[16:24], "little")
    plain_folder = os.path.join(folder, "plain")
    os.mkdir(plain_folder)
    plain = Target(nophook, program, plain_folder)

    def listed():
        lines = [json.loads(line) for line in serving.run("ps", "--all", "--json").stdout.splitlines()]
        return {line["pid"]: (line["state"], line["folder"]) for line in lines}

    until(lambda: listed().get(serving.pid, ("",))[0] == "serves", "the socket")
    sockets = os.path.join(os.environ["XDG_RUNTIME_DIR"], "nophook")
    states = listed()
    expect(states[serving.pid], ("serves", sockets))
    expect(states[child], ("dormant", ""))
    expect(states[plain.pid], ("no runtime", ""))
    tree = serving.run("ps", "--tree").stdout.splitlines()
    lines = [line for line in tree if line.split()[0] in (str(serving.pid), str(child))]
    expect([line.split()[0] for line in lines], [str(serving.pid), str(child)])
    expect(lines[1].index(program) - lines[0].index(program), 2)

    done = serving.run("attach", child, "-o", serving.scratch, "-p", "function", "--duration", "1ms")
    expect((done.returncode, f"recording {child} (" in done.stderr), (0, True))
    expect(listed()[child], ("serves", sockets))
    expect(serving.run("get", child, "current_tracer").stdout, "nop\n")
    expect_in("--detach", serving.run("attach", "--help").stdout)
    done = serving.run("attach", child, "-o", serving.scratch, "-p", "function", "--duration", "1ms", "--detach")
    expect(done.returncode, 0)
    expect(listed()[child], ("dormant", ""))

    # The process without the runtime, and its child, which gets one of its own.
    until(lambda: plain.words[16:24] != bytes(8), "the other child")
    worker = int.from_bytes(plain.words[16:24], "little")
    recorder = subprocess.Popen([nophook, "attach", str(plain.pid), "--children", "--detach", "-o", plain.scratch, "-l", "turn",
                                 "-p", "function"], stderr=subprocess.PIPE, text=True)
    expect_in(" and 1 child;", recorder.stderr.readline())
    before = turns(plain)
    until(lambda: all(now > then + 1 for now, then in zip(turns(plain), before)), "turns of both")
    recorder.terminate()
    said = recorder.stderr.read()
    expect((recorder.wait(), "in 2 threads" in said, said), (0, True, said))
    expect((listed()[plain.pid][0], listed()[worker][0]), ("dormant", "dormant"))
    expect((serving.end(), plain.end()), (0, 0))


main()
