#!/usr/bin/env python3
"""Adds up what `meson test` has run, by its logs (FOLDER/meson-logs/NAME.json): every TAP line counts as one test, a
program that crashed, timed out or failed without saying so as one more failure. What is known to fail (`not ok ... #
TODO reason`) does not count as failed; what passes although it is known to fail is told. Of each failure it shows what
the test said of it. Ends with 'N passed, N failed' and exit status 1 if any failed."""
import json
import re
import sys

passed = failed = skipped = known = 0
for log in sys.argv[1:]:
    folder = log.split("/")[0]
    for line in open(log):
        test = json.loads(line)
        text = test.get("stdout") or ""
        good = len(re.findall(r"(?m)^ok ", text))
        skips = len(re.findall(r"(?mi)^ok .*# skip", text)) + len(re.findall(r"(?mi)^1\.\.0 # skip", text))
        todo = re.findall(r"(?mi)^not ok .*# todo.*", text)
        why = dict(re.findall(r"(?m)^(not ok .*)\n((?:#.*\n)*)", text))
        bad = [line for line in re.findall(r"(?m)^not ok .*", text) if line not in todo]
        fine = test["result"] in ("OK", "EXPECTEDFAIL", "SKIP")
        known += len(todo)
        for line in re.findall(r"(?m)^# (.* newly passes.*)", text):
            print(f"{folder}: {line}")
        skipped += skips + (test["result"] == "SKIP" and not skips)
        passed += good - skips if good else (test["result"] == "OK" and not skips)
        failed += len(bad) if bad else not fine
        if bad or not fine:
            print(f"{folder}: {test['name']}: {test['result']}")
            for line in bad[:10]:
                print(f"    {line}", *(f"        {text}" for text in why.get(line, "").splitlines()[:20]), sep="\n")
            if not bad:
                print(*(f"    {line}" for line in ((test.get("stderr") or "") + text).splitlines()[-15:]), sep="\n")
more = [f"{n} {what}" for n, what in ((skipped, "skipped"), (known, "known to fail")) if n]
print(", ".join([f"{passed} passed, {failed} failed", *more]))
sys.exit(1 if failed else 0)
