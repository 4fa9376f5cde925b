"""A server that notes what it is asked, and how many at a time: METHOD PATH USER PEAK TIME."""
import base64, hashlib, http.server, re, sys, threading, time

lock, now, peak, told = threading.Lock(), 0, 0, set()


def md5(text):
    return hashlib.md5(text.encode()).hexdigest()


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def user(self):
        kind, _, rest = self.headers.get("Authorization", "").partition(" ")
        if kind == "Basic":
            return base64.b64decode(rest).decode()
        if kind == "Digest":
            d = dict(re.findall(r'(\w+)="?([^",]+)"?', rest))
            middle = f"{d['nonce']}:{d['nc']}:{d['cnonce']}:{d['qop']}"
            good = md5(md5("ann:x:open sesame") + f":{middle}:" + md5(f"{self.command}:{self.path}"))
            return "digest" if d["response"] == good else "wrong"
        return "-"

    def answer(self, status, **headers):
        self.send_response(status)
        body = b"" if status != 200 else b"rule away: run: pass\n" if self.path.endswith("smk") else b"hello\n"
        for name, text in headers.items():
            self.send_header(name.replace("_", "-"), text)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def do_GET(self):
        global now, peak
        with lock:
            now += 1
            peak = max(peak, now)
            begun = time.time()
        time.sleep(0.05)
        with lock:
            now -= 1
            print(self.command, self.path, self.user(), peak, begun, file=log, flush=True)
        folder = self.path.split("/")[1]
        if folder == "none":
            self.answer(404)
        elif folder == "moved":
            self.answer(302, Location="/f/moved")
        elif folder == "abroad":
            self.answer(302, Location=f"http://localhost:{self.server.server_port}/f/abroad")
        elif folder == "basic" and self.user() != "ann:open sesame":
            self.answer(401, WWW_Authenticate='Basic realm="x"')
        elif folder == "digest" and self.user() != "digest":
            self.answer(401, WWW_Authenticate='Digest realm="x", nonce="abc", qop="auth"')
        elif folder == "busy" and self.path not in told:
            told.add(self.path)
            self.answer(429, Retry_After="1")
        elif folder == "nohead" and self.command == "HEAD":
            self.answer(405)
        else:
            self.answer(200, Last_Modified="Sun, 06 Nov 1994 08:49:37 GMT")

    do_HEAD = do_GET


http.server.ThreadingHTTPServer.request_queue_size = 64
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
log = open("requests", "a")
print(server.server_port, flush=True)
server.serve_forever()
