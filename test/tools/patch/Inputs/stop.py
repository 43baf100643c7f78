# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""stop.py NOPHOOK RUNTIME FOLDER SCENARIO: threads of FOLDER/program spin, and FOLDER/fix.so patches it with
--stop-threads, or without."""

import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import time

sys.path.append(str(pathlib.Path(__file__).parents[2] / "control/Inputs"))
from serving import Serving  # noqa: E402


PTRACE_SEIZE = 0x4206


def expect(found, wanted):
    if found != wanted:
        sys.exit(f"found {found!r}, not {wanted!r}")


def expect_in(part, text):
    if part not in text:
        sys.exit(f"found {text!r}, without {part!r}")


class Program(Serving):
    def __init__(self, nophook, runtime, folder):
        super().__init__(nophook, runtime, str(folder / "program"))
        self.fix = folder / "fix.so"

    def patch(self, status, *words):
        done = self.run("patch", *words)
        if done.returncode != status:
            sys.exit(f"patch {words}: {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def apply(self, status, *words):
        return self.patch(status, "apply", self.pid, self.fix, "--wait", *words)

    def revert(self):
        self.patch(0, "revert", self.pid, "fix", "--wait", "--stop-threads")

    def turns(self):
        """Waits until the thread that spins has run."""
        before = int(self.tell("turns"))
        while int(self.tell("turns")) == before:
            time.sleep(0.001)

    def pending(self):
        state = json.loads(self.patch(0, "status", self.pid, "--json", "--stop-threads").splitlines()[0])
        return {thread["tid"]: thread.get("look") for thread in state["pending"]}


def outside(program):
    """Changes over with the option, and is waited for without it."""
    program.tell("outside")
    still = program.apply(3, "--timeout", "300ms")
    expect_in("still enabling", still)
    expect_in("--stop-threads, which also sees threads that run and end no call", still)
    expect(program.patch(0, "revert", program.pid, "fix", "--wait"), "fix: disabled\n")
    expect(program.apply(0, "--stop-threads"), "fix: enabled\n")
    program.turns()
    program.revert()
    expect(program.patch(0, "apply", program.pid, program.fix).split()[:2], ["fix:", "enabling"])
    while program.pending():
        pass
    program.tell("leave")
    expect(program.tell("version"), "2")


def on_its_stack(place, function):
    def run(program):
        tid = int(program.tell(place))
        still = program.apply(3, "--stop-threads", "--timeout", "300ms")
        expect_in("still enabling", still)
        expect_in(f"{tid:>8}  {place:<15}  running; {function} is on its stack (spin, ", still)
        look, = program.pending().values()
        expect(look.startswith(f"{function} is on its stack (spin, "), True)
        expect_in(f", {function}, run, ", look)
        program.turns()
        expect(program.tell("leave"), "1")
        while json.loads(program.patch(0, "status", program.pid, "--json").splitlines()[0])["transition"]:
            time.sleep(0.01)
        expect(program.tell("version"), "2")
    return run


def refused(place, reason):
    def run(program):
        tid = int(program.tell(place))
        expect_in(reason, program.apply(3, "--stop-threads", "--timeout", "300ms"))
        found, = program.pending().items()
        expect_in(reason, found[1])
        expect(tid in (0, found[0]), True)
        program.turns()
    return run


def asleep(program):
    """Inside. It is not woken, and the function is named."""
    tid = int(program.tell("asleep"))
    still = program.apply(3, "--stop-threads", "--timeout", "300ms")
    expect_in("not stopped, since it sleeps; naps is on its stack\n", still)
    expect(program.pending(), {tid: "not stopped, since it sleeps; naps is on its stack"})


def handler(program):
    """On a stack of its own, which interrupts nothing that is left."""
    program.tell("handler")
    program.apply(0, "--stop-threads")
    program.turns()


def traced(program):
    """The tracer's frames are on the stack. They show which function they have called."""
    expect(program.set("current_tracer", "function_graph"), None)
    program.tell("walks")
    program.apply(0, "--stop-threads")
    program.revert()
    program.tell("leave")
    tid = int(program.tell("inside"))
    program.apply(3, "--stop-threads", "--timeout", "300ms")
    look, = program.pending().values()
    expect_in("busy is on its stack (spin, ", look)


def foreign(program):
    """Another process traces the thread."""
    tid = int(program.tell("outside"))
    words = f"import ctypes, sys\nassert ctypes.CDLL(None).ptrace({PTRACE_SEIZE}, {tid}, None, None) == 0\nprint(flush=True)\nsys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", words], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as tracer:
        tracer.stdout.readline()
        expect_in(f"not stopped, since process {tracer.pid} traces it", program.apply(3, "--stop-threads", "--timeout", "300ms"))
        program.turns()
        tracer.stdin.close()
    expect(tracer.returncode, 0)
    expect(program.patch(0, "revert", program.pid, "fix", "--wait", "--stop-threads"), "fix: disabled\n")


def powerless(program):
    """The command may not trace the process, but it may patch it."""
    program.nophook = pathlib.Path(program.fix).with_name("powerless")
    program.tell("outside")
    expect_in("CAP_SYS_PTRACE", program.apply(3, "--stop-threads", "--timeout", "300ms"))
    program.turns()


def unload(program):
    """Each thread must be seen outside of all of the library."""
    program.apply(0)
    tid = int(program.tell("stays"))
    program.revert()
    still = program.patch(3, "unload", program.pid, "fix", "--stop-threads", "--timeout", "300ms")
    expect_in(f"{tid:>8}  stays            running; lingers is on its stack (lingers, ", still)
    expect(program.tell("leave"), "2")
    program.tell("outside")
    program.patch(3, "unload", program.pid, "fix", "--timeout", "300ms")
    expect(program.patch(0, "unload", program.pid, "fix", "--stop-threads"), "fix: unloaded\n")
    program.turns()


def sleeps(program):
    """A thread that waits for events, again and again, while another one keeps transitions going."""
    program.tell("inside")
    program.tell("events")
    for _ in range(10):
        program.apply(3, "--stop-threads", "--timeout", "50ms")
        program.revert()
    expect(program.tell("interrupted"), "0")


def killed(program):
    """The command ends at any time."""
    tid = int(program.tell("inside"))
    for _ in range(int(os.environ.get("KILLS", "40"))):
        command = [program.nophook, "patch", "apply", str(program.pid), str(program.fix), "--wait", "--stop-threads"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as apply:
            time.sleep(random.uniform(0, 0.06))
            apply.send_signal(signal.SIGKILL)
        program.turns()
        program.run("patch", "revert", program.pid, "fix", "--wait")
    expect_in("\nTracerPid:\t0\n", pathlib.Path(f"/proc/{tid}/status").read_text(encoding="utf-8"))


SCENARIOS = {
    "outside": outside,
    "inside": on_its_stack("inside", "busy"),
    "asleep": asleep,
    "below": on_its_stack("below", "calls"),
    "bits32": refused("bits32", "not judged, since it runs 32-bit code"),
    "blind": refused("blind", "not judged, since spin_blindly has no unwind table"),
    "fiber": refused("fiber", "not judged, since "),
    "foreign": foreign,
    "handler": handler,
    "killed": killed,
    "powerless": powerless,
    "sleeps": sleeps,
    "traced": traced,
    "unload": unload,
}


def main():
    nophook, runtime, folder, *names = sys.argv[1:]
    for name in names:
        program = Program(nophook, runtime, pathlib.Path(folder))
        SCENARIOS[name](program)
        program.tell("leave")
        expect(program.end()[0], 0)


main()
