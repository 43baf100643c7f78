# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Opening and closing sites while threads run through them."""

import statistics

from common import Line, differences, in_turns, run_samples, run_with_buffer

GROUP = "patching 50,000 sites while two threads run through them"
ONE = "toggling one site"
PROCESSES = 9, 3  # of each program, in turns: one process may be lucky from its start to its end

# The budget is LLVM's XRay, which patches the same functions in the same run, two threads running too,
# without a core sync, a look at what stands there, or reading it back. It took 3.0 and 0.7 ms when the
# budgets were set; milliseconds of another day and machine say little.
STEPS = [  # sample, what, floor or peer, budget: times that
    ("prepare", "before the first tracer: find and sort sites, islands, buffer", None, None),
    ("first", "enable all, first time", "xray_first", 1.0),
    ("first_off", "disable all, first time", "xray_first_off", None),
    ("later", "enable all, later (tracing_set_tracer)", "xray_later", 1.0),
    ("off", "disable all, later (tracing_set_tracer)", "xray_off", None),
    ("filter_on", "enable all, later (notrace list emptied)", "floor_later", None),
    ("filter_off", "disable all, later (notrace list '*')", "floor_later", None),
]


def measure(setting):
    merged, log = changes(setting, ["15"], 15, 3)
    return lines_of_all(merged, log) + lines_of_threads(setting) + stall_lines(setting) + lines_of_one(setting, merged)


def changes(setting, arguments, usual, quick):
    """All samples of both programs, by name, and what the runtime says of its table of sites, if the program prints it."""
    found = in_turns(setting, {"ours": lambda: run_with_buffer([setting.program("bench_enable"), *arguments]),
                               "XRay": lambda: run_samples([setting.program("bench_enable_xray"), *arguments])}, usual, quick)
    merged = {}
    for samples in found["ours"] + found["XRay"]:
        for name, values in samples.items():
            if isinstance(values, list):
                merged.setdefault(name, []).extend(values)
    return merged, found["ours"][-1].get("log")


def lines_of_all(merged, log):
    lines = []
    for name, what, floor, budget in STEPS:
        line = Line(GROUP, what, "ms", merged[name])
        cpu = statistics.median(merged["cpu:" + name])
        line.note = f"processor time of the patching thread: {cpu:.2f} ms"
        if floor:
            line.against("XRay" if floor.startswith("xray") else "write text", merged[floor])
        if budget:
            line.within("<= XRay", line.ratio, budget)
        lines.append(line)
    rewrite = Line(GROUP, "rewrite each site as it is, text that runs", "ms", merged["rewrite"])
    rewrite.against("write text", merged["floor_later"])
    rewrite.note = "mprotect, load and store each site's word, a core sync: what no tool can do faster"
    lines.append(rewrite)
    lines[-2].note += (f". Floor: mprotect, a store for each site, a core sync, in {merged['text_pages'][0]:.0f} "
                       "pages of text that nobody runs in")
    sites, pages = merged["sites"][0], int(log.split()[-2])
    record = Line(GROUP, "memory of a record", "bytes", [pages * 4096 / sites])
    record.note = log
    lines.append(record.within("<= 9 + page headers", 4096 // 9, sites / pages + 4096 / 9 * 0.02))
    lines.append(Line(GROUP, "events lost", "", [sum(merged["lost"])]))
    return lines


def lines_of_threads(setting):
    """The same with no thread, and with more than there are processors."""
    lines = []
    for count in (0, 16, 1000):
        samples, _ = changes(setting, ["9", str(count)], 5, 2)
        who = f"{count:,} threads" if count else "no other thread"
        for name, what in (("later", "enable"), ("off", "disable")):
            line = Line(GROUP, f"{what} all, later, {who}", "ms", samples[name]).against("XRay", samples["xray_" + name])
            line.note = (f"processor time of the patching thread: {statistics.median(samples['cpu:' + name]):.2f} ms; "
                         f"XRay's longest: {max(samples['xray_' + name]):.0f} ms")
            lines.append(line)
    return lines


def medians(processes, name):
    return [statistics.median(samples[name]) for samples in processes]


def stall_lines(setting):
    found = in_turns(setting, {"ours": lambda: run_with_buffer([setting.program("bench_stall")]),
                               "XRay": lambda: run_samples([setting.program("bench_stall_xray")])}, *PROCESSES)
    kind = "a SCHED_FIFO thread" if found["ours"][0]["real_time"][0] else "a thread (SCHED_FIFO was refused)"
    lines = []
    for name, what in (("ours", ""), ("XRay", ", by LLVM XRay")):
        processes = found[name]
        line = Line(GROUP, f"longest stall of {kind} in a change of all{what}", "us", medians(processes, "changes"))
        line.against("nothing changes", medians(processes, "quiet"))
        line.note = f"medians of {len(processes)} processes, each with {len(processes[0]['changes'])} changes and as many quiet spells"
        worst = Line(GROUP, f"the worst of a process's changes{what}", "us", [max(samples["changes"]) for samples in processes])
        worst.against("nothing changes", [max(samples["quiet"]) for samples in processes])
        lines += [line, worst]
    return lines


def lines_of_one(setting, merged):
    found = in_turns(setting, {"ours": lambda: run_with_buffer([setting.program("bench_toggle")]),
                               "XRay": lambda: run_samples([setting.program("bench_toggle_xray")])}, *PROCESSES)
    ours, xray = found["ours"], found["XRay"]
    lines = []
    for state, same, what in (("alone", "unchanged", "one thread"),
                              ("threads", "searched", "two threads run through it")):
        floor = ("write a word", medians(ours, "floor_" + state))
        whole = Line(ONE, f"by name, among a dozen sites, {what}", "us", medians(ours, state)).against(*floor)
        without = Line(ONE, f"the same, above a call that changes nothing, {what}", "us",
                       differences(whole.samples, medians(ours, same))).against(*floor)
        without.note = "what is taken off: reading symbols, matching names, comparing records"
        by_xray = Line(ONE, f"by LLVM XRay, by the function's number, {what}", "us",
                       medians(xray, "xray_" + state)).against(*floor)
        by_xray.note = "two sleds, an entry and an exit; the other cores are not serialised"
        by_address = Line(ONE, f"by address, {what}", "us", medians(ours, "address_" + state)).against(*floor)
        lines += [line.within("<= 5 us", line.median, 5) for line in (by_address, whole, without)] + [by_xray]
    lines[0].note = (f"here and below, the medians of {len(ours)} processes. The thread that toggles is bound to the first CPU, "
                     "the threads that run through the function are bound to the last one")
    by_name = Line(ONE, "by name, among 50,000 sites, two threads", "ms",
                   merged["one_on"] + merged["one_off"])
    by_name.note = "all symbols are read and matched"
    return lines + [by_name]
