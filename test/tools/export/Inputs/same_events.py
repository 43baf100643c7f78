# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same_events.py NOPHOOK DATA TRACE_DAT: `trace-cmd report` of the one shows what `nophook report` shows of the other.

Thread by thread: the same events in the same order, with the same names, times (ns), CPUs and durations.
Prints how many of which kind there were."""

import collections
import json
import re
import subprocess
import sys

LINE = re.compile(r"\s*(.+)-(\d+)\s+\[(\d+)\]\s+(\d+)\.(\d{9}): (\w+):\s+(.*)")
GRAPH = re.compile(r"(?:[-+!#*@$] )?\s*(?:([\d.]+) us)?\s*\|  (\s*)(\S.*)")


def ours(nophook, data):
    """The events of each thread: (kind, what it says, its time)."""
    threads = collections.defaultdict(list)
    text = subprocess.run([nophook, "report", "--json", data], check=True, capture_output=True, text=True).stdout
    for line in map(json.loads, text.splitlines()):
        kind, time = line["kind"], line["time_ns"]
        add = threads[line["comm"], line["tid"]].append
        name = line.get("function", "").replace(" ", "_")
        place = (line["cpu"], time)
        if kind in ("entry", "call", "entry_only"):
            add(("entry", name, line["depth"], *place))
        if kind in ("exit", "call"):
            duration = line.get("duration_ns", 0)
            add(("exit", line["depth"], duration if duration < 10**9 else duration // 1000 * 1000))  # there it shows no more
        elif kind == "function":
            add(("function", name, line["parent"].replace(" ", "_"), *place))
        elif kind == "mark":
            add(("mark", f"{name or 'tracing_mark_write'}: {line['text']}", *place))
        elif kind == "stack":
            add(("stack", *(caller.replace(" ", "_") for caller in line["stack"])))
        elif kind == "event":
            add(("mark", f"tracing_mark_write: {line['event']}", *place))
    return threads


def theirs(path):
    threads = collections.defaultdict(list)
    words = ["trace-cmd", "report", "-t", "-O", "ftrace:parent", "-O", "ftrace:indent=0", "-i", path]
    text = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    last = None
    for line in text.splitlines():
        if line.startswith("=> "):
            last[-1] += (line.split()[1],)
        found = LINE.fullmatch(line)
        if not found:
            continue
        comm, tid, cpu, seconds, ns, event, says = found.groups()
        last = threads[comm, int(tid)]
        place = (int(cpu), int(seconds) * 10**9 + int(ns))
        if event == "function":
            name, parent = says.split(" <-- ")
            last.append(("function", name.strip(), parent, *place))
        elif event == "print":
            last.append(("mark", re.sub(r"(: \w+: )\(.*", r"\1", says).removesuffix(": "), *place))
        elif event == "kernel_stack":
            last.append(("stack",))
        else:
            duration, blanks, call = GRAPH.fullmatch(says).groups()
            depth, duration = len(blanks) // 2, round(float(duration or 0) * 1000)
            if event == "funcgraph_entry":
                last.append(("entry", re.sub(r"\(\)( \{|;)$", "", call), depth, *place))
            if event == "funcgraph_exit" or call.endswith(";"):
                last.append(("exit", depth, duration))
    return threads


def main():
    nophook, data, path = sys.argv[1:]
    a, b = ours(nophook, data), theirs(path)
    if sorted(a) != sorted(b):
        sys.exit(f"threads {sorted(a)}, not {sorted(b)}")
    kinds = collections.Counter()
    for thread, events in a.items():
        for mine, other in zip(events, b[thread]):
            if mine != other:
                sys.exit(f"{thread}: {mine}, not {other}")
            kinds[mine[0]] += 1
        if len(events) != len(b[thread]):
            sys.exit(f"{thread}: {len(events)} events, not {len(b[thread])}")
    print(f"{len(a)} threads", *(f"{number} {kind}" for kind, number in sorted(kinds.items())), sep=", ")


main()
