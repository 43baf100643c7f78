# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""server.py NOPHOOK PROGRAM FOLDER ROUNDS: attaches to the server, records it and leaves it, while clients check answers."""

import re
import subprocess
import sys

from attaching import PATIENCE, Target, expect

CLIENTS = 8


def main():
    nophook, program, folder, rounds = sys.argv[1:]
    server = Target(nophook, program, folder)
    port = int.from_bytes(server.words[8:16], "little")
    clients = [subprocess.Popen([program, "client", str(port), str(number)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
               for number in range(1, CLIENTS + 1)]
    events = 0
    for _ in range(int(rounds)):
        said = server.attach("--detach")
        server.goes_on()
        expect([client.poll() for client in clients], [None] * CLIENTS)
        events += int(re.search(r"nophook: (\d+) events? of", said)[1])
        expect(server.is_dormant(), True)
    answers = [client.communicate(timeout=PATIENCE)[0] for client in clients]
    expect([client.returncode for client in clients], [0] * CLIENTS)
    expect((events > 0, all(int(text) > 0 for text in answers)), (True, True))
    expect(server.end(), 0)
    print(f"{rounds} rounds, {events} events, {sum(map(int, answers))} answers")


main()
