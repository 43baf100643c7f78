#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Logs in to an sshd of its own, on a port of its own, COUNT times: sshd.py TREE COUNT

Before each login, a child of sshd gives itself a root of its own, another user, and a filter of system calls that
kills. The answers are the same for each login, so they are counted.
"""

import collections
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def main():
    tree, count = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2])
    empty = tree / "run" / "empty"
    empty.mkdir(parents=True, exist_ok=True)
    empty.chmod(0o755)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="nophook-sshd-"))
    for key in ("host", "user"):
        subprocess.run([tree / "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / key], check=True)
    shutil.copy(folder / "user.pub", folder / "authorized")
    port = free_port()
    (folder / "config").write_text(f"""
ListenAddress 127.0.0.1:{port}
HostKey {folder}/host
AuthorizedKeysFile {folder}/authorized
PidFile none
StrictModes no
PermitRootLogin yes
PasswordAuthentication no
KbdInteractiveAuthentication no
MaxStartups 200
""", encoding="utf-8")
    server = subprocess.Popen([tree / "sshd", "-D", "-e", "-f", folder / "config"], stderr=open(folder / "log", "wb"))
    login = [tree / "ssh", "-F", "none", "-p", str(port), "-i", folder / "user", "-o", "StrictHostKeyChecking=no", "-o",
             "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR", "-o", "BatchMode=yes", "root@127.0.0.1"]
    try:
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        answers = collections.Counter()
        for number in range(count):
            done = subprocess.run([*login, f"echo hello; exit {number % 3}"], capture_output=True, text=True, check=False)
            answers[(done.returncode, done.stdout.strip(), done.stderr.strip())] += 1
        for answer, times in sorted(answers.items()):
            print(times, *answer)
    finally:
        server.terminate()
        server.wait()
        killed = (folder / "log").read_bytes().count(b"signal")
        print(f"{killed} lines of the log are about signals")
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
