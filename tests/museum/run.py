"""`attest judge` over the museum: every bug must be found and named by its class, right implementations must pass.

Usage: run.py ATTEST_PROGRAM [--only PATTERN ...] [--quick] [--seeds K] [--minutes M] [--jobs J] [--record FILE]
              [-- JUDGE_OPTIONS]

Prints a line as each run ends, then one for each table of bugs, and one for each right implementation: its alarms and the
exact upper bound on their rate. --record keeps each run as a JSON line in FILE and does not repeat those that are there (of
the same program and options), so that many runs can be collected in pieces; --minutes 0 sums up what is there. Exit code 1
where less than 98 percent of the bugs are found and named, where one takes longer than a minute, or where a right
implementation raises an alarm; 2 for wrong use. --quick: a sample of the bugs that has every kind of target, and one seed of
some right implementations, for the test suite. The C libraries among them are built with cc, where there is one.
"""
import argparse
import csv
import fnmatch
import functools
import json
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import record
from outside import targets as outside

HERE = pathlib.Path(__file__).resolve().parent
HEADERS = HERE.parents[1] / "simulations/judge"  # attest_judge.h
PYTHON = "/usr/bin/python3"
TABLES = ("bugs.tsv", "held_out.tsv", "later.tsv")
GOAL, LONGEST = 0.98, 60.0  # share of the bugs; seconds a bug


MECHANISMS = ("twicing", "graph-diffusion", "alibi", "linear", "sparse", "nystromformer", "linformer", "bilateral",
              "attention-bn", "kernel-regression", "neutreno")
# From tests/cli/attention_in_numpy.py, which multiplies whole matrices of weights by v.
BY_WHOLE_PRODUCTS = ("bilateral", "kernel-regression", "neutreno")
QUICK_RIGHT = ("naive", "online", "twicing", "eager_torch", "c_correct", "c_tiled", "c_onednn", "recorded_right_softmax",
               "outside_in_numpy_dropout_bool", "outside_in_torch_minimal_causal", "outside_whole_rows",
               "outside_in_c_causal_only", "outside_refactored_linear", "outside_other_mechanisms_alibi", "outside_other_mechanisms_twicing_as_module")


class Target(NamedTuple):
    name: str
    where: str               # as `attest judge` takes it
    mechanism: str = "softmax"
    wanted: str = ""         # the class of the finding; "" for a right implementation
    known: tuple = ()        # classes that a right implementation is known to have: published faults of that library
    more: tuple = ()         # further arguments
    table: str = ""          # where it is listed


class Judged(NamedTuple):
    target: Target
    classes: tuple
    seconds: float
    trouble: str = ""        # why there is no verdict
    seed: int = None         # of a right implementation
    stopped: bool = False    # by a signal from outside: not a run at all

    @property
    def alarms(self):
        return [name for name in self.classes if name not in self.target.known] + [self.trouble] * bool(self.trouble)

    @property
    def named(self):
        return self.target.wanted in self.classes


def table():
    rows = []
    for name in TABLES:
        with open(HERE / name, newline="") as file:
            rows += [{**row, "table": name} for row in csv.DictReader(file, delimiter="\t")]
    return rows


def settings(row):
    return tuple(word for token in row["shows"].split() if token.startswith("landmarks=") for word in ("--set", token))


# Variants of libraries/attention.c: the macro MUSEUM_<NAME> that they are built with, and the class.
LIBRARY_BUGS = (("STRIDES", "strides ignored"), ("TOP_LEFT", "causal mask aligned to the wrong corner"),
                ("GROUPS", "key heads mapped wrongly"), ("NO_MAXIMUM", "overflow at large logits"),
                ("SHORT_OFFSETS", "wrong beyond 2^31 entries"), ("RESULT_STRIDES", "strides ignored"),
                ("STORES_WHOLE_VECTORS", "writes outside its buffers"),
                ("ROW_SUM", "wrong dq and dk"), ("OVERWRITES_QUERIES", "an input is overwritten"),
                ("WRITES_PAST_END", "writes outside its buffers"), ("CRASHES", "crashes"),
                ("HANGS", "does not return in time"), ("RETURNS_NOTHING", "returns nothing"))
# Right libraries: their source and the macros that they are built with.
RIGHT_LIBRARIES = {"correct": ("attention.c",), "tiled": ("tiled.c",), "last_first": ("tiled.c", "TILE=5", "LAST_FIRST"),
                   "in_parts": ("tiled.c", "PARTS=3"), "of_16_bits": ("tiled.c", "TILE=8", "ONLY_16_BITS")}
if platform.machine() in ("x86_64", "AMD64"):
    RIGHT_LIBRARIES["flushes"] = ("tiled.c", "FLUSHES")
# Programs over files, and answers recorded elsewhere: one bug and one right implementation each (by_files.py).
BY_FILES = (("bug_top_left_for_bottom_right", "causal mask aligned to the wrong corner"), ("right_softmax", ""))


# A process for every call is slow: what these take is little.
TAKEN_BY_FILES = ("--options", "causal,alignment", "--dtype", "float64")


def libraries_in(folder):
    """{name: path} of the libraries that `build` can make, as far as cc and oneDNN are there."""
    if shutil.which("cc") is None:
        print("no C compiler: the libraries are left out")
        return {}
    names = [*RIGHT_LIBRARIES, *(name for name, _ in LIBRARY_BUGS), *(library.name for library in outside.libraries())]
    if subprocess.run(["cc", "-shared", "-o", folder / "empty.so", "-x", "c", "/dev/null", "-ldnnl"], capture_output=True).returncode:
        print("oneDNN 2 (libdnnl-dev) is not installed: its library is left out")
    else:
        names.append("onednn")
    return {name: folder / f"lib{name}.so" for name in names}


def build(libraries, targets):
    """Compiles the libraries that the targets name."""
    plain = ["cc", "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", f"-I{HEADERS}"]
    sources = RIGHT_LIBRARIES | {name: ("attention.c", f"MUSEUM_{name}") for name, _ in LIBRARY_BUGS} | {"onednn": ("onednn.c",)}
    from_outside = {library.name: library for library in outside.libraries()}
    asked = {target.where for target in targets}
    for name, path in libraries.items():
        if str(path) not in asked:
            continue
        if name in from_outside:
            outside.build(from_outside[name], HEADERS, path)
            continue
        source, *macros = sources[name]
        subprocess.run([*plain, *(f"-D{macro}" for macro in macros), "-o", path, HERE / "libraries" / source, "-lm",
                        *["-ldnnl"] * (name == "onednn")], check=True)


def by_files(name):
    return f"command:{PYTHON} {HERE / 'by_files.py'} {name} {{in}} {{out}}"


def of_outside(one, table=""):
    """A Python function of the folder `outside`; its options may begin with --as."""
    named = one.options[:1] == ("--as",)
    return Target(one.name, one.where, one.options[1] if named else "softmax", one.wanted, one.known,
                  ("--python", PYTHON, *one.options[2 * named:]), table)


def for_whole_products(mechanism):
    return ("--set", "masked_nan=spreads") if mechanism in BY_WHOLE_PRODUCTS else ()


def bugs(libraries):
    for row in table():
        yield Target(row["name"], f"python:museum_targets:bug_{row['name']}", row["mechanism"], row["class"],
                     more=("--python", PYTHON, *for_whole_products(row["mechanism"]), *settings(row)), table=row["table"])
    for one in outside.faults():
        if one.macro and libraries:
            yield Target(one.name, str(libraries[one.name]), wanted=one.wanted, table="outside.tsv")
        elif not one.macro and (has_torch() or "--torch" not in one.options):
            yield of_outside(one, "outside.tsv")
    for name, wanted in LIBRARY_BUGS if libraries else ():
        yield Target(f"c_{name.lower()}", str(libraries[name]), wanted=wanted, table="libraries")
    for name, wanted in BY_FILES:
        if wanted:
            yield Target(f"command_{name}", by_files(name), wanted=wanted, more=TAKEN_BY_FILES, table="files")
            yield Target(f"recorded_{name}", f"recorded:{name}", wanted=wanted, more=TAKEN_BY_FILES, table="files")


# Weights of 0 times NaN or infinity in v (pytorch #101967), and rows that see nothing (#41508): every implementation that
# multiplies a whole matrix of weights by v has the first, PyTorch's packaged function both.
LEAKS = ("a masked key or value reaches the output", "a masked key or value reaches the gradients")
EMPTY_ROWS = ("a fully masked row gives NaN", "a fully masked row gives NaN gradients")

@functools.cache
def has_torch():
    return subprocess.run([PYTHON, "-c", "import torch"], capture_output=True).returncode == 0


# On processors without AVX-512 PyTorch 1 sums products of bfloat16 in bfloat16, which the judge finds in whoever uses them.
ONES_OF_TORCH = "import torch; a = torch.ones(16, 1024).bfloat16(); print((a @ a.T.contiguous())[0, 0].item())"


@functools.cache
def sums_of_torch():
    """What right implementations in PyTorch are held to on this machine."""
    ones = subprocess.run([PYTHON, "-c", ONES_OF_TORCH], capture_output=True, text=True, check=True).stdout
    return () if float(ones) == 1024 else ("--accumulate", "input")


def right(libraries):
    of_python = ("--python", PYTHON)
    yield Target("textbook", "python:correct:textbook", known=LEAKS, more=of_python)
    for name in ("naive", "online", "online_last_first", "split_keys", "many_parts", "one_by_one", "float16_operands"):
        yield Target(name, f"python:correct:{name}", more=of_python)
    for name in MECHANISMS:
        more = for_whole_products(name) + (("--set", "landmarks=2") if name == "nystromformer" else ())
        yield Target(name, f"python:museum_targets:right_{name.replace('-', '_')}", name, more=(*of_python, *more))
    if has_torch():
        for name, known, more in (("eager_torch", LEAKS, ()), ("multihead_torch", (), ()), ("bfloat16_operands_torch", (), ()),
                                  ("packaged_torch", LEAKS + EMPTY_ROWS, ("--set", "alignment=top_left"))):
            yield Target(name, f"python:correct:{name}", known=known, more=(*of_python, "--torch", *more))
        # `attest apply` refuses NaN in a key that some query sees, as one of another packed sequence is.
        yield Target("ours", "python:ours:attention", more=(*of_python, "--torch", "--set", "masked_nan=spreads"))
    for one in outside.right():
        if has_torch() or "--torch" not in one.options:
            yield of_outside(one)
    for library in outside.right_libraries():
        if library.name in libraries:
            yield Target(library.name, str(libraries[library.name]), more=library.options)
    for name, more in (*((name, ()) for name in RIGHT_LIBRARIES), ("onednn", ("--set", "masked_nan=spreads"))):
        if name in libraries:
            yield Target(f"c_{name}", str(libraries[name]), more=more)
    for name, wanted in BY_FILES:
        if not wanted:
            yield Target(f"command_{name}", by_files(name), more=TAKEN_BY_FILES)
            yield Target(f"recorded_{name}", f"recorded:{name}", more=TAKEN_BY_FILES)


def judge(program, target, options):
    environment = {**os.environ, "PYTHONPATH": str(HERE), "PYTHONDONTWRITEBYTECODE": "1",
                   "ATTEST_PROGRAM": program}
    with tempfile.TemporaryDirectory() as folder:
        verdict = pathlib.Path(folder) / "verdict.json"
        held_to = sums_of_torch() if not target.wanted and "--torch" in target.more else ()
        command = [program, "judge", target.where, "--as", target.mechanism, *target.more, *held_to, "--json", str(verdict), *options]
        began = time.monotonic()
        if target.where.startswith("recorded:"):
            answer_cases(program, target, environment, folder)
            command[2] = f"recorded:{folder}/cases"
        try:
            ended = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, timeout=600)
        except subprocess.TimeoutExpired:
            return Judged(target, (), time.monotonic() - began, "did not end in ten minutes")
        seconds = time.monotonic() - began
        if ended.returncode not in (0, 1) or not verdict.exists():
            said = (ended.stderr.strip() or ended.stdout.strip() or "no verdict and not a word").splitlines()
            return Judged(target, (), seconds, f"exit code {ended.returncode}: {said[-1]}",
                          stopped=ended.returncode in (130, -2, -9, -15))
        found = json.loads(verdict.read_text())["findings"]
        return Judged(target, tuple(dict.fromkeys(finding["class"] for finding in found)), seconds)


def answer_cases(program, target, environment, folder):
    """Writes the cases into folder/cases and answers them by the function that is named after recorded:."""
    subprocess.run([program, "judge", "--emit-cases", f"{folder}/cases", "--as", target.mechanism, *target.more], cwd=folder,
                   check=True, capture_output=True)
    subprocess.run([PYTHON, "cases/answer.py", f"museum_targets:{target.where.partition(':')[2]}"], cwd=folder, check=True,
                   env=environment, capture_output=True)


def sample(targets):
    """Of those that need not wait for a time limit or a process for each call: every eightieth of the tables, and all others."""
    quick = [target for target in targets if not target.where.startswith("command:")
             and target.wanted not in ("does not return in time", "crashes")]
    listed = [target for target in quick if target.table.endswith(".tsv")]
    return listed[::80] + [target for target in quick if not target.table.endswith(".tsv")]


class Runs:
    """Judges each (target, seed), as far as the record lacks it and there is time, and says so as it goes."""

    def __init__(self, given):
        self.given, self.record = given, record.Record(given.record, given.program)
        self.began, self.done = time.monotonic(), 0
        if self.record.of_others:
            print(f"{given.record}: {self.record.of_others} runs of other programs are not counted")

    def one(self, target, seed, total):
        options = [*self.given.options, *(["--seed", str(seed)] if seed is not None else [])]
        kept = self.record.find(target.name, seed, self.given.options)
        if kept:
            return Judged(target, tuple(kept["classes"]), kept["seconds"], kept["trouble"], seed)
        if seed is not None and time.monotonic() - self.began > 60 * self.given.minutes:
            return None
        judged = judge(self.given.program, target, options)._replace(seed=seed)
        if judged.stopped:
            raise KeyboardInterrupt
        self.record.add({"target": target.name, "seed": seed, "options": self.given.options, "classes": judged.classes,
                         "seconds": round(judged.seconds, 2), "trouble": judged.trouble})
        self.done += 1
        print(f"{self.done}/{total} {said_of(judged)}", flush=True)
        return judged

    def all(self, wanted):
        """[(target, seed)] -> those that were judged."""
        lacking = sum(not self.record.find(target.name, seed, self.given.options) for target, seed in wanted)
        self.done = 0
        with ThreadPoolExecutor(self.given.jobs) as pool:
            return [j for j in pool.map(lambda one: self.one(*one, lacking), wanted) if j]


def said_of(judged):
    if judged.seed is None:
        verdict = "named" if judged.named else "found" if judged.classes else "missed"
        return f"{judged.target.name}: {verdict}, {judged.seconds:.1f} s"
    return f"{judged.target.name}, seed {judged.seed}: {', '.join(judged.alarms) or 'no alarm'}, {judged.seconds:.1f} s"


def judge_bugs(runs, targets):
    """How many of the goals are missed."""
    judged = runs.all([(target, None) for target in targets])
    for j in judged:
        if not j.named:
            print(f"{j.target.name}  wanted: {j.target.wanted}; got: {j.trouble or ', '.join(j.classes) or 'nothing'}")
    for name in dict.fromkeys(j.target.table for j in judged):
        of_table = [j for j in judged if j.target.table == name]
        print(f"{name or 'libraries'}: {len(of_table)} bugs, {sum(bool(j.classes) for j in of_table)} found, "
              f"{sum(j.named for j in of_table)} named rightly")
    longest = max((j.seconds for j in judged), default=0)
    print(f"longest {longest:.1f} s")
    # The others measure how far naming reaches beyond what the judge was made with.
    counted = [j for j in judged if j.target.table not in (*TABLES[1:], "outside.tsv")]
    return (sum(j.named for j in counted) < GOAL * len(counted)) + (longest > LONGEST)


def judge_right(runs, targets):
    """How many raised an alarm. After so many minutes no further run is started."""
    wanted = [(target, seed) for seed in range(1, runs.given.seeds + 1) for target in targets]
    judged = runs.all(wanted)
    for target in targets:
        own = [j for j in judged if j.target is target]
        if own:
            alarms = sum(bool(j.alarms) for j in own)
            print(f"{target.name}  {alarms} alarms in {len(own)} runs, {sum(j.seconds for j in own) / len(own):.1f} s each, "
                  f"rate below {record.rate_below(alarms, len(own)):.2g} (95 percent)")
    alarmed = [j for j in judged if j.alarms]
    for j in alarmed:
        print(f"    {said_of(j)}")
    print(f"right implementations: {len(alarmed)} alarms in {len(judged)} runs, all together a rate below "
          f"{record.rate_below(len(alarmed), len(judged)):.2g} (95 percent)")
    return len({j.target.name for j in alarmed})


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--only", nargs="+", default=["*"], metavar="PATTERN")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--minutes", type=float, default=600, help="start no run of a right implementation after that")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--record", metavar="FILE", help="keep each run here, and do not repeat those that are there")
    own = sys.argv[1:]
    end = own.index("--") if "--" in own else len(own)
    given = parser.parse_args(own[:end])
    given.options = own[end + 1:]
    given.program = str(pathlib.Path(given.program).resolve())
    with tempfile.TemporaryDirectory() as folder:
        try:
            return judged_as(given, libraries_in(pathlib.Path(folder)))
        except KeyboardInterrupt:
            print("interrupted" + (f"; {given.record} holds what ended" if given.record else ""), file=sys.stderr)
            return 130


def judged_as(given, libraries):
    def chosen(targets):
        return [target for target in targets if any(fnmatch.fnmatch(target.name, p) for p in given.only)]
    wanted, passing = chosen(bugs(libraries)), chosen(right(libraries))
    if not wanted and not passing:
        print(f"nothing in the museum is called {' or '.join(given.only)}", file=sys.stderr)
        return 2
    if given.quick:
        wanted, given.seeds = sample(wanted), 1
        passing = [target for target in passing if target.name in QUICK_RIGHT]
    build(libraries, wanted + passing)
    runs = Runs(given)
    missed = judge_bugs(runs, wanted) if wanted else 0
    alarmed = judge_right(runs, passing) if passing else 0
    return 1 if missed or alarmed else 0


if __name__ == "__main__":
    sys.exit(main())
