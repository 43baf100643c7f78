# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what a format says of each function with `nophook report --top`: calls, own and total time.

  same_costs.py FORMAT EXPORTED TOP_JSON [LOST]
  same_costs.py opened|opened_stacks READ TOP_JSON LOST|- SHOWN     what speedscope has read and shows, by speedscope.mjs

Each call is rounded to nanoseconds by itself in some formats, so own times may differ by one
nanosecond for each call of the function or in it. LOST: a file with the number of events that must be said to be missing.
"""

import collections
import json
import re
import sys
import xml.etree.ElementTree

from decoded import decode, one


class Costs:
    """Calls and own time of functions, from begins and ends in the order of each track."""

    def __init__(self):
        self.hits, self.own, self.open, self.lost = (
            collections.Counter(), collections.Counter(), collections.defaultdict(list), 0)
        self.total = collections.Counter()  # for a recursive function: its outermost calls

    def begin(self, track, name, time):
        self.hits[name] += 1
        self.open[track].append([name, time, 0])

    def end(self, track, time):
        name, start, inside = self.open[track].pop()
        assert time >= start, f"{name} ends before it begins"
        self.own[name] += time - start - inside
        if not any(name == around for around, _, _ in self.open[track]):
            self.total[name] += time - start
        if self.open[track]:
            self.open[track][-1][2] += time - start

    def stack(self, names, value):
        """The time of a stack, innermost function last."""
        self.own[names[-1]] += value
        for name in set(names):
            self.total[name] += value

    def instant(self, name, category):
        if lost := re.fullmatch(r"(\d+) events lost", name):
            assert category == "lost"
            self.lost += int(lost[1])
        elif category == "call":
            self.hits[name] += 1

    def finish(self):
        assert not any(self.open.values()), "a call has no end"


def chrome(path, costs):
    events = json.load(open(path))["traceEvents"]
    named = {e["tid"] for e in events if e["name"] == "thread_name"}
    for e in events:
        track = e["pid"], e["tid"]
        if e["ph"] == "B":
            assert e["tid"] in named
            costs.begin(track, e["name"], round(e["ts"] * 1000))
        elif e["ph"] == "E":
            assert costs.open[track][-1][0] == e["name"]
            costs.end(track, round(e["ts"] * 1000))
        elif e["ph"] == "i":
            costs.instant(e["name"], e["cat"])
        else:
            assert e["ph"] == "M", e


def speedscope(path, costs):
    file = json.load(open(path))
    names = [frame["name"] for frame in file["shared"]["frames"]]
    for number, profile in enumerate(file["profiles"]):
        last = profile["startValue"]
        for event in profile["events"]:
            assert last <= event["at"] <= profile["endValue"], "not in the order of time"
            last = event["at"]
            name = names[event["frame"]]
            if name.startswith("["):  # has no duration
                begun = event["at"] if event["type"] == "O" else begun
                assert begun == event["at"]
                if event["type"] == "O":
                    costs.instant(name[1:-1], "lost" if name.endswith(" events lost]") else "")
            elif event["type"] == "O":
                costs.begin(number, name, event["at"])
            else:
                assert costs.open[number][-1][0] == names[event["frame"]]
                costs.end(number, event["at"])


NANOSECONDS = {"nanoseconds": 1, "microseconds": 1000, "none": 1}
SHOWN_UNITS = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}


def opened(path, costs):
    """The export by speedscope of a file that it has opened: each call of a file with a time axis, else each stack."""
    file = json.load(open(path))
    names = [frame["name"].split(' {"')[0] for frame in file["shared"]["frames"]]  # a call's arguments follow a name
    for number, profile in enumerate(file["profiles"]):
        scale = NANOSECONDS[profile["unit"]]
        for event in profile["events"]:
            name, time = names[event["frame"]], round(event["at"] * scale)
            if name.startswith("["):
                if event["type"] == "O":
                    costs.instant(name[1:-1], "lost" if name.endswith(" events lost]") else "")
            elif event["type"] == "O":
                costs.begin(number, name, time)
            else:
                costs.end(number, time)


def opened_stacks(path, costs):
    """A file without a time axis has each stack once, below the name of its command."""
    opened(path, costs)
    costs.hits = None


def flame_graph(path, costs):
    """The SVG of flame_graph.mjs: a frame is as wide as its time, and its own time is where nothing lies on it."""
    frames = []  # by the rows of the picture: x, y, width, value, name
    for group in xml.etree.ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}g"):
        x, y = map(float, re.fullmatch(r"translate\(([\d.e-]+),(\d+)\)", group.get("transform")).groups())
        title = group.find("{http://www.w3.org/2000/svg}title").text
        name, value = re.fullmatch(r"(.*) \([\d.]+%, (\d+) samples\)", title).groups()
        assert name == group.get("name")
        frames.append((x, y, float(group.get("width")), int(value), name))
    bottom = max(frames, key=lambda frame: frame[1])
    for x, y, width, value, name in frames:
        assert abs(width - bottom[2] * value / bottom[3]) < 1e-6 * bottom[2], (name, width, value)
        on_it = [other for other in frames if other[1] == y - 18 and x - 1e-6 <= other[0] and other[0] + other[2] <= x + width + 1e-6]
        costs.own[name] += value - sum(other[3] for other in on_it)
    assert bottom[4] == "all" and bottom[3] == sum(costs.own.values()), bottom
    costs.hits = None


def check_shown(path, own, slack):
    """Each row of speedscope's table, in the digits that it shows."""
    shown = collections.Counter()
    for table in json.load(open(path)):
        for _, value, name in table["rows"]:
            number, unit = re.match(r"([\d.,]+)(\D*) \(", value).groups()
            if not name.startswith("["):
                shown[name.split(' {"')[0]] += float(number.replace(",", "")) * SHOWN_UNITS.get(unit, 1)
    assert {name for name in shown if shown[name]} <= set(own) <= set(shown), set(shown) ^ set(own)
    for name in own:
        assert abs(shown[name] - own[name]) <= 0.01 * own[name] + slack, (name, shown[name], own[name])


def firefox(path, costs):
    """Also checks the structure: docs-developer/CHANGELOG-formats.md and src/types/profile.js of firefox-devtools/profiler."""
    profile = json.load(open(path))
    assert profile["meta"]["preprocessedProfileVersion"] == 48 and profile["libs"] == profile["pages"] == []
    for key in ("interval", "startTime", "processType", "product", "stackwalk", "version", "extensions"):
        assert key in profile["meta"], key
    categories = profile["meta"]["categories"]
    assert any(category["color"] == "grey" for category in categories)
    schemas = {schema["name"] for schema in profile["meta"]["markerSchema"]}
    columns = {
        "samples": "stack time weight", "markers": "data name startTime endTime phase category",
        "stackTable": "frame prefix category subcategory", "resourceTable": "lib name host type",
        "frameTable": "address inlineDepth category subcategory func nativeSymbol innerWindowID implementation line column",
        "funcTable": "isJS relevantForJS name resource fileName lineNumber columnNumber",
        "nativeSymbols": "libIndex address name functionSize",
    }
    for thread in profile["threads"]:
        for table, names in columns.items():
            for name in names.split():
                assert len(thread[table][name]) == thread[table]["length"], (table, name)
        for key in ("processType", "processStartupTime", "processShutdownTime", "registerTime", "unregisterTime", "tid"):
            assert key in thread, key
        assert isinstance(thread["pid"], str) and thread["name"] and thread["pausedRanges"] == []
        samples, stacks, frames, functions = (
            thread[table] for table in ("samples", "stackTable", "frameTable", "funcTable"))
        strings = thread["stringArray"]
        assert samples["weightType"] == "tracing-ms" and len(set(strings)) == len(strings)
        for i, prefix in enumerate(stacks["prefix"]):
            assert prefix is None or prefix < i, "a stack that is around others comes first"
        end = 0
        for stack, time, weight in zip(samples["stack"], samples["time"], samples["weight"]):
            assert time >= end - 1e-6 and weight > 0, "samples overlap"
            end = time + weight
            names = []
            while stack is not None:
                names.append(strings[functions["name"][frames["func"][stacks["frame"][stack]]]])
                stack = stacks["prefix"][stack]
            if names:
                costs.stack(names[::-1], round(weight * 1e6))
        markers = thread["markers"]
        for name, data, phase, ends in zip(markers["name"], markers["data"], markers["phase"], markers["endTime"]):
            assert data["type"] in schemas and (phase == 1) == (ends is not None)
            costs.instant(strings[name], "lost" if strings[name].endswith(" events lost") else "")
    costs.hits = None


def perfetto(path, costs):
    names, tracks, counters, flows, ended = {}, set(), {}, [], []
    for _, packet in decode("perfetto.proto", "Trace", path):
        for _, name in one(packet, "interned_data", []):
            names[one(name, "iid")] = one(name, "name")
        if described := one(packet, "track_descriptor"):
            parent = one(described, "parent_uuid")
            assert parent is None or parent in tracks, "a track without its parent"
            tracks.add(one(described, "uuid"))
            if one(described, "counter") is not None:
                assert parent, "a counter of no thread"
                counters[one(described, "uuid")] = (one(described, "name"), [])
        if not (event := one(packet, "track_event")):
            continue
        track, time = one(event, "track_uuid"), int(one(packet, "timestamp"))
        assert track in tracks, "an event on no track"
        assert (track in counters) == (one(event, "type") == "TYPE_COUNTER")
        flows += [(value, time) for field, value in event if field == "flow_ids"]
        ended += [(value, time) for field, value in event if field == "terminating_flow_ids"]
        match one(event, "type"):
            case "TYPE_SLICE_BEGIN":
                costs.begin(track, names[one(event, "name_iid")], time)
            case "TYPE_SLICE_END":
                costs.end(track, time)
            case "TYPE_INSTANT":
                costs.instant(one(event, "name"), one(event, "categories"))
            case "TYPE_COUNTER":
                counters[track][1].append((time, int(one(event, "counter_value"))))
    for name, values in counters.values():
        assert values == sorted(values) and [v for t, v in values] == sorted(v for t, v in values), f"{name} decreases"
    assert sum(values[-1][1] for name, values in counters.values() if name == "events lost") == costs.lost
    assert len(dict(flows)) == len(flows) and sorted(dict(flows)) == sorted(dict(ended)), "a flow without an end"
    assert all(dict(flows)[flow] <= time for flow, time in ended), "a flow into the past"
    print(f"{len(flows)} flows")


def folded(path, costs):
    for line in open(path):
        stack, value = line.rsplit(" ", 1)
        costs.stack(stack.split(";")[1:], int(value))
    costs.hits = None


def callgrind(path, costs):
    function, called, recursive = None, False, set()
    for line in open(path):
        if found := re.fullmatch(r"desc: Events lost: (\d+)\n", line):
            costs.lost = int(found[1])
        elif line.startswith("fn="):
            function = line[3:].rstrip("\n")
        elif line.startswith("cfn="):
            callee = line[4:].rstrip("\n")
        elif line.startswith("calls="):
            costs.hits[callee] += int(line[6:].split()[0])
            called = True
        elif line[0].isdigit():
            if not called:
                costs.own[function] += int(line.split()[1])
            elif callee == function:
                recursive.add(function)
            costs.total[function] += int(line.split()[1])
            called = False
    for function in recursive:  # the calls of these are nested in each other
        del costs.total[function]


def pprof(path, costs):
    profile = decode("profile.proto", "Profile", path)
    texts = [value for field, value in profile if field == "string_table"]
    assert texts[0] == ""
    for field, value in profile:
        if field == "comment":
            costs.lost += int(re.fullmatch(r"(\d+) events lost", texts[int(value)])[1])
    functions = {one(f, "id"): texts[int(one(f, "name"))] for k, f in profile if k == "function"}
    locations = {one(l, "id"): functions[one(one(l, "line"), "function_id")]
                 for k, l in profile if k == "location"}
    for field, sample in profile:
        if field == "sample":
            names = [locations[value] for k, value in sample if k == "location_id"]
            hits, own = [int(v) for k, v in sample if k == "value"]
            costs.hits[names[0]] += hits
            costs.stack(names[::-1], own)


def main():
    name, path, top = sys.argv[1:4]
    costs = Costs()
    globals()[name](path, costs)
    costs.finish()
    rows = [json.loads(line) for line in open(top)]
    wanted, own, total = collections.Counter(), collections.Counter(), collections.Counter()
    for row in rows:
        wanted[row["function"]] += row["hits"]
        own[row["function"]] += row["self_ns"]
        total[row["function"]] += row["total_ns"]
    assert sum(wanted.values()) > 100
    if name == "callgrind":  # the outermost calls have no caller that counts them, nor has a call behind a loss
        for function in wanted:
            if costs.lost or function in ("main", "work") or "_State_impl" in function:
                assert costs.hits[function] <= wanted[function]
                costs.hits[function] = wanted[function]
    if costs.hits is not None:
        assert +costs.hits == wanted, (costs.hits - wanted, wanted - costs.hits)
    slack = sum(wanted.values())
    for function in wanted:
        assert abs(costs.own[function] - own[function]) <= slack, (
            function, costs.own[function], own[function])
    for function in costs.total if name == "callgrind" else total if costs.total else ():
        assert abs(costs.total[function] - total[function]) <= slack, (
            f"{function}: {costs.total[function]} ns in all, not {total[function]}")
    assert abs(sum(costs.own.values()) - sum(own.values())) <= slack, "other total times"
    if len(sys.argv) > 5:
        check_shown(sys.argv[5], own, slack)
    if len(sys.argv) > 4 and sys.argv[4] != "-":
        assert costs.lost == int(open(sys.argv[4]).read()), costs.lost
    print(f"{name}: {sum(wanted.values())} calls of {len(wanted)} functions")


main()
