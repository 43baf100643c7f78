# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""typed_names.py NOPHOOK RUNTIME PROGRAM DATA: its functions by the names that users type."""

import re
import subprocess
import sys

from serving import Serving


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
        assert serving.run("reset", serving.pid).returncode == 0
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
