# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a ring's events to calls, by the rules of include/nophook/buffer.h.

An entry at a frame ends every open call whose frame is at or below it: unwound by an
exception or longjmp, or replaced by a tail call. An exit ends the open call with its id and
sp, and every call above that.

Frames far from all others lie on another stack (sigaltstack) and end nothing here. Stacks of
fibers may lie side by side, so a call that seems to have been ended may still come back: an
exit with its signature says that it was only switched away from.
"""

APART = 1 << 20  # bytes between frames that are not on one stack


class Stack:
    def __init__(self, frame):
        self.low = self.high = frame
        self.open = []  # (frame, signature, is a tail)

    def has(self, frame):
        return self.low - APART <= frame <= self.high + APART


class CallTree:
    """Walks `ring`; counts what became of calls; `lines` holds the tree for FileCheck."""

    def __init__(self, ring, maps):
        self.maps = maps
        self.stacks = []  # the one that was used last comes first
        self.ended = {}
        self.lines = []
        self.depth = 0
        self.matched = self.tails = self.unwound = self.orphans = 0
        self.over = []  # (which end, function) of calls that the end of their thread has ended
        ends = list(ring.ends)
        for i, event in enumerate(ring.events):
            while ends and ends[0].behind == i:
                self._over(ends.pop(0))
            if event.kind == "function":
                self.lines.append(f"{maps.name(event.id)} <- {maps.name_of_address(event.parent)}")
            elif event.kind == "exit":
                self._exit((event.id, event.sp), maps.name(event.id))
            else:
                self._entry(event, maps.name(event.id))
        for end in ends:
            self._over(end)
        self.open = [call for stack in self.stacks for call in stack.open]

    def _use(self, stack):
        if stack in self.stacks:
            self.stacks.remove(stack)
        self.stacks.insert(0, stack)
        return stack

    def _stack(self, frame):
        for stack in self.stacks:
            if stack.has(frame):
                stack.low, stack.high = min(stack.low, frame), max(stack.high, frame)
                return self._use(stack)
        return self._use(Stack(frame))

    def _end_top(self, stack):
        """Ends the newest open call, whose exit has not been seen."""
        _, signature, tail = stack.open.pop()
        if not tail:
            self.depth -= 1
            self.unwound += 1
            self.ended[signature] = self.ended.get(signature, 0) + 1
            self._line(f"}} unwound {self.maps.name(signature[0])}")

    def _over(self, end):
        for stack in self.stacks:
            while stack.open:
                _, signature, tail = stack.open.pop()
                self.depth -= not tail
                self.over.append((end, signature[0]))
                if not tail:
                    self._line(f"}} {end.id} {self.maps.name(signature[0])}")

    def _exit(self, signature, name):
        for stack in self.stacks:
            if any(call[1] == signature and not call[2] for call in reversed(stack.open)):
                while stack.open[-1][1] != signature or stack.open[-1][2]:
                    self._end_top(stack)
                stack.open.pop()
                self.depth -= 1
                self.matched += 1
                self._use(stack)
                self._line(f"}} {name}")
                return
        if self.ended.get(signature):
            self.ended[signature] -= 1
            self.unwound -= 1
            self.matched += 1
            self._line(f"}} {name} after all")
        else:
            self.orphans += 1
            self._line(f"}} orphan {name}")

    def _line(self, text):
        self.lines.append("  " * min(self.depth, 40) + text)

    def _entry(self, event, name):
        stack = self._stack(event.frame)
        while stack.open and stack.open[-1][0] <= event.frame:
            self._end_top(stack)
        if event.kind == "only":
            self._line(f"{name} (entry only)")
            return
        tail = event.kind == "tail"
        self.tails += tail
        self._line(f"{name} (tail)" if tail else f"{name} {{")
        stack.open.append((event.frame, (event.id, event.sp), tail))
        self.depth += not tail
