"""The login of a client of the embedded bus, which is shown a signature of its nonce, never the seed.

usage: bus_login.py ACCESS INFO   prints the CONNECT line; ACCESS is access.json, INFO the server's first line"""

import base64
import json
import os
import subprocess
import sys
import tempfile

DER_OF_ED25519 = bytes.fromhex("302e020100300506032b657004220420")


def signature(seed, nonce):
    raw = base64.b32decode(seed + "=" * (-len(seed) % 8))[2:34]
    with tempfile.NamedTemporaryFile() as key, tempfile.NamedTemporaryFile() as text:
        key.write(DER_OF_ED25519 + raw)
        key.flush()
        text.write(nonce.encode())
        text.flush()
        sign = ["openssl", "pkeyutl", "-sign", "-rawin", "-keyform", "DER", "-inkey", key.name, "-in", text.name]
        made = subprocess.run(sign, stdout=subprocess.PIPE, check=True, env=os.environ).stdout
    return base64.urlsafe_b64encode(made).decode().rstrip("=")


def login(access, info):
    """The members of CONNECT. Programs before nkeys wrote a user and a password."""
    if "password" in access:
        return {"user": access["user"], "pass": access["password"]}
    return {"nkey": access["nkey"], "sig": signature(access["seed"], json.loads(info.removeprefix("INFO "))["nonce"])}


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        print("CONNECT", json.dumps({"verbose": False, **login(json.load(file), sys.argv[2])}), end="\r\n")
