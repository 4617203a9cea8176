"""What the evidence of a whole run amounts to, on one core: ledger_evidence.py OUT, of `attest check --out OUT`. 77: no mpmath.

Puts every file through the checker that the run left and prints counts, sizes and the time. Exit code 1 where a goal is missed.
"""
import collections
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys

try:
    import mpmath  # noqa: F401: the checker needs it
except ImportError:
    print("skipped: mpmath is not installed (python3-mpmath)")
    sys.exit(77)

REFUTED, CERTIFIED, SECONDS, MEDIAN_BYTES, MOST_BYTES = 0.95, 0.90, 600, 20 << 10, 5 << 20


def said_of(checker, files):
    """The checker's word for each file, and the processor's seconds for all, as a reader checks a whole folder: in one process."""
    began = os.times()
    ended = subprocess.run([sys.executable, checker, *files], capture_output=True, text=True, timeout=10 * SECONDS)
    after = os.times()
    words = [line.split(": ", 1)[-1] for line in ended.stdout.splitlines()]
    if len(words) != len(files): sys.exit(f"the checker said {len(words)} lines of {len(files)} files: {ended.stderr}")
    return dict(zip(files, words)), after.children_user + after.children_system - began.children_user - began.children_system


def files_of(out, claim):
    """The evidence files of a claim: one, or one for each of its parts."""
    whole = claim["id"].replace("/", "-")
    pattern = re.compile(re.escape(whole) + r"(\.\d+)?\.json")
    return [f for folder in ("certificates", "witnesses") for f in sorted((out / folder).glob(f"{whole}*.json"))
            if pattern.fullmatch(f.name) and "attest-evidence-" in f.read_text()]


def is_exact(claim):
    return claim["verdict"] == "certified" or (
        claim["verdict"] == "refuted" and (claim["witness"] or {}).get("kind") != "stochastic")


def main(out):
    record = json.loads((out / "results.json").read_text())
    claims = [c for c in record["claims"] if is_exact(c)]
    files = [f for claim in claims for f in files_of(out, claim)]
    if not files: sys.exit(f"no evidence files in {out}")
    sizes = [f.stat().st_size for f in files]
    said, seconds = said_of(out / "check_evidence.py", files)
    kinds = collections.Counter()
    for f in files:
        e = json.loads(f.read_text())
        kinds[e["kind"], e["method"], said[f].split(":")[0]] += 1
    for (kind, method, word), count in sorted(kinds.items()): print(f"{count:5} {kind} by {method}: {word}")
    missed = []
    for verdict, goal in (("refuted", REFUTED), ("certified", CERTIFIED)):
        judged, shown = [c for c in record["claims"] if c["verdict"] == verdict], 0
        for claim in judged:
            mine = {f: said[f] for f in files_of(out, claim) if f in said}
            # A refuted claim falls by one of its files; a certified one stands by all of its parts.
            fallen = [w for f, w in mine.items() if f.parent.name == "witnesses"]
            good = any(w == "verified" for w in fallen) if verdict == "refuted" else (
                mine and all(w == "verified" for w in mine.values()) and not claim.get("no_evidence"))
            shown += bool(good)
            reasons = [w for w in mine.values() if w != "verified"] or [claim.get("no_evidence", "no file")]
            if not good: print(f"      {verdict} without verified evidence: {claim['id']}: {reasons[0][:140]}")
        print(f"{verdict}: {shown} of {len(judged)} claims with evidence that the checker verifies")
        missed += [f"{verdict}: fewer than {goal:.0%}"] if judged and shown < goal * len(judged) else []
    decided = [c for c in record["claims"] if c["verdict"] in ("certified", "refuted")]
    unsaid = [c["id"] for c in decided if not c["evidence_file"] and not c.get("no_evidence")]
    if unsaid:
        missed.append(f"no evidence file and no reason recorded for {', '.join(unsaid)}")
    print(f"{len(files)} files, {sum(sizes)} bytes: median {statistics.median(sizes):.0f}, largest {max(sizes)}")
    print(f"checked in {seconds:.1f} s of one core")
    for name, value, most in (("seconds", seconds, SECONDS), ("median of the sizes", statistics.median(sizes), MEDIAN_BYTES),
                              ("largest size", max(sizes), MOST_BYTES)):
        missed += [f"{name}: {value:.0f} is more than {most}"] if value > most else []
    print("\n".join(missed) or "every goal is met")
    return bool(missed)


sys.exit(main(pathlib.Path(sys.argv[1])))
