# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The costs of `nophook view`: its index, and the time that its page waits for a picture.

The recording and its index are read from the disk, not from memory: the page cache forgets them in
front of each start. Pictures are of 20 threads, 1,600 columns wide, at random places and zooms. Pan and
zoom are those of a user: a wheel event in headless Chromium, up to the frame that shows its effect."""

import json
import os
import pathlib
import random
import re
import subprocess
import tempfile
import time
import urllib.request

from common import Line
from usage import usage_of

GROUP = "view (threads that call functions of 12 levels)"
PROGRAM = """
#include <pthread.h>
#include <stdlib.h>
static long calls;
static volatile int sink;
__attribute__((noinline)) static void level(int depth, long *left) {
  while (depth < 12 && *left > 0) {
    --*left;
    sink += depth;
    level(depth + 1 + (int)(*left % 3), left);
    if (*left % 4 == 0)
      return;
  }
}
static void *run(void *unused) {
  (void)unused;
  for (long left = calls; left > 0;)
    level(0, &left);
  return 0;
}
int main(int count, char **arguments) {
  (void)count;
  int threads = atoi(arguments[1]);
  calls = atol(arguments[2]) / threads;
  pthread_t *all = calloc((size_t)threads, sizeof *all);
  for (int i = 0; i < threads; i++)
    pthread_create(&all[i], 0, run, 0);
  for (int i = 0; i < threads; i++)
    pthread_join(all[i], 0);
  return 0;
}
"""
COLUMNS, THREADS_SHOWN, DEPTHS = 1600, 20, 16


def forget(path):
    """The page cache has nothing of the file."""
    if os.path.exists(path):
        file = os.open(path, os.O_RDONLY)
        os.fsync(file)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(file)


class Server:
    def __init__(self, nophook, data):
        for path in (data, data + ".index"):
            forget(path)
        self.begun = time.monotonic()
        self.process = subprocess.Popen([nophook, "view", "--no-open", data], stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()

    def get(self, what):
        with urllib.request.urlopen(self.url + what) as answer:
            return answer.read()

    def rows(self, begin, end, first):
        threads = ",".join(str(i) for i in range(first, first + THREADS_SHOWN))
        return self.get(f"api/rows?from={begin}&to={end}&columns={COLUMNS}&depths={DEPTHS}&threads={threads}")

    def first_picture(self):
        """Seconds from the start of the command to the first slices."""
        while True:
            recording = json.loads(self.get("api/recording"))
            if recording["threads"] and len(self.rows(0, max(recording["duration"], 1), 0)) > 32:
                return time.monotonic() - self.begun, recording

    def memory_mib(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024

    def stop(self):
        self.process.terminate()
        self.process.wait()


def first_pictures(nophook, data):
    """Seconds to the first picture without an index, processor seconds of the index, and seconds to the first picture with it."""
    index = pathlib.Path(data + ".index")
    index.unlink(missing_ok=True)
    server = Server(nophook, data)
    without, _ = server.first_picture()
    server.stop()
    index.unlink(missing_ok=True)
    cpu, _ = usage_of([nophook, "view", "--index-only", data])
    server = Server(nophook, data)
    first, _ = server.first_picture()
    server.stop()
    return without, cpu, first


def measure(setting):
    nophook = str(setting.build / "bin" / "nophook")
    threads, calls = (100, 5_000_000) if setting.quick else (1000, 450_000_000)
    with tempfile.TemporaryDirectory(prefix="nophook-bench.", dir="/var/tmp") as folder:
        source = pathlib.Path(folder) / "levels.c"
        source.write_text(PROGRAM)
        program, data = f"{folder}/levels", f"{folder}/levels.data"
        subprocess.run([nophook, "cc", "-O1", "-pthread", str(source), "-o", program], check=True)
        said = subprocess.run([nophook, "record", "--wait", "10000", "-m", "4096", "-o", data, "--", program, str(threads),
                               str(calls)], check=True, stderr=subprocess.PIPE, text=True).stderr
        events, lost = (int(n) for n in re.search(r"(\d+) events of.*, (\d+) events lost", said).groups())
        size = os.stat(data).st_size

        coarse, cpu, first = zip(*(first_pictures(nophook, data) for _ in range(setting.rounds(5, 1))))
        server = Server(nophook, data)
        _, recording = server.first_picture()
        chance, waits = random.Random(1), []
        for _ in range(setting.rounds(400, 100)):
            width = recording["duration"] * 10 ** -chance.uniform(0, 6)
            begin = chance.uniform(0, recording["duration"] - width)
            begun = time.monotonic()
            server.rows(int(begin), int(begin + width) + 1, chance.randrange(max(1, len(recording["threads"]) - THREADS_SHOWN)))
            waits.append(1000 * (time.monotonic() - begun))
        p95 = sorted(waits)[len(waits) * 95 // 100]
        panned = json.loads(subprocess.run(
            ["node", str(setting.root / "bench" / "view_pan.mjs"), server.url, str(setting.rounds(400, 60))],
            check=True, stdout=subprocess.PIPE, text=True).stdout)
        memory = server.memory_mib()
        server.stop()
        index = os.stat(data + ".index").st_size
    frame, refined = (sorted(panned[name])[len(panned[name]) * 95 // 100] for name in ("frame", "refined"))
    line = Line(GROUP, "index, an event", "ns", [1e9 * seconds / events for seconds in cpu])
    line.note = f"{events / 1e6:.0f} million events, {lost} lost, {threads} threads, {size >> 20} MiB"
    return [
        line.within("<= 50 ns", line.median, 50),
        (share := Line(GROUP, "index, of the recording", "%", [100 * index / size])).within("<= 10 %", share.median, 10),
        (with_index := Line(GROUP, "first picture, with index", "s", list(first))).within("<= 1 s", with_index.median, 1),
        (without := Line(GROUP, "first picture, without index", "s", list(coarse))).within("<= 3 s", without.median, 3),
        Line(GROUP, "a picture", "ms", waits),
        Line(GROUP, "a picture, 95 of 100", "ms", [p95]).within("<= 50 ms", p95, 50),
        Line(GROUP, "pan or zoom to its frame", "ms", panned["frame"]),
        Line(GROUP, "pan or zoom to its frame, 95 of 100", "ms", [frame]).within("<= 50 ms", frame, 50),
        Line(GROUP, "pan or zoom, refined, 95 of 100", "ms", [refined]),
        Line(GROUP, "rectangles in a frame, at most", "", [panned["rectangles"]]).within(
            "<= 10,000", panned["rectangles"], 10000),
        Line(GROUP, "memory of the server", "MiB", [memory]).within("<= 300 MiB", memory, 300),
    ]
