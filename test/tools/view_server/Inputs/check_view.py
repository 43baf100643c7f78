# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what the server of `nophook view` answers with other readings of the same recording.

  check_view.py NOPHOOK DATA          rows, selections and details against `export --format chrome` and `report --top`
  check_view.py NOPHOOK DATA refuses  what must be refused, and when the command ends
  check_view.py NOPHOOK DATA full     an index that cannot be written, as on a full disk
"""

import atexit
import collections
import json
import random
import resource
import signal
import socket
import struct
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

NOPHOOK, DATA = sys.argv[1:3]
RECORD = struct.Struct("<IHBBIIdd")
ONE_CALL, NO_END = 1, 32


class Server:
    def __init__(self, *options, **how):
        self.process = subprocess.Popen([NOPHOOK, "view", "--no-open", *options, DATA], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True, **how)
        atexit.register(self.process.kill)  # if a comparison fails
        self.url = self.process.stdout.readline().strip()

    def bytes(self, what, **headers):
        request = urllib.request.Request(self.url + what, headers=headers)
        with urllib.request.urlopen(request) as answer:
            return answer.read()

    def json(self, what):
        return json.loads(self.bytes("api/" + what))

    def status(self, what, method="GET", **headers):
        try:
            urllib.request.urlopen(urllib.request.Request(self.url + what, headers=headers, method=method))
        except urllib.error.HTTPError as error:
            return error.code
        return 200

    def rows(self, begin, end, columns, thread):
        answer = self.bytes(f"api/rows?from={begin}&to={end}&columns={columns}&threads={thread}")
        assert answer[:4] == b"NPRW"
        count = struct.unpack_from("<I", answer, 4)[0]
        assert len(answer) == 32 + count * RECORD.size
        return [RECORD.unpack_from(answer, 32 + i * RECORD.size) for i in range(count)]

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        errors = self.process.communicate()[1]
        assert self.process.returncode == 0, (self.process.returncode, errors)


def whole_index(server):
    while True:
        recording = server.json("recording")
        if recording["indexed"] == 1:
            return recording


def chrome_calls():
    """By thread: (begin, duration, name) in ns since the first event."""
    out = subprocess.run([NOPHOOK, "export", "--format", "chrome", "--names", "short", DATA], capture_output=True,
                         text=True, check=True).stdout
    events = [e for e in json.loads(out)["traceEvents"] if e["ph"] in "BEi"]
    first = min(round(e["ts"] * 1000) for e in events)
    calls, begun = collections.defaultdict(list), collections.defaultdict(list)
    for event in events:
        time = round(event["ts"] * 1000) - first
        if event["ph"] == "B":
            begun[event["tid"]].append(time)
        elif event["ph"] == "E":
            begin = begun[event["tid"]].pop()
            calls[event["tid"]].append((begin, time - begin, event["name"]))
    return calls


def compare():
    server = Server()
    recording = whole_index(server)
    names = server.json("functions")["short"]
    calls = chrome_calls()
    threads = {thread["tid"]: thread for thread in recording["threads"]}
    assert set(calls) == set(threads), (calls.keys(), threads.keys())
    chance = random.Random(1)
    exact = merged = 0
    for tid, thread in threads.items():
        assert thread["calls"] == len(calls[tid]), (thread, len(calls[tid]))
        for columns in (1, 7, 1000):  # each call once, however coarse the picture
            rows = server.rows(0, recording["duration"], columns, thread["id"])
            assert sum(row[5] for row in rows) == len(calls[tid]), columns
            merged += sum(not row[2] & ONE_CALL for row in rows)
        for _ in range(20):
            begin = chance.randrange(recording["duration"])
            end = begin + chance.randrange(10, 30000)
            rows = server.rows(begin, end, 1 << 16, thread["id"])
            got = collections.Counter(names[row[4]] for row in rows)
            # Times are rounded on two ways: what ends or begins right at an edge may be in or not.
            sure = [c for c in calls[tid] if c[0] < end - 2 and c[0] + c[1] > begin + 2]
            may = [c for c in calls[tid] if c[0] < end + 2 and c[0] + c[1] > begin - 2]
            low, high = (collections.Counter(c[2] for c in some) for some in (sure, may))
            assert all(row[2] & ONE_CALL and row[5] == 1 for row in rows)
            assert low <= got <= high, (begin, end, low, got, high)
            durations = {c[:2] for c in may}
            for row in rows:
                if row[2] & NO_END:
                    continue
                assert any(abs(row[6] - b) <= 2 and abs(row[7] - d) <= 2 for b, d in durations), row
                exact += 1
    assert exact > 100 and merged > 10, (exact, merged)

    top = {}
    for line in subprocess.run([NOPHOOK, "report", "--top", "100000", "--json", "--names", "short", DATA],
                               capture_output=True, text=True, check=True).stdout.splitlines():
        row = json.loads(line)
        top[row["function"]] = row
    selection = server.json("selection")
    assert selection["covered"] == 1
    for row in selection["table"]:
        wanted = top.pop(names[row["function"]])
        assert row["calls"] == wanted["hits"], (row, wanted)
        assert abs(row["own"] - wanted["self_ns"]) <= 2 * recording["calls"], (row, wanted)
        assert sum(count for _, count in row["histogram"]) == row["calls"]
    assert not top, top
    tree = selection["tree"]
    assert all(parent < i for i, parent in enumerate(tree["parent"]))
    slowest = selection["slowest"][0]
    assert slowest["duration"] == max(c[1] for some in calls.values() for c in some) or abs(
        slowest["duration"] - max(c[1] for some in calls.values() for c in some)) <= 2

    found = server.json("search?name=" + urllib.parse.quote("lookup"))["functions"]
    assert [names[f["function"]] for f in found] == ["lookup"], found
    hits = server.json(f"hits?functions={found[0]['function']}")["spans"]
    assert sum(hit[3] for hit in hits if hit[3]) == found[0]["calls"] or any(hit[3] is None for hit in hits)
    # The first call of each thread is found, too.
    for name in ("main", "work"):
        one = next(f for f in server.json("search?name=" + name)["functions"] if names[f["function"]] == name)
        place, walked = "at=0", 0
        while hit := server.json(f"hit?functions={one['function']}&{place}")["hit"]:
            place, walked = "&".join(f"{key}={value}" for key, value in hit.items()), walked + 1
        assert walked == one["calls"], (name, walked, one)
    slow = server.json(f"selection?function={found[0]['function']}")["slowest"][0]
    details = server.json(f"call?thread={slow['thread']}&depth={slow['depth']}&at={slow['begin']}")
    assert names[details["function"]] == "lookup" and details["begin"] == slow["begin"], details
    assert details["end"] - details["begin"] == slow["duration"], (details, slow)
    assert details["arguments"][0].startswith("key="), details
    assert details["how"] == "returned" and details["result"], details
    assert names[details["callers"][-1]["function"]] == "serve", details
    assert "server.cpp:" in details["file"], details
    marks = server.json("events")["marks"]
    assert [mark["text"] for mark in marks] == ["half of it is done"], marks
    server.stop()
    print(f"{recording['calls']} calls: the same")


def refuses():
    server = Server()
    host = urllib.parse.urlsplit(server.url).netloc
    token = urllib.parse.urlsplit(server.url).path.strip("/")
    assert len(token) == 32
    other = Server()
    assert urllib.parse.urlsplit(other.url).path.strip("/") != token
    other.stop()
    assert server.status("") == server.status("main.js") == server.status("api/recording") == 200
    assert server.status("", Host="localhost:" + host.split(":")[1]) == 200
    assert server.status("", Host="evil.example") == 403
    assert server.status("api/recording", Origin="http://evil.example") == 403
    assert server.status("api/recording", Origin="null") == 403
    assert server.status("api/recording", Origin="http://" + host) == 200
    assert server.status("api/recording", method="POST") == 405
    server_url, server.url = server.url, server.url.replace(token, "0" * 32)
    assert server.status("api/recording") == 403
    server.url = server_url
    for outside in ("../../../../etc/passwd", "%2e%2e/%2e%2e/index.html", ".hidden.js", "no.js", "api/nothing"):
        assert server.status(outside) in (403, 404), outside
    for odd in ("rows?from=nan&to=-5&columns=0", "rows?threads=99999&columns=1e300", "call?thread=-1&at=x", "hits",
                "call?thread=-1", "call?thread=1e300&depth=-1e300&at=1e300", "hit?functions=0&at=-1e300&thread=-7&depth=1e99",
                "hit?functions=0&at=1e300&forward=0", "search?name=&limit=-1e300", "selection?function=-1", "events?limit=-9e99",
                "rows?from=9e99&to=9e99", "selection?from=5&to=1", "search", "call?thread=0&depth=70000&at=0"):
        assert server.status("api/" + odd) in (200, 404), odd
    policy = urllib.request.urlopen(server.url).headers
    assert "default-src 'none'" in policy["Content-Security-Policy"] and "unsafe" not in policy["Content-Security-Policy"]
    # Only this machine: another of its addresses is not listened to.
    with socket.socket() as other:
        assert other.connect_ex(("127.0.0.2", int(host.split(":")[1]))) != 0
    busy = subprocess.run([NOPHOOK, "view", "--no-open", "--port", host.split(":")[1], DATA], capture_output=True,
                          text=True)
    assert busy.returncode == 1 and "is another program using the port?" in busy.stderr, busy
    # Two pages: it ends by itself when both have gone.
    pages = [urllib.request.urlopen(server.url + "api/alive") for _ in range(2)]
    for page in pages:
        assert page.readline().startswith(b": open")
    pages[0].close()
    assert pages[1].readline() is not None and server.process.poll() is None
    pages[1].close()
    assert server.process.wait(timeout=120) == 0
    print("refused as it should")


def full():
    """Files may grow to 4 KiB: the page is served all the same, and the command prints why the index is not there."""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    server = Server(preexec_fn=limit)
    line = server.process.stderr.readline()
    while "open this address" in line:
        line = server.process.stderr.readline()
    assert line == f"nophook: {DATA}.index: cannot be written: the next view of this recording makes it again\n", line
    assert "the index could not be written" in server.json("recording")["index_error"]
    server.stop()
    print("served without an index")


{"": compare, "refuses": refuses, "full": full}["".join(sys.argv[3:])]()
