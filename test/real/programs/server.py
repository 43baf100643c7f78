#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Starts server.cpp's server, asks it from four clients at once, and prints its replies in the order of the clients.

    server.py SERVER REQUESTS
"""

import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time

CLIENTS = 4
DEADLINE_S = 300


def connect(path):
    end = time.monotonic() + 60
    while True:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.settimeout(DEADLINE_S)
        try:
            connection.connect(path)
            return connection
        except (FileNotFoundError, ConnectionRefusedError):
            if time.monotonic() > end:
                raise
            time.sleep(0.01)


def talk(path, number, requests, replies):
    chance, texts = random.Random(number), []
    with connect(path) as connection, connection.makefile("r") as lines:
        for _ in range(requests):
            key = f"k{number}.{chance.randrange(20)}"
            connection.sendall(chance.choice([
                f"set {key} {chance.randrange(1000)}", f"get {key}", f"sum {key} k{number}.0 k{number}.1",
                f"longest {chance.randrange(100, 400)}", f"child {chance.randrange(1, 1000)}", "nonsense",
            ]).encode() + b"\n")
            texts.append(lines.readline())
    replies[number] = texts


def main():
    server, requests = sys.argv[1], int(sys.argv[2])
    replies = [[]] * CLIENTS
    with tempfile.TemporaryDirectory(prefix="nophook-server-") as folder:
        path = os.path.join(folder, "socket")
        process = subprocess.Popen([server, path])
        clients = [threading.Thread(target=talk, args=(path, n, requests, replies)) for n in range(CLIENTS)]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        connect(path).sendall(b"quit\n")
        status = process.wait(timeout=DEADLINE_S)
    for texts in replies:
        sys.stdout.writelines(texts)
    print(f"status {status}")


if __name__ == "__main__":
    main()
