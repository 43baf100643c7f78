#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints what is in the buffers of a process and its instances, one line each, by name.

    instances.py DIR       `NAME: FUNCTION COUNT, ...; probes COUNT EVENT, ...; COUNT stacks; marks TEXT, ...`; the main one is `main`

Exits of calls are not counted. Fails if events are lost, or a ring has a hole.
"""

import collections
import os
import sys

import buffer


def name_of(path):
    stem = os.path.basename(path)[:-len(".buf")]
    return stem.split("@", 1)[1] if "@" in stem else "main"


def main():
    for found in sorted(buffer.read_all(sys.argv[1]), key=lambda b: name_of(b.path)):
        counts, probes, marks, stacks = collections.Counter(), collections.Counter(), [], 0
        for ring in found.rings:
            counts.update(found.maps.name(event.id) for event in ring.events if event.kind != "exit")
            marks += [mark.text for mark in ring.marks if mark.format == 2]
            stacks += sum(mark.format == 5 for mark in ring.marks)
            probes.update(mark.probe for mark in ring.marks if mark.format == 7)
            if ring.holes:
                sys.exit(f"{found.path}: holes")
        if found.lost_events():
            sys.exit(f"{found.path}: {found.lost_events()} lost")
        events = ", ".join(f"{name} {counts[name]}" for name in sorted(counts))
        probed = ", ".join(f"{probes[name]} {name}" for name in sorted(probes))
        print(f"{name_of(found.path)}: {events}" + ("; probes " + probed if probed else "") +
              (f"; {stacks} stacks" if stacks else "") + ("; marks " + ", ".join(marks) if marks else ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
