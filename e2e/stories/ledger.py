"""A database for a story: it never stops writing, and its data is consistent only if both volumes are of one moment.

usage: ledger.py run DATA WAL PORT_FILE LOG_FILE
       ledger.py tell PORT_FILE freeze|thaw
       ledger.py check DATA WAL

run writes each entry first into WAL, then into DATA, thousands of times a second; a large part of each folder is rewritten with every
entry. POST /freeze finishes the current entry and stops, POST /thaw continues; each adds a line of JSON with the entry's number to LOG_FILE.
check prints the entry if both folders hold the same one, complete; otherwise it prints the error and exits with 1."""

import hashlib
import http.server
import json
import os
import sys
import threading
import time
import urllib.request

PARTS = 16
PART_BYTES = 256 * 1024


def part(entry, which):
    return hashlib.sha256(f"{entry}/{which}".encode()).digest() * (PART_BYTES // 32)


def book(folder, entry):
    which = entry % PARTS
    with open(os.path.join(folder, f"part-{which}"), "r+b") as out:
        out.write(part(entry, which))
    with open(os.path.join(folder, "entry"), "r+b") as out:
        out.write(b"%020d" % entry)


def make(folder):
    os.makedirs(folder, exist_ok=True)
    for which in range(PARTS):
        with open(os.path.join(folder, f"part-{which}"), "wb") as out:
            out.write(part(0, which))
    with open(os.path.join(folder, "entry"), "wb") as out:
        out.write(b"%020d" % 0)


def last_of(entry, which):
    """The entry that last wrote this part, as of `entry`."""
    return max(0, entry - (entry - which) % PARTS)


def check(folders):
    entries = [int(open(os.path.join(folder, "entry"), "rb").read()) for folder in folders]
    if len(set(entries)) != 1:
        sys.exit(f"its volumes are of two moments: {entries}")
    for folder in folders:
        for which in range(PARTS):
            if open(os.path.join(folder, f"part-{which}"), "rb").read() != part(last_of(entries[0], which), which):
                sys.exit(f"{folder}/part-{which} is not of entry {entries[0]}")
    print(entries[0])


def run(data, wal, port_file, log_file):
    lock, frozen, entry = threading.Lock(), threading.Event(), 0
    for folder in (wal, data):
        make(folder)

    class handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            what = self.path.strip("/")
            (frozen.set if what == "freeze" else frozen.clear)()
            with lock:  # waits for the current entry
                with open(log_file, "a") as log:
                    log.write(json.dumps({"what": what, "entry": entry, "at": time.time()}) + "\n")
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with open(port_file + ".new", "w") as out:
        out.write(str(server.server_port))
    os.rename(port_file + ".new", port_file)
    while True:
        with lock:
            if not frozen.is_set():
                entry += 1
                book(wal, entry)
                book(data, entry)
        time.sleep(0.02 if frozen.is_set() else 0.0005)


def tell(port_file, what):
    port = open(port_file).read()
    urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}/{what}", method="POST")).close()


if sys.argv[1] == "run":
    run(*sys.argv[2:])
elif sys.argv[1] == "tell":
    tell(*sys.argv[2:])
else:
    check(sys.argv[2:])
