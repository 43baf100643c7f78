# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""every_format.py NOPHOOK DATA FOLDER: each format of `nophook export` says of a recording what `nophook report` says.

A format that is new fails until it has a check here. Where the recording has lost events, each format but `folded`, which has
no place for it, says how many."""

import json
import pathlib
import re
import shutil
import subprocess
import sys

INPUTS = pathlib.Path(__file__).parent
NOPHOOK, DATA, FOLDER = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
COSTS = {"perfetto", "chrome", "speedscope", "firefox", "folded", "callgrind", "pprof"}
SCHEMAS = {"chrome", "firefox"}


def run(*command, check=True):
    return subprocess.run(list(map(str, command)), check=check, capture_output=True, text=True).stdout


def script(name, *arguments):
    subprocess.run([sys.executable, INPUTS / name, *map(str, arguments)], check=True)


def lost_in_trace_dat(path):
    """In front of what they are missing: CPU:1 [31 EVENTS DROPPED]."""
    return sum(map(int, re.findall(r"\[(\d+) EVENTS DROPPED\]", run("trace-cmd", "report", "-i", path))))


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    top, lost_file = FOLDER / "top", FOLDER / "lost"
    top.write_text(run(NOPHOOK, "report", "--top", "1000", "--json", "--names", "short", DATA))
    lost = sum(json.loads(line).get("lost", 0) for line in run(NOPHOOK, "report", "--json", DATA).splitlines())
    lost_file.write_text(f"{lost}\n")
    formats = re.search(r"^--format\tFORMAT\t(.*)$", run(NOPHOOK, "export", "--complete"), re.M)[1].split()
    assert len(formats) >= 11, formats
    for name in formats:
        path = FOLDER / f"exported.{name}"
        subprocess.run([NOPHOOK, "export", "--format", name, "-o", path, DATA], check=True, stderr=subprocess.DEVNULL)
        if name in ("text", "json"):
            assert path.read_text() == run(NOPHOOK, "report", *["--json"] * (name == "json"), DATA), name
        elif name == "ctf":
            script("same_ctf.py", NOPHOOK, DATA, path)
        elif name == "trace.dat":
            script("same_events.py", NOPHOOK, DATA, path)
            assert lost_in_trace_dat(path) == lost, (lost_in_trace_dat(path), lost)
        else:
            assert name in COSTS, f"{name} has no check"
            script("same_costs.py", name, path, top, *[lost_file] * (name != "folded"))
            if name in SCHEMAS:
                script("fits.py", INPUTS / f"{name}.schema.json", path)
    print(f"{len(formats)} formats, {lost} events lost")


main()
