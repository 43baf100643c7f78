# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The events of a Nophook recording, for Python programs.

    import nophook

    for event in nophook.events():
        if event.begins and event.function == "main":
            print(event.time_ns, event.arguments)

`nophook script FILE [PATH [ARGUMENT...]]` runs such a program. Then events() without a path reads PATH, or nophook.data. A
program that Python runs by itself finds this module if PYTHONPATH has its folder, and gives events() a path.

The module decodes what `nophook report --json` prints, one event at a time, so memory does not grow with the recording.
Names are those of the command; the options of `report` choose events: events(options=["--function", "parse*"]).
"""

import json
import os
import subprocess

__all__ = ["Error", "Event", "events", "walk", "number", "duration_text", "recording_path"]


class Error(Exception):
    """The recording cannot be read, or a part of it is missing: the command's message."""


class Event:
    """A line of a thread's trace. A value that an event lacks is None, or empty.

    kind           "entry" and "exit" of a call; "call": both, of a call without events in it, at the time of its start;
                   "entry_only": a call whose end is not recorded; "function": an event of the function tracer;
                   "mark", "event", "stack", "repeats": the program's own; "lost": events are missing here
    time_ns        CLOCK_MONOTONIC, or the recording's clock
    realtime_ns    nanoseconds since 1970, with options=["-O", "wall"]
    cpu, pid, tid, comm
    function       the function's name; of "mark" and "event" the one that made it
    parent         of "function": the function that it returns to
    depth          how many calls are around it
    inherited      True of a call that was open when the thread's recording began: in a fork child, one of its parent's
    arguments      {name: text}; number() makes a number of a text
    result         the returned value, a text
    duration_ns    of "exit" and "call"
    self_ns        the same without the calls in it
    returned       of "exit" and "call": False for a call that was left otherwise, which `end` names
    text, lost     of "mark" and "lost"
    fields         everything that the JSON object has
    """

    __slots__ = ("fields", "arguments", "result")

    def __init__(self, fields):
        self.fields = fields
        arguments = fields.get("arguments") or []
        if isinstance(arguments, dict):  # a probe's event
            self.arguments = arguments
        else:
            self.arguments = {value.get("name", str(at)): value["value"] for at, value in enumerate(arguments, 1)}
        self.result = fields["result"]["value"] if "result" in fields else None

    def __getattr__(self, name):
        if name in _KNOWN:
            return self.fields.get(name)
        if name in self.fields:
            return self.fields[name]
        raise AttributeError(name)

    @property
    def begins(self):
        """Whether a call begins here."""
        return self.fields["kind"] in ("entry", "call", "entry_only", "function")

    @property
    def ends(self):
        """Whether a call ends here, with a duration if its start was recorded."""
        return self.fields["kind"] in ("exit", "call")

    def __repr__(self):
        return f"Event({self.fields!r})"


_KNOWN = frozenset(("kind", "time_ns", "realtime_ns", "inherited", "cpu", "pid", "tid", "comm", "function", "parent", "depth", "duration_ns", "self_ns", "returned",
                    "end", "text", "lost"))


def recording_path():
    """The recording that `nophook script` was given."""
    return os.environ.get("NOPHOOK_RECORDING", "nophook.data")


def events(path=None, options=()):
    """Yields the events of a recording in the order of time. `options`: of `nophook report`, which choose events.

    Without a path, the options that `nophook script` was given choose events, too. Raises Error if the recording cannot be read, and behind the last event if a part of it is missing.
    """
    selection = [] if path else json.loads(os.environ.get("NOPHOOK_SELECTION", "[]"))
    command = [os.environ.get("NOPHOOK_COMMAND", "nophook"), "report", "--json", *selection, *options, path or recording_path()]
    try:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", errors="replace")
    except OSError as error:
        raise Error(f"{command[0]}: {error.strerror}") from None
    finished = False
    try:
        for line in process.stdout:
            yield Event(json.loads(line))
        finished = True
    finally:
        if not finished:
            process.kill()
        process.stdout.close()
        said = process.stderr.read().strip()
        process.stderr.close()
        status = process.wait()
    if status:
        raise Error(said or f"nophook report ended with status {status}")


def walk(path=None, options=()):
    """Yields ("entry", event), ("exit", event) and (other kinds, event): a "call" is both, one after the other."""
    for event in events(path, options):
        if event.kind == "call":
            yield "entry", event
            yield "exit", event
        elif event.kind in ("entry_only", "function"):
            yield "entry", event
        else:
            yield event.kind, event


def number(text):
    """The number in the text of a value: -5, 0x7f, 2.5; None if it is another value, such as a string or a structure.

    The question mark of a value that the function does not use is passed over.
    """
    if text is None:
        return None
    text = text.rstrip("?")
    for convert in (lambda: int(text, 0), lambda: float(text)):
        try:
            return convert()
        except ValueError:
            pass
    return None


def duration_text(duration_ns):
    """A duration with a fitting unit: "1.250 us"."""
    for limit, divisor, unit in ((10**6, 10**3, "us"), (10**9, 10**6, "ms")):
        if duration_ns < limit:
            return f"{duration_ns / divisor:.3f} {unit}"
    return f"{duration_ns / 10**9:.3f} s"
