# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An independent reader of the event buffers: include/nophook/buffer.h, in Python.

The tests of the runtime must not share a decoder with the tools, or one mistake in both
would cancel out. Whatever contradicts the contract raises Damaged with the place.
"""

import glob
import mmap
import os
import struct

import elf

MAGIC, VERSION, MAP_BYTES, HEADER_BYTES = 0x46554248504F4E01, 6, 48, 64
KINDS = ["none", "entry", "exit", "tail", "only", "function", "control", "payload"]
CONTROLS = {1: "cpu", 2: "time", 3: "stack", 4: "pad", 5: "mark", 6: "end", 7: "inherited", 9: "before", 10: "fiber"}
ENDS = ["thread exit", "exit()"]
FREE, ACTIVE, FULL = 0, 1, 2
FULL_OVERWRITE = 1  # the buffer's `full`
CPU_UNKNOWN = 0xFFFFFFFF
MAP_CODE = 0xFFFFFFFF  # instead of an id: lines of /proc/self/maps, for callers elsewhere
SEQ_NONE = 1 << 63


class Damaged(Exception):
    pass


def require(condition, place):
    if not condition:
        raise Damaged(place)


class Event:
    """`frame` is an address; an exit has none, it repeats id and sp of its entry. If that is not
    recorded, it says how many ticks it took, and how many calls were around it. Kind "over": all that
    is open has ended, `id` says why."""

    __slots__ = ("kind", "id", "tsc", "sp", "frame", "parent", "cpu", "values", "took", "depth", "behind")

    def __init__(self, kind, id_, tsc, sp, frame, parent, cpu, values):
        self.kind, self.id, self.tsc, self.sp, self.frame, self.parent, self.cpu = kind, id_, tsc, sp, frame, parent, cpu
        self.values = values
        self.took = self.depth = None
        if kind == "exit" and values[:1] == b"\x04":
            self.took, at = leb(values, 1, False)
            self.depth, at = leb(values, at, False)


class Mark:
    """A mark in a ring, behind as many of its events. `format` as in buffer.h; `text` of one; `probe`, the event; of a stack, its addresses;
    of repeats, [function, parent, how often, ticks]."""

    def __init__(self, values, behind, tsc):
        self.format, self.behind, self.tsc, self.numbers = values[0], behind, tsc, []
        at = 1
        if self.format == 2:
            length, at = leb(values, leb(values, at, True)[1], False)
            self.text = values[at:at + length].decode(errors="replace")
        if self.format == 7:
            length, at = leb(values, 2, False)
            self.probe = values[at:at + length].decode().split(" ")[0]
        if self.format == 5:
            while address := leb(values, at, True)[0]:
                self.numbers.append((address + (self.numbers[-1] if self.numbers else 0)) & (1 << 64) - 1)
                at = leb(values, at, True)[1]
        if self.format == 6:
            for signed in (False, True, False, False):
                number, at = leb(values, at, signed)
                self.numbers.append(number)


def leb(data, at, signed):
    """A number of DWARF's, and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return (value - (1 << shift) if signed and byte & 0x40 else value), at


class Maps:
    """The function of an id, and the function that an address lies in."""

    def __init__(self, path):
        self.modules = []
        data = b""
        if os.path.exists(path):  # else the process has no module with a site
            with open(path, "rb") as file:
                data = file.read()
        at = 0
        while at < len(data):
            size, first, count, path_bytes, bias, id_bytes = struct.unpack_from("<IIIIQI", data, at)
            require(size == MAP_BYTES + path_bytes + 4 * count and path_bytes % 4 == 0 and id_bytes <= 20, f"{path}+{at}")
            name = data[at + MAP_BYTES:at + MAP_BYTES + path_bytes].rstrip(b"\0").decode()
            offsets = struct.unpack_from(f"<{count}I", data, at + MAP_BYTES + path_bytes)
            require(list(offsets) == sorted(set(offsets)), f"{path}+{at}: offsets do not ascend")
            at += size
            if first != MAP_CODE:
                self.modules.append((first, count, bias, name, offsets))
        self._files = {}
        self._names = {}

    def _file(self, path):
        if path not in self._files:
            self._files[path] = elf.Elf(path)
        return self._files[path]

    def name(self, id_):
        if id_ not in self._names:
            for first, count, _, path, offsets in reversed(self.modules):
                if first <= id_ < first + count:
                    name = self._file(path).name_of(offsets[id_ - first])
                    require(name, f"id {id_} at {offsets[id_ - first]:#x} of {path} is no function")
                    self._names[id_] = name
                    break
            else:
                raise Damaged(f"id {id_} is in no module")
        return self._names[id_]

    def name_of_address(self, address):
        for _, _, bias, path, _ in self.modules:
            name = self._file(path).name_of(address - bias) if address >= bias else None
            if name:
                return name
        return "?"


class Buffer:
    """One .buf file. `rings`: by ring index, the list of Ring."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            self.data = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)  # sparse: mostly never read
        (magic, version, header_bytes, self.subbuf_bytes, self.subbuf_count, self.ring_count, self.pid, self.ppid,
         self.tracer, self.rings_offset, self.states_offset, self.subbufs_offset, self.file_bytes, self.start_tsc,
         self.start_ns, comm, exe) = struct.unpack_from("<QIIIIIiiIQQQQQQ16s1024s", self.data)
        require(magic == MAGIC and version == VERSION, f"{path}: magic or version")
        require(header_bytes >= len_header() and self.file_bytes == len(self.data), f"{path}: sizes")
        self.comm, self.exe = text(comm), text(exe)
        (self.stop, self.error, self.lost, log_bytes) = struct.unpack_from("<IIQI", self.data, 1128)
        self.log = self.data[1148:1148 + min(log_bytes, 2048)].decode(errors="replace")
        (self.full, self.wait_ms, self.paused, _, self.unsteady) = struct.unpack_from("<5I", self.data, 3196)
        (self.clock, self.snapshot, self.cleared, self.clears, used, self.subbuf_most, _, self.overwritten,
         self.session) = struct.unpack_from("<IIQIIIIQQ", self.data, 3240)
        self.children_lost, self.child_lost_pid, self.child_lost_error = struct.unpack_from("<Iii", self.data, 3296)
        self.subbuf_count = used or self.subbuf_count
        self.maps = Maps(path[:-4] + ".maps")
        self.states = struct.unpack_from(f"<{self.subbuf_count}I", self.data, self.states_offset)
        self.rings = self._rings()

    def _rings(self):
        chains = {}
        for i, state in enumerate(self.states):
            require(state in (FREE, ACTIVE, FULL), f"{self.path}: state {i} is {state}")
            if state != FREE:
                sub = SubBuffer(self, i, state)
                # The process that gave it back, began it or emptied it was killed.
                if state == FULL and not sub.used or not sub.tid or sub.seq & SEQ_NONE:
                    continue
                chains.setdefault(sub.ring, []).append(sub)
        rings = []
        for ring, chain in sorted(chains.items()):
            tid, begun, lost, written = self._counts(ring)
            # Killed in the middle of a header: its number is still 0, which others have had.
            seen = {sub.seq for sub in chain if any(sub.words)}
            chain = [sub for sub in chain if any(sub.words) or not (sub.seq in seen or sub.seq == 0 and seen)]
            chain.sort(key=lambda sub: sub.seq)
            seqs = [sub.seq for sub in chain]  # a smaller size may have cost some in the middle, which are counted in the header
            require(seqs == sorted(set(seqs)) and seqs[-1] <= begun, f"{self.path}: ring {ring}: seq")
            require(lost or self.lost or seqs == list(range(seqs[0], max(begun, seqs[-1] + 1))), f"{self.path}: ring {ring}: gap in seq")
            require(all(sub.tid == tid for sub in chain), f"{self.path}: ring {ring}: another thread's sub-buffer")
            rings.append(Ring(self, ring, tid, lost, chain))
            # Written events, as the ring and the last sub-buffer have them, less those in the buffer.
            written = max([written] + [sub.before + rings[-1].counted[sub.seq] for sub in chain])
            rings[-1].overwritten = written - sum(rings[-1].counted.values()) if self.full == FULL_OVERWRITE else 0
        return rings

    def overwritten_events(self):
        """The sum over all rings, including those that have nothing left."""
        held = {ring.index for ring in self.rings}
        gone = sum(self._counts(ring)[3] for ring in range(self.ring_count) if ring not in held) if self.full == FULL_OVERWRITE else 0
        return self.overwritten + gone + sum(ring.overwritten for ring in self.rings)

    def all_lost_events(self):
        """Likewise."""
        return self.lost + sum(self._counts(ring)[2] for ring in range(self.ring_count))

    def _counts(self, ring):
        tid, begun, lost, written, clears = struct.unpack_from("<iIQQI", self.data, self.rings_offset + 32 * ring)
        return (tid, begun, lost, written) if clears == self.clears else (tid, begun, 0, 0)

    def lost_events(self):
        return self.lost + sum(ring.lost for ring in self.rings)


def len_header():  # more fields may be behind them
    return 3196 + 6 * 4 + 4 + 2 * 8 + 2 * 4 + 8 + 4 * 4 + 3 * 8  # struct nophook_buffer: up to the log; since versions 3 and 4


def text(raw):
    return raw.split(b"\0", 1)[0].decode(errors="replace")


class SubBuffer:
    def __init__(self, buffer, index, state):
        self.at = buffer.subbufs_offset + index * buffer.subbuf_bytes
        (self.seq, self.time_base, self.sp_base, self.lost, self.tid, self.ring, self.cpu,
         self.used, comm) = struct.unpack_from("<QQQQiIII16s", buffer.data, self.at)
        self.comm = text(comm)
        size = buffer.subbuf_bytes - HEADER_BYTES
        require(self.used <= size and self.used % 8 == 0, f"{buffer.path}: sub-buffer {index}: used {self.used}")
        size = self.used if state == FULL else size
        self.words = struct.unpack_from(f"<{size // 8}Q", buffer.data, self.at + HEADER_BYTES)
        self.before = 0  # events of the ring in front of it, since the last clearing
        if len(self.words) > 1 and self.words[0] == (6 << 22 | 9) << 39 | buffer.clears:
            self.before = ~self.words[1] & (1 << 64) - 1


class Ring:
    """The events of one thread, in their order. `holes` counts words nobody completed."""

    def __init__(self, buffer, index, tid, lost, chain):
        self.index, self.tid, self.lost, self.comm = index, tid, lost, chain[-1].comm
        self.counted = {}  # by sub-buffer, what has not been cleared: events and marks
        self.holes = 0
        self.cleared = buffer.cleared  # events before it are gone
        self.events = []
        self.marks = []
        self.ends = []  # behind as many of the events
        self.controls = dict.fromkeys(CONTROLS.values(), 0)
        last = 0
        for sub in chain:
            had = len(self.events) + len(self.marks)
            for event in self._decode(sub, f"{buffer.path}: ring of {tid}: sub-buffer {sub.seq}"):
                require(event.tsc >= last, f"{buffer.path}: ring of {tid}: time runs backwards")
                last = event.tsc
                if event.tsc < self.cleared:
                    continue
                if event.kind == "over":
                    event.behind = len(self.events)
                    self.ends.append(event)
                    continue
                self.events.append(event)
            self.counted[sub.seq] = len(self.events) + len(self.marks) - had

    def _decode(self, sub, place):
        base, stack, cpu = sub.time_base, sub.sp_base, sub.cpu
        words = sub.words
        end = len(words)
        while end and words[end - 1] == 0:
            end -= 1
        i = 0
        while i < end:
            word = words[i]
            kind, id_, low = KINDS[word >> 61], word >> 39 & 0x3FFFFF, word & (1 << 39) - 1
            i += 1
            if kind == "none" or kind == "payload":  # a payload alone belongs to a hole
                self.holes += 1
                continue
            payload = None
            if kind == "function" or (kind == "control" and CONTROLS.get(id_) in ("time", "stack", "before")):
                require(i < end and words[i] >> 61 == 7, f"{place}: word {i}: no payload")
                payload = ~words[i] & (1 << 64) - 1
                i += 1
            if kind == "control":
                what = CONTROLS.get(id_)
                require(what, f"{place}: word {i - 1}: control {id_}")
                self.controls[what] += 1
                values = b""
                while what in ("inherited", "fiber") and i < end and words[i] >> 61 == 7:
                    i += 1  # open calls of a fork's parent, or of before a sub-buffer; a fiber's stack
                while what == "mark" and i < end and words[i] >> 61 == 7:
                    values += (~words[i] & (1 << 56) - 1).to_bytes(7, "little")
                    i += 1
                if what == "mark" and base + (low & (1 << 27) - 1) >= self.cleared:
                    self.marks.append(Mark(values, len(self.events), base + (low & (1 << 27) - 1)))
                if what == "end":
                    yield Event("over", ENDS[low >> 27], base + (low & (1 << 27) - 1), 0, None, None, cpu, b"")
                if what == "cpu":
                    cpu = low
                elif what == "time":
                    base = payload
                elif what == "stack":
                    require(payload % 16 == 0, f"{place}: stack base {payload:#x}")
                    stack = payload
                continue
            sp = low >> 27
            frame = stack - (sp << 4) if kind in ("entry", "tail", "only") else None
            values = b""
            while i < end and words[i] >> 61 == 7:
                values += (~words[i] & (1 << 56) - 1).to_bytes(7, "little")
                i += 1
            if kind == "exit" and values[:1] == b"\x04":  # its entry is not recorded
                frame = stack - (sp << 4)
            yield Event(kind, id_, base + (low & (1 << 27) - 1), sp, frame, payload, cpu, values)


def read_all(directory):
    """Every buffer in a folder, in the order in which the processes began."""
    files = glob.glob(os.path.join(directory, "*.buf"))
    # A child's header has its parent's instant; the file's name has its own.
    return sorted((Buffer(path) for path in files), key=lambda buffer: int(os.path.basename(buffer.path).split("-")[1].split(".")[0].split("@")[0]))
