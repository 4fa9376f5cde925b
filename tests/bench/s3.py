#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Jobs whose inputs lie in an S3 storage: seconds and requests of a dry run (median of 3) and of a run. Takes the
packages moto[server], boto3 and, for kintsugi-flow, snakemake-storage-plugin-s3 of the python3 that runs this.

    python3 tests/bench/s3.py "build/kintsugi-flow run" "snakemake"
"""
import logging
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

import boto3
from moto.server import ThreadedMotoServer

FILES = 40
SNAKEFILE = """storage:
    provider="s3",
    endpoint_url="%s",
    access_key="key",
    secret_key="secret",

rule all:
    input: [f"out/{i}" for i in range(%d)]

rule a:
    input: storage.s3("s3://bench/in/{i}")
    output: "out/{i}"
    shell: "cp {input} {output}"
"""
requests = 0


def count(record):
    global requests
    requests += 1
    return False


def measure(engine, folder, *options):
    """Seconds and requests."""
    before, begun = requests, time.perf_counter()
    done = subprocess.run([*engine, "--cores", "2", *options], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "KINTSUGI_PYTHON": sys.executable})
    if done.returncode:
        sys.exit(f"{engine}: {done.stdout}{done.stderr}")
    return time.perf_counter() - begun, requests - before


logging.getLogger("werkzeug").addFilter(count)
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
url = "http://%s:%d" % server.get_host_and_port()
store = boto3.client("s3", endpoint_url=url, aws_access_key_id="key", aws_secret_access_key="secret",
                     region_name="us-east-1")
store.create_bucket(Bucket="bench")
for i in range(FILES):
    store.put_object(Bucket="bench", Key=f"in/{i}", Body=b"here")
for line in sys.argv[1:]:
    engine = shlex.split(line)
    engine[0] = os.path.abspath(engine[0]) if "/" in engine[0] else engine[0]
    with tempfile.TemporaryDirectory() as folder:
        with open(f"{folder}/Snakefile", "w") as snakefile:
            snakefile.write(SNAKEFILE % (url, FILES))
        for what, options, times in ("dry run", ["-n"], 3), ("run", [], 1):
            seen = [measure(engine, folder, *options) for _ in range(times)]
            seconds = statistics.median(s for s, _ in seen)
            print(f"{what:8} {seconds:6.2f} s {seen[0][1]:6} requests  {line}", flush=True)
server.stop()
