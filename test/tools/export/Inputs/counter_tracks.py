# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""counter_tracks.py TEXT JSON: the values of Perfetto's counter tracks, decoded by protoc, against the growth of each call in `report --json`.

By hand: a counter at the end of a call is what it was at its start, plus the call's growth."""

import collections
import json
import re
import sys


def main():
    names, values = {}, collections.defaultdict(list)
    for packet in open(sys.argv[1]).read().split("\npacket {"):
        if "counter {" in packet:
            names[re.search(r"\buuid: (\d+)", packet)[1]] = re.search(r'name: "(.*)"', packet)[1]
        if "TYPE_COUNTER" in packet:
            values[names[re.search(r"track_uuid: (\d+)", packet)[1]]].append(int(re.search(r"counter_value: (\d+)", packet)[1]))
    wanted, open_calls, now = collections.defaultdict(list), collections.defaultdict(list), collections.defaultdict(collections.Counter)
    for line in map(json.loads, open(sys.argv[2])):
        thread = line["pid"], line["tid"], line["comm"]
        if line["kind"] in ("entry", "call"):
            open_calls[thread].append(dict(now[thread]))
        if line["kind"] in ("exit", "call"):
            begun = open_calls[thread].pop()
            for name, growth in line.get("counters", {}).items():
                now[thread][name] = max(now[thread][name], begun.get(name, 0) + growth)
                wanted[name].append(now[thread][name])
    assert values == wanted, (values, wanted)
    faults = values["minor-faults"]
    assert max(faults) >= 150 and len(faults) >= 7, faults
    print(len(faults), "values")


main()
