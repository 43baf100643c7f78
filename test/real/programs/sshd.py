#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Logs in to an sshd of its own, on a port of its own, COUNT times: sshd.py TREE COUNT

Before each login, a child of sshd gives itself a root of its own, another user, and a filter of system calls that
kills. The answers are the same for each login, so they are counted. The log has a line for a child that a signal has
killed. The runtime's messages in there go to stderr.
"""

import collections
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

SECONDS = 300  # of a login or an end, at most
OWN_END = "Received signal 15; terminating."


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Sshd:
    """A server, from `with` to its end; `options` are further words of its command."""

    def __init__(self, tree, options=()):
        self.tree, self.port, self.logins = pathlib.Path(tree).resolve(), free_port(), 0
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="nophook-sshd-"))
        empty = self.tree / "run" / "empty"
        empty.mkdir(parents=True, exist_ok=True)
        empty.chmod(0o755)
        for key in ("host", "user"):
            subprocess.run([self.tree / "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.folder / key], check=True)
        shutil.copy(self.folder / "user.pub", self.folder / "authorized")
        (self.folder / "config").write_text(f"""
ListenAddress 127.0.0.1:{self.port}
HostKey {self.folder}/host
AuthorizedKeysFile {self.folder}/authorized
PidFile none
StrictModes no
PermitRootLogin yes
PasswordAuthentication no
KbdInteractiveAuthentication no
MaxStartups 200
LoginGraceTime {SECONDS}
""", encoding="utf-8")
        with open(self.folder / "log", "wb") as log:
            self.process = subprocess.Popen([self.tree / "sshd", "-D", "-e", *options, "-f", self.folder / "config"], stderr=log)

    def __enter__(self):
        end_s = time.monotonic() + SECONDS
        while "Server listening" not in self.log():
            if self.process.poll() is not None or time.monotonic() > end_s:
                sys.exit(f"sshd has not started: {self.log()}")
            time.sleep(0.02)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def log(self):
        return (self.folder / "log").read_text(errors="replace")

    def login(self):
        """Status, output and errors of a command, each time with another status."""
        command = f"echo hello; exit {self.logins % 3}"
        self.logins += 1
        done = subprocess.run([self.tree / "ssh", "-F", "none", "-p", str(self.port), "-i", self.folder / "user", "-o", "StrictHostKeyChecking=no",
                               "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR", "-o", "BatchMode=yes", "root@127.0.0.1", command],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=SECONDS)
        return done.returncode, done.stdout.strip(), done.stderr.strip()

    def end(self):
        """The lines of the log about signals, and those of the runtime."""
        self.process.terminate()
        self.process.wait(SECONDS)
        lines = self.log().splitlines()
        return ([line for line in lines if "signal" in line and not line.startswith(OWN_END)],
                [line for line in lines if line.startswith("nophook")])


def main():
    with Sshd(sys.argv[1]) as sshd:
        answers = collections.Counter()
        for number in range(int(sys.argv[2])):
            answers[answer := sshd.login()] += 1
            if answer[0] != number % 3:
                print(f"login {number}:", *answer, sshd.log()[-2000:], sep="\n", file=sys.stderr)
        killed, said = sshd.end()
    for answer, times in sorted(answers.items()):
        print(" ".join(map(str, [times, *answer])).strip())
    print(*["signals:", *killed])
    sys.stderr.writelines(line + "\n" for line in said)


if __name__ == "__main__":
    main()
