# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""claims.py: all interleavings of those who may take one sub-buffer of a flight recorder (docs/design/ring_buffer.md).

A sub-buffer that a thread has left, which is gone by now, may be taken by writers, by a recorder, and by the process itself when its
clock changes. A key in the table of ages may be of an earlier use. At no time may two of them have the sub-buffer, and none may be
taken from a thread that writes to it.

`--without STEP` leaves a step out, and then this must fail: state, tid, tid-first (the thread's number is read behind the state).
"""

import argparse
import sys

from ages import Run

KEY, STATE, TID, HOLDERS = range(4)
FREE, ACTIVE, FULL = range(3)
GONE, OLD_KEY = 9, 5


def exchange(place, old, new):
    """A compare-and-exchange: whether it was this one that changed it."""
    return (yield place, lambda now: new if now == old else None) == old


def hold(tid, state, key):
    """Has it, then leaves it in this way."""
    yield HOLDERS, lambda now: now + 1
    yield TID, lambda now: tid
    yield HOLDERS, lambda now: now - 1
    yield STATE, lambda now: state
    if key:
        yield KEY, lambda now: key


def writer(out, me):
    """Takes the oldest, writes to it, leaves it: take_one(), leave_subbuf()."""
    key = yield KEY, None
    if not key or not (yield from exchange(KEY, key, 0)):
        return
    tid = (yield TID, None) if out != "tid-first" else None
    if not tid and out != "tid-first" or out != "state" and not (yield from exchange(STATE, FULL, ACTIVE)):
        return
    if out == "tid-first":
        tid = yield TID, None
    if not tid or out != "tid" and not (yield from exchange(TID, tid, 0)):
        return
    yield from hold(me, FULL, 10 + me)


def leaver():
    """Leaves it for the thread that is gone: leave_for()."""
    if not (yield from exchange(TID, GONE, 0)):
        return
    yield HOLDERS, lambda now: now + 1
    yield STATE, lambda now: FULL
    yield HOLDERS, lambda now: now - 1
    yield TID, lambda now: GONE
    yield KEY, lambda now: OLD_KEY


def newcomer(me):
    """Takes a free one: take_free()."""
    if (yield from exchange(STATE, FREE, ACTIVE)):
        yield KEY, lambda now: 0
        yield from hold(me, FULL, 10 + me)


def recorder():
    """Takes what a thread that is gone has left: ProcessDrain::take_left()."""
    if (yield STATE, None) != FREE and (yield TID, None) == GONE and (yield from exchange(TID, GONE, 0)):
        yield from hold(0, FREE, 0)


def change():
    """The clock changes, or the answer to a full buffer, while there is no recorder: take_back_cleared()."""
    if (yield KEY, lambda now: 0):
        yield from hold(0, FREE, 0)
    elif (yield from exchange(STATE, FULL, ACTIVE)):
        tid = yield TID, None
        if tid and (yield from exchange(TID, tid, 0)):
            yield from hold(0, FREE, 0)


def explore(makers, begin=(OLD_KEY, FULL, GONE, 0)):
    """How many states there are, and what is wrong in one of them, or None."""
    run = Run(makers, begin)
    seen, stack = set(), [(run.start, tuple(() for _ in makers))]
    while stack:
        state = stack.pop()
        if state in seen:
            continue
        seen.add(state)
        if state[0][HOLDERS] > 1:
            return len(seen), "two have it"
        stack.extend(run.step(state, thread) for thread in range(len(makers)) if not run.local(thread, state[1][thread])[0])
    return len(seen), None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--without", choices=["state", "tid", "tid-first"])
    out = parser.parse_args().without
    cases = {
        "writers and a recorder": [lambda: writer(out, 1), lambda: writer(out, 2), recorder],
        "a newcomer": [lambda: writer(out, 1), recorder, lambda: newcomer(2)],
        "a change": [lambda: writer(out, 1), lambda: newcomer(2), change],
        "one that was not left": [lambda: writer(out, 1), lambda: newcomer(2), recorder, leaver],
        "one that was not left, and a change": [lambda: writer(out, 1), leaver, change],
    }
    for name, makers in cases.items():
        states, problem = explore(makers, (0, ACTIVE, GONE, 0)) if "not left" in name else explore(makers)
        print(f"{name}: {states} states: {problem or 'right'}")
        if problem:
            return 1
    print(f"{len(cases)} cases are right")
    return 0


if __name__ == "__main__":
    sys.exit(main())
