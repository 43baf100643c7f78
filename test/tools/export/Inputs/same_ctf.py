# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same_ctf.py NOPHOOK DATA FOLDER: libbabeltrace2 reads from FOLDER, thread by thread, each event that `nophook report --json` prints of DATA.

The same events in the same order, with times, CPUs, names, depths, durations and values; and as many discarded events as are missing.
Prints how many of which kind there were."""

import collections
import json
import re
import subprocess
import sys

import bt2


def value(text):
    return int(text) if re.fullmatch(r"-?\d+", text) and -2**63 <= int(text) < 2**63 else text


def ours(nophook, data):
    """The events of each thread, and how many are missing."""
    threads, missing = collections.defaultdict(list), 0
    words = [nophook, "report", "--json", "--names", "short", data]
    for line in subprocess.run(words, check=True, capture_output=True, text=True).stdout.splitlines():
        line = json.loads(line)
        kind, time, cpu = line.pop("kind"), line.pop("time_ns"), line.pop("cpu", -1)
        add = threads[line.pop("pid"), line.pop("tid"), line.pop("comm")].append
        call = {key: line[key] for key in ("function", "depth") if key in line}
        ends = {key: line[key] for key in ("duration_ns", "end") if key in line}
        if "counters" in line:
            ends["counters"] = {name.replace("-", "_"): growth for name, growth in line["counters"].items()}
        if "result" in line:
            ends["result"] = value(line["result"]["value"])
        if kind in ("call", "entry", "entry_only", "function"):
            begin = dict(call, parent=line["parent"]) if kind == "function" else dict(call)
            if line.get("arguments"):
                begin["arguments"] = [value(argument["value"]) for argument in line["arguments"]]
            add(("entry" if kind == "call" else kind, time, cpu, begin))
        if kind in ("call", "exit"):
            add(("exit", time + line["duration_ns"] if kind == "call" else time, cpu, call | ends))
        elif kind == "lost":
            missing += line["lost"]
            add(("lost", time, cpu, {"count": line["lost"]}))
        elif kind == "stack":
            add(("stack", time, cpu, {"stack": " <- ".join(line["stack"])}))
        elif kind == "event":
            event = {"function": line["function"]}
            if line["arguments"]:
                event["arguments"] = [value(text) for text in line["arguments"].values()]
            add((f"{line['group']}:{line['event']}", time, cpu, event))
        elif kind in ("mark", "repeats"):
            add((kind, time, cpu, line))
    return threads, missing


def plain(field):
    if isinstance(field, (bt2._StructureFieldConst, dict)):
        return {name: plain(member) for name, member in field.items()}
    return str(field) if isinstance(field, bt2._StringFieldConst) else int(field)


def theirs(folder):
    threads, missing = collections.defaultdict(list), 0
    for message in bt2.TraceCollectionMessageIterator(folder):
        if type(message) is bt2._DiscardedEventsMessageConst:
            missing += message.count
        if type(message) is not bt2._EventMessageConst:
            continue
        event = message.event
        thread = plain(event.common_context_field)
        payload = plain(event.payload_field)
        if "arguments" in payload:
            payload["arguments"] = list(payload["arguments"].values())
        threads[thread["pid"], thread["tid"], thread["comm"]].append(
            (event.name, message.default_clock_snapshot.value, thread["cpu_id"], payload))
    return threads, missing


def main():
    (a, missing), (b, discarded) = ours(*sys.argv[1:3]), theirs(sys.argv[3])
    if sorted(a) != sorted(b):
        sys.exit(f"threads {sorted(a)}, not {sorted(b)}")
    if missing != discarded:
        sys.exit(f"{missing} events are missing, not {discarded}")
    kinds = collections.Counter()
    for thread, events in a.items():
        for mine, other in zip(events, b[thread]):
            # The end of a call without calls inside it is two rounded numbers here.
            if mine[0] == "exit" and abs(mine[1] - other[1]) <= 1:
                mine = (mine[0], other[1], *mine[2:])
            if mine != other:
                sys.exit(f"{thread}: {mine}, not {other}")
            kinds[mine[0]] += 1
        if len(events) != len(b[thread]):
            sys.exit(f"{thread}: {len(events)} events, not {len(b[thread])}")
    print(f"{len(a)} threads", *(f"{number} {kind}" for kind, number in sorted(kinds.items())), f"{discarded} discarded", sep=", ")


main()
