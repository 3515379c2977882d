"""A small HTTP server for a story: writes each request as a line of JSON, and answers as the path says.

usage: hook_server.py PORT_FILE LOG_FILE

/ok answers 204, /fail answers 503, /slow answers 204 after 3 s, /hang does not answer."""

import http.server
import json
import os
import sys
import time


class handler(http.server.BaseHTTPRequestHandler):
    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        said = {"method": self.command, "path": self.path, "body": body, "token": self.headers.get("X-Token"), "at": time.time()}
        with open(sys.argv[2], "a") as log:
            log.write(json.dumps(said) + "\n")
        if self.path.startswith("/slow"):
            time.sleep(3)
        if self.path.startswith("/hang"):
            time.sleep(3600)
        self.send_response(503 if self.path.startswith("/fail") else 204)
        self.end_headers()

    do_GET = do_POST = do_PUT = answer

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
with open(sys.argv[1] + ".new", "w") as out:
    out.write(str(server.server_port))
os.rename(sys.argv[1] + ".new", sys.argv[1])
server.serve_forever()
