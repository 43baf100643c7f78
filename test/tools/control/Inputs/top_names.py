# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""top_names.py NOPHOOK RUNTIME PROGRAM: how `top` shows the name of a member of a template."""

import os
import shlex
import subprocess
import sys

from serving import Serving
from terminal import GIVE_BACK, Terminal, pictures

FULL = "Store<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char>>>::get"
SHORT = "Store<std::string>::get"
LINKED = "_ZN5StoreINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEE3getEi"


def main():
    nophook, runtime, program = sys.argv[1:]
    serving = Serving(nophook, runtime, program)

    def shown(command):
        """While the program makes calls."""
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as top:
            while top.poll() is None:
                serving.tell("go")
            return top.stdout.read()

    def on_terminal(columns, options):
        command = f"stty rows 20 cols {columns}; NO_COLOR=1 {shlex.quote(nophook)} top -d 200ms {options} {serving.pid}"
        return shown(["script", "-qec", command, "/dev/null"])

    def expect(name, text):
        rows = [line for line in text.replace("\r", "").splitlines() if line.endswith("get") or "3get" in line]
        if not rows or any(not line.endswith("  " + name) for line in rows):
            sys.exit(f"{name} is not in {text!r}")

    try:
        top = [nophook, "top", "-d", "200ms", str(serving.pid)]
        expect(FULL, shown(top))
        expect(SHORT, shown([*top, "--names", "short"]))
        expect(LINKED, shown([*top, "--names", "linked"]))
        expect(SHORT, on_terminal(120, "--once"))
        expect("Store<…>::get", on_terminal(70, "--once --names full"))
        screen = Terminal(nophook, "top", "-d", "100ms", "--names", "full", str(serving.pid))
        screen.resize(20, 70)

        def has_name(text):
            serving.tell("go")
            return any("Store<…>::get" in picture[-1] for picture in pictures(text))

        screen.wait(has_name)
        os.write(screen.fd, b"q")
        screen.wait(lambda text: GIVE_BACK in text)
        screen.end()
        expect("Store<…>::get", screen.text.split(GIVE_BACK)[1])
    finally:
        serving.end()


main()
