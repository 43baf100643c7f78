# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""whole_edits.py NOPHOOK RUNTIME PROGRAM: two clients that write a list in pieces, and two that read it."""

import os
import sys
import threading

from serving import CLOSE, HELLO, OPEN, READ, WRITE, Serving, ask

FILE = b"set_ftrace_filter"
LISTS = (b"tick\ntock\n", b"main\n")
SHOWN = (["tick", "tock"], ["main"])
TIMES = 400


class Client:
    def __init__(self, serving):
        self.socket = serving.connect()
        assert ask(self.socket, HELLO, offset=1)[0] == serving.pid

    def begin(self):
        return ask(self.socket, OPEN, flags=os.O_WRONLY | os.O_TRUNC, data=FILE)[0]

    def write(self, handle, text):
        assert ask(self.socket, WRITE, handle=handle, data=text)[0] == len(text)

    def close(self, handle):
        return ask(self.socket, CLOSE, handle=handle)[0]

    def read(self):
        handle = ask(self.socket, OPEN, flags=os.O_RDONLY, data=FILE)[0]
        text = ask(self.socket, READ, handle=handle)[1]
        self.close(handle)
        return sorted(text.decode().split("\n")[:-1])  # the order is that of all functions


def main():
    serving = Serving(*sys.argv[1:])
    wrong = []

    def expect(found, wanted):
        if found not in wanted:
            wrong.append(f"found {found!r}, not {wanted!r}")

    first, second = Client(serving), Client(serving)
    for text, shown in zip(LISTS, SHOWN):
        before = second.read()
        handle = first.begin()
        for piece in (text[:2], text[2:]):
            first.write(handle, piece)
            expect(second.read(), [before])
        expect(first.close(handle), [0])
        expect(second.read(), [shown])

    def write(text):
        client = Client(serving)
        for _ in range(TIMES):
            handle = client.begin()
            for at in range(0, len(text), 3):
                client.write(handle, text[at:at + 3])
            expect(client.close(handle), [0])

    def read():
        client = Client(serving)
        for _ in range(TIMES):
            expect(client.read(), SHOWN)

    threads = [threading.Thread(target=write, args=[text]) for text in LISTS]
    threads += [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if wrong:
        sys.exit("\n".join(wrong[:5]))
    if serving.end() != (0, "the answer\n"):
        sys.exit("the program's answer has changed")


main()
