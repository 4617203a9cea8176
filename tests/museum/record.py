"""What runs of the museum showed, one JSON line each in a file that later runs continue, and the rates that follow."""
import hashlib
import json
import math
import pathlib
import threading


def digest(program):
    """Of the file: what another program found says nothing about this one."""
    return hashlib.sha256(pathlib.Path(program).read_bytes()).hexdigest()[:16]


class Record:
    """Runs by (target, seed, options) of one program. A line is there once its run has ended, whatever happens then."""

    def __init__(self, path, program):
        self.path, self.program = path and pathlib.Path(path), digest(program)
        self.lines, self.of_others, self.lock = {}, 0, threading.Lock()
        if self.path and self.path.exists():
            for number, line in enumerate(self.path.read_text().splitlines(), 1):
                try:
                    entry = json.loads(line)
                except ValueError:  # the run was killed while it wrote the last line
                    print(f"{self.path}, line {number} is cut off: left out")
                    continue
                if entry["program"] == self.program:
                    self.lines[self.key(entry)] = entry
                else:
                    self.of_others += 1

    @staticmethod
    def key(entry):
        return entry["target"], entry["seed"], tuple(entry["options"])

    def find(self, target, seed, options):
        return self.lines.get((target, seed, tuple(options)))

    def add(self, entry):
        entry = {**entry, "program": self.program}
        with self.lock:
            self.lines[self.key(entry)] = entry
            if self.path:
                with open(self.path, "a") as file:
                    file.write(json.dumps(entry) + "\n")


def at_most(alarms, runs, rate):
    """The probability of so few alarms in independent runs with this rate."""
    if rate in (0, 1):
        return float(rate == 0 or alarms == runs)
    return math.fsum(math.exp(math.lgamma(runs + 1) - math.lgamma(k + 1) - math.lgamma(runs - k + 1) + k * math.log(rate)
                              + (runs - k) * math.log1p(-rate)) for k in range(alarms + 1))


def rate_below(alarms, runs, level=0.05):
    """The exact upper bound on the rate (Clopper and Pearson, one-sided): the largest rate with which so few alarms come with
    probability `level`. Without an alarm 1 - level^(1/runs)."""
    if runs == 0 or alarms >= runs:
        return 1.0
    low, high = alarms / runs, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if at_most(alarms, runs, middle) > level else (low, middle)
    return high
