"""coqc accepts what attest export --coq writes: coq_export_test.py ATTEST STATEMENTS CLAIMS. 77: no coqc or no Interval."""
import pathlib
import shutil
import subprocess
import sys
import tempfile

ATTEST, STATEMENTS, CLAIMS = sys.argv[1:4]
wrong = []


def run(*words, folder=None):
    return subprocess.run(words, capture_output=True, text=True, cwd=folder, timeout=900)


def export(folder, *words):
    return run(ATTEST, "export", *words, "--threads", "1", "--out", folder)


with tempfile.TemporaryDirectory() as folder:
    # What needs no prover: Lean's text says that it is not checked, and bad input gets one sentence and exit code 2.
    lean = export(folder, "--lean", "forall x in [0, 1]: x*(1 - x) <= 0.26")
    texts = [path.read_text() for path in pathlib.Path(folder).glob("*.lean")]
    if lean.returncode or len(texts) != 1 or "Not checked" not in texts[0] or "sorry" not in texts[0]:
        wrong.append(f"--lean wrote {texts}")
    for words, code in ((["--coq", "../../etc/passwd"], 2), (["--coq", "no/such-claim"], 2), (["forall x in R: x = x"], 2),
                        (["--coq", "--lean", "forall x in R: x = x"], 2), (["--coq", "forall x in R: x ="], 2),
                        (["--coq", "forall n in 2..8, x in R^n: norm(softmax(x)) <= 1"], 4),
                        (["--coq", "forall x in [0, 1]: gelu(x) <= 2"], 4)):
        ended = export(folder, *words)
        if ended.returncode != code or (code == 2 and len(ended.stderr.splitlines()) != 1):
            wrong.append(f"export {words} ended with {ended.returncode} and said {ended.stderr}")
    pathlib.Path(folder, "probe.v").write_text("From Interval Require Import Tactic.\n")
    if not shutil.which("coqc") or run("coqc", "probe.v", folder=folder).returncode:
        print("\n".join(wrong) or "skipped: coqc with the library Interval is not installed (coq, libcoq-interval)")
        sys.exit(1 if wrong else 77)
    lines = [line for name in (STATEMENTS, CLAIMS) for line in pathlib.Path(name).read_text().splitlines()
             if line and line[0] != "#"]
    ended = export(folder, "--coq", *lines)
    files = sorted(set(pathlib.Path(folder).glob("*.v")) - {pathlib.Path(folder, "probe.v")})
    if ended.returncode or len(files) != len(lines):
        wrong.append(f"{len(files)} of {len(lines)} statements were written: {ended.stdout}{ended.stderr}")
    for file in files:
        checked = run("coqc", file.name, folder=folder)
        if checked.returncode:
            wrong.append(f"coqc refuses {file.read_text().splitlines()[1].strip()}: {checked.stdout}{checked.stderr}")
    # A theorem with another constant is refused: it is the proof that is checked, not the file's form.
    lie = pathlib.Path(folder, "lie.v")
    true = next(file.read_text() for file in files if "x*(1 - x) <= 0.26\n" in file.read_text())
    lie.write_text(true.replace("(26 / 100)", "(24 / 100)"))
    if "(24 / 100)" not in lie.read_text() or not run("coqc", "lie.v", folder=folder).returncode:
        wrong.append("coqc accepts x*(1 - x) <= 0.24")
print("\n".join(wrong) or f"{len(files)} of {len(lines)} statements accepted by coqc")
sys.exit(bool(wrong))
