"""Expectations repeated with other draws: repeat_test.py ATTEST. 77: no NumPy or mpmath."""
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import mpmath, numpy  # noqa: F401, E401: the repeater needs them
except ImportError:
    print("skipped: mpmath or numpy is not installed (python3-mpmath, python3-numpy)")
    sys.exit(77)
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "theorems" / "evidence"))
import check_evidence  # noqa: E402

ATTEST = sys.argv[1]
STATEMENTS = (
    "random g ~ normal(0, 1): P[abs(g) > 2] <= 0.05",
    "forall n in 1..64: random g ~ normal(0, 1)^n: E[max(abs(g))] <= sqrt(2*log(n))",
    "forall n in 1..6, a in R^n: random s ~ rademacher()^n: E[abs(dot(a, s))] >= 0.71*norm(a)",
    "forall m in 1..4, n in 1..4: random G ~ normal(0, 1)^(m, n): E[opnorm(G)] <= sqrt(m) + sqrt(n)",
    "forall r in [0.5, 4]: random t ~ exponential(r): E[t^2] = 2/r^2",
    "forall p in [0, 1]: random b ~ bernoulli(p)^3: E[max(b)] = 1 - (1 - p)^3")
wrong = []


def repeat(*words):
    return subprocess.run([ATTEST, "repeat", *words], capture_output=True, text=True, timeout=600)


with tempfile.TemporaryDirectory() as folder:
    ended = repeat(*STATEMENTS, "--out", folder)
    said = ended.stdout.splitlines()
    if ended.returncode or len(said) != len(STATEMENTS) or not all(line.endswith(" overlap") for line in said):
        wrong.append(f"repeat ended with {ended.returncode}: {ended.stdout}{ended.stderr}")
    files = sorted(pathlib.Path(folder).glob("*.json"))
    for file in files:
        e = json.loads(file.read_text())
        each = e["expectations"][0]
        sizes = [i["samples"] for i in each["intervals"]]
        if sizes != [2**k for k in range(4, 17)] or not {"seed", "stream", "level", "laws"} <= set(e):
            wrong.append(f"{file.name} does not say how it was drawn: {sizes}")
    # An interval that was moved is found out, and so is a changed file.
    e = json.loads(files[0].read_text())
    for interval in e["expectations"][0]["intervals"]:
        interval["lower"], interval["upper"] = (repr(float(interval[k]) + 1e9) for k in ("lower", "upper"))
    moved = pathlib.Path(folder, "moved.json")
    moved.write_text(json.dumps(e))
    if repeat(str(moved)).returncode != 2: wrong.append("a changed file is taken")
    rest = {k: v for k, v in e.items() if k != "digest"}
    e["digest"] = check_evidence.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")))
    moved.write_text(json.dumps(e))
    if repeat(str(moved)).returncode != 1: wrong.append("a moved interval is said to overlap")
for words, code in ((["forall x in R: x = x"], 4), (["../../etc/passwd"], 2), (["no/such-claim"], 2)):
    if repeat(*words).returncode != code: wrong.append(f"repeat {words} does not end with {code}")
# Without --out nothing is kept, and no line names a path: a claim's id, or the statement as it is read.
LONG = "random g ~ normal(0, 1)^3: E[max(abs(g))] <= 10 and E[max(abs(g))] <= 11 - 1"
for words, beginnings in (
        ((STATEMENTS[0], "forall x in R: x = x"),
         ("forall x in R: x = x: nothing to repeat: ", STATEMENTS[0] + ": P[abs(g) > 2]: [")),
        ((LONG,), (LONG[:59] + "…: E[max(abs(g))]: [",)),
        (("probdr/random-projection-scale",), ("probdr/random-projection-scale: E[",))):
    said = repeat(*words).stdout
    lines = said.splitlines()
    if tempfile.gettempdir() in said or len(lines) != len(beginnings) or not all(map(str.startswith, lines, beginnings)):
        wrong.append(f"repeat of {words} does not name what it repeats: {said}")
print("\n".join(wrong) or f"{len(STATEMENTS)} expectations repeated")
sys.exit(bool(wrong))
