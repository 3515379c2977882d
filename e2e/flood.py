"""flood.py KIND HOST:PORT [http|https]: floods a server of ours, as anybody who reaches its port can. Certificates are not checked.

silent N    keeps N connections open that say nothing, and opens each again that the server closes. Prints "open" once all were.
hold N SIZE keeps N requests open that state a body of SIZE bytes and send one byte of it. Prints "held" once all have.
endless     sends a body without an end in pieces. Prints the answer.
body SIZE   sends a body of SIZE spaces. Prints the answer.
"""

import resource
import selectors
import socket
import ssl
import sys

kind, address, scheme = sys.argv[1:4]
numbers = [int(each) for each in sys.argv[4:]]
host, port = address.rsplit(":", 1)


def connect(timeout=30):
    plain = socket.create_connection((host, int(port)), timeout)
    if scheme == "http":
        return plain
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context.wrap_socket(plain)


def head(line):
    return f"POST /validate HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n{line}\r\n\r\n".encode()


def stays(link):
    """Whether the server has neither answered nor closed: TLS has messages of its own, so that a readable connection says nothing."""
    try:
        link.recv(65536)
        return False
    except (BlockingIOError, ssl.SSLWantReadError):
        return True
    except OSError:
        return False


def keep(count, begin, word):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    waiting = selectors.DefaultSelector()

    def add():
        link = begin()
        link.setblocking(False)
        waiting.register(link, selectors.EVENT_READ)

    for _ in range(count):
        add()
    print(word, flush=True)
    while True:
        for key, _ in waiting.select():
            if stays(key.fileobj):
                continue
            waiting.unregister(key.fileobj)
            key.fileobj.close()
            try:
                add()
            except OSError:
                pass


def silent():
    return socket.create_connection((host, int(port)), 30)


def held():
    link = connect()
    link.sendall(head(f"Content-Length: {numbers[1]}") + b" ")
    return link


def answer(first, pieces):
    link = connect()
    link.sendall(first)
    try:
        for piece in pieces:
            link.sendall(piece)
    except OSError:
        pass  # the server has answered, and takes no more
    said = b""
    try:
        while piece := link.recv(65536):
            said += piece
            if said.endswith(b"\n"):
                break
    except OSError:
        pass
    print(said.decode())


def endless():
    while True:
        yield b"4000\r\n" + b" " * 0x4000 + b"\r\n"


if kind == "silent":
    keep(numbers[0], silent, "open")
elif kind == "hold":
    keep(numbers[0], held, "held")
elif kind == "endless":
    answer(head("Transfer-Encoding: chunked"), endless())
elif kind == "body":
    answer(head(f"Content-Length: {numbers[0]}"), [b" " * numbers[0]])
