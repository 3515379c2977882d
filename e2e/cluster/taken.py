"""taken.py ADDRESS PORT STORE_PORT PREFIX COMMAND...: passes connections on to the store, byte by byte. Before a PUT of a new object whose path begins with
PREFIX reaches it, `COMMAND... PATH` is run once for that path, which puts an object there, as if another writer had been faster."""
import re, socket, subprocess, sys, threading

address, port, store, prefix, command = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5:]
taken = set()


def overtake(head: bytes) -> None:
    found = re.match(rb"PUT /([^ ?]+)", head)
    path = found.group(1).decode() if found else ""
    if not path.startswith(prefix) or path in taken:
        return
    taken.add(path)
    subprocess.run([*command, path], input=b"theirs", check=True)
    print("taken", path, flush=True)


def pump(source: socket.socket, sink: socket.socket, look: bool) -> None:
    try:
        while data := source.recv(65536):
            if look:
                overtake(data)
            sink.sendall(data)
    except OSError:
        pass
    for each in (source, sink):
        try:
            each.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


listener = socket.create_server((address, port))
while True:
    client, _ = listener.accept()
    server = socket.create_connection((address, store))
    threading.Thread(target=pump, args=(client, server, True), daemon=True).start()
    threading.Thread(target=pump, args=(server, client, False), daemon=True).start()
