# SPDX-License-Identifier: MIT
"""A web server that answers as it is told to by the path. Says its port, and notes in ./asked what it is asked to GET."""
import gzip
import socket
import socketserver
import struct
import time

PACKED = gzip.compress(b"0123456789")
OK = b"HTTP/1.1 200 OK\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
TEN, CHUNKED = b"Content-Length: 10\r\n", b"Transfer-Encoding: chunked\r\n\r\n"
ANSWERS = {
    "hint": b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + OK + TEN + b"\r\n0123456789",
    "newlines": (OK + TEN + b"\r\n").replace(b"\r", b"") + b"0123456789",
    "header": OK + b"X: " + b"x" * (4095 - 3) + b"\r\n" + TEN + b"\r\n0123456789",
    "chunks": OK + CHUNKED + b"4;x=y\r\n0123\r\n6\r\n456789\r\n0\r\n\r\n",
    "word": OK + b"Content-Length: ten\r\n\r\n0123456789",
    "negative": OK + b"Content-Length: -10\r\n\r\n0123456789",
    "half": OK + TEN + b"\r\n01234",
    "nothing": b"",
    "ssh": b"SSH-2.0-OpenSSH_9.2\r\n",
    "chunk-huge": OK + CHUNKED + b"ffffffffffffffff\r\n0123456789\r\n0\r\n\r\n",
    "chunk-negative": OK + CHUNKED + b"-1\r\n0123456789\r\n0\r\n\r\n",
    "chunk-short": OK + CHUNKED + b"5\r\n0123456789\r\n0\r\n\r\n",
    "chunk-half": OK + CHUNKED + b"a\r\n01234",
    "chunk-last": OK + CHUNKED + b"a\r\n0123456789\r\n",
    "packed": OK + b"Content-Encoding: gzip\r\n\r\n" + PACKED,
    "packed-chunks": OK + b"Content-Encoding: x-gzip\r\n" + CHUNKED + b"%x\r\n%b\r\n0\r\n\r\n" % (len(PACKED), PACKED),
    "packed-word": OK + b"Content-Encoding: aws-chunked\r\n" + TEN + b"\r\n0123456789",
    "packed-other": OK + b"Content-Encoding: br\r\n" + TEN + b"\r\n0123456789",
    "packed-not": OK + b"Content-Encoding: gzip\r\n" + TEN + b"\r\n0123456789",
    "500": b"HTTP/1.1 500 Broken\r\n\r\n",
    "503": b"HTTP/1.1 503 Busy\r\n\r\n",
    "410": b"HTTP/1.1 410 Gone\r\n\r\n",
    "503-long": b"HTTP/1.1 503 Busy\r\nRetry-After: 3600\r\n\r\n",
    "circle": b"HTTP/1.1 302 Found\r\nLocation: /circle\r\n\r\n",
}
asked = open("asked", "ab", buffering=0)
failed = set()  # what was asked for once


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        request = self.rfile.readline()
        while self.rfile.readline().strip():
            pass
        method, path, *_ = request.split(b" ")
        if method == b"HEAD":
            self.wfile.write(OK + TEN + b"\r\n")
            return
        asked.write(request)
        kind = path.decode()[1:]
        if kind.startswith("once-"):
            kind = "" if kind in failed else failed.add(kind) or kind[len("once-"):]
        if kind == "endless":
            self.endless()
        elif kind == "reset":
            self.wfile.write(OK + TEN + b"\r\n01234")
            self.request.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        else:
            self.wfile.write(ANSWERS.get(kind, OK + TEN + b"\r\n0123456789"))
        if kind == "ssh":
            time.sleep(60)

    def endless(self):
        self.wfile.write(OK)
        try:
            while True:
                self.wfile.write(b"X: " + b"x" * 1000 + b"\r\n")
        except OSError:
            pass


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
