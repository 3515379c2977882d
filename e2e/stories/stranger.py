"""A stranger on a port that a bus has left: it greets like nats-server, and writes down all that it is told.

usage: stranger.py PORT LOG   tries for 20 s to get the port; LOG has a line "listens" once it has it"""

import socket
import sys
import threading
import time

PORT, LOG = int(sys.argv[1]), open(sys.argv[2], "a", buffering=1)
GREETING = b'INFO {"server_id":"S","server_name":"kopiur","version":"2.12.15","proto":1,"headers":true,"max_payload":4194304,"auth_required":true,"nonce":"c3RyYW5nZXI"}\r\n'


def taken():
    for _ in range(4000):
        try:
            return socket.create_server(("127.0.0.1", PORT))
        except OSError:
            time.sleep(0.005)
    raise SystemExit(f"port {PORT} is still in use")


def attend(client):
    client.sendall(GREETING)
    for line in client.makefile("r"):
        LOG.write(line)
        if line.startswith("PING"):
            client.sendall(b"PONG\r\n")


server = taken()
LOG.write("listens\n")
while True:
    threading.Thread(target=attend, args=(server.accept()[0],), daemon=True).start()
