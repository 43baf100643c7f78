#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A second reader of recordings, written from the contracts alone (tools/read/recording/format.h,
nophook/buffer.h): what it reads and what `nophook report --json` says must agree event for event.

    recording.py NOPHOOK RECORDING      compares; says how much was the same, or the first difference

Arguments and results: what was kept of a call, in registers and memory, is decoded here without the
prototypes; each number, text and address that the command shows must be in it, in its order.
"""

import collections
import json
import re
import struct
import subprocess
import sys

import buffer
import calltree
import elf

INFO, PROCESS, CLOCK, MAP, SUBBUF, LOST, LOG, END, SAME_MAP, PACKED = 1, 2, 3, 4, 5, 6, 7, 8, 9, 11
CHUNK, HEAD = struct.Struct("<IHHIIIIQ"), 64


GENERAL, SSE, X87, STACK, MEMORY = 1, 2, 3, 4, 5
CALL_VALUES, TOOK_VALUES = 1, 4
REGISTER, UPPER = 0x80, 0xc0


def registers_of(values):
    """The items of a call that has nothing but general registers: seven bytes for each, or twice as many."""
    items, upper = [], None
    for at in range(0, len(values), 7):
        low = values[at + 1:at + 7]
        if values[at] >= UPPER:
            upper = low[:2]
        else:
            sign = b"\xff\xff" if low[5] & 0x80 else b"\0\0"
            items.append((GENERAL, low + (sign if upper is None else upper)))
            upper = None
    return items


def items_of(values):
    """The values of a call (nophook/buffer.h, Values): the kind of each, and its bytes."""
    items, at = [], 1
    if values[:1] == bytes([TOOK_VALUES]):
        at = buffer.leb(values, buffer.leb(values, 1, False)[1], False)[1]
        values, at = values[at:], 1
    if values and values[0] & REGISTER:
        return registers_of(values)
    if values[:1] != bytes([CALL_VALUES]):
        return items
    while at < len(values) and values[at]:
        what, at = values[at] >> 5, at + 1
        if what == GENERAL:
            number, at = buffer.leb(values, at, True)
            items.append((what, (number & (1 << 64) - 1).to_bytes(8, "little")))
            continue
        if what in (STACK, MEMORY):
            _, at = buffer.leb(values, at, what == MEMORY)
        size = 10
        if what != X87:
            size, at = buffer.leb(values, at, False)
        items.append((what, values[at:at + size]))
        at += size
    return items


def is_number_in(text, data):
    """Whether some width and sign of the bytes is that number."""
    number = int(text, 0)
    return any(int.from_bytes(data[:size], "little", signed=signed) == number for size in (1, 2, 4, 8) for signed in (False, True))


def is_float_in(text, data):
    wanted = float(text)
    return any(len(data) >= size and data[:size] == struct.pack(form, wanted)
               for form, size in (("<d", 8), ("<f", 4)) if form == "<d" or abs(wanted) < 3e38)


def is_in(value, what, data):
    """Whether `data` has the shown value; None for a value without a single reading (enumerators, structures)."""
    if what == SSE and re.fullmatch(r"-?\d+(\.\d+)?(e[-+]?\d+)?", value):
        return is_float_in(value, data)
    if re.fullmatch(r"-?\d+|0x[0-9a-f]+", value):
        return is_number_in(value, data)
    if re.fullmatch(r'"[ !#-\[\]-~]*"(\.\.\.)?', value):
        return data.startswith(value.removesuffix("...")[1:-1].encode())
    return None


def check_values(place, values, shown):
    """The number of shown values that were found among the kept ones."""
    items, at, found = items_of(values), 0, 0
    for value in shown:
        value = value.removesuffix("?")
        if is_in(value, GENERAL, b"") is None and is_in(value, SSE, b"") is None:
            continue
        while at < len(items) and not is_in(value, *items[at]):
            at += 1
        if at == len(items):
            sys.exit(f"{place}: {value} is not in {items}")
        found += 1
    return found


class Process:
    def __init__(self):
        self.modules = []  # first id, bias, path, offsets
        self.names = {}

    def add_map(self, data, files):
        _, first, count, path_bytes, bias, _ = struct.unpack_from("<IIIIQI", data)
        path = data[48:48 + path_bytes].rstrip(b"\0").decode()
        self.modules.append((first, bias, path, struct.unpack_from(f"<{count}I", data, 48 + path_bytes)))
        files.setdefault(path, None)

    def name(self, id_, files):
        if id_ not in self.names:
            first, path, offsets = next((f, p, o) for f, _, p, o in reversed(self.modules) if f <= id_ < f + len(o))
            files[path] = files[path] or elf.Elf(path)
            self.names[id_] = files[path].name_of(offsets[id_ - first])
        return self.names[id_]


class Names:
    """A process's, as buffer.Maps."""

    def __init__(self, process, files):
        self.name = lambda id_: process.name(id_, files)


class SubBuffer:
    """As buffer.SubBuffer, from a chunk."""

    def __init__(self, data):
        (self.seq, self.time_base, self.sp_base, self.lost, self.tid, self.ring, self.cpu,
         self.used, _) = struct.unpack_from("<QQQQiIII16s", data)
        self.words = struct.unpack_from(f"<{self.used // 8}Q", data, HEAD)


def unpack(packed):
    """By zstd itself: frames behind one another are one file."""
    if not packed:
        return
    data = subprocess.run(["zstd", "-dcq"], input=b"".join(frame for _, _, _, frame, _ in packed), stdout=subprocess.PIPE,
                          check=True).stdout
    at = 0
    for chain, index, head, _, size in packed:
        head = head[:HEAD - 20] + struct.pack("<I", size) + head[HEAD - 16:]
        chain[index] = SubBuffer(head + data[at:at + size])
        at += size
    assert at == len(data), "more words than chunks say"


class Recording:
    def __init__(self, path):
        self.processes = collections.defaultdict(Process)
        self.streams = collections.defaultdict(list)  # sub-buffers
        self.process_of = {}
        self.clocks = []
        self.ended = False
        files, maps = {}, {}
        packed = []  # where it goes, header, frame, bytes of words
        with open(path, "rb") as file:
            data = file.read()
        magic, version, at = struct.unpack_from("<QII", data)
        assert magic == 0x43455248504F4E01 and version <= 3, "not a recording of ours"
        while at + CHUNK.size <= len(data):
            magic, kind, _, size, process, stream, _, _ = CHUNK.unpack_from(data, at)
            assert magic == 0x4B43504E, f"no chunk at {at}"
            payload = data[at + CHUNK.size:at + CHUNK.size + size]
            if kind == CLOCK:
                self.clocks.append(struct.unpack_from("<QQ", payload))
            elif kind in (MAP, SAME_MAP):
                maps[at] = payload if kind == MAP else maps[struct.unpack("<Q", payload)[0]]
                self.processes[process].add_map(maps[at], files)
            elif kind == SUBBUF:
                self.streams[stream].append(SubBuffer(payload))
                self.process_of[stream] = process
            elif kind == PACKED:
                self.streams[stream].append(None)
                self.process_of[stream] = process
                frame_bytes, words_bytes = struct.unpack_from("<II", payload, HEAD)
                frame = payload[HEAD + 8:HEAD + 8 + frame_bytes]
                packed.append((self.streams[stream], len(self.streams[stream]) - 1, payload[:HEAD], frame, words_bytes))
            elif kind == END:
                self.ended = True
            at += CHUNK.size + size
        unpack(packed)
        self.files = files
        (tsc, ns), (last_tsc, last_ns) = min(self.clocks), max(self.clocks)
        self.tsc, self.ns, self.rate = tsc, ns, (last_ns - ns) / (last_tsc - tsc)

    def time(self, tsc):
        ticks = tsc - self.tsc
        return self.ns + int(ticks * self.rate) if ticks >= 0 else self.ns - int(-ticks * self.rate)

    def events(self):
        """By thread: (what, function, nanoseconds)."""
        threads = collections.defaultdict(list)
        for stream, chain in sorted(self.streams.items()):
            process = self.processes[self.process_of[stream]]
            ring = buffer.Ring.__new__(buffer.Ring)
            ring.holes, ring.controls = 0, dict.fromkeys(buffer.CONTROLS.values(), 0)
            ring.events, ring.ends, ends = [], [], []
            chain.sort(key=lambda sub: sub.seq)
            for sub in chain:
                for event in ring._decode(sub, f"stream {stream}"):
                    if event.kind == "over":
                        event.behind = len(ring.events)
                        ring.ends.append(event)
                    else:
                        ring.events.append(event)
            if ring.ends:
                ends = calltree.CallTree(ring, Names(process, self.files)).over
            for i, event in enumerate(ring.events + [None]):
                while ends and ends[0][0].behind == i:
                    end, id_ = ends.pop(0)
                    threads[chain[0].tid].append((end.id, process.name(id_, self.files), self.time(end.tsc), b""))
                if event:
                    what = {"entry": "begin", "tail": "begin", "exit": "end", "only": "only", "function": "function"}[event.kind]
                    threads[chain[0].tid].append((what, process.name(event.id, self.files), self.time(event.tsc), event.values))
        return threads


def reported(nophook, path):
    """The same from JSON: a call is its beginning and its end; ends that no event reports are left out."""
    threads = collections.defaultdict(list)
    with subprocess.Popen([nophook, "report", "--json", path], stdout=subprocess.PIPE, text=True) as report:
        for text in report.stdout:
            line = json.loads(text)
            kind, into = line["kind"], threads[line["tid"]]
            if kind in ("lost", "mark"):
                continue
            name, now = line["function"], line["time_ns"]
            arguments = [value["value"] for value in line.get("arguments", [])]
            result = [line["result"]["value"]] if "result" in line else []
            if kind in ("entry", "call"):
                into.append(("begin", name, now, arguments))
            if kind == "call" and line["returned"]:
                into.append(("end", name, now + line["duration_ns"], result))
            if line.get("end") in buffer.ENDS:
                into.append((line["end"], name, now + (line["duration_ns"] if kind == "call" else 0), []))
            if kind == "exit" and line.get("returned", True):
                into.append(("end", name, now, result))
            if kind in ("entry_only", "function"):
                into.append(("only" if kind == "entry_only" else "function", name, now, arguments))
    if report.returncode:
        sys.exit(f"nophook report: status {report.returncode}")
    return threads


def main():
    nophook, path = sys.argv[1:3]
    recording = Recording(path)
    ours, theirs = recording.events(), reported(nophook, path)
    if sorted(ours) != sorted(theirs):
        sys.exit(f"threads: {sorted(ours)} here, {sorted(theirs)} there")
    total = values = 0
    for tid, events in ours.items():
        for i, (mine, other) in enumerate(zip(events, theirs[tid])):
            # The end of a call is a sum of two rounded times there.
            if mine[:2] != other[:2] or abs(mine[2] - other[2]) > 2:
                sys.exit(f"thread {tid}, event {i}: {mine} here, {other} there")
            values += check_values(f"thread {tid}, event {i}, {mine[1]}", mine[3], other[3])
        if len(events) != len(theirs[tid]):
            sys.exit(f"thread {tid}: {len(events)} events here, {len(theirs[tid])} there")
        total += len(events)
    if not total or not recording.ended:
        sys.exit("the recording is empty or was not ended")
    print(f"{total} events of {len(ours)} threads agree, {values} values")


if __name__ == "__main__":
    main()
