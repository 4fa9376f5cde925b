# SPDX-License-Identifier: MIT
"""A web server that takes its time; the path says why. Says its port, and notes what it is asked to GET in ./asked."""
import http.server
import os
import threading
import time

waiting, arrived = threading.Lock(), []
asked = open("asked", "a", buffering=1)


def until(condition):
    end = time.time() + 20
    while not condition() and time.time() < end:
        time.sleep(0.01)
    return condition()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def send_all(self, status, body):
        self.send_response(status)
        if len(body) > 6:
            self.send_header("Transfer-Encoding", "chunked")
        else:
            self.send_header("Content-Length", "6" if status == 200 else "0")
        self.send_header("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")
        self.end_headers()
        for at in range(0, len(body) if len(body) > 6 else 0, 1 << 20):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(body[at : at + (1 << 20)]), body[at : at + (1 << 20)]))
        self.wfile.write(b"0\r\n\r\n" if len(body) > 6 else body)

    def do_HEAD(self):
        self.send_all(200, b"")

    def do_GET(self):
        asked.write(self.path + "\n")
        kind = self.path.split("/")[1]
        if kind == "together":  # four at a time, or none
            with waiting:
                arrived.append(self.path)
            good = until(lambda: len(arrived) >= 4)
        elif kind == "late":
            good = until(lambda: os.path.exists("go"))
        elif kind == "large":
            return self.send_all(200, b"hello\n!" * 15000000)
        elif kind == "short":
            self.send_all(200, b"hel")
            self.close_connection = True
            return
        elif kind == "half":
            self.send_all(200, b"hel")
            self.wfile.flush()
            time.sleep(60)
        else:
            good = kind != "broken"
        self.send_all(200 if good else 500, b"hello\n" if good else b"")


class Server(http.server.ThreadingHTTPServer):
    request_queue_size, daemon_threads = 64, True


server = Server(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
