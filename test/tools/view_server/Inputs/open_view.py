# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attacks of other processes of the machine on `nophook view`.

  open_view.py NOPHOOK DATA own        the address in the browser's arguments, for the command's own user
  open_view.py NOPHOOK DATA other      the same for another user
  open_view.py NOPHOOK DATA half_open  connections that send nothing
"""

import atexit
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request

NOPHOOK, DATA, WHAT = sys.argv[1:]
ASK = "import sys, urllib.request; urllib.request.urlopen(sys.argv[1])"
NOBODY = 65534


def start():
    """The printed address, and the one that the browser got."""
    folder = tempfile.mkdtemp()
    pipe, browser = f"{folder}/arguments", f"{folder}/browser"
    os.mkfifo(pipe)
    pathlib.Path(browser).write_text(f'#!/bin/sh\ntr "\\0" "\\n" < /proc/$$/cmdline | tail -n 1 > {pipe}\n', encoding="utf-8")
    os.chmod(browser, 0o700)
    view = subprocess.Popen([NOPHOOK, "view", DATA], stdout=subprocess.PIPE, text=True, env={**os.environ, "BROWSER": browser})
    atexit.register(view.kill)
    printed = view.stdout.readline().strip()
    return printed, pathlib.Path(pipe).read_text(encoding="utf-8").strip()


def status(address):
    try:
        with urllib.request.urlopen(address) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def own(printed, opening):
    token = urllib.parse.urlsplit(printed).path.strip("/")
    assert len(token) == 32 and token not in opening, (printed, opening)
    with urllib.request.urlopen(opening) as page:
        assert page.geturl() == printed and b"nophook" in page.read(), page.geturl()
    assert status(opening) == 200, "it can be opened until a page is open"
    with urllib.request.urlopen(printed + "api/alive") as page:
        page.readline()
        assert status(opening) == 403 and status(printed) == 200


def other(printed, opening):
    for address, wanted in ((opening, 1), (printed, 0)):  # the second one shows that nothing else is in the way
        got = subprocess.run([sys.executable, "-c", ASK, address], user=NOBODY, group=NOBODY, extra_groups=[], cwd="/",
                             capture_output=True, text=True, check=False)
        assert got.returncode == wanted and ("403" in got.stderr) == bool(wanted), got
    assert status(opening) == 200, "it still opens for the command's user"


def half_open(printed, _):
    where = urllib.parse.urlsplit(printed)
    silent = [socket.create_connection((where.hostname, where.port)) for _ in range(400)]
    silent[-1].send(b"GET / HTTP/1.1\r\nHost: ")
    assert status(printed) == 200
    # It has not waited for them: the newest are still open, and have no answer.
    for connection in silent[-100:]:
        connection.setblocking(False)
        try:
            raise AssertionError(connection.recv(100))
        except BlockingIOError:
            pass


globals()[WHAT](*start())
print("as it should be")
