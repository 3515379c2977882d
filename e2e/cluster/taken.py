"""taken.py ADDRESS PORT STORE_PORT FOLDER PREFIX: passes connections on to the store, byte by byte. Before a PUT of a new object below PREFIX reaches it, an
object of that name is put into FOLDER, as if another writer had been faster."""
import pathlib, re, socket, sys, threading

address, port, store, folder, prefix = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), pathlib.Path(sys.argv[4]), sys.argv[5]


def overtake(head: bytes) -> None:
    found = re.match(rb"PUT /[^/]+/([^ ?]+)", head)
    key = found.group(1).decode() if found else ""
    if not key.startswith(prefix):
        return
    there = folder / key
    there.parent.mkdir(parents=True, exist_ok=True)
    if not there.exists():
        there.write_text("theirs")
        print("taken", key, flush=True)


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
