# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""exchanged_descriptor.py NOPHOOK SCRIPT PROGRAM LIB FOLDER: attaches to processes that do not see the library, and that put
a file which they may only read, or a FIFO, in the place of their copy of it; and to one that may make no large file. strace shows the files that attach opens."""

import os
import re
import subprocess
import sys

from attaching import PATIENCE, Target, expect

TEXT = "only to be read\n"


def attach_to(target, trace, *refusals):
    words = ["strace", "-f", "-qq", "-e", "trace=open,openat,creat", "-o", trace, target.nophook, "attach", str(target.pid),
             "-o", target.scratch, "-p", "function", "--duration", "1ms"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=PATIENCE)
    if done.returncode and not any(refusal in done.stderr for refusal in refusals):
        sys.exit(f"attach: {done.returncode}: {done.stderr}")
    with open(trace, encoding="utf-8") as file:
        expect(re.findall(r'.*"/proc/\d[^"]*/fd/.*O_(?:WRONLY|RDWR).*', file.read()), [])
    return done.returncode


def main():
    nophook, script, program, lib, folder = sys.argv[1:]
    trace = os.path.join(folder, "trace")
    file, fifo = os.path.join(folder, "file"), os.path.join(folder, "fifo")
    with open(file, "w", encoding="utf-8") as out:
        out.write(TEXT)
    os.mkfifo(fifo)
    for other, flags in ((file, os.O_RDONLY), (fifo, os.O_RDWR)) * 2:
        target = Target(nophook, [script, "mount", program, lib, folder], folder, other, str(flags))
        # The descriptor of the file may only be read; a FIFO has no places.
        attach_to(target, trace, "its copy of the library cannot be written (")
        target.goes_on()
        expect(target.end(), 0)
    limited = ["sh", "-c", 'ulimit -f 100 && exec "$@"', "sh", script, "mount", program, lib, folder]
    target = Target(nophook, limited, folder, file, str(os.O_RDONLY))
    expect(attach_to(target, trace, "its limit of file sizes (ulimit -f) is too low for a copy of the library"), 1)
    target.goes_on()
    expect(target.end(), 0)
    with open(file, encoding="utf-8") as out:
        expect(out.read(), TEXT)


main()
