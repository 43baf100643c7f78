# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A terminal with `nophook top` on it."""

import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time

from serving import PATIENCE

TAKE, GIVE_BACK, HOME = "\033[?1049h", "\033[?1049l", "\033[H"


class Terminal:
    """nophook on a terminal of its own."""

    def __init__(self, *words):
        self.text = ""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.execv(words[0], words)

    def resize(self, rows, columns):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def wait(self, happens):
        end = time.monotonic() + PATIENCE
        while not happens(self.text):
            if time.monotonic() > end:
                sys.exit(f"nothing happens: {self.text[-1000:]!r}")
            if select.select([self.fd], [], [], 0.1)[0]:
                try:
                    self.text += os.read(self.fd, 1 << 16).decode()
                except OSError:  # it has ended
                    return

    def end(self):
        self.wait(lambda text: False)  # reads to its end
        _, status = os.waitpid(self.pid, 0)
        assert os.waitstatus_to_exitcode(status) == 0, status
        assert self.text.count(TAKE) == 1 and TAKE in self.text.split(GIVE_BACK)[0], self.text
        assert "FUNCTION" in self.text.split(GIVE_BACK)[1], self.text


def pictures(text):
    """The pictures that are whole, as lines."""
    return [picture.split("\033[J")[0].replace("\033[K", "").replace("\r", "").split("\n")
            for picture in text.split(HOME)[1:] if "\033[J" in picture]
