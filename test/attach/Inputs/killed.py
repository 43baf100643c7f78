# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""killed.py NOPHOOK PROGRAM FOLDER ARGUMENTS...: kills attach in front of its first call of ptrace, its second, and so
on, until one is not killed. Then the same while the runtime is woken. PROGRAM may be several words."""

import os
import signal
import subprocess
import sys

from attaching import PATIENCE, Target, expect, until


def killed_at(target, step):
    """Whether attach was killed there, and did not reach its end before."""
    command = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=ptrace", "-e", f"inject=ptrace:signal=KILL:when={step}",
               target.nophook, "attach", str(target.pid), "--detach", "-o", target.scratch, "-p", "function", "--duration", "1ms"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    target.goes_on()
    if done.returncode == 0:
        return False
    if done.returncode not in (-signal.SIGKILL, 128 + signal.SIGKILL):
        # Not at a good place in this attempt: it goes on with another.
        sys.exit(f"attach: {done.returncode}: {done.stderr}")
    return True


def sleep_again(target):
    """A killed attach may have woken the runtime: its thread may be on its way."""
    until(lambda: target.run("attach", target.pid, "--detach", "-o", target.scratch, "-p", "function", "--duration",
                             "1ms").returncode == 0, "an attach that is not killed")
    expect(target.is_dormant(), True)


def main():
    nophook, program, folder, *arguments = sys.argv[1:]
    program = program.split()
    # Each time a process without the runtime. Most calls in the middle are those of the loader's system calls.
    every = 1 if os.environ.get("NOPHOOK_LONG") else 11

    def next_step(step):
        return step + 1 if step < 16 else step + every

    step, is_killed = 1, True
    while is_killed:
        target = Target(nophook, program, folder, *arguments)
        is_killed = killed_at(target, step)
        sleep_again(target)
        expect(target.end(), 0)
        step = next_step(step)
    if step < 20:
        sys.exit(f"attach has made {step} calls of ptrace")
    # A process whose runtime lies dormant.
    target = Target(nophook, program, folder, *arguments)
    sleep_again(target)
    step = 1
    while killed_at(target, step):
        sleep_again(target)
        step = next_step(step)
    expect(target.end(), 0)


main()
