"""Boxes and cases: boxes_evidence_test.py CHECKER. Covers with gaps, bounds that fail, cases left out."""
from evidence_documents import *

BOXES = file("forall x in [0, 1]: x*(1 - x) <= 0.26", "certificate", "boxes",
             cases=[{"choices": {}, "boxes": [[["0", "1/2"]], [["1/2", "1"]]]}])
SQUARE = file("forall x, y in [0, 1]: x*y <= 1.01", "certificate", "boxes", cases=[{"choices": {}, "boxes": [
    [["0", "1/2"], ["0", "1"]], [["1/2", "1"], ["0", "1/2"]], [["1/2", "1"], ["1/2", "1"]]]}])
CASES = file("forall n in 1..8: n^2 >= n", "certificate", "enumeration", cases=[{"choices": {"n": str(n)}} for n in range(1, 9)])
TRUE = {"boxes": BOXES, "boxes in two variables": SQUARE, "cases": CASES}


def box(document, *boxes):
    return changed(document, cases=[{"choices": {}, "boxes": list(boxes)}])


LIES = {
    "a box removed": box(BOXES, [["0", "1/2"]]),
    "a gap between boxes": box(BOXES, [["0", "1/2"]], [["3/4", "1"]]),
    "a gap of 1e-30": box(BOXES, [["0", "0.5"]], [["0.500000000000000000000000000001", "1"]]),
    "a corner removed": box(SQUARE, [["0", "1/2"], ["0", "1"]], [["1/2", "1"], ["0", "1/2"]]),
    "a box upside down": box(BOXES, [["1", "0"]]),
    "no boxes": box(BOXES),
    "boxes of a smaller domain": changed(BOXES, statement="forall x in [0, 2]: x*(1 - x) <= 0.26"),
    "a false bound on boxes": changed(BOXES, statement="forall x in [0, 1]: x*(1 - x) <= 0.24"),
    "a false bound on boxes, by 1e-6": changed(BOXES, statement="forall x in [0, 1]: x*(1 - x) <= 0.249999"),
    "a truth read as a number": changed(BOXES, statement="forall x in [0, 1]: (x <= 1/2) <= 1"),
    "a difference as a set": changed(BOXES, statement="forall x in 0 - 1: x*(1 - x) <= 0.26"),
    "a difference as a range": changed(CASES, statement="forall n in 1..8: sum(i in 1 - n: 1) >= n"),
    "two bodies over an index": changed(CASES, statement="forall n in 1..8: sum(i in 1..n: 1, 0) >= n"),
    "relations in a row": changed(BOXES, statement="forall x in [0, 1]: 0 <= x <= 1/2"),
    "a box with an undefined value": changed(BOXES, statement="forall x in [0, 1]: x/x <= 1"),
    "a case removed": changed(CASES, cases=CASES["cases"][:-1]),
    "a case twice": changed(CASES, cases=[*CASES["cases"][:-1], CASES["cases"][0]]),
    "a false case": changed(CASES, statement="forall n in 1..8: n^2 > n"),
    "an empty range": file("forall n in 3..1: n >= 9", "certificate", "enumeration", cases=[]),
    "a range of other ends": file("forall n in 1/2..2: n >= 1", "certificate", "enumeration",
                                  cases=[{"choices": {"n": str(n)}} for n in range(3)]),
    "a choice as an expression": changed(CASES, cases=[{"choices": {"n": "1+0"}}, *CASES["cases"][1:]]),
    "a witness for a certificate": changed(BOXES, kind="witness"),
}
# One box: the mean value form, a face to which the difference falls, plain values; and claims that no rule shows.
for table, statements in ((TRUE, ("(1 + x) + 2*x >= (1 + x)^2", "x*(1 - x) <= 0.2501", "exp(x) >= 1 + x", "sin(x) <= x", "tanh(x) <= x", "abs(x - 1/2) <= 1/2")),
                          (LIES, ("x*(1 - x) <= 0.2499", "x^2 <= x - 1e-6", "sin(x) <= x - 1e-6", "tanh(x) <= x - 1e-6", "tanh(x) <= 0.9999*x", "exp(x) <= 1 + 1.718281*x", "sqrt(x - 1) >= 0",
                                  "sign(inf - inf) <= 0", "abs(inf - inf) <= 1", "max(0, inf - inf) <= 1", "x + inf - inf <= 9"))):
    for claim in statements:
        table[f"one box: {claim}"] = file(f"forall x in [0, 1]: {claim}", "certificate", "boxes",
                                          cases=[{"choices": {}, "boxes": [[["0", "1"]]]}])
# Nothing exists: in every case, or on every box.
WHOLE = [{"choices": {"n": str(n)}} for n in range(1, 6)]
TRUE["no case"] = file("exists n in 1..5: n^2 = 2*(n + 1)^2 + 1", "witness", "enumeration", cases=WHOLE)
LIES["a case after all"] = file("exists n in 1..5: n^2 = 9", "witness", "enumeration", cases=WHOLE)
LIES["a case left out"] = file("exists n in 1..5: n^2 = 30", "witness", "enumeration", cases=WHOLE[1:])
LIES["forall refuted by cases"] = file("forall n in 1..5: n^2 = 30", "witness", "enumeration", cases=WHOLE)
for table, bound in ((TRUE, "0.26"), (LIES, "0.25"), (LIES, "0.2499")):
    table[f"no point at {bound}"] = file(f"exists x in [0, 1]: x*(1 - x) >= {bound}", "witness", "boxes",
                                         cases=[{"choices": {}, "boxes": [[["0", "1"]]]}])
# Boxes without end are evaluated as they are.
for table, claim in ((TRUE, "x^2 + exp(x) >= 0"), (LIES, "x^2 + exp(x) >= 1/1000000"), (LIES, "x - x <= 1"), (LIES, "1/x <= 1")):
    table[f"on the whole line: {claim}"] = file(f"forall x in R: {claim}", "certificate", "boxes",
                                                cases=[{"choices": {}, "boxes": [[["-inf", "0"]], [["0", "inf"]]]}])
# Fractions are compared as such.
TRUE["thirds"] = file("forall n in 1..5: 1/3*n + 2/3*n = n", "certificate", "enumeration", cases=WHOLE)
LIES["thirds, nearly"] = file("forall n in 1..5: 1/3*n + 2/3*n = n + 10^(-999)", "certificate", "enumeration", cases=WHOLE)
judge(TRUE, LIES)
