"""The museum without the judge: right implementations agree with a reference by loops and with finite differences, and
every bug differs from the right implementation on the case that its table says it shows on.

Usage: self_test.py [NAME ...]; exit code 1 where something does not hold.
"""
import csv
import inspect
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

import cases
import correct
import museum_targets
import record
import right_by_loops
import run
from museum_targets import BUGS, RIGHT

HERE = pathlib.Path(__file__).resolve().parent
FAILURES = []
# Relative to an array's largest entry, for logits of order 1 and sums of at most 400 terms; float16 is
# rounded twice, as weights and as results.
ROUNDING = {"float64": 1e-13, "float32": 1e-5, "float16": 2.0 ** -10}
# Of central quotients with step 1e-5: squared, and the rounding of the loss over the step.
QUOTIENT = 1e-9
CLEARLY = 3  # a bug shows where it is this many times further off than rounding


def table():
    rows = []
    for name in run.TABLES:
        with open(HERE / name, newline="") as file:
            rows += [{**row, "table": name} for row in csv.DictReader(file, delimiter="\t")]
    return rows


def hold(what, condition):
    if not condition:
        FAILURES.append(what)
        print(f"does not hold: {what}")


def results(function, arrays, given):
    found = function(*(a.copy() if a.flags.c_contiguous else a for a in arrays), **given)
    return found if isinstance(found, dict) else {"out": found}


def distance(found, expected):
    """Largest difference relative to the largest entry; infinite where one is not finite and the other is otherwise."""
    found, expected = np.asarray(found, np.float64), np.asarray(expected, np.float64)
    if found.shape != expected.shape:
        return np.inf
    odd = ~np.isfinite(expected)
    if not np.array_equal(odd, ~np.isfinite(found)) or not np.array_equal(found[odd], expected[odd], equal_nan=True):
        return np.inf
    found, expected = np.where(odd, 0, found), np.where(odd, 0, expected)
    gap = np.abs(found - expected).max(initial=0)
    return gap / max(np.abs(expected).max(initial=0), 1e-300) if gap else 0.0


def largest_logit(arrays):
    """A bound, and with it the factor by which rounding of logits grows into that of weights."""
    q, k = (np.abs(a.astype(np.float64)).max(initial=0, where=np.isfinite(a)) for a in arrays[:2])
    return q * k * arrays[0].shape[-1] ** 0.5


# ---- right implementations ----

def by_loops():
    """Every line of bugs.tsv that is about softmax, on the stages and on every other algorithm."""
    for line in {row["shows"] for row in table() if row["mechanism"] == "softmax"}:
        spec, arrays, given = cases.case(line)
        if spec["N_k"] > 100 or "drawn" in spec or "poison" in spec:
            continue
        expected = right_by_loops.attention(*arrays, **given)
        for name, function in correct.IN_NUMPY.items():
            taken = inspect.signature(function).parameters
            if not set(given) <= set(taken):
                continue
            found = results(function, arrays, given)
            for output, a in expected.items():
                if output in found:
                    hold(f"{name}: {output} on '{line}'",
                         distance(found[output], a) <= ROUNDING[spec["type"]] * max(1, largest_logit(arrays)))


def by_poison():
    """What sees no poisoned entry has the same bits as without it, in every implementation."""
    for kind in ("k", "v", "huge", "q"):
        line = "H=2 N_q=4 causal grad"
        _, clean, given = cases.case(line)
        _, arrays, _ = cases.case(f"{line} poison={kind}")
        for name, function in correct.IN_NUMPY.items():
            expected, found = results(function, clean, given), results(function, arrays, given)
            for output in ("out", "lse", "dq") if kind != "q" else ("out", "lse", "dq", "dk", "dv"):
                rows = slice(1, None) if kind == "q" else slice(None, -1)
                hold(f"{name}: {output} of rows that do not see poison in {kind}",
                     np.array_equal(found[output][:, :, rows], expected[output][:, :, rows]))


def by_quotients():
    """Gradients of sum(out dout) + sum(lse dlse) in direction u, with and without options."""
    lines = ["causal", "N_k=7 causal alignment=bottom_right window=2,1", "softcap=1 bias", "mask=float:NN dlse", "sinks dlse",
             "H=4 H_kv=2 D_v=3", "packed=1,3", "dropout=0.3 alibi"]
    for mechanism, line in [("softmax", line) for line in lines] + [("softmax", "N_q=5 N_k=5 mask=bool:BHNN empty")] + [
            (other, line) for other in ("twicing", "graph-diffusion", "alibi", "linear", "sparse")
            for line in ("", "causal")]:
        spec, arrays, given = cases.case(line + " grad", mechanism)
        function, random, step = RIGHT[mechanism], np.random.default_rng(3), 1e-5
        gradients = results(function, arrays, given)

        def loss(moved):
            found = function(*moved, **{name: a for name, a in given.items() if name not in ("dout", "dlse")})
            of_lse = (found["lse"] * given["dlse"]).sum() if "dlse" in given else 0
            return (found["out"] * given["dout"]).sum() + of_lse

        for which, name in enumerate(("dq", "dk", "dv")):
            u = random.standard_normal(arrays[which].shape)
            plus, minus = ([a + sign * step * u if i == which else a for i, a in enumerate(arrays)] for sign in (1, -1))
            quotient = (loss(plus) - loss(minus)) / (2 * step)
            slope = (gradients[name] * u).sum()
            scale = np.abs(gradients[name]).max() * np.sqrt(u.size)
            hold(f"{mechanism}: {name} on '{line}' against quotients", abs(quotient - slope) <= QUOTIENT * max(scale, 1e-3))


def by_definitions():
    """Mechanisms beyond softmax against tests/cli/attention_in_numpy.py."""
    definitions = museum_targets.mechanisms.definitions
    for mechanism, function in (("twicing", definitions.twicing), ("graph-diffusion", definitions.graph_diffusion),
                                ("alibi", definitions.alibi), ("linear", definitions.linear),
                                ("sparse", definitions.sparse)):
        for line in ("H=3 N_q=9", "H=3 N_q=9 causal"):
            _, arrays, given = cases.case(line, mechanism)
            expected = function(dict(zip("qkv", arrays)), **given)
            found = RIGHT[mechanism](*arrays, **given)["out"]
            hold(f"{mechanism} on '{line}'", distance(found, expected) <= ROUNDING["float64"])


def by_torch():
    """PyTorch's against the stages, where PyTorch is installed. Rows that see nothing are its own business: NaN."""
    try:
        import torch
    except ImportError:
        print("PyTorch is not installed: its implementations are left out")
        return
    for line in ("H=2 N_q=5", "H=2 N_q=3 N_k=5 causal", "H=2 N_q=4 mask=bool:BHNN", "H=2 N_q=4 mask=float:NN causal",
                 "B=2 N_q=3 N_k=5 causal alignment=bottom_right bias"):
        _, arrays, given = cases.case(line)
        expected = correct.naive(*arrays, **given)["out"]
        tensors = {name: torch.tensor(a) if isinstance(a, np.ndarray) else a for name, a in given.items()}
        for name in ("eager_torch", "packaged_torch", "multihead_torch"):
            function = getattr(correct, name)
            if set(given) <= set(inspect.signature(function).parameters):
                found = function(*(torch.tensor(a) for a in arrays), **tensors).numpy()
                hold(f"{name} on '{line}'", distance(found, expected) <= ROUNDING["float64"])


# ---- bugs ----

def differs(function, right, row):
    """What shows the bug on its minimal case; None where nothing does."""
    spec, arrays, given = cases.case(row["shows"], row["mechanism"])
    expected = results(right, arrays, given)
    if "inputs" in spec:
        kept = [a.copy() for a in arrays]
        function(*arrays, **given)
        return "inputs" if any(not np.array_equal(a, b) for a, b in zip(arrays, kept)) else None
    try:
        placed = "strided" in spec or "far" in spec
        found = function(*(a if placed else a.copy() for a in arrays), **given)
    except Exception as error:  # a target's own error is what is looked for
        return f"{type(error).__name__}"
    if found is None:
        return "nothing returned"
    found = found if isinstance(found, dict) else {"out": found}
    if "again" in spec:
        other = results(function, arrays, given)
        moved = results(function, [arrays[0], arrays[1][:, :, ::-1], arrays[2]], given)
        fresh = results(right, [arrays[0], arrays[1][:, :, ::-1], arrays[2]], given)
        same = all(np.array_equal(other[name], a) for name, a in found.items())
        return None if same and distance(moved["out"], fresh["out"]) <= ROUNDING[spec["type"]] else "again"
    if "mates" in spec:
        alone = results(function, [a[:1] for a in arrays], given)
        return None if np.array_equal(alone["out"], found["out"][:1]) else "mates"
    if "other_head" in spec or "later" in spec:  # what must not be seen is changed: the rest keeps its bits
        where = np.s_[:, -1:] if "other_head" in spec else np.s_[:, :, -1:]
        kept = np.s_[:, :-1] if "other_head" in spec else np.s_[:, :, :-1]
        others = [a.copy() for a in arrays]
        for a in others:
            a[where] *= -3
        return None if np.array_equal(results(function, others, given)["out"][kept], found["out"][kept]) else "bits"
    if "positive" in spec:  # a mean error beyond four standard errors
        errors = (found["out"].astype(np.float64) / expected["out"] - 1).ravel()
        return "mean error" if abs(errors.mean()) > 4 * errors.std() / errors.size ** 0.5 else None
    if "drawn" in spec:  # every seed's pattern, over many calls: keep rate, pairs, rows, seeds
        return "drawn" if distance(found["out"], expected["out"]) > ROUNDING[spec["type"]] else None
    for name, a in expected.items():
        if name in found and found[name].dtype != a.dtype:
            return f"type of {name}"
        if name in found and distance(found[name], a) > CLEARLY * ROUNDING[spec["type"]] * max(1, largest_logit(arrays)):
            return name
    return None


def in_child(row):
    """Of the bugs that hang or crash: the child does not end by itself in time, or dies by a signal."""
    script = (f"import cases, museum_targets as m; s, a, g = cases.case({row['shows']!r}); "
              f"m.BUGS[{row['name']!r}](*a, **g)")
    try:
        ended = subprocess.run([sys.executable, "-B", "-c", script], cwd=HERE, timeout=3, capture_output=True)
    except subprocess.TimeoutExpired:
        return "time"
    return "signal" if ended.returncode < 0 else None


def all_bugs(names):
    rows = table()
    hold("the tables and bugs/ name the same bugs", sorted(row["name"] for row in rows) == sorted(BUGS))
    for row in rows:
        if names and row["name"] not in names:
            continue
        right = RIGHT[row["mechanism"]]
        child = row["class"] in ("does not return in time", "crashes")
        shown = in_child(row) if child else differs(BUGS[row["name"]], right, row)
        hold(f"bug {row['name']} shows on '{row['shows']}'", shown is not None)
        if names:
            print(row["name"], "shows in", shown)
    return len(rows)


def lists_in_step():
    """What is listed in one place and defined in another."""
    sources = (HERE.parents[1] / "simulations/judge").rglob("*.[ch]pp")
    said = "\n".join(path.read_text() for path in sources)
    wanted = {row["class"] for row in table()} | {name for _, name in run.LIBRARY_BUGS} | {name for _, name in run.BY_FILES}
    for name in sorted(wanted - {""}):
        # Some are put together from an output's name.
        hold(f"the judge can say '{name}'", f'"{name}"' in said or f'"{name.rpartition(" ")[0]} "' in said)
    macros = {macro for source in ("attention.c", "problem.h")
              for macro in re.findall(r"MUSEUM_([A-Z_]+)", (HERE / "libraries" / source).read_text())}
    hold("run.py and the libraries name the same bugs", macros == {name for name, _ in run.LIBRARY_BUGS})
    libraries = [*run.RIGHT_LIBRARIES, "onednn", *(library.name for library in run.outside.right_libraries())]
    targets = {target.name for target in run.right(dict.fromkeys(libraries, ""))}
    hold("right implementations of the quick sample exist", set(run.QUICK_RIGHT) <= targets)
    hold("every mechanism is judged right once", set(run.MECHANISMS) | {"softmax"} == set(RIGHT))
    for name, _ in run.BY_FILES:
        hold(f"by_files.py finds {name}", hasattr(museum_targets, name))


def rates_and_records():
    """The upper bound is where so few alarms have the probability 0.05; runs that ended are there again, cut lines are not."""
    for alarms, runs in ((0, 1), (0, 1000), (1, 30), (7, 500)):
        found = record.at_most(alarms, runs, record.rate_below(alarms, runs))
        hold(f"the bound for {alarms} alarms in {runs} runs", abs(found - 0.05) < 1e-9)
    hold("the bound without an alarm", abs(record.rate_below(0, 1000) - (1 - 0.05 ** 0.001)) < 1e-12)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "runs.jsonl"
        kept = {"target": "naive", "seed": 3, "options": ["--threads", "1"], "classes": [], "seconds": 1.5, "trouble": ""}
        record.Record(path, __file__).add(kept)
        with open(path, "a") as file:
            file.write('{"target": "naive", "se')
        again = record.Record(path, __file__)
        hold("a run that ended is not repeated", again.find("naive", 3, ["--threads", "1"])["seconds"] == 1.5)
        hold("one with other options is", again.find("naive", 3, []) is None)
        of_another = record.Record(path, record.__file__)
        hold("one of another program is", of_another.find("naive", 3, ["--threads", "1"]) is None and of_another.of_others == 1)


def main():
    names = sys.argv[1:]
    if not names:
        lists_in_step()
        rates_and_records()
        by_loops()
        by_poison()
        by_quotients()
        by_definitions()
        by_torch()
    count = all_bugs(names)
    print(f"{count} bugs, {len(FAILURES)} failures")
    return 1 if FAILURES else 0


if __name__ == "__main__":
    sys.exit(main())
