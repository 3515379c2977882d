"""Dumps the messages of a bus to a file, and loads them: each stream with its settings, its durables and its messages in order.

usage: bus.py dump URL FILE   every stream of the server at URL, one JSON value per line
       bus.py load URL FILE   into a new server: the same settings, the same sequences, the durables at the same positions
       bus.py last URL SUBJECT   prints the body of its last message; fails when there is none

URL may also be the path of an access.json: the embedded bus.

A line with "stream" begins a stream: its settings, its state, and its durables. Each line after it is one message. Headers that require a sequence
(Nats-Expected-*) are left out. A message id that occurs several times in a stream is kept only on its last message, because the server would drop the
others as duplicates. A sequence without a message is filled with a placeholder, and placeholders are purged at the end. A durable of a work-queue
stream has nothing to restore: done messages are gone. Any other durable fetches and acks all messages up to its ack floor; those above are delivered
again, as after a crash of the server. The time of a message is informative: the server sets a new one, so no age limit removes a message early."""

import base64
import json
import os
import socket
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import bus_login


class Server:
    """One connection, one inbox; requests are answered in any order."""

    def __init__(self, url):
        access = None
        if url.endswith(".json"):
            with open(url) as file:
                access = json.load(file)
            url = access["url"]
        account, _, address = url.removeprefix("nats://").rpartition("@")
        host, port = address.split(":")
        self.socket = socket.create_connection((host, int(port)), 30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.lines = self.socket.makefile("rb")
        info = self.lines.readline().decode()
        user, _, password = account.partition(":")
        login = bus_login.login(access, info) if access else {"user": user, "pass": password}
        about = {"verbose": False, "headers": True, "no_responders": True, **login}
        self.count = 0
        self.out = []
        self.write(f"CONNECT {json.dumps(about)}\r\nSUB answer.* 1\r\nPING\r\n".encode())
        self.flush()
        while (line := self.lines.readline()) != b"PONG\r\n":
            if line.startswith(b"-ERR") or not line:
                raise SystemExit(f"the bus refuses: {line.decode().strip()}")

    def write(self, data):
        self.out.append(data)

    def flush(self):
        self.socket.sendall(b"".join(self.out))
        self.out = []

    def ask(self, subject, body=b"", headers=()):
        """Queues a request; returns the token of its answer."""
        self.count += 1
        block = b""
        if headers:
            block = ("NATS/1.0\r\n" + "".join(f"{name}: {value}\r\n" for name, value in headers) + "\r\n").encode()
        verb = f"HPUB {subject} answer.{self.count} {len(block)} {len(block) + len(body)}" if block else f"PUB {subject} answer.{self.count} {len(body)}"
        self.write(verb.encode() + b"\r\n" + block + body + b"\r\n")
        return self.count

    def next(self):
        """The next message: subject, reply, headers, body."""
        self.flush()
        while True:
            words = self.lines.readline().decode().split()
            if not words or words[0] == "-ERR":
                raise SystemExit(f"the bus is gone: {' '.join(words)}")
            if words[0] == "PING":
                self.write(b"PONG\r\n")
                self.flush()
            if words[0] not in ("MSG", "HMSG"):
                continue
            sizes = 2 if words[0] == "HMSG" else 1
            all_of_it = self.lines.read(int(words[-1]) + 2)[:-2]
            cut = int(words[-2]) if sizes == 2 else 0
            reply = words[3] if len(words) == 4 + sizes else ""
            return words[1], reply, all_of_it[:cut].decode(), all_of_it[cut:]

    def answer(self, token):
        subject, _, headers, body = self.next()
        if subject != f"answer.{token}":
            raise SystemExit(f"an answer that nobody waits for: {subject}")
        if headers:
            raise SystemExit(f"nobody answers: {headers.strip()}")
        return json.loads(body) if body else {}

    def api(self, subject, body=None):
        said = self.answer(self.ask("$JS.API." + subject, b"" if body is None else json.dumps(body).encode()))
        if "error" in said:
            raise SystemExit(f"{subject}: {said['error']}")
        return said


def fields(block):
    """The headers of a message, in order."""
    return [line.split(": ", 1) if ": " in line else [line.rstrip(":"), ""] for line in block.split("\r\n")[1:] if line]


def plain(settings):
    """The settings without the metadata that the server adds."""
    return {name: value for name, value in settings.items() if name != "metadata"}


def dump(server, path):
    with open(path, "w") as out:
        for stream in sorted(server.api("STREAM.LIST")["streams"], key=lambda each: each["config"]["name"]):
            name, state = stream["config"]["name"], stream["state"]
            durables = server.api(f"CONSUMER.LIST.{name}")["consumers"]
            durables = [
                {"config": plain(each["config"]), "delivered": each["delivered"]["stream_seq"], "ack_floor": each["ack_floor"]["stream_seq"]}
                for each in durables
                if each["config"].get("durable_name")
            ]
            messages, at, left = [], 1, state["messages"]
            while left:
                got = server.api(f"STREAM.MSG.GET.{name}", {"seq": at, "next_by_subj": ">"})["message"]
                messages.append(line_of(got))
                at, left = got["seq"] + 1, left - 1
            messages = not_superseded(messages, stream["config"].get("max_msgs_per_subject", -1))
            head = {"stream": plain(stream["config"]), "last": state["last_seq"], "messages": len(messages), "durables": durables}
            for each in [head, *messages]:
                out.write(json.dumps(each, ensure_ascii=False) + "\n")


def line_of(got):
    line = {"seq": got["seq"], "time": got["time"], "subject": got["subject"]}
    if "hdrs" in got:
        line["headers"] = fields(base64.b64decode(got["hdrs"]).decode())
    body = base64.b64decode(got.get("data", ""))
    try:
        line["body"] = body.decode()
    except UnicodeDecodeError:
        line["base64"] = base64.b64encode(body).decode()
    return line


def not_superseded(messages, most):
    """Drops messages that a killed server restores although it had removed them: above the limit of their subject, or rolled up by a later message."""
    left, kept = {}, []
    for each in reversed(messages):
        subject = each["subject"]
        left[subject] = left.get(subject, most if most > 0 else len(messages)) - 1
        if left[subject] < 0:
            continue
        kept.append(each)
        if ["Nats-Rollup", "sub"] in each.get("headers", []):
            left[subject] = 0
    return kept[::-1]


def matches(subject, filters):
    def one(pattern):
        want, have = pattern.split("."), subject.split(".")
        if want[-1] == ">":
            want, have = want[:-1], have[: len(want) - 1] if len(have) >= len(want) else []
        return len(want) == len(have) and all(a in ("*", b) for a, b in zip(want, have))

    return not filters or any(one(each) for each in filters)


def filters_of(config):
    return config.get("filter_subjects") or ([config["filter_subject"]] if config.get("filter_subject") else [])


def load_messages(server, name, last, messages, placeholder):
    by_sequence = {each["seq"]: each for each in messages}
    newest = {value: each["seq"] for each in messages for key, value in each.get("headers", ()) if key == "Nats-Msg-Id"}
    sent = []

    def collect(down_to):
        while len(sent) > down_to:
            sequence, token = sent.pop(0)
            said = server.answer(token)
            if said.get("seq") != sequence or said.get("duplicate"):
                raise SystemExit(f"message {sequence} of {name} was not taken as that: {said}")

    for sequence in range(1, last + 1):
        each = by_sequence.get(sequence)
        if each is None:
            sent.append((sequence, server.ask(f"{placeholder}.{sequence}")))
        else:
            headers = [
                (key, value)
                for key, value in each.get("headers", ())
                if not key.startswith("Nats-Expected-") and (key != "Nats-Msg-Id" or newest[value] == sequence)
            ]
            body = each["body"].encode() if "body" in each else base64.b64decode(each["base64"])
            sent.append((sequence, server.ask(each["subject"], body, headers)))
        if len(sent) >= 256:
            collect(128)
    collect(0)
    server.api(f"STREAM.PURGE.{name}", {"filter": f"{placeholder}.*"})


def place_durable(server, name, of_work, messages, durable):
    """Creates the durable with its settings and moves it to its position."""
    config = durable["config"]
    consumer = config["durable_name"]
    server.api(f"CONSUMER.CREATE.{name}.{consumer}", {"stream_name": name, "config": config, "action": "create"})
    mine = [each["seq"] for each in messages if matches(each["subject"], filters_of(config))]
    done = 0 if of_work else sum(sequence <= durable["ack_floor"] for sequence in mine)
    left = done
    while left:
        batch = min(left, 100)
        server.ask(f"$JS.API.CONSUMER.MSG.NEXT.{name}.{consumer}", json.dumps({"batch": batch, "expires": 30_000_000_000}).encode())
        given = [server.next() for _ in range(batch)]
        for _, reply, status, _ in given:
            if not reply.startswith("$JS.ACK."):
                raise SystemExit(f"{consumer} was not given what it had: {status.strip()}")
        for token in [server.ask(reply, b"+ACK") for _, reply, _, _ in given]:
            server.answer(token)
        left -= batch
    info = server.api(f"CONSUMER.INFO.{name}.{consumer}")
    if info["num_pending"] != len(mine) - done or info["num_ack_pending"]:
        raise SystemExit(f"{consumer} should have {len(mine) - done} messages before it, and has {info['num_pending']}")


def load(server, path):
    streams = []
    with open(path) as lines:
        for line in lines:
            each = json.loads(line)
            if "stream" in each:
                streams.append((each, []))
            else:
                streams[-1][1].append(each)
    for head, messages in streams:
        config, name = head["stream"], head["stream"]["name"]
        server.api(f"STREAM.CREATE.{name}", config)
        placeholder = config["subjects"][0].removesuffix(".>").replace("*", "-") + ".placeholder"
        load_messages(server, name, head["last"], messages, placeholder)
        for durable in head["durables"]:
            place_durable(server, name, config["retention"] == "workqueue", messages, durable)
        state = server.api(f"STREAM.INFO.{name}")["state"]
        if (state["last_seq"], state["messages"]) != (head["last"], head["messages"]):
            raise SystemExit(f"{name} should hold {head['messages']} messages up to {head['last']}, and has {state}")
        print(f"{name}: {state['messages']} messages up to {state['last_seq']}, {len(head['durables'])} durables")


def last(server, subject):
    got = server.api("STREAM.MSG.GET." + server.api("STREAM.NAMES", {"subject": subject})["streams"][0], {"last_by_subj": subject})["message"]
    print(base64.b64decode(got.get("data", "")).decode())


verb, url, what = sys.argv[1:]
{"dump": dump, "load": load, "last": last}[verb](Server(url), what)
