#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""values.py NOPHOOK RUNTIME PROGRAM SCRATCH: what `record --set` and the runtime say of values of settings.

PROGRAM makes the file that its argument names. A wrong value is refused with the runtime's sentence, before
the program starts and before the recording that is there is replaced; a right one is taken by both."""

import os
import subprocess
import sys

WRONG = """auto_notrace=4294967295 auto_notrace=x buffer_mode=keep buffer_mode=wait:10001 buffer_mode=wait: function_fork=2
function_fork= log=name log= log=/{long} max_graph_depth=257 max_graph_depth=-1 max_graph_depth= perf_map=2 perf_map=on
perf_counters=page-faults,none set_ftrace_pid=0 set_ftrace_pid=1,a set_ftrace_notrace_pid=2147483648 set_latency_marks=one
set_latency_marks=,two set_latency_marks=a,{long} trace_clock=tsc trace_clock= trace_options=none trace_options=nono-args
tracing_cpumask=g tracing_cpumask=, tracing_max_latency=1.2345 tracing_max_latency=. tracing_on=off
tracing_thresh=3600000001 tracing_thresh=1ms
perf_counters=task-clock,page-faults,minor-faults,major-faults,context-switches,cycles,instructions,branches,cache-misses
instances/foo/current_tracer=none instances/foo/tracing_on=x instances/foo/max_graph_depth=257 instances/foo/perf_counters=none
instances/foo/auto_notrace=x instances/foo/set_latency_marks=one instances/foo/trace_options=none"""
RIGHT = """auto_notrace=4294967294 buffer_mode=wait:10000 buffer_mode=drop function_fork=0 log=/dev/null max_graph_depth=256
perf_map=0 perf_counters=task-clock,page-faults,,minor-faults,major-faults,context-switches perf_counters= set_ftrace_pid=
set_ftrace_pid=1,2147483647 set_latency_marks= set_latency_marks=a,b trace_clock=x86-tsc trace_clock=mono
trace_clock=global trace_clock=local trace_clock=mono_raw trace_clock=boot trace_clock=counter trace_options=
trace_options=func-args,nofuncgraph-args,funcgraph-retval,func_stack_trace,nofunc-no-repeats,function-fork,event-fork
tracing_cpumask=ff,FFFFFFFF tracing_max_latency=1.234 tracing_max_latency=0 tracing_on=1 tracing_thresh=3600000000
instances/foo/current_tracer=function instances/foo/current_tracer=nop instances/foo/set_ftrace_pid=1"""

nophook, runtime, program, scratch = sys.argv[1:]
ran, data = scratch + ".ran", scratch + ".data"


def values(text):
    return text.replace("{long}", "x" * 600).split()


def of_runtime(setting):
    environment = dict(os.environ, NOPHOOK=setting, LD_PRELOAD=runtime)
    return subprocess.run([program], env=environment, capture_output=True, text=True, check=True).stderr


def of_record(setting):
    done = subprocess.run([nophook, "record", "-S", setting, "-o", data, "--", program, ran],
                          capture_output=True, text=True, check=False)
    has_run = os.path.exists(ran)
    if has_run:
        os.unlink(ran)
    return done, has_run


def fail(setting, *said):
    sys.exit(f"{setting[:100]}: {said}")


with open(data, "w", encoding="utf-8") as old:
    old.write("the recording that is there")
wrong = values(WRONG)
for setting in wrong:
    told, (done, has_run) = of_runtime(setting), of_record(setting)
    begin = f"nophook: NOPHOOK: {setting}: "
    # A line of the log may be shorter than a long setting; then the two begin alike, and nothing else is known.
    is_same = done.stderr == told.replace(begin, f"nophook: record: --set {setting}: ") and told.startswith(begin)
    is_long = len(setting) > 500 and told and done.stderr.startswith(f"nophook: record: --set {setting}: ")
    with open(data, encoding="utf-8") as old:
        is_old = old.read() == "the recording that is there"
    if done.returncode != 2 or has_run or not is_old or not (is_same or is_long):
        fail(setting, done, has_run, told)
right = values(RIGHT)
for setting in right:
    told, (done, has_run) = of_runtime(setting), of_record(setting)
    if done.returncode or not has_run or told or "NOPHOOK" in done.stderr:
        fail(setting, done, has_run, told)
print(f"{len(wrong)} wrong values, {len(right)} right ones")
