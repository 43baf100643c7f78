# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""mounted.py NOPHOOK RUNTIME PROGRAM SCRIPT [ARGS]: a shell script within the mounted tree of PROGRAM ARGS.

The script's folder is the tree; it says `call N` for N calls, and `end` for the program's end.
Nothing may be left of the mount when the program has ended."""

import os
import subprocess
import sys
import tempfile
import time

PATIENCE = 600  # seconds: a test fails by this only if nothing happens at all
PRELUDE = """
call() { echo $1 >&8 && read answer <&9; }
end() { echo end >&8 && read answer <&9; }
fail() { echo "$@" >&2; exit 1; }
same() { test "$1" = "$2" || fail "found '$1', not '$2'"; }
calls() { sed -n 's/^.*[0-9]\\.[0-9]\\{6\\}: //p' "$@"; } # without time and CPU
set -e
cd "$TREE"
"""


def wait_until(happens):
    end = time.monotonic() + PATIENCE
    while not happens():
        if time.monotonic() > end:
            sys.exit("nothing happens")
        time.sleep(0.01)


def main():
    nophook, runtime, program, script, *arguments = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        tree = os.path.join(folder, "tree")
        os.mkdir(tree)
        ends = []
        for name, number in (("calls", 8), ("answers", 9)):
            os.mkfifo(os.path.join(folder, name))
            os.dup2(os.open(os.path.join(folder, name), os.O_RDWR), number)
            os.set_inheritable(number, True)
            ends.append(number)
        env = dict(os.environ, NOPHOOK="serve", LD_PRELOAD=runtime)
        traced = subprocess.Popen([program, *arguments], env=env, stdin=ends[0], stdout=ends[1])
        mount = [nophook, "mount", str(traced.pid), tree]
        wait_until(lambda: subprocess.run(mount, stderr=subprocess.DEVNULL, check=False).returncode == 0)
        with open(script) as file:
            text = PRELUDE + file.read()
        env = dict(os.environ, TREE=tree, NOPHOOK_COMMAND=nophook, PID=str(traced.pid))
        done = subprocess.run(["sh", "-c", text], env=env, pass_fds=ends, timeout=2 * PATIENCE, check=False)
        if traced.poll() is None:
            os.write(8, b"end\n")
        if traced.wait(PATIENCE) != 0:
            sys.exit("the program's answer has changed")
        wait_until(lambda: not os.path.ismount(tree))
        if os.listdir(tree):
            sys.exit("something is left")
        sys.exit(done.returncode)


main()
