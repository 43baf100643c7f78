# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""attach_values.py NOPHOOK RUNTIME PROGRAM DATA: an option of the tree, and one that is none."""

import sys

from serving import Serving


def main():
    nophook, runtime, program, data = sys.argv[1:]
    serving = Serving(nophook, runtime, program)
    taken = serving.run("attach", "--duration", "100ms", serving.pid, "-o", data, "-S", "trace_options=sym-offset")
    if taken.returncode:
        sys.exit(taken.stderr)
    refused = serving.run("attach", "--duration", "100ms", serving.pid, "-o", data, "-S", "trace_options=none")
    if refused.returncode != 1 or "there is no such option" not in refused.stderr:
        sys.exit(refused.stderr)
    serving.end()


main()
