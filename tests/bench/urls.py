#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Dry runs whose inputs are URLs of a server that takes 50 ms to answer: seconds, median of 3.

    tests/bench/urls.py "build/kintsugi-flow run" "snakemake" "snakemake --storage-http-max-requests-per-second 1000"
"""
import http.server
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import threading
import time

URLS = 200
SHAPES = {
    "one job with 200 URLs": """rule a:
    input: [storage.http(f"{url}/{i}") for i in range(%d)]
    output: "0"
    shell: "touch 0"
""",
    "200 jobs with one URL": """rule all:
    input: [f"out/{i}" for i in range(%d)]


rule a:
    input: storage.http(f"{url}/{{i}}")
    output: "out/{i}"
    shell: "touch {output}"
""",
}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def do_HEAD(self):
        time.sleep(0.05)
        self.send_response(200)
        self.send_header("Content-Length", "6")
        self.send_header("Last-Modified", "Sun, 06 Nov 1994 08:49:37 GMT")
        self.end_headers()


def seconds(engine, text):
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/Snakefile", "w") as snakefile:
            snakefile.write(text)
        begun = time.perf_counter()
        done = subprocess.run([*shlex.split(engine), "-n", "--cores", "1"], cwd=folder, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{engine}: {done.stdout}{done.stderr}")
        return time.perf_counter() - begun


http.server.ThreadingHTTPServer.request_queue_size = 64
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
for shape, text in SHAPES.items():
    text = f'url = "http://127.0.0.1:{server.server_port}"\n' + text % URLS
    for engine in sys.argv[1:]:
        words = shlex.split(engine)
        words[0] = os.path.abspath(words[0]) if "/" in words[0] else words[0]
        times = [seconds(shlex.join(words), text) for _ in range(3)]
        print(f"{shape:24} {statistics.median(times):6.2f} s  {engine}", flush=True)
