# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Tests that show their faults only after long: torture for minutes, recordings of a billion events, hundreds of
# processes. `./do test` runs the short forms, `./do test --all` the long ones: about two hours, and 20 GB in build/. By
# hand: NOPHOOK_LONG=1 lit-22 -v test/soak
import os
import sys

import lit.formats

config.name = "soak"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".c", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
root = os.path.dirname(os.path.dirname(config.test_source_root))
build = os.path.join(root, "build")
config.test_exec_root = os.path.join(build, "test-soak")
is_long = "NOPHOOK_LONG" in os.environ


def either(short, long):
    return str(long if is_long else short)


# Longer names come first: one may begin another.
config.substitutions += [
    ("%million-calls", either(5, 500)),
    ("%processes", either(10, 300)),
    ("%fib", either(28, 33)),
    ("%seconds", either(4, 600)),
    ("%bench-groups", either("--only full", "--peers")),
    ("%bench", " ".join((sys.executable, os.path.join(root, "bench", "bench.py"), "--build", build))),
    ("%torture", os.path.join(build, "bin", "ftrace-torture")),
    ("%traced_cc", os.path.join(build, "bin", "nophook") + " cc -O1 -pthread"),
    ("%nophook", os.path.join(build, "bin", "nophook")),
]
config.environment["PATH"] = "/usr/lib/llvm-22/bin:" + os.environ["PATH"]
