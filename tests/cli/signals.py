#!/usr/bin/env python3
"""SIGINT and SIGTERM end every verb that takes long within two seconds, and what was finished is saved.

Usage: signals.py ATTEST_PROGRAM RUN [VERB ...], RUN the folder of a run (judged_ledger.sh)
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

PROGRAM = os.path.abspath(sys.argv[1])
RUN = os.path.abspath(sys.argv[2])
WANTED = sys.argv[3:]
MOST_SECONDS = 2
failures = []
PYTHON = "/usr/bin/python3"

SWEEP = """quantity = "softmax_lipschitz"
samples = 200
[axes]
scale = {from = 0.1, to = 4, points = 4000}
N = [20000]
"""
SLOW_KERNEL = """
import time


def attention(q, k, v):
    time.sleep(0.5)
    return v[:, :, :1].repeat(q.shape[2], 2)
"""
MOST_SECONDS_TO_BEGIN = 60
HARD = "forall n in 2..64, A in stochastic(n, n), V in R^(n, 8): osc(A*V) <= dobrushin(A)*osc(V)"


def read_json(*names):
    def read(folder):
        for name in names:
            json.loads((folder / name).read_text())
    return read


def nothing(folder):
    pass


def finished_points(folder):
    rows = (folder / "out" / "points.csv").read_text().splitlines()
    if not 1 < len(rows) < 4001:
        raise ValueError(f"points.csv has {len(rows)} lines")


def interrupted_record(folder):
    suite = json.loads((folder / "out" / "results.json").read_text())["suite"]
    if not suite["interrupted"]:
        raise ValueError("results.json does not say that it was interrupted")
    for name in ("report.html", "junit.xml"):
        if not (folder / "out" / name).stat().st_size:
            raise ValueError(name)


def finished_measurements(folder):
    measured = json.loads((folder / "measured.json").read_text())
    if not measured or not measured[-1].get("skipped", "").startswith("interrupted"):
        raise ValueError("measured.json does not say that it was interrupted")


def whole_files(folder):
    """Nothing half written, nothing left beside what is meant."""
    for path in (folder / "run").rglob("*"):
        if ".tmp-" in path.name:
            raise ValueError(f"{path.name} is left")
    json.loads((folder / "run" / "results.json").read_text())


def prepare(folder):
    (folder / "sweep.toml").write_text(SWEEP)
    (folder / "slow.py").write_text(SLOW_KERNEL)
    # Many files to verify: each is a whole certificate.
    subprocess.run([PROGRAM, "try", "forall x in [0, 1]: x*(1 - x) <= 0.2501", "--evidence", "one.json"], cwd=folder,
                   stdout=subprocess.DEVNULL, check=True)
    subprocess.run([PROGRAM, "try", "forall A in [-1, 1]^(70, 70): frobenius(A*A*A*A*A) <= 1", "--budget", "quick", "--evidence",
                    "slow.json"], cwd=folder, stdout=subprocess.DEVNULL)
    shutil.copytree(RUN, folder / "run")
    (folder / "evidence").mkdir()
    for i in range(3000):
        shutil.copy(folder / "one.json", folder / "evidence" / f"{i}.json")


# name, arguments, standard input, seconds of work before the signal, what must be there afterwards
VERBS = [
    ("check", ["check", "--budget", "deep", "--threads", "1", "--no-measure", "--out", "out"], None, 2, interrupted_record),
    ("check-threads", ["check", "--budget", "deep", "--threads", "2", "--mutants", "--out", "out"], None, 2, interrupted_record),
    ("try", ["try", HARD, "--budget", "600s", "--json", "try.json"], None, 1, nothing),
    ("bench", ["bench", "--budget", "deep"], None, 1, nothing),
    ("serve", ["serve", "--budget", "600s"], json.dumps({"id": 1, "statement": HARD}) + "\n", 1, nothing),
    ("repeat", ["repeat", "random g ~ normal(0, 1)^64: E[max(g)] <= 3", "--budget", "600s"], None, 1, nothing),
    ("judge", ["judge", "python:slow.py:attention", "--python", PYTHON, "--budget", "standard", "--out", "out", "--json",
               "judge.json"], None, 1, nothing),
    ("sweep", ["sweep", "sweep.toml", "--threads", "1", "--out", "out"], None, 1, finished_points),
    ("measure", ["measure", "--budget", "deep", "--json", "measured.json"], None, 1, finished_measurements),
    ("verify", ["verify", "evidence"], None, 1, nothing),
    # Before the checker has started: the folder is still being read.
    ("verify-at-once", ["verify", "evidence"], None, 0.1, nothing),
    ("report", ["report", "run"], None, 0.5, whole_files),
    ("replay", ["replay", "slow.json"], None, 0.5, nothing),
]
# Those that may have ended by themselves when the signal comes, or die by it before they have begun.
SHORT = ("verify-at-once", "report", "replay")


def running_in_session_of(child):
    """What runs in its session still. What has ended and waits for a first process that does not ask is not running."""
    lines = subprocess.run(["ps", "-s", str(child.pid), "-o", "stat=,args="], stdout=subprocess.PIPE, text=True).stdout.splitlines()
    return "; ".join(line.split(None, 1)[-1] for line in lines if not line.startswith("Z"))


def is_ready(child, number, folder, name):
    """Whether the program answers to the signal, and has something to save where the check asks for it."""
    status = pathlib.Path(f"/proc/{child.pid}/status").read_text()
    caught = next(int(line.split()[1], 16) for line in status.splitlines() if line.startswith("SigCgt:"))
    if not caught >> (number - 1) & 1:
        return False
    return name != "sweep" or (folder / "out" / "run.db").exists()


def wait_until_at_work(child, number, folder, verb):
    """A loaded machine may need long to start: seconds count from the moment that the program is at work."""
    name, seconds = verb[0], verb[3]
    if name not in SHORT:
        latest = time.monotonic() + MOST_SECONDS_TO_BEGIN
        while child.poll() is None and time.monotonic() < latest and not is_ready(child, number, folder, name):
            time.sleep(0.02)
    time.sleep(seconds)


def end(verb, number, prepared):
    name, arguments, given, _, check = verb
    with tempfile.TemporaryDirectory(prefix="attest-signals-") as scratch:
        folder = pathlib.Path(scratch)
        for entry in prepared.iterdir():
            # What is written in is a copy of its own: two reports at a time would each see the other's unfinished files.
            if name == "report" and entry.name == "run":
                shutil.copytree(entry, folder / entry.name)
            else:
                (folder / entry.name).symlink_to(entry)
        said = open(folder / "said", "w+")
        child = subprocess.Popen([PROGRAM, *arguments], cwd=folder, stdin=subprocess.PIPE, stdout=said, stderr=said,
                                 text=True, start_new_session=True)
        try:
            if given:
                child.stdin.write(given)
                child.stdin.flush()
            wait_until_at_work(child, number, folder, verb)
            if child.poll() is not None and name not in SHORT:
                said.seek(0)
                failures.append(f"{name} ended by itself with {child.returncode}: {said.read()[-300:]}")
                return
            start = time.monotonic()
            child.send_signal(number)
            try:
                code = child.wait(timeout=30)
            except subprocess.TimeoutExpired:
                failures.append(f"{name}: still there 30 s after {number.name}")
                return
            took = time.monotonic() - start
            print(f"{name}, {number.name}: exit {code} after {took:.2f} s")
            if code != 130 and not (name in SHORT and code in (0, -number)):
                said.seek(0)
                failures.append(f"{name}, {number.name}: exit {code} instead of 130: {said.read()[-300:]}")
            if took > MOST_SECONDS:
                failures.append(f"{name}, {number.name}: ended after {took:.2f} s")
            try:
                check(folder)
            except (OSError, ValueError, KeyError) as problem:
                failures.append(f"{name}, {number.name}: {problem}")
            left = running_in_session_of(child)
            if left:
                failures.append(f"{name}, {number.name}: left running: {left[:200]}")
        finally:
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.wait()


def main():
    with tempfile.TemporaryDirectory(prefix="attest-signals-") as scratch:
        prepared = pathlib.Path(scratch)
        prepare(prepared)
        # A job in the background of a script ignores Ctrl-C; what this starts shall not.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        # Two at a time, one per core: most of the time of each is the work before the signal.
        with ThreadPoolExecutor(2) as pool:
            for ended in [pool.submit(end, verb, number, prepared) for verb in VERBS if not WANTED or verb[0] in WANTED
                          for number in (signal.SIGTERM, signal.SIGINT)]:
                ended.result()
    for sentence in failures:
        print("FAILED:", sentence)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
