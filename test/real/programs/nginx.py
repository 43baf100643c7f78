#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Serves a folder by nginx with two workers, asks it from four clients while it is reloaded, and prints a digest of the
replies of each client.

    nginx.py TREE FOLDER REQUESTS
"""

import hashlib
import http.client
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time

CLIENTS, RELOADS = 4, 5
CONFIG = """
user root; daemon off; master_process on; worker_processes 2; pid {run}/pid; error_log {run}/error.log;
events {{ worker_connections 256; }}
http {{
  access_log {run}/access.log; gzip on; gzip_types *; gzip_min_length 1; keepalive_requests 20;
  client_body_temp_path {run}/body; proxy_temp_path {run}/proxy; fastcgi_temp_path {run}/f; uwsgi_temp_path {run}/u; scgi_temp_path {run}/s;
  server {{
    listen unix:{run}/http; root {folder}; autoindex off;
    location /files/ {{ alias {folder}/; }}
    location /twice/ {{ proxy_pass http://unix:{run}/http:/files/; }}
  }}
}}
stream {{ server {{ listen unix:{run}/stream; proxy_pass unix:{run}/http; }} }}
"""


class Connection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=300)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(300)
        self.sock.connect(self.path)


def fetch(run, path, headers, through):
    """One request; a worker that is leaving may close a connection that is kept, so each request has its own."""
    connection = Connection(f"{run}/{through}")
    connection.request("GET", path, headers={**headers, "Connection": "close"})
    reply = connection.getresponse()
    return reply.status, reply.read()


def ask(run, files, number, requests, digests, errors):
    chance, digest = random.Random(number), hashlib.sha256()
    for _ in range(requests):
        path = chance.choice(["/files/", "/files/", "/twice/", "/none/"]) + chance.choice(files)
        headers = chance.choice([{}, {}, {"Range": f"bytes={chance.randrange(50)}-{chance.randrange(50, 900)}"}, {"Accept-Encoding": "gzip"}])
        through = chance.choice(["http", "http", "stream"])
        try:
            status, body = fetch(run, path, headers, through)
        except OSError as error:
            errors.append(f"{path}: {error}")
            continue
        digest.update(f"{status} {path}\n".encode() + body)
    digests[number] = digest.hexdigest()


def main():
    tree, folder, requests = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3])
    run = pathlib.Path.cwd()
    (run / "nginx.conf").write_text(CONFIG.format(run=run, folder=folder))
    files = sorted(str(path.relative_to(folder)) for path in (folder / "src").rglob("*.[ch]"))
    server = subprocess.Popen([tree / "objs" / "nginx", "-p", run, "-c", "nginx.conf", "-e", run / "error.log"], stdout=sys.stderr)
    end = time.monotonic() + 60
    while not (run / "pid").exists() or not (run / "pid").read_text().strip():
        if time.monotonic() > end or server.poll() is not None:
            sys.exit(f"nginx has not started: {(run / 'error.log').read_text()}")
        time.sleep(0.02)
    digests, errors = [""] * CLIENTS, []
    clients = [threading.Thread(target=ask, args=(run, files, n, requests, digests, errors)) for n in range(CLIENTS)]
    for client in clients:
        client.start()
    for reload in range(RELOADS):
        time.sleep(0.3)
        server.send_signal(signal.SIGHUP)
    os.rename(run / "access.log", run / "access.old")
    server.send_signal(signal.SIGUSR1)
    for client in clients:
        client.join()
    server.send_signal(signal.SIGQUIT)
    print(f"status {server.wait(timeout=300)}", *digests, *errors, sep="\n")
    said = (run / "error.log").read_text()
    for level, message in re.findall(r"\[(emerg|alert|crit)\] [0-9#]+: (.*)", said):
        print(level, message)


if __name__ == "__main__":
    main()
