"""How the comparisons measure: programs that answer requests and take turns, the load that is not theirs, and intervals.

A comparison pins everybody to the same processors, asks us, the multiply-add peak and the peer in turn, goes on until the
95 percent interval of the median ratio is narrower than 3 percent of it or the time is up, and prints no ratio while
other processes used more than 0.3 of a processor, unless --anyway is given.
"""
import datetime
import json
import math
import os
import pathlib
import statistics
import subprocess
import time

OTHER_LOAD_AT_MOST = 0.3
WIDTH_AT_MOST = 0.03
TICKS = os.sysconf("SC_CLK_TCK")


def processor():
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return os.uname().machine


def machine():
    """What a table of results must say of where and when."""
    commit = subprocess.run(["git", "-C", str(pathlib.Path(__file__).parent), "rev-parse", "--short", "HEAD"],
                            capture_output=True, text=True, check=False).stdout.strip()
    return {"processor": processor(), "cores": os.cpu_count(), "date": datetime.date.today().isoformat(),
            "commit": commit}


def pin(threads):
    """Keeps this process and those it starts on the first `threads` processors that it may use."""
    allowed = sorted(os.sched_getaffinity(0))
    if len(allowed) < threads:
        raise SystemExit(f"{threads} threads are asked for, but this process may use {len(allowed)} processors")
    os.sched_setaffinity(0, set(allowed[:threads]))


class Program:
    """A program that answers every line of its standard input with one line of JSON."""

    def __init__(self, command):
        keeps = {"MALLOC_TRIM_THRESHOLD_": str(1 << 30), "MALLOC_MMAP_THRESHOLD_": str(1 << 30)}
        self.name = str(command[-1])
        self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env={**os.environ, **keeps})

    def ask(self, request):
        try:
            self.process.stdin.write(request + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise SystemExit(f"{self.name} ended at the request '{request}'")
        answer = json.loads(line)
        if "error" in answer:
            raise SystemExit(f"{self.name}: {answer['error']} ('{request}')")
        return answer

    def ticks(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])


class OtherLoad:
    """How many processors others used since it was made or asked."""

    def __init__(self, programs):
        self.programs = programs
        self.before = self.now()

    def now(self):
        first = pathlib.Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:]
        busy = sum(map(int, first[:3])) + sum(map(int, first[5:8]))
        own = sum(program.ticks() for program in self.programs) + sum(os.times()[:2]) * TICKS
        return time.monotonic(), busy, own

    def ask(self):
        after = self.now()
        seconds, busy, own = (b - a for a, b in zip(self.before, after))
        self.before = after
        return max(0.0, (busy - own) / TICKS / max(seconds, 1e-3))


def median_interval(values):
    """The median and a 95 percent interval of it from order statistics, whatever the law; endless below six values."""
    values = sorted(values)
    n = len(values)
    tail, rank = 0.0, -1
    for k in range(n):
        tail += math.comb(n, k) / 2**n
        if tail > 0.025:
            break
        rank = k
    middle = statistics.median(values)
    return (middle, values[rank], values[n - 1 - rank]) if rank >= 0 else (middle, 0.0, math.inf)


def is_narrow(values):
    middle, low, high = median_interval(values)
    return high - low <= WIDTH_AT_MOST * middle


def wait_until_idle(programs):
    """Threads of OpenMP and of ONNX Runtime look for work for a while after it has ended, on the processors that are
    another's by then: waits until no program has used its processor for three ticks, for a second at most."""
    end = time.monotonic() + 1
    before = None
    while time.monotonic() < end:
        now = [program.ticks() for program in programs]
        if now == before:
            return
        before = now
        time.sleep(3 / TICKS)


def take_turns(contestants, main, against, limit, programs=()):
    """Asks all contestants, {name: function}, in turn until the ratios of `against` to `main` are known well enough; each
    when the `programs` have come to rest.

    Each function returns a number. Returns {name: [numbers]}; stops after `limit` seconds, but not before one round.
    """
    found = {name: [] for name in contestants}
    start = time.monotonic()
    while True:
        for name, ask in contestants.items():
            wait_until_idle(programs)
            found[name].append(ask())
        rounds = len(found[main])
        settled = rounds >= 6 and all(is_narrow([b / a for a, b in zip(found[main], found[name])]) for name in against)
        if settled or time.monotonic() - start > limit:
            return found


def write_table(path, title, rows, header):
    """A table for people, machine, date and load first."""
    text = [title] + header + rows
    pathlib.Path(path).write_text("\n".join(text) + "\n", encoding="utf-8")
