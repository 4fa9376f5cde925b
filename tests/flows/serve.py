# SPDX-License-Identifier: MIT
"""A web server for flow tests: serve.py FOLDER [FROM=TO...] says its port, notes the paths it is asked for in ./asked,
and sends who asks for FROM to TO."""
import functools
import http.server
import sys

folder, *moves = sys.argv[1:]
moved = dict(move.split("=") for move in moves)
asked = open("asked", "a", buffering=1)


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def do_GET(self):
        asked.write(self.path + "\n")
        if self.path not in moved:
            return getattr(super(), "do_" + self.command)()
        self.send_response(302)
        self.send_header("Location", moved[self.path])
        self.end_headers()

    do_HEAD = do_GET


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
print(server.server_port, flush=True)
server.serve_forever()
