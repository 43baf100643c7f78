# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""model.py FILE...: whether AArch64 allows the outcome that a litmus test names, by all its executions.

The files are in herd's format. An `exists` outcome must be possible, a `~exists` outcome impossible. The latter must be
possible if any one instruction that orders others (STLR, LDAR, DMB, ...) is replaced by one that does not: so each order in
the file is needed, and the test can fail.

The rules are those of Arm ARM (DDI 0487), B2.3, as in herd's aarch64.cat, for plain and ordered loads and stores of one
size, exclusives that succeed, and barriers. MEMBARRIER is the system call: every other thread has a full barrier at some
place of its own, behind all that stands in front of the call, and in front of all that stands behind it. All places are tried.
"""

import dataclasses
import itertools
import re
import sys

WEAKER = {"STLR": "STR", "LDAR": "LDR", "LDAPR": "LDR", "LDAXR": "LDXR", "STLXR": "STXR", "DMB": None, "MEMBARRIER": None}


@dataclasses.dataclass(eq=False)
class Event:
    thread: int
    number: int  # of the instruction
    kind: str  # R, W or F
    place: str = ""
    value: int = 0
    order: str = ""  # A, Q, L; of a barrier: full, ld, st
    addr: frozenset = frozenset()  # reads that the address, the value, or the way here depends on
    data: frozenset = frozenset()
    ctrl: frozenset = frozenset()
    pair: object = None  # the load of a store-exclusive


class Test:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"\(\*.*?\*\)", "", file.read(), flags=re.DOTALL)
        head, rest = text.split("{", 1)
        initial, rest = rest.split("}", 1)
        program, self.kind, condition = re.split("(~?exists)", rest)
        self.registers, self.memory = {}, {}
        for item in filter(None, (part.strip() for part in initial.split(";"))):
            name, value = (part.strip() for part in item.split("="))
            if ":" in name:
                thread, register = name.split(":")
                self.registers[int(thread), register] = value
            else:
                self.memory[name] = int(value)
        rows = [[cell.strip() for cell in row.split("|")] for row in program.split(";") if row.strip()]
        self.threads = [[row[i] for row in rows[1:] if i < len(row) and row[i]] for i in range(len(rows[0]))]
        self.condition = [part.strip() for part in condition.strip().strip("()").split("/\\")]
        immediates = re.findall(r"#(\d+)", program)
        self.values = sorted({0, *map(int, immediates), *self.memory.values()})
        self.name = head.split()[1]


def traces(test, thread, program):
    """All ways through one thread, whatever its loads return: its events, and its registers."""
    def step(number, registers, events, ctrl, exclusive):
        if number == len(program):
            yield events, {name: value for name, (value, _) in registers.items()}
            return
        words = program[number].replace(",", " ").replace("[", " ").replace("]", " ").split()
        name, operands = words[0].upper(), words[1:]

        def get(register):
            if register.upper() in ("XZR", "WZR"):
                return 0, frozenset()
            return registers.get("X" + register[1:], (0, frozenset()))

        def put(register, value, taint):
            return {**registers, "X" + register[1:]: (value, taint)}

        if name == "MOV":
            value = (int(operands[1][1:]), frozenset()) if operands[1][0] == "#" else get(operands[1])
            yield from step(number + 1, put(operands[0], *value), events, ctrl, exclusive)
        elif name == "EOR":
            (a, taint), (b, other) = get(operands[1]), get(operands[2])
            yield from step(number + 1, put(operands[0], a ^ b, taint | other), events, ctrl, exclusive)
        elif name in ("CBZ", "CBNZ"):
            value, taint = get(operands[0])
            target = program.index(operands[1] + ":") if (value == 0) == (name == "CBZ") else number + 1
            yield from step(target, registers, events, ctrl | taint, exclusive)
        elif name.endswith(":"):
            yield from step(number + 1, registers, events, ctrl, exclusive)
        elif name in ("DMB", "MEMBARRIER"):
            order = {"ISHLD": "ld", "ISHST": "st"}.get(operands[0].upper(), "full") if operands else "full"
            fence = Event(thread, number, "F", name, order=order)
            yield from step(number + 1, registers, [*events, fence], ctrl, exclusive)
        elif name in ("LDR", "LDAR", "LDAPR", "LDXR", "LDAXR"):
            place, taint = get(operands[1])
            taint |= get(operands[2])[1] if len(operands) > 2 else frozenset()
            order = {"LDAR": "A", "LDAXR": "A", "LDAPR": "Q"}.get(name, "")
            for value in test.values:
                read = Event(thread, number, "R", place, value, order, addr=taint, ctrl=ctrl)
                yield from step(number + 1, put(operands[0], value, frozenset({read})), [*events, read], ctrl,
                                read if "X" in name else exclusive)
        elif name in ("STR", "STLR", "STXR", "STLXR"):
            source, base, *index = operands[1:] if "X" in name[2:] else operands
            (value, data), (place, taint) = get(source), get(base)
            taint |= get(index[0])[1] if index else frozenset()
            write = Event(thread, number, "W", place, value, "L" if "L" in name[2:] else "", addr=taint, data=data, ctrl=ctrl,
                          pair=exclusive if "X" in name[2:] else None)
            after = put(operands[0], 0, frozenset()) if "X" in name[2:] else registers
            yield from step(number + 1, after, [*events, write], ctrl, exclusive)
        else:
            sys.exit(f"{test.name}: {program[number]}: not known")

    first = {register: (place, frozenset()) for (of, register), place in test.registers.items() if of == thread}
    yield from step(0, first, [], frozenset(), None)


def is_acyclic(events, edges):
    ways = {id(event): [] for event in events}
    before = {id(event): 0 for event in events}
    for a, b in edges:
        ways[id(a)].append(b)
        before[id(b)] += 1
    free = [event for event in events if not before[id(event)]]
    seen = 0
    while free:
        seen += 1
        for b in ways[id(free.pop())]:
            before[id(b)] -= 1
            if not before[id(b)]:
                free.append(b)
    return seen == len(events)


def ordered_in_thread(events):
    """The orders of a thread's own program: dob, aob and bob, without those that go through rfi."""
    for i, a in enumerate(events):
        for j in range(i + 1, len(events)):
            b = events[j]
            between = events[i + 1:j]
            if a.kind == "F" or b.kind == "F":
                continue
            fences = {f.order for f in between if f.kind == "F"}
            if ("full" in fences or ("ld" in fences and a.kind == "R") or ("st" in fences and a.kind == b.kind == "W")
                    or a.order in ("A", "Q") or b.order == "L" or (a.order == "L" and b.order == "A")
                    or a in b.addr or a in b.data or (a in b.ctrl and b.kind == "W") or b.pair is a
                    or (b.kind == "W" and any(a in m.addr for m in between))):
                yield a, b


def barriers(threads):
    """For each choice of the places where a MEMBARRIER finds the other threads: the orders that it makes."""
    choices = [[(call, thread, at) for at in range(len(events) + 1)]
               for call in (e for events in threads for e in events if e.place == "MEMBARRIER")
               for thread, events in enumerate(threads) if thread != call.thread]
    for chosen in itertools.product(*choices):
        edges = []
        for call, thread, at in chosen:
            mine, others = threads[call.thread], threads[thread]
            where = mine.index(call)
            edges += itertools.product(mine[:where], others[at:])
            edges += itertools.product(others[:at], mine[where + 1:])
            edges += itertools.product(others[:at], others[at:])
        yield [(a, b) for a, b in edges if a.kind != "F" and b.kind != "F"]


def is_allowed(test, programs):
    for chosen in itertools.product(*(list(traces(test, i, program)) for i, program in enumerate(programs))):
        threads = [events for events, _ in chosen]
        if not might_hold(test, [registers for _, registers in chosen]):
            continue
        first = [Event(-1, 0, "W", place, value) for place, value in test.memory.items()]
        events = first + [e for thread in threads for e in thread if e.kind != "F"]
        own = [edge for thread in threads for edge in ordered_in_thread(thread)]
        po_loc = [(a, b) for thread in threads for a, b in itertools.combinations(thread, 2)
                  if a.kind != "F" and b.kind != "F" and a.place == b.place]
        reads = [e for e in events if e.kind == "R"]
        writes = {place: [e for e in events if e.kind == "W" and e.place == place and e.thread >= 0] for place in test.memory}
        sources = [[w for w in [*first, *writes[r.place]] if w.place == r.place and w.value == r.value] for r in reads]
        for rf in itertools.product(*sources):
            for orders in itertools.product(*(itertools.permutations(w) for w in writes.values())):
                if is_consistent(test, threads, events, own, po_loc, list(zip(rf, reads)), first, orders):
                    return True
    return False


def is_consistent(test, threads, events, own, po_loc, rf, first, orders):
    co = [(a, b) for w, order in zip(first, orders) for a, b in itertools.combinations([w, *order], 2)]
    final = {w.place: ([w, *order])[-1].value for w, order in zip(first, orders)}
    for part in test.condition:
        if ":" not in part:
            place, value = part.split("=")
            if final[place.strip()] != int(value):
                return False
    fr = [(r, later) for w, r in rf for earlier, later in co if earlier is w]
    if not is_acyclic(events, po_loc + rf + co + fr):
        return False
    for w in events:
        if w.pair is not None and any(a is w.pair and b.thread != w.thread and (b, w) in co for a, b in fr):
            return False
    def external(edges):
        return [(a, b) for a, b in edges if a.thread != b.thread]
    inner = [(a, r) for w, r in rf if w.thread == r.thread for a in w.addr | w.data]
    inner += [(w, r) for w, r in rf if w.thread == r.thread and w.pair is not None and r.order in ("A", "Q")]
    seen = external(rf) + external(co) + external(fr) + own + inner
    return any(is_acyclic(events, seen + edges) for edges in barriers(threads))


def might_hold(test, registers):
    for part in test.condition:
        if ":" in part:
            name, value = part.split("=")
            thread, register = name.split(":")
            if registers[int(thread)].get(register.strip(), 0) != int(value):
                return False
    return True


def weakened(programs):
    for thread, program in enumerate(programs):
        for number, instruction in enumerate(program):
            name, _, operands = instruction.partition(" ")
            if name in WEAKER:
                weak = [f"{WEAKER[name]} {operands}"] if WEAKER[name] else []
                changed = [*program[:number], *weak, *program[number + 1:]]
                yield f"P{thread}: {instruction}", [*programs[:thread], changed, *programs[thread + 1:]]


def main():
    wrong = orders = 0
    for path in sys.argv[1:]:
        test = Test(path)
        if is_allowed(test, test.threads) != (test.kind == "exists"):
            wrong += 1
            print(f"{path}: the outcome is {'not ' if test.kind == 'exists' else ''}allowed")
        if test.kind == "exists":
            continue
        for what, programs in weakened(test.threads):
            orders += 1
            if not is_allowed(test, programs):
                wrong += 1
                print(f"{path}: {what}: the outcome is not allowed without it either")
    print(f"{len(sys.argv) - 1} tests, {orders} orders, {wrong} wrong")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
