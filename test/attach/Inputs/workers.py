# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""workers.py BUILD PROGRAM KIND: a daemon with two workers of another user, "prepared" (NOPHOOK=serve) or "plain"."""

import atexit
import json
import mmap
import os
import shutil
import subprocess
import sys

from attaching import expect, expect_in, until
from other_users import place_for_all

WORKER_USER, WORKER_FOLDER = "nobody", "/dev/shm/nophook-65534"
END = 80  # bytes


def has_ended(pid):
    """Also as a zombie: the first process of a PID namespace may not wait for orphans."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
            return file.read().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def main():
    build, program, kind = sys.argv[1:]
    place = place_for_all(build)
    program, nophook, turns = shutil.copy(program, place), f"{place}/bin/nophook", f"{place}/turns"
    with open(turns, "wb") as file:
        file.write(bytes(4096))
    os.chmod(turns, 0o666)
    with open(turns, "r+b") as file:
        words = mmap.mmap(file.fileno(), 4096)
    environment = dict(os.environ, XDG_RUNTIME_DIR=f"{place}/run")
    os.mkdir(f"{place}/run", 0o700)
    if kind == "prepared":
        environment.update(NOPHOOK="serve", LD_PRELOAD=f"{place}/lib/libnophook.so")
    subprocess.run([program, turns], env=environment, check=True)

    def word(number):
        return int.from_bytes(words[8 * number:8 * number + 8], "little")

    atexit.register(words.__setitem__, END, 1)  # they end with this
    until(lambda: all(word(number) for number in (1, 2, 3)), "the workers")
    daemon, *workers = (word(number) for number in (1, 2, 3))

    def goes_on():
        before = [word(number) for number in (5, 6, 7)]
        until(lambda: all(word(number + 5) > before[number] + 1 for number in range(3)), "turns of all")

    def run(*arguments):
        done = subprocess.run([nophook, *map(str, arguments)], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{arguments}: {done.stderr}")
        goes_on()
        return done

    def listed():
        lines = map(json.loads, run("ps", "--all", "--json").stdout.splitlines())
        return {line["pid"]: (line["user"], line["state"], line["folder"]) for line in lines}

    first = "dormant" if kind == "prepared" else "no runtime"
    states = listed()
    expect([states[pid] for pid in (daemon, *workers)],
           [("root", first, "")] + [(WORKER_USER, first, "")] * 2)
    tree = [line for line in run("ps", "--tree").stdout.splitlines() if line.split()[0] in map(str, (daemon, *workers))]
    expect([int(line.split()[0]) for line in tree], [daemon, *sorted(workers)])
    expect([line.index(program) - tree[0].index(program) for line in tree], [0, 2, 2])

    data = f"{place}/data"
    recorder = subprocess.Popen([nophook, "attach", str(daemon), "--children", "--detach", "-o", data, "-l", "turn", "-p", "function"],
                                stderr=subprocess.PIPE, text=True)
    expect_in(" and 2 children;", recorder.stderr.readline())
    goes_on()
    recorder.terminate()
    expect_in(" in 3 threads,", recorder.communicate()[1])
    expect(recorder.returncode, 0)
    expect([listed()[pid][1] for pid in (daemon, *workers)], ["dormant"] * 3)

    def sleeps(pid):
        run("attach", pid, "--detach", "-o", data, "-p", "nop", "--duration", "1ms")
        expect(listed()[pid], (WORKER_USER, "dormant", ""))

    worker = workers[1]
    run("start", worker, "turn", "-p", "function")
    expect(listed()[worker], (WORKER_USER, "serves", WORKER_FOLDER))
    until(lambda: ": turn <-" in run("show", worker).stdout, "an event")
    run("reset", worker)
    sleeps(worker)
    expect_in("turn", run("top", worker, "--once", "-d", "50ms").stdout)
    sleeps(worker)
    run("trace-cmd", worker, "--", "start", "-p", "function")
    expect(run("get", worker, "current_tracer").stdout, "function\n")
    run("reset", worker)
    sleeps(worker)
    os.mkdir(f"{place}/tree")
    mount = subprocess.Popen([nophook, "mount", str(worker), f"{place}/tree", "--foreground"])
    until(lambda: os.path.exists(f"{place}/tree/current_tracer") or mount.poll() is not None, "the mount")
    with open(f"{place}/tree/current_tracer", encoding="ascii") as file:
        expect(file.read(), "nop\n")
    mount.terminate()
    mount.wait()
    goes_on()
    words[END] = 1
    until(lambda: has_ended(daemon), "the end")


main()
