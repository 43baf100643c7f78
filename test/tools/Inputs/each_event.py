#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`nophook script`: the module's events are the lines of `report --json`, with numbers and the rest of their attributes."""

import json
import os
import subprocess
import sys

import nophook


def demand(condition, *what):
    if not condition:
        sys.exit(" ".join(map(str, what)))


def main():
    demand(sys.argv[1:] == ["--odd", "two words"], "arguments", sys.argv)
    path = nophook.recording_path()
    text = subprocess.run([os.environ["NOPHOOK_COMMAND"], "report", "--json", path], check=True, capture_output=True, text=True).stdout
    events = list(nophook.events())
    demand([event.fields for event in events] == [json.loads(line) for line in text.splitlines()], "events", events)
    demand(all(event.parent is None and event.time_ns > 0 for event in events), "attributes", events)
    try:
        demand(events[0].no_such_attribute, "no_such_attribute")
    except AttributeError:
        pass
    leaves = [event for event in nophook.events(options=["--function", "leaf"]) if event.begins and event.ends]
    demand([nophook.number(leaf.arguments["n"]) for leaf in leaves] == [0, 1, 0, 1, 2], "leaves", leaves)
    demand([nophook.number(leaf.result) for leaf in leaves] == [0, 1, 0, 1, 2], "results", leaves)
    kinds = [kind for kind, event in nophook.walk() if event.function == "leaf"]
    demand(kinds == ["entry", "exit"] * 5, "walk", kinds)
    numbers = [nophook.number(text) for text in ("-5", "0x7f", "2.5", "7?", '"7"', "{a=1}", None)]
    demand(numbers == [-5, 127, 2.5, 7, None, None, None], "numbers", numbers)
    first = next(nophook.events())  # a program may stop early
    demand(first.function == "main", first)
    try:
        list(nophook.events(path + ".none"))
    except nophook.Error as error:
        demand("No such file" in str(error), error)
    else:
        sys.exit("no error")


main()
