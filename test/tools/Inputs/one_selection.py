# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the calls that a selection leaves in each verb that reads: their functions, their depths and their numbers.

    one_selection.py NOPHOOK RECORDING PROGRAM
"""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile

nophook, recording, program = sys.argv[1:]
COUNT = """
import json, nophook
for event in nophook.events():
    print(json.dumps(event.fields))
"""


def run(*words):
    return subprocess.run([nophook, *words], capture_output=True, text=True, check=True).stdout


def events(text):
    return [json.loads(line) for line in text.splitlines()]


def calls(events):
    """How often each function begins, at each depth."""
    return collections.Counter((event["function"], event["depth"]) for event in events if event["kind"] in ("entry", "call"))


def of_functions(counted):
    sums = collections.Counter()
    for (function, _), count in counted.items():
        sums[function] += count
    return sums


def tops(text):
    return collections.Counter({row["function"]: row["hits"] for row in events(text) if row["hits"]})


def graphs(text):
    sums = collections.Counter()
    for row in events(text):
        sums[row["function"]] += row["calls"]
    return sums


first, *_, last = [event["time_ns"] for event in events(run("report", "--json", recording))]
middle = f"{(first + last) / 2e9:.6f}"
pid = events(run("report", "--json", recording))[0]["pid"]
SELECTIONS = [
    [],
    ["--function", "work"],
    ["-F", "wrap"],
    ["--notrace", "wrap"],
    ["-N", "leaf"],
    ["--hide", "wrap"],
    ["-H", "work", "-H", "main"],
    ["--function", "work", "--hide", "work"],
    ["--only", "one_selection.cpp"],
    ["--only", os.path.basename(program)],
    ["--where", "work.n == 2"],
    ["--where", "wrap.n > 1", "--hide", "wrap"],
    ["--tid", f"1,{pid}"],
    ["--pid", str(pid)],
    ["--time", "+0,+10s"],
    ["--time", "+0"],
    ["--time", f",{middle}"],
    ["--depth", "2"],
    ["-D", "2", "--hide", "main"],
]
with tempfile.TemporaryDirectory() as folder:
    script = os.path.join(folder, "count.py")
    with open(script, "w", encoding="utf-8") as file:
        file.write(COUNT)
    for selection in SELECTIONS:
        reported = events(run("report", "--json", *selection, recording))
        wanted = calls(reported)
        assert wanted, selection
        assert events(run("export", "--format", "json", *selection, recording)) == reported, selection
        assert events(run("script", *selection, script, recording)) == reported, selection
        shown = run("report", "-O", "nofuncgraph-cpu", "-O", "nofuncgraph-duration", *selection, recording)
        assert len(re.findall(r"^ *\w+\(.*\)(?:;| \{)", shown, re.MULTILINE)) == sum(wanted.values()), selection
        sums = of_functions(wanted)
        assert tops(run("report", "--json", "--top=99", *selection, recording)) == sums, selection
        assert graphs(run("graph", "--json", *selection, recording)) == sums, selection
        compared = events(run("diff", "--json", *selection, recording, recording))
        assert {row["function"]: row["hits"]["after"] for row in compared} == sums, selection
        stack = events(run("stack", "--json", *selection, recording))[0]["calls"]
        assert max(depth for _, depth in wanted) + 1 == len(stack), (selection, stack)
        tracks = run("export", "--format", "chrome", *selection, recording)
        begun = collections.Counter(re.findall(r'"ph":"B","name":"(\w+)"', tracks))
        assert begun == collections.Counter(re.findall(r'"ph":"E","name":"(\w+)"', tracks)), selection
        assert selection[:1] == ["--time"] or begun == sums, selection
        if not {"--time", "--tid", "--pid"} & set(selection):  # which another run has not
            live = subprocess.run([nophook, "live", "--args", *selection, "--", program], capture_output=True, text=True, check=False).stdout
            assert len(re.findall(r"\w+\(.*\)(?:;| \{)", live)) == sum(wanted.values()), (selection, live)
print(len(SELECTIONS), "selections")
