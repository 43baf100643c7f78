#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Starts prefork.c's server with four workers, asks it from four clients, and prints its replies in the order of the clients.
Each client makes three workers leave.

    prefork.py SERVER REQUESTS      REQUESTS of each client, besides those to leave
"""

import os
import random
import subprocess
import sys
import tempfile
import threading

from server import DEADLINE_S, connect

CLIENTS, WORKERS, LEAVES, PER_CONNECTION = 4, 4, 3, 5


def ask(path, requests):
    """The replies on a connection of its own; a worker that leaves or quits gives none."""
    with connect(path) as connection, connection.makefile("rw") as lines:
        texts = []
        for request in requests:
            lines.write(f"{request}\n")
            lines.flush()
            texts.append(lines.readline() or f"{request}: no reply\n")
        return texts


def talk(path, number, requests, replies):
    chance = random.Random(number)
    asked = [chance.randrange(1, 10000) for _ in range(requests)]
    parts = [asked[i:i + PER_CONNECTION] for i in range(0, requests, PER_CONNECTION)]
    for i in range(LEAVES):
        parts.insert(i * len(parts) // LEAVES, ["leave"])
    replies[number] = [text for part in parts for text in ask(path, part)]


def main():
    server, requests = sys.argv[1], int(sys.argv[2])
    replies = [[]] * CLIENTS
    with tempfile.TemporaryDirectory(prefix="nophook-prefork-") as folder:
        path = os.path.join(folder, "socket")
        process = subprocess.Popen([server, path, str(WORKERS)])
        clients = [threading.Thread(target=talk, args=(path, n, requests, replies)) for n in range(CLIENTS)]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        replies += [ask(path, ["quit"]) for _ in range(WORKERS)]
        status = process.wait(timeout=DEADLINE_S)
    for texts in replies:
        sys.stdout.writelines(texts)
    print(f"status {status}")


if __name__ == "__main__":
    main()
