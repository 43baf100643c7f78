#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cost.py README PERFORMANCE: whether the line of cost has the medians of the last whole run of the benchmarks, in which
the three tools took turns; whether each budget that this run has missed has its page of docs/decisions, and each line in which a peer is better its
reason."""

import pathlib
import re
import sys

LINE = re.compile(r"^Recording a million calls into a file takes (\S+ ns) .* XRay's FDR takes (\S+ ns), uftrace (\S+ ns)\s", re.MULTILINE)
GROUP = "## Peers: whole command, a million calls, for each (nanoseconds)"
TOOLS = ("nophook, function_graph", "LLVM XRay, FDR", "uftrace, -pg")

readme, page = (pathlib.Path(path).read_text(encoding="utf-8") for path in sys.argv[1:3])
table = page.split(GROUP)[1].split("\n## ")[0]
measured = dict(re.findall(r"^\| (.*?) \| (.*?) \|", table, re.MULTILINE))
wrong = [f"{tool}: README.md has {said}, docs/performance.md {measured[tool]}"
         for tool, said in zip(TOOLS, LINE.search(readme).groups()) if said != measured[tool]]
wrong += [f"docs/performance.md: {line}" for line in page.splitlines() if "no decision page yet" in line or ": not measured |" in line
          or "no reason is known" in line]
print("\n".join(wrong))
sys.exit(bool(wrong))
