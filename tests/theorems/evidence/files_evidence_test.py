"""Files that are none, damaged or dangerous, and formulas that the checker does not know: files_evidence_test.py CHECKER."""
from evidence_documents import *

UNSEALED = json.dumps(CUBE)
LIES = {
    "a function of the language": changed(CUBE, statement="forall x in R: lgamma(x) <= 8"),
    "an unknown function": changed(CUBE, statement="forall x in R: besselj(x) <= 8"),
    "text after the statement": changed(CUBE, statement="forall x in R: x^3 <= 8 where x <= 9 where x <= 1", assumptions=["x <= 9"]),
    "code in place of a formula": changed(CUBE, statement="forall x in R: __import__(\"os\").system(\"true\") <= 8"),
    "another language in place of a formula": changed(CUBE, statement="forall x in R: [y for y in x] <= 8"),
    "a SHA-256 edited": changed(CUBE, seal=False, sha256="0" * 64),
    "a digest edited": changed(CUBE, seal=False, digest="0" * 64),
    "a title edited": changed(CUBE, seal=False, title="other"),
    "a schema of another version": changed(CUBE, schema="attest-evidence-2"),
    "no schema": sealed({k: v for k, v in CUBE.items() if k != "schema"}),
    "a path as id": changed(CUBE, id="../../etc/passwd"),
    "an absolute path as id": changed(CUBE, id="/etc/passwd"),
    "NaN as text": inputs(CUBE, x=["NaN"]),
    "NaN": UNSEALED.replace('"2.0000005"', "NaN"),
    "an infinite input": inputs(CUBE, x=["inf"]),
    "a number and no text": inputs(CUBE, x=[2.5]),
    "a denominator of 0": inputs(CUBE, x=["1/0"]),
    "a number of 99 999 digits": inputs(CUBE, x=["1e99999"]),
    "a constant of 99 999 999 digits": changed(CUBE, statement="forall x in R: x^3 <= -1e99999999"),
    "a tower of powers": changed(CUBE, statement="forall x in R: x^3 <= -9^9^9^9^9^9"),
    "exponentials of exponentials": changed(CUBE, statement="forall x in R: -exp(exp(exp(exp(exp(x))))) <= -1"),
    "brackets nested deeply": changed(CUBE, statement="forall x in R: " + "(" * 5000 + "x" + ")" * 5000 + " <= 1"),
    "minus signs without end": changed(CUBE, statement="forall x in R: " + "-" * 15000 + "x <= 1"),
    "a statement too long": changed(CUBE, statement="forall x in R: " + "x + " * 100000 + "x <= 1"),
    "arrays nested deeply": "[" * 100000,
    "a key twice": UNSEALED.replace('"kind": ', '"kind": "certificate", "kind": ', 1),
    "a file cut": UNSEALED[: len(UNSEALED) // 2],
    "an empty file": "",
    "no JSON": "verified",
    "another JSON": "[1, 2]",
    "bytes that are not text": b"\xff\xfe\x00",
}
LIES["a box removed"] = file("forall x in [0, 1]: x*(1 - x) <= 0.26", "certificate", "boxes",
                             cases=[{"choices": {}, "boxes": [[["0", "1/2"]]]}])
wrong = []
for name, expected in {"a box removed": NOT_VERIFIED, "a function of the language": NOT_SUPPORTED, "a file cut": NO_EVIDENCE}.items():
    wrong += [f"the exit status of {name} is not {expected}"] if codes([LIES[name], CUBE])[0] != expected else []
# Bad input: one sentence that says what is wrong, and exit status 2.
BAD = {
    "another schema": (changed(CUBE, schema="attest-evidence-2"), "the schema is not attest-evidence-1"),
    "a file cut": (UNSEALED[:200], "it is not valid JSON"), "no JSON": ("forall x in R: x <= 8", "it is not valid JSON"),
    "an empty file": ("", "it is not valid JSON"), "a list": ([CUBE], "the schema is not"), "not UTF-8": (b"\xff\xfe{}", "not valid"),
    "a formula that is not known": (LIES["an unknown function"], "'besselj' is not a function of the language"),
    "a path as id": (LIES["a path as id"], "the id is not of the form paper/name"),
    "a key missing": (sealed({k: v for k, v in CUBE.items() if k != "inputs"}), "the key 'inputs' is missing"),
    "a value of another type": (changed(CUBE, inputs=7), "a value of the wrong kind"),
    "too deep": ("[" * 100000, "it is nested too deeply"),
    "more than is read": (b" " * ((64 << 20) + 1), "the file is larger than 64 MiB"),
}
for name, (document, sentence) in BAD.items():
    status, (line,) = codes([document])
    if status != NO_EVIDENCE or sentence not in line or len(line) > 300:
        wrong.append(f"{name}: exit status {status}, {line}")
judge({"cube": CUBE}, LIES, wrong)
