# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ages.py: all interleavings of threads at the table of ages (runtime/buffer/ages.h), in a table of four keys below two hints.

A stress run meets the bad moments once in a million. Here each access to shared memory is a step, and every order of the steps of
some threads is tried, with every thread ended at every step, too. Steps are sequentially consistent: the fences make them so
(age-hint.litmus, age-taken.litmus). In each end:

- a key has been taken once, or it is there;
- a take that found nothing did not overlook a key that was there all the time;
- no hint is smaller than what is below it, unless a thread has been ended in the middle;
- takes that follow find all keys, the oldest first.

`--without STEP` leaves a step out, and then one of these must fail: raise, look-again, exchange, all-keys.
"""

import argparse
import sys

KEYS, MIDDLE, TOP, COUNT = 0, 4, 6, 7  # places in memory: four keys, two hints, one hint
PARENT = {0: 4, 1: 4, 2: 5, 3: 5, 4: 6, 5: 6}
CHILDREN = {4: (0, 1), 5: (2, 3), 6: (4, 5)}


def raised(place, key):
    """Raises the hints above `place`. A generator's value is what it reads; it yields (place, function of the value)."""
    while place in PARENT:
        place = PARENT[place]
        while True:
            had = yield place, None
            if had >= key or (yield place, lambda now, had=had: key if now == had else None) == had:
                break


def put(leave_out, place, key):
    yield place, lambda now: key
    if leave_out != "raise":
        yield from raised(place, key)


def take(leave_out):
    while True:
        place, key = TOP, (yield TOP, None)
        if not key:  # another thread may be about to raise that hint again
            found = (0, 0)
            for child in range(KEYS, MIDDLE) if leave_out != "all-keys" else ():
                found = max(found, ((yield child, None), child))
            if not found[0] or (yield found[1], lambda now, key=found[0]: 0 if now == key else None) == found[0]:
                return found[0]
            continue
        while place in CHILDREN:
            below = []
            for child in CHILDREN[place]:
                below.append(((yield child, None), child))
            largest, child = max(below)
            if largest < key:
                if (yield place, lambda now, key=key, new=largest: new if now == key else None) == key and leave_out != "look-again":
                    again = 0
                    for other in CHILDREN[place]:
                        again = max(again, (yield other, None))
                    if again:
                        yield from raised(CHILDREN[place][0], again)
                break
            place, key = child, largest
        if place in CHILDREN:
            continue
        if leave_out == "exchange":
            if (yield place, None) == key:
                yield place, lambda now: 0
                return key
        elif (yield place, lambda now, key=key: 0 if now == key else None) == key:
            return key


class Run:
    """Threads that have done some steps: replayed, because a generator cannot be copied."""

    def __init__(self, makers, memory):
        self.makers, self.start = makers, memory
        self.memo = {}

    def local(self, thread, reads):
        """The next access of a thread that has read these values, or its result."""
        if (thread, reads) not in self.memo:
            generator, access = self.makers[thread](), None
            try:
                access = next(generator)
                for read in reads:
                    access = generator.send(read)
                self.memo[thread, reads] = (False, access)
            except StopIteration as stop:
                self.memo[thread, reads] = (True, stop.value)
        return self.memo[thread, reads]

    def step(self, state, thread):
        memory, reads = state
        place, change = self.local(thread, reads[thread])[1]
        now = memory[place]
        new = change(now) if change else None
        if new is not None:
            memory = memory[:place] + (new,) + memory[place + 1:]
        return memory, reads[:thread] + (reads[thread] + (now,),) + reads[thread + 1:]


def taken_alone(memory):
    """The items that one thread takes when it is alone."""
    taken = []
    while True:
        generator, memory_now = take(None), list(memory)
        try:
            place, change = next(generator)
            while True:
                now = memory_now[place]
                new = change(now) if change else None
                if new is not None:
                    memory_now[place] = new
                place, change = generator.send(now)
        except StopIteration as stop:
            if not stop.value:
                return taken
            taken.append(stop.value)
            memory = tuple(memory_now)


def explore(makers, memory, puts, kills):
    """How many states there are, and the first thing that is wrong, or None. `puts`: by thread, the key that it puts, or 0."""
    run = Run(makers, memory)
    first = (memory, tuple(() for _ in makers))
    # Each state has the threads that have ended, and for each taking thread the keys that have been there since it began.
    seen, stack = set(), [(first, frozenset(), tuple(None for _ in makers))]
    while stack:
        entry = stack.pop()
        if entry in seen:
            continue
        seen.add(entry)
        state, ended, there = entry
        runnable = [t for t in range(len(makers)) if t not in ended and not run.local(t, state[1][t])[0]]
        if not runnable:
            if wrong := check(run, state, ended, memory, puts):
                return len(seen), wrong
            continue
        for thread in runnable:
            after = run.step(state, thread)
            keys = frozenset(after[0][KEYS:MIDDLE]) - {0}
            now = list(there)
            for other, _ in enumerate(makers):
                if puts[other] or other in ended:
                    continue
                if now[other] is not None:
                    now[other] = now[other] & keys
                elif after[1][other]:  # it has begun
                    done = {puts[t] for t in range(len(makers)) if puts[t] and run.local(t, after[1][t])[0]} | (set(memory[KEYS:MIDDLE]) - {0})
                    now[other] = keys & done
            is_done, result = run.local(thread, after[1][thread])
            if is_done and not puts[thread]:
                if result == 0 and now[thread] and not ended:
                    return len(seen), f"a take finds nothing, but {set(now[thread])} are there"
                now[thread] = None
            stack.append((after, ended, tuple(now)))
            if kills and not ended and state[1][thread]:
                stack.append((state, frozenset({thread}), there))
    return len(seen), None


def check(run, state, ended, memory, puts):
    keys, taken = sorted(set(state[0][KEYS:MIDDLE]) - {0}, reverse=True), []
    for thread, reads in enumerate(state[1]):
        if thread not in ended and not puts[thread] and (result := run.local(thread, reads)[1]):
            taken.append(result)
    everything = set(memory[KEYS:MIDDLE]) | {key for t, key in enumerate(puts) if t not in ended} | (set() if not ended else set(keys))
    if len(set(taken)) != len(taken) or set(taken) & set(keys):
        return f"{taken} are taken, {keys} are there"
    if ended:
        return None
    if set(taken) | set(keys) != everything - {0}:
        return f"{taken} are taken, {keys} are there, of {everything}"
    for hint, below in CHILDREN.items():
        if state[0][hint] < max(state[0][child] for child in below):
            return f"a hint is too small: {state[0]}"
    if taken_alone(state[0]) != keys:
        return f"{taken_alone(state[0])} are found, not {keys}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--without", choices=["raise", "look-again", "exchange", "all-keys"])
    out = parser.parse_args().without
    # Key 9 is the oldest. The hints of a key that was taken are still there.
    cases = {
        "two takes of two": ([lambda: take(out), lambda: take(out)], (9, 0, 8, 0, 9, 8, 9), (0, 0), True),
        "a put, two takes": ([lambda: put(out, 1, 5), lambda: take(out), lambda: take(out)], (0, 0, 0, 0, 0, 0, 9), (5, 0, 0), False),
        "two puts, a take": ([lambda: put(out, 0, 5), lambda: put(out, 3, 4), lambda: take(out)], (0, 0, 0, 0, 9, 0, 9), (5, 4, 0), True),
    }
    for name, case in cases.items():
        states, problem = explore(*case)
        print(f"{name}: {states} states: {problem or 'right'}")
        if problem:
            return 1
    print(f"{len(cases)} cases are right")
    return 0


if __name__ == "__main__":
    sys.exit(main())
