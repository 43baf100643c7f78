# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""other_folder.py NOPHOOK RUNTIME PROGRAM FOLDER: processes that serve elsewhere than the command looks first."""

import json
import os
import subprocess
import sys

nophook, runtime, program, folder = sys.argv[1:]


def run(*words, **options):
    return subprocess.run([nophook, *map(str, words)], capture_output=True, text=True, check=False, **options)


def expect(found, wanted):
    if found != wanted:
        sys.exit(f"found {found!r}, not {wanted!r}")


def serving(settings, **variables):
    env = dict(os.environ, NOPHOOK=settings, LD_PRELOAD=runtime, **variables)
    process = subprocess.Popen([program], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    process.stdin.write("1\n")
    process.stdin.flush()
    expect(process.stdout.readline(), "done\n")  # it has begun to serve before main
    return process


def listed(*words):
    return [json.loads(line)["pid"] for line in run("ps", "--json", *words).stdout.splitlines()]


def wait_until_listed(process):
    while process.pid not in listed():
        expect(process.poll(), None)


by_setting = serving(f"serve buffer_dir={folder}/dir")
by_variable = serving("serve", XDG_RUNTIME_DIR=folder + "/other")
for process in (by_setting, by_variable):
    wait_until_listed(process)
    expect(run("get", process.pid, "current_tracer").stdout, "nop\n")
    expect(run("start", process.pid, "tick").stderr, "")
    process.stdin.write("3\n")
    process.stdin.flush()
    expect(process.stdout.readline(), "done\n")
    expect(run("show", process.pid).stdout.count("tick();"), 3)
    expect(run("reset", process.pid).returncode, 0)

# Nothing leads there but --dir where the environment has no such words.
hidden = serving("serve", XDG_RUNTIME_DIR=folder + "/other")
wait_until_listed(hidden)
os.rename(f"{folder}/other", f"{folder}/moved")
done = run("get", hidden.pid, "current_tracer")
expect((done.returncode, "name it by --dir" in done.stderr), (1, True))
expect(run("get", hidden.pid, "current_tracer", "--dir", f"{folder}/moved/nophook").stdout, "nop\n")
expect(hidden.pid in listed("--dir", f"{folder}/moved/nophook"), True)
os.rename(f"{folder}/moved", f"{folder}/other")

for process in (by_setting, by_variable, hidden):
    process.stdin.close()
    expect(process.wait(), 0)
