#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the calls of each function of a program in three ways, which must agree: the entries in a recording of function_graph
that has lost nothing, the tracer `hits`, and valgrind.

    same_counts.py --scratch PREFIX -- PROGRAM ARGUMENT...

A comparison of our own tracers would not see a site that none of them has. So valgrind runs the same file without the runtime: it
knows functions by the symbol table, and their calls by the jumps that it emulates. The program's output must be the same, too,
since it must do the same each time. Addresses are not random, as far as the kernel decides them (`setarch -R`).
"""

import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

NOT_OURS = {"_start", "_init", "_fini", "(below main)"}  # functions of the C library's start-up files; the last is the one that calls main()
ADDRESS = re.compile(r"0x[0-9a-f]+$")  # valgrind's name for code without a symbol: the PLT


def run(command):
    done = subprocess.run(["setarch", "-R", *map(str, command)], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"same_counts.py: {command[0]}: status {done.returncode}: {done.stderr[-1000:]}")
    return done.stdout


def record(tracer, data, command):
    """The program's output, and the lines of the report."""
    printed = run(["nophook", "record", "-p", tracer, "-o", data, "--", *command])
    info = json.loads(run(["nophook", "info", "--json", data]))
    if info["lost"] or info["overwritten"] or info["damage"] or len(info["processes"]) != 1:
        sys.exit(f"same_counts.py: {tracer}: {len(info['processes'])} processes, {info['lost']} events lost, {info['overwritten']} overwritten, "
                 f"damage: {info['damage']}")
    return printed, map(json.loads, run(["nophook", "report", "--json", data]).splitlines())


def callgrind_calls(path, program):
    """Calls of the program's functions in a file of callgrind. Names are written once, and are numbers from there on."""
    calls, names = collections.Counter(), {"ob": {}, "fn": {}}

    def name(kind, text):
        number, _, new = re.match(r"(\(\d+\))( (.*))?", text).groups()
        return names[kind].setdefault(number, (new or "").strip())

    ob = callee_ob = None
    for line in path.read_text().splitlines():
        key, _, text = line.partition("=")
        if key == "ob":
            ob = name("ob", text)
        elif key == "cob":
            callee_ob = name("ob", text)
        elif key == "fn":
            name("fn", text)
        elif key == "cfn":
            callee = name("fn", text)
        elif key == "calls":
            if (callee_ob or ob) == program:
                calls[callee.split("'")[0]] += int(text.split()[0])
            callee_ob = None
    return calls


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--scratch", required=True)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    command = [str(pathlib.Path(options.command[0]).resolve()), *options.command[1:]]
    data, costs = options.scratch + ".data", pathlib.Path(options.scratch + ".callgrind")
    printed = {}
    printed["function_graph"], lines = record("function_graph", data, command)
    graph = collections.Counter(line["function"] for line in lines if line["kind"] in ("entry", "call", "entry_only"))
    printed["hits"], lines = record("hits", data, command)
    hits = collections.Counter({line["function"]: line["hits"] for line in lines})
    printed["valgrind"] = run(["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={costs}", *command])
    emulated = callgrind_calls(costs, command[0])
    emulated = collections.Counter({name: count for name, count in emulated.items() if name not in NOT_OURS and not ADDRESS.match(name)})
    if len(set(printed.values())) != 1:
        sys.exit("same_counts.py: the runs do not print the same")
    different = [name for name in sorted(graph | hits | emulated) if not graph[name] == hits[name] == emulated[name]]
    for name in different:
        print(f"{name}: function_graph {graph[name]}, hits {hits[name]}, valgrind {emulated[name]}")
    if different:
        sys.exit(f"same_counts.py: {len(different)} of {len(graph)} functions have different counts")
    print(f"{graph.total()} calls of {len(graph)} functions: function_graph, hits and valgrind agree")


main()
