# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""typed_names.py NOPHOOK RUNTIME PROGRAM DATA: its functions by the names that users type."""

import json
import re
import subprocess
import sys

from serving import Serving


def shown_by_top(serving, nophook, *options):
    with subprocess.Popen([nophook, "top", "--json", *options, str(serving.pid)], stdout=subprocess.PIPE, text=True) as top:
        while top.poll() is None:
            serving.tell("go")
        return {json.loads(line)["function"] for line in top.stdout}


def main():
    nophook, runtime, program, data = sys.argv[1:]
    serving = Serving(nophook, runtime, program)
    try:
        for typed, function in (("make_name", "app::make_name[abi:cxx11]"), ("app::make_name", "app::make_name[abi:cxx11]"),
                                ("Vec::operator*", "app::Vec::operator*"), ("app::Vec::operator*(int)", "app::Vec::operator*")):
            done = serving.run("start", serving.pid, "-p", "function", typed)
            assert done.returncode == 0, done.stderr
            serving.tell("go")
            found = re.findall(r": (\S+) <-", serving.run("show", serving.pid).stdout)
            assert found == [function], (typed, found)
        assert serving.run("start", serving.pid, "no_such").returncode == 1
        for verb in (["start", serving.pid, "make_nam"], ["top", "-l", "make_nam", serving.pid],
                     ["attach", "-p", "function", "-l", "make_nam", "-o", data, serving.pid]):
            done = serving.run(*verb)
            assert done.returncode == 1 and "'make_nam': the nearest: app::make_name" in done.stderr, (verb, done)
        assert serving.run("reset", serving.pid).returncode == 0
        for typed, function in (("make_name", "app::make_name[abi:cxx11]"), ("Vec::operator*", "app::Vec::operator*")):
            assert shown_by_top(serving, nophook, "-l", typed) == {function}, typed
        left = shown_by_top(serving, nophook, "-n", "Vec::operator*")
        assert "app::Vec::operator*" not in left and "app::make_name[abi:cxx11]" in left, left
        assert serving.run("top", "-l", "no_such", serving.pid).returncode == 1
        with subprocess.Popen([nophook, "attach", "-p", "function", "-l", "Vec::operator*", "-o", data, str(serving.pid)],
                              stderr=subprocess.PIPE, text=True) as attached:
            assert "recording" in attached.stderr.readline()
            serving.tell("go")
            attached.terminate()
            attached.communicate()
        found = re.findall(r": (\S+) <-", serving.run("report", data).stdout)
        assert found == ["app::Vec::operator*"], found
    finally:
        serving.end()


main()
