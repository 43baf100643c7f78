#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""redis.py NOPHOOK RUNTIME SERVER FOLDER: FOLDER/fix.so gets into a redis server, and out again, while four clients write
keys and read them back. Prints what the server answers to a wrong rule of its ACL before, with and without the patch."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time

nophook, runtime, program, folder = sys.argv[1:]
signal.alarm(900)  # a hang is a failure
path = os.path.join(folder, "socket")


class Client:
    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        while self.socket.connect_ex(path):
            if server.poll() is not None:
                sys.exit("the server has ended")
            time.sleep(0.01)
        self.answers = self.socket.makefile("r", encoding="utf-8", newline="\r\n")

    def ask(self, command):
        """The answer's last line: a bulk string has one in front with its length."""
        self.socket.sendall(command.encode() + b"\r\n")
        line = self.answers.readline().strip()
        return self.answers.readline().strip() if line.startswith("$") and line != "$-1" else line


def load(number):
    client = Client()
    while not is_over.is_set():
        key, value = f"key:{number}:{counts[number] % 1000}", f"value{counts[number]}"
        if client.ask(f"SET {key} {value}") != "+OK" or client.ask(f"GET {key}") != value:
            wrong.append(key)
        counts[number] += 1


def patch(*arguments):
    subprocess.run([nophook, "patch", arguments[0], str(server.pid), *arguments[1:]], check=True, stdout=subprocess.DEVNULL)


environment = dict(os.environ, NOPHOOK="serve", LD_PRELOAD=runtime, XDG_RUNTIME_DIR=folder)
os.environ["XDG_RUNTIME_DIR"] = folder
server = subprocess.Popen([program, "--port", "0", "--unixsocket", path, "--save", "", "--dir", folder], env=environment,
                          stdout=subprocess.DEVNULL)
is_over, counts, wrong = threading.Event(), [0] * 4, []
threads = [threading.Thread(target=load, args=[number]) for number in range(4)]
admin = Client()
for thread in threads:
    thread.start()


def report(when):
    before = counts[:]
    while any(now < then + 100 for now, then in zip(counts, before)):
        time.sleep(0.01)
    print(f"{when}: {admin.ask('ACL SETUSER reader %')}")


report("before")
patch("apply", os.path.join(folder, "fix.so"), "--wait")
report("patched")
patch("revert", "fix", "--wait")
report("reverted")
patch("unload", "fix")
report("unloaded")
is_over.set()
for thread in threads:
    thread.join()
keys = sum(min(count, 1000) for count in counts)
if not wrong and admin.ask("DBSIZE") == f":{keys}":
    print("all requests were answered, all keys are there")
admin.socket.sendall(b"SHUTDOWN NOSAVE\r\n")
print(f"status {server.wait()}")
