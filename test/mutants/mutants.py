#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Breaks the runtime on purpose, and shows that ftrace-torture sees it.

A torture that passes proves little unless it fails where it should. So each fault of faults.py is
put into a copy of one file, that file is compiled as the build compiles it and linked into a torture
of its own, and each run of that must fail within 30 s: by a wrong count, a crash or a hang.

Usage: mutants.py [--runs N] [--build DIR] [NAME...]   from the tree's root, after a build
"""

import argparse
import contextlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from faults import BUFFERS, FAULTS, TRAP, Fault

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT_S = 30
SOUND_LIMIT_S = 300  # a loaded machine; a fault then has ten times as long as the test took without
SHOW = ROOT / "test" / "support" / "show.py"


def source_of(fault):
    """The source to break, and its text."""
    source = ROOT / "runtime" / fault.file
    text = source.read_text(encoding="utf-8")
    if text.count(fault.old) != 1:
        raise ValueError(f"{fault.name}: runtime/{fault.file} does not hold the text to break once")
    return source, text


def compile_mutant(build, folder, fault):
    """The object file of the broken source."""
    source, text = source_of(fault)
    broken = folder / source.name
    broken.write_text(text.replace(fault.old, fault.new), encoding="utf-8")
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    entry = next(entry for entry in commands if pathlib.Path(entry["file"]) == source)
    words = shlex.split(entry["command"])
    output = words.index("-o") + 1
    target = folder / pathlib.Path(words[output]).name
    words[output] = str(target)
    words = [str(broken) if word == str(source) else word for word in words]
    subprocess.run([*words, "-Wno-error", "-w"], cwd=entry["directory"], check=True)
    return target


def put_in_archive(build, folder, target):
    archive = folder / "libnophook.a"
    shutil.copy(build / "lib" / "libnophook.a", archive)
    subprocess.run(["ar", "r", archive, target], check=True, stderr=subprocess.DEVNULL)
    return archive


def link_mutant(build, folder, target):
    """The torture with that object in the place of the archive's."""
    archive = put_in_archive(build, folder, target)
    listed = subprocess.run(["ninja", "-C", build, "-t", "commands", "ftrace-torture"], capture_output=True,
                            text=True, check=True).stdout.splitlines()
    command = next(line for line in reversed(listed) if "-o bin/ftrace-torture" in line)
    program = folder / "bin" / "ftrace-torture"
    program.parent.mkdir(exist_ok=True)
    if not (folder / "lib").exists():
        (folder / "lib").symlink_to(build / "lib")
    command = command.replace("-o bin/ftrace-torture", f"-o {shlex.quote(str(program))}")
    command = re.sub(r"\S*libnophook\.a", lambda _: shlex.quote(str(archive)), command)
    subprocess.run(command, cwd=build, shell=True, check=True)
    return program


def link_shared(build, folder, target):
    """The runtime's shared library with that object in the place of its own; None: as it is built."""
    library = folder / "libnophook.so"
    listed = subprocess.run(["ninja", "-C", build, "-t", "commands", "lib/libnophook.so"], capture_output=True,
                            text=True, check=True).stdout.splitlines()
    command = next(line for line in reversed(listed) if " -shared " in line and "libnophook.so" in line)
    command = re.sub(r"-o lib/libnophook\.so\S*", lambda _: f"-o {shlex.quote(str(library))}", command)
    if target:
        command = re.sub(rf"\S*/{re.escape(target.name)}(?=\s)", lambda _: shlex.quote(str(target)), command)
    subprocess.run(command, cwd=build, shell=True, check=True)
    soname = re.search(r"-soname,(libnophook\.so\.\d+)", command)[1]
    (folder / soname).unlink(missing_ok=True)
    (folder / soname).symlink_to(library.name)
    return library


def runtime_of(build, folder, target, fault):
    """The words that link the fault's tests. A program that the runtime is linked into has no calls into libraries
    traced."""
    if fault.shared:
        return [link_shared(build, folder, target), f"-Wl,-rpath,{folder}"]
    return [put_in_archive(build, folder, target) if target else build / "lib" / "libnophook.a"]


def link_tests(build, folder, runtime, tests):
    """Programs of test/runtime with that runtime, and their arguments."""
    commands = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    traced = next(entry["command"] for entry in commands if entry["file"].endswith("test/torture/functions.cpp"))
    clang = next(word for word in shlex.split(traced) if re.search(r"clang\+\+[-\d]*$", word))
    made = []
    for test in tests:
        name, *arguments = test.split()
        source = ROOT / f"test/runtime/{name}.c"
        language = ["-x", "c", "-std=gnu17"]
        if not source.exists():
            source, language = source.with_suffix(".cpp"), ["-std=c++20", f"-I{ROOT}/runtime"]
        program = folder / source.stem
        subprocess.run([
            clang, *language, "-DSITES_WITH_TRAPS=1", "-O1", "-g", "-pthread", "-D_GNU_SOURCE",
            f"-fplugin={build}/lib/NophookPass.so",
            f"-I{ROOT}/include", f"-I{ROOT}/test/support", f"-I{ROOT}/test/runtime/tracefs", source, "-x", "none",
            build / "lib/nophook_module.o", *runtime, "-fuse-ld=lld", f"-Wl,-T,{build}/share/nophook/ftrace.lds",
            "-Wl,-u,nophook_register_module", "-Wl,-z,now", "-o", program], check=True)
        made.append([program, *arguments])
    return made


def run_tests(programs, fault, limit_s=LIMIT_S):
    """Why one of them failed; None if all have survived. A program that takes longer than `limit_s` waits for something for ever."""
    for command in programs:
        with environment(fault) as (env, folder):
            status, output = finish(command, env, limit_s)
            shown = subprocess.run([SHOW, "--python", fault.recorded, folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, check=False) if status == 0 and fault.recorded else None
        if status is None:
            return "it waits for ever"
        if status:
            return output.splitlines()[0] if output else f"ends with {status}"
        if shown and shown.returncode:
            return shown.stdout.splitlines()[-1]
    return None


def finish(command, env, limit_s):
    """The exit status, which is None if it was ended for its time, and the output."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=env, start_new_session=True)
    try:
        output, _ = process.communicate(timeout=limit_s)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        return None, ""
    finally:
        try:
            os.killpg(process.pid, 9)  # its children, too: the group is its own
        except ProcessLookupError:
            pass
        process.wait()


@contextlib.contextmanager
def environment(fault):
    """The environment that a fault needs, and the folder for buffers in it."""
    with tempfile.TemporaryDirectory() as folder:
        yield {**os.environ, **{key: value.format(folder=folder) for key, value in fault.env.items()}}, folder


def run(program, fault, seed):
    """Why it failed; None if it has survived."""
    with environment(fault) as (env, _):
        return run_in(program, fault, seed, env)


def run_in(program, fault, seed, env):
    status, output = finish([program, "--first", "--seconds", str(fault.seconds), "--seed", str(seed)], env, LIMIT_S)
    if status is None:
        return "it hangs"
    if status == 2:
        sys.exit(f"the torture cannot run: {output}")
    if status == 0:
        return None
    told = [line.split(": ", 2)[-1] for line in output.splitlines() if "seed" in line and "calls," not in line]
    return told[0] if told else f"ends with {status}"


def main():
    parser = argparse.ArgumentParser(prog="./do mutants", description="Breaks the runtime; each fault must be seen.")
    parser.add_argument("--runs", type=int, default=1, help="of each mutant (1); all must fail")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="where the tree is built (build)")
    parser.add_argument("--check", action="store_true", help="only whether the faults' texts are still there")
    parser.add_argument("name", nargs="*", help="only faults whose name or file contains one of these")
    arguments = parser.parse_args()
    if arguments.check:
        for fault in FAULTS:
            source_of(fault)
        return
    build = arguments.build.resolve()
    faults = [fault for fault in FAULTS if not arguments.name or any(name in fault.name or name in fault.file for name in arguments.name)]
    for env in ({}, TRAP, BUFFERS):  # else the rest would mean nothing
        if reason := run(build / "bin" / "ftrace-torture", Fault("", "", "", "", env, 3), 1):
            sys.exit(f"the torture fails without a fault: {reason}")
    sound = build / "mutants" / "none"
    sound.mkdir(parents=True, exist_ok=True)
    alone = {fault.tests: fault for fault in faults if fault.tests}
    limits = {}
    for fault in alone.values():
        programs, begun = link_tests(build, sound, runtime_of(build, sound, None, fault), fault.tests), time.monotonic()
        if reason := run_tests(programs, fault, SOUND_LIMIT_S):
            sys.exit(f"{' '.join(fault.tests)} fails without a fault: {reason}")
        limits[fault.tests] = max(LIMIT_S, 10 * (time.monotonic() - begun))
    survived = []
    for number, fault in enumerate(faults):
        folder = build / "mutants" / str(FAULTS.index(fault))
        folder.mkdir(parents=True, exist_ok=True)
        try:
            target = compile_mutant(build, folder, fault)
            if fault.tests:
                program = link_tests(build, folder, runtime_of(build, folder, target, fault), fault.tests)
            else:
                program = link_mutant(build, folder, target)
        except (OSError, ValueError, StopIteration, subprocess.CalledProcessError) as error:
            print(f"cannot be built: {error}", flush=True)
            survived.append(fault.name)
            continue
        reasons = [run_tests(program, fault, limits[fault.tests]) if fault.tests else run(program, fault, 1000 * number + i)
                   for i in range(arguments.runs)]
        failed = [reason for reason in reasons if reason]
        print(f"{fault.name}: {len(failed)} of {arguments.runs}" + (f" ({failed[0]})" if failed else ""), flush=True)
        if len(failed) < arguments.runs:
            survived.append(fault.name)
    print(f"{len(faults) - len(survived)} faults seen, {len(survived)} not" +
          (f": {', '.join(survived)}" if survived else ""))
    return 1 if survived or not faults else 0


if __name__ == "__main__":
    sys.exit(main())
