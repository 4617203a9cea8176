#!/usr/bin/env python3
"""Feeds every target of fuzz_parsers up to a number of changed inputs, in parts that a table keeps, so that it can be stopped at
any time and goes on where it stood.

Usage: campaign.py PROGRAM TABLE COMMIT [--inputs N] [--part N] [--jobs N] [--seconds N]
PROGRAM is fuzz_parsers of a build with sanitizers, COMMIT what it was built from. TABLE has one line for each target and commit:
the first round, how many inputs and the day of the last part. The targets that need least time come first. Ends with 1 when an input was not read or refused as it should be;
that input is kept in the current folder.
"""
import argparse
import concurrent.futures
import csv
import datetime
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

# What is freed is kept apart until 1 MB more is freed, and allocations remember one frame: less memory passes through the caches.
# Measured on `paper`: 1.1 ms per input, where 16 MB and four frames take 1.8 ms.
SANITIZER = "malloc_context_size=1:quarantine_size_mb=1:thread_local_quarantine_size_kb=256:max_malloc_fill_size=0"
COLUMNS = ("target", "first", "inputs", "commit", "date")


def read_table(file):
    if not file.exists():
        return []
    with file.open(newline="") as stream:
        return [{**row, "first": int(row["first"]), "inputs": int(row["inputs"])} for row in csv.DictReader(stream, delimiter="\t")]


def write_table(file, rows):
    beside = file.with_suffix(".part")
    with beside.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, COLUMNS, delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(sorted(rows, key=lambda row: (row["target"], row["first"])))
    os.replace(beside, file)


def done(rows, target):
    return sum(row["inputs"] for row in rows if row["target"] == target)


def add(rows, target, count, commit):
    today = datetime.date.today().isoformat()
    own = [row for row in rows if row["target"] == target]
    if own and own[-1]["commit"] == commit:
        own[-1]["inputs"] += count
        own[-1]["date"] = today
    else:
        rows.append({"target": target, "first": done(rows, target), "inputs": count, "commit": commit, "date": today})


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("program", type=pathlib.Path)
    options.add_argument("table", type=pathlib.Path)
    options.add_argument("commit")
    options.add_argument("--inputs", type=int, default=10**7, help="for each target in all")
    options.add_argument("--part", type=int, default=10**5, help="inputs between two writes of the table")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    options.add_argument("--seconds", type=float, default=float("inf"), help="no part begins later")
    given = options.parse_args()
    program = given.program.resolve()
    targets = subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()
    rows, lock, failures, begun = read_table(given.table), threading.Lock(), [], time.monotonic()

    def feed(target, most):
        """Up to `most` inputs in parts; the seconds that each input took."""
        seconds, fed = 0.0, 0
        with tempfile.TemporaryDirectory() as folder:
            while target not in failures and fed < most and time.monotonic() - begun <= given.seconds:
                with lock:
                    first = done(rows, target)
                count = min(given.part, given.inputs - first, most - fed)
                if count <= 0:
                    break
                start = time.monotonic()
                run = subprocess.run([program, target, "1e9", str(count), str(first)], capture_output=True, text=True,
                                     env={"ASAN_OPTIONS": SANITIZER, **os.environ, "TMPDIR": folder}, check=False)
                seconds += time.monotonic() - start
                fed += count
                if run.returncode != 0:
                    failures.append(target)
                    print(f"{target}, from round {first} on:\n{run.stdout[-2000:]}{run.stderr[-6000:]}", flush=True)
                    break
                with lock:
                    add(rows, target, count, given.commit)
                    write_table(given.table, rows)
        return seconds / max(fed, 1)

    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        needed = {target: seconds * (given.inputs - done(rows, target))
                  for target, seconds in zip(targets, pool.map(lambda target: feed(target, 2000), targets))}
        list(pool.map(lambda target: feed(target, given.inputs), sorted(targets, key=needed.get)))
    complete = [target for target in targets if done(rows, target) >= given.inputs]
    print(f"{len(complete)} of {len(targets)} targets were fed {given.inputs} inputs; {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
