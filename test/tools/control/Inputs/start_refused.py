# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""start_refused.py NOPHOOK RUNTIME PROGRAM: the settings behind a `start` that fails."""

import sys

from serving import Serving

nophook, runtime, program = sys.argv[1:]
serving = Serving(nophook, runtime, program)
names = ["tracing_on", "calls", "set_ftrace_filter", "set_ftrace_notrace", "set_graph_function", "current_tracer"]
before = [serving.get(name) for name in names]
for options in (["nosuch"], ["-n", "nosuch"], ["-g", "nosuch"], ["tick", "-n", "tock", "-g", "nosuch", "--calls"]):
    done = serving.run("start", serving.pid, *options)
    after = [serving.get(name) for name in names]
    if done.returncode != 1 or after != before:
        sys.exit(f"{options}: {done.returncode} {done.stderr!r} {after}")
serving.end()
