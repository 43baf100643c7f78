# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The entries of docs/decisions/README.md about lines: the page of a budget that is missed, and the reason why a peer is better."""

NEAR = 0.9  # a peer that takes more than this of our least is no better: noise is as large


def rows(docs, kind):
    """The rows of its tables that begin with `| KIND: `: the rest of the first cell, and the second one."""
    table = (docs / "decisions" / "README.md").read_text(encoding="utf-8")
    cells = (line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith(f"| {kind}: "))
    return {cell[0].removeprefix(f"{kind}: "): cell[1] for cell in cells}


def page_of(line, missed):
    """The page of a line that has missed its budget. `missed` has it by the name of the line, or by `GROUP: LINE`."""
    return missed.get(f"{line.group}: {line.what}") or missed.get(line.what)


def is_peer(line):
    """Whether another tool was measured. In the groups of peers, all lines are but ours and the programs without a tool."""
    if not line.group.startswith("peers: "):
        return "XRay" in line.what or line.what.startswith("peer: ")
    return not line.what.startswith(("nophook", "two reads", "the program without", "plain", "clang, without", "gcc"))


def is_ours(line):
    return line.what.startswith("nophook") or not (line.group.startswith("peers: ") or is_peer(line))


def kind_of(line):
    """The words that a line shares with the other tool's: "memory", "an event", "two threads run through it"; or all of it."""
    return line.what.removesuffix(", by LLVM XRay").rpartition(", ")[2]


def better_peers(groups):
    """Pairs of a peer's line and our least of the same group and unit, which the peer's is clearly below.

    Left out are the groups in which each compiler's build stands beside its own.
    """
    for group, lines in groups.items():
        if "while nothing is traced" in group or group.startswith("peers: text of"):
            continue
        for peer in filter(is_peer, lines):
            ours = [line for line in lines if is_ours(line) and line.unit == peer.unit and line.samples
                    and (kind_of(line) == kind_of(peer) or group.startswith("peers: ") and "recording read" not in group)]
            if peer.samples and ours and peer.median < NEAR * (best := min(ours, key=lambda line: line.median)).median:
                yield peer, best
