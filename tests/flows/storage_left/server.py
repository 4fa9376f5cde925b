# SPDX-License-Identifier: MIT
"""A web server that says its port, and sends half of what is named half-..., then nothing more."""
import http.server
import time


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def do_HEAD(self):
        self.send_response(200)
        self.send_header("Content-Length", "10")
        self.end_headers()

    def do_GET(self):
        self.do_HEAD()
        self.wfile.write(b"01234")
        self.wfile.flush()
        if self.path.startswith("/half-"):
            time.sleep(100)
        self.wfile.write(b"56789")


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
