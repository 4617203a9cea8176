"""Evidence files for the tests of the checker, and the judgement over true ones and lies. Skips with 77 without mpmath."""
import copy
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import mpmath  # noqa: F401: the checker needs it
except ImportError:
    print("skipped: mpmath is not installed (python3-mpmath)")
    sys.exit(77)

CHECKER = sys.argv[1]
VERIFIED, NOT_VERIFIED, NO_EVIDENCE, NOT_SUPPORTED = 0, 1, 2, 4


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def sealed(document):
    """With the digests that a careful liar would compute, too."""
    document = {k: v for k, v in document.items() if k != "digest"}
    document["sha256"] = sha256(document["statement"])
    document["digest"] = sha256(json.dumps(document, sort_keys=True, separators=(",", ":")))
    return document


def file(statement, kind, method, assumptions=(), **more):
    return sealed(dict(schema="attest-evidence-1", kind=kind, method=method, id="try/x", paper="", label="", title="", tex="",
                       domain="", statement=statement, assumptions=list(assumptions), **more))


def point(statement, choices, inputs, relation, lhs, rhs, margin, kind="witness", assumptions=()):
    ends = [side if isinstance(side, list) else [side, side] for side in (lhs, rhs)]
    return file(statement, kind, "point", assumptions, choices=choices, margin=margin,
                inputs=[{"name": n, "raw": raw} for n, raw in inputs.items()],
                sides=[{"relation": relation, "lhs": ends[0], "rhs": ends[1]}])


def changed(document, seal=True, **keys):
    document = copy.deepcopy(document)
    document.update(keys)
    return sealed(document) if seal else document


def inputs(document, **raw):
    return changed(document, inputs=[{"name": n, "raw": r} for n, r in raw.items()])


def sides(document, relation, lhs, rhs, margin="0"):
    return changed(document, sides=[{"relation": relation, "lhs": lhs, "rhs": rhs}], margin=margin)


CUBE = point("forall x in R: x^3 <= 8", {}, {"x": ["2.0000005"]}, "<=", ["8.000005", "8.000007"], "8", "1/1000000")


def codes(documents):
    """The checker's exit status, and its word for each document."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for i, document in enumerate(documents):
            paths.append(pathlib.Path(folder, f"{i:03}.json"))
            content = document if isinstance(document, (str, bytes)) else json.dumps(document)
            paths[-1].write_bytes(content if isinstance(content, bytes) else content.encode())
        ended = subprocess.run([sys.executable, CHECKER, *map(str, paths)], capture_output=True, text=True, timeout=600)
    lines = ended.stdout.splitlines()
    if ended.stderr or len(lines) < len(paths):
        sys.exit(f"the checker stopped after {len(lines)} files: {ended.stderr}")
    return ended.returncode, [line.split(": ", 1)[1] for line in lines[: len(paths)]]


def judge(true, lies, wrong=()):
    """Ends the test: all of `true` must be verified, none of `lies`; `wrong` is what else went wrong. -v prints the words."""
    wrong = list(wrong)
    status, said = codes(true.values())
    wrong += [f"true, but {line}: {name}" for name, line in zip(true, said) if line != "verified"]
    wrong += ["the exit status of true files is not 0"] if status != VERIFIED else []
    status, said = codes(lies.values())
    wrong += [f"a lie is accepted: {name}" for name, line in zip(lies, said) if line == "verified"]
    wrong += ["the exit status of lies is 0"] if status == VERIFIED else []
    if "-v" in sys.argv: print("\n".join(f"{name}: {line}" for name, line in zip(lies, said)))
    print("\n".join(wrong) or f"{len(true)} true files verified, none of {len(lies)} lies accepted")
    sys.exit(bool(wrong))
