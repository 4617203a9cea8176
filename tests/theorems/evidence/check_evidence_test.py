"""The checker verifies true evidence and accepts none of the planted lies: check_evidence_test.py CHECKER. 77: no mpmath."""
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


CUBE = point("forall x in R: x^3 <= 8", {}, {"x": ["2.0000005"]}, "<=", ["8.000005", "8.000007"], "8", "1/1000000")
SQRT = point("forall x in [0, 4]: sqrt(x) < 2", {}, {"x": ["4"]}, "<", "2", "2", "0")
PAIR = point("forall x, y in R: x <= y where x^2 <= y", {}, {"x": ["1/2"], "y": ["1/4"]}, "<=", "1/2", "1/4", "1/4",
             assumptions=["x^2 <= y"])
NORM = point("forall n in 2..8, p in {1, 2, inf}, x in R^n: norm(x, p) <= 1", {"n": "2", "p": "inf"}, {"x": ["3", "-4"]}, "<=", "4",
             "1", "3")
OPEN = point("forall x in (0, 1]: x >= 1/2", {}, {"x": ["1/4"]}, ">=", "1/4", "1/2", "1/4")
SIMPLEX = point("forall n in 1..4, p in simplex(n): max(p) <= 1/2", {"n": "2"}, {"p": ["1", "0"]}, "<=", "1", "1/2", "1/2")
STEPS = point("let a = L + 1 - t: forall L in (0, 4], t in [0, 1], n in 1..30: K(n) <= 1 where K(0) = 1, K(l + 1) = a*K(l) + t",
              {"n": "2"}, {"L": ["1"], "t": ["0"]}, "<=", "4", "1", "3")
SOME = point("exists x in R^3: sum(x) = 1 and norm(x) <= 1", {}, {"x": ["1", "0", "0"]}, "=", "1", "1", "0", kind="certificate")
POWER = point("forall A in R^(2, 2): sum(A.^2) <= 3", {}, {"A": ["1", "1", "0", "2"]}, "<=", "6", "3", "3")
ENDS = point("forall a, b in R, t in [a, b]: t <= 0", {}, {"a": ["0"], "b": ["1"], "t": ["1"]}, "<=", "1", "0", "1")
EIGEN = point("forall S in symmetric(2): eigmax(S) <= 2", {}, {"S": ["1", "2", "1"]}, "<=", ["2999999/1000000", "3000001/1000000"],
              "2", "1/2")
ORTHOGONAL = point("forall Q in orthogonal(2): trace(Q) <= 1", {}, {"Q": ["0", "1", "-1"]}, "<=", "2", "1", "1")
BOXES = file("forall x in [0, 1]: x*(1 - x) <= 0.26", "certificate", "boxes",
             cases=[{"choices": {}, "boxes": [[["0", "1/2"]], [["1/2", "1"]]]}])
SQUARE = file("forall x, y in [0, 1]: x*y <= 1.01", "certificate", "boxes", cases=[{"choices": {}, "boxes": [
    [["0", "1/2"], ["0", "1"]], [["1/2", "1"], ["0", "1/2"]], [["1/2", "1"], ["1/2", "1"]]]}])
CASES = file("forall n in 1..8: n^2 >= n", "certificate", "enumeration", cases=[{"choices": {"n": str(n)}} for n in range(1, 9)])
TRUE = {"cube": CUBE, "square root, strict": SQRT, "assumption": PAIR, "choices": NORM, "open end": OPEN, "simplex": SIMPLEX,
        "recursion": STEPS, "exists": SOME, "entries squared": POWER, "interval of variables": ENDS, "eigenvalue": EIGEN, "orthogonal": ORTHOGONAL,
        "boxes": BOXES, "boxes in two variables": SQUARE, "cases": CASES}
UNSEALED = json.dumps(CUBE)


def box(document, *boxes):
    return changed(document, cases=[{"choices": {}, "boxes": list(boxes)}])


def inputs(document, **raw):
    return changed(document, inputs=[{"name": n, "raw": r} for n, r in raw.items()])


def sides(document, relation, lhs, rhs, margin="0"):
    return changed(document, sides=[{"relation": relation, "lhs": lhs, "rhs": rhs}], margin=margin)


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
    "a box with an undefined value": changed(BOXES, statement="forall x in [0, 1]: x/x <= 1"),
    "a case removed": changed(CASES, cases=CASES["cases"][:-1]),
    "a case twice": changed(CASES, cases=[*CASES["cases"][:-1], CASES["cases"][0]]),
    "a false case": changed(CASES, statement="forall n in 1..8: n^2 > n"),
    "an empty range": file("forall n in 3..1: n >= 9", "certificate", "enumeration", cases=[]),
    "a range of other ends": file("forall n in 1/2..2: n >= 1", "certificate", "enumeration",
                                  cases=[{"choices": {"n": str(n)}} for n in range(3)]),
    "a choice as an expression": changed(CASES, cases=[{"choices": {"n": "1+0"}}, *CASES["cases"][1:]]),
    "a definition that captures a name": point("let g = x, f(x) = g: forall x in R: f(5) <= 3", {}, {"x": ["1"]}, "<=", "5", "3", "2"),
    "an index that hides a variable": point("forall i in R: sum(i in 1..3: i) <= 3*i", {}, {"i": ["3/2"]}, "<=", "6", "9/2", "3/2"),
    "an array without symmetry": point("forall A in R^(2, 2): eigmax(A) <= 0", {}, {"A": ["0", "1", "0", "0"]}, "<=", "1/2", "0", "1/2"),
    "a ball of radius below 0": point("forall x in ball(2, -1): x[1] >= 0", {}, {"x": ["1", "0"]}, ">=", "-1", "0", "1"),
    "a vector of no entries": point("forall n in 0..2, x in R^n: sum(x) < 0", {"n": "0"}, {"x": []}, "<", "0", "0", "0"),
    "enclosures widened": sides(CUBE, "<=", ["7", "9"], ["8", "8"]),
    "enclosures narrowed away": sides(CUBE, "<=", ["8.1", "8.2"], ["8", "8"], "0.05"),
    "an enclosure upside down": sides(CUBE, "<=", ["8.000007", "8.000005"], ["8", "8"]),
    "another relation": sides(CUBE, ">=", ["8.000005", "8.000007"], ["8", "8"]),
    "no sides": changed(CUBE, sides=[]),
    "a margin too large": changed(CUBE, margin="1"),
    "a margin below 0": changed(CUBE, margin="-1"),
    "a constant changed": changed(CUBE, statement="forall x in R: x^3 <= 8.1"),
    "a constant changed, digests left": changed(CUBE, seal=False, statement="forall x in R: x^3 <= 8.1"),
    "a relation turned": changed(CUBE, statement="forall x in R: x^3 >= 8"),
    "a witness moved by 1e-6": inputs(CUBE, x=["1.9999995"]),
    "a strict relation made weak": sides(changed(SQRT, statement="forall x in [0, 4]: sqrt(x) <= 2"), "<=", ["2", "2"], ["2", "2"]),
    "a witness outside of its set": inputs(SQRT, x=["5"]),
    "a witness on an open end": inputs(OPEN, x=["0"]),
    "an assumption that fails": inputs(PAIR, x=["1/2"], y=["0"]),
    "an assumption dropped from the list": changed(PAIR, assumptions=[]),
    "an assumption weakened in the list": changed(PAIR, assumptions=["x^2 <= y + 1"]),
    "an assumption only in the list": changed(CUBE, assumptions=["x <= 3"]),
    "an assumption as a recursion": changed(CUBE, statement="forall x in R: x^3 <= 8 where f(x) = 0", assumptions=[]),
    "an order that is no choice": changed(NORM, choices={"n": "2", "p": "3"}),
    "a size outside of its range": inputs(changed(NORM, choices={"n": "9", "p": "inf"}), x=["3"] * 9),
    "a size that is not whole": changed(NORM, choices={"n": "5/2", "p": "inf"}),
    "a choice missing": changed(NORM, choices={"n": "2"}),
    "a choice too many": changed(NORM, choices={"n": "2", "p": "inf", "q": "1"}),
    "an input missing": changed(NORM, inputs=[]),
    "an input too many": inputs(NORM, x=["3", "-4"], y=["1"]),
    "an input twice": changed(NORM, inputs=NORM["inputs"] * 2),
    "a number too many": inputs(NORM, x=["3", "-4", "5"]),
    "weights that are all 0": inputs(SIMPLEX, p=["0", "0"]),
    "a weight below 0": inputs(SIMPLEX, p=["1", "-1/2"]),
    "a recursion of other steps": changed(STEPS, statement=STEPS["statement"].replace("a*K(l) + t", "a*K(l)/9 + t")),
    "a reflection at 0": inputs(ORTHOGONAL, Q=["0", "0", "-1"]),
    "a sign of 0": inputs(ORTHOGONAL, Q=["1", "0", "0"]),
    "an empty interval": sides(changed(ENDS, statement="forall a, b in R, t in [a, b]: t >= a", inputs=[
        {"name": "a", "raw": ["1"]}, {"name": "b", "raw": ["0"]}, {"name": "t", "raw": ["1"]}]), ">=", ["0", "0"], ["1", "1"]),
    "A.^2 read as A^2": sides(changed(POWER, statement="forall A in R^(2, 2): sum(A.^2) <= 6"), "<=", ["8", "8"], ["6", "6"]),
    "a point that does not exist": inputs(SOME, x=["1", "1", "0"]),
    "exists proved by a witness": changed(SOME, kind="witness"),
    "forall proved by a point": changed(CUBE, kind="certificate"),
    "a witness for a certificate": changed(BOXES, kind="witness"),
    "the square root of a negative number": changed(CUBE, statement="forall x in R: sqrt(-x) <= -9"),
    "a power of a negative number": changed(CUBE, statement="forall x in R: (-x)^(1/2) <= -9"),
    "+x read as -x": changed(CUBE, statement="forall x in R: +x >= 0"),
    "a function of the language": changed(CUBE, statement="forall x in R: lgamma(x) <= 8"),
    "an unknown function": changed(CUBE, statement="forall x in R: besselj(x) <= 8"),
    "a name that is not quantified": changed(CUBE, statement="forall x in R: y <= 8"),
    "a name quantified twice": changed(CUBE, statement="forall x in [0, 1], x in R: x^3 <= 8"),
    "a function named as a variable": changed(CUBE, statement="forall exp in R: exp <= 8"),
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
    "bytes that are no text": b"\xff\xfe\x00",
}


# Identities that algebra shows, and ones that fail, if only for one sign of a root or at one point.
for statement in (
        "forall a, b in R: (a + b)^3 = a^3 + 3*a^2*b + 3*a*b^2 + b^3", "forall x in R: tanh(x) = 2*sigmoid(2*x) - 1",
        "forall n in {1, 3, 8}, u, v in R^n: norm(u + v)^2 = norm(u)^2 + norm(v)^2 + 2*dot(u, v)",
        "let a = norm(v)/norm(u), c = dot(u, v)/(norm(u)*norm(v)): forall u, v in R^2: (norm(u + v)/norm(u))^2 = 1 + 2*a*c + a^2",
        "forall n in 1..4, x in R^n, c in R: softmax(x + c) = softmax(x)", "forall n in 1..3, A, B in R^(n, n): trace(A*B) = trace(B*A)",
        "forall n in 1..3, Q in orthogonal(n), x in R^n: norm(Q*x) = norm(x)", "forall n in 1..3, x in sphere(n): norm(x) = 1",
        "forall n in 1..4, x, y in R^n: det(identity(n) + outer(x, y)) = 1 + dot(x, y)",
        "forall q, k in R^2: exp(-norm(q - k)^2/2) = exp(-norm(q)^2/2)*exp(-norm(k)^2/2)*exp(dot(q, k))",
        "let step(c, s) = [1 + c, -s*c; s*c, 1 + c]: forall c in R, s in {-1, 1}: det(step(c, s)) = (1 + c)^2 + c^2",
        "let a = L + 1 - t: forall L, t in R, n in 1..6: K(n) = (L*a^n - t)/(L - t) where K(0) = 1, K(l + 1) = a*K(l) + t"):
    TRUE[statement] = file(statement, "certificate", "algebra")
for statement in (
        "forall a, b in R: (a + b)^3 = a^3 + 3*a^2*b + 3*a*b^2 - b^3", "forall x in R: x + 1e-300 = x", "forall x in R: x <= x",
        "forall x in R: abs(x) = x", "forall x in R: sqrt(x^2) = x", "forall x, y in R: (abs(x) + x)*(abs(y) + y) = 0",
        "forall x in R^8: prod(i in 1..8: abs(x[i]) + x[i]) = 0", "forall n in 1..3, Q in orthogonal(n): det(Q) = 1",
        "forall x in R: exp(2*x) = exp(x)", "forall x in R: sin(x) = x", "forall x in R: tanh(x) = 2*sigmoid(2.001*x) - 1",
        "forall n in 1..3, x in R^n: sum(x) = x[1]", "forall x in R: x*(2^521 - 1) = 0", "forall x in R: (x - x)/(x - x) = 1",
        "forall n in 1..2, u, v in R^n: norm(u + v) = norm(u) + norm(v)", "exists x in R: x = x"):
    LIES["by algebra: " + statement] = file(statement, "certificate", "algebra")
# One box: the mean value form, a face to which the difference falls, plain values; and claims that no rule shows.
for table, statements in ((TRUE, ("(1 + x) + 2*x >= (1 + x)^2", "x*(1 - x) <= 0.2501", "exp(x) >= 1 + x", "sin(x) <= x", "abs(x - 1/2) <= 1/2")),
                          (LIES, ("x*(1 - x) <= 0.2499", "x^2 <= x - 1e-6", "sin(x) <= x - 1e-6", "exp(x) <= 1 + 1.718281*x", "sqrt(x - 1) >= 0"))):
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


# A best constant is two files of derived statements, each checked, that must belong to it and to each other.
BEST = "best C in [0, 10]: forall x in [0, 1]: x*(1 - x) <= C"


def not_enough(upper, every="C", interval=None, rest="x in [0, 1]: x*(1 - x) <= C"):
    found = point(f"forall C in {interval or f'[0, {upper}]'}, {rest}", {}, {"C": [upper], "x": ["1/2"]}, "<=", "1/4", upper, "0")
    return changed(found, every=every) if every else found


def enough(constant, kind="certificate"):
    return file(f"forall C in {{{constant}}}, x in [0, 1]: x*(1 - x) <= C", kind, "boxes",
                cases=[{"choices": {"C": constant}, "boxes": [[["0", "1/2"]], [["1/2", "1"]]]}])


def best(below, above, statement=BEST, kind="certificate"):
    return file(statement, kind, "constant", not_enough=below, **({"enough": above} if above else {}))


TRUE["best constant"] = best(not_enough("0.2499"), enough("0.26"))
TRUE["no constant of the set"] = best(not_enough("0.2"), None, BEST.replace("10", "0.2"), "witness")
LIES.update({
    "a best constant that is too small": best(not_enough("0.2"), enough("0.24")),
    "a demand that is too large": best(not_enough("0.26"), enough("0.27")),
    "a demand above what is enough": best(not_enough("0.2499"), enough("0.2")),
    "a demand that does not begin at the set's end": best(not_enough("0.2499", interval="[0.1, 0.2499]"), enough("0.26")),
    "a demand of one constant alone": best(not_enough("0.2499", every=None), enough("0.26")),
    "a demand of another variable": best(not_enough("0.2499", every="x"), enough("0.26")),
    "a demand of another statement": best(not_enough("0.2499", rest="x in [0, 2]: x*(1 - x) <= C"), enough("0.26")),
    "a constant outside of its set": best(not_enough("0.2499"), enough("0.26"), BEST.replace("10", "0.255")),
    "no constant, shown for some": best(not_enough("0.2"), None, BEST.replace("10", "0.3"), "witness"),
    "enough shown by a witness": best(not_enough("0.2499"), enough("0.26", "witness")),
    "a certificate without what is enough": best(not_enough("0.2499"), None),
    "an unsealed part": best(dict(not_enough("0.2499"), title="other"), enough("0.26")),
    "every value of a variable": changed(CUBE, statement="forall x in [2.0000005, 3]: x^3 <= 9", every="x"),
})


# Limits: from some place on the sides stay apart, or their ratio grows like a power; and what is not so.
def limit(statement, start="1048576", **bound):
    return file(statement, "witness", "limit", choices={}, **{"from": start}, **bound)


GROWTH = limit("limit n -> inf: n/(n + 1) = O(1/sqrt(n))", power="1/4")
APART = limit("limit n -> inf: n/(n + 1) = 0.99", apart="1/200")
TRUE.update({
    "a ratio that grows": GROWTH, "sides apart": APART,
    "an exponential": limit("limit n -> inf: (2 - (3/4)^n) = O((3/4)^n)", power="1"),
    "a sum of powers": limit("limit n -> inf: 1 = O(4/n + 3*2^(-n/2))", power="63/64"),
    "nearly equal sums": limit("limit n -> inf: 1/(n + 1) = O(2/((n + 1)*(n + 2)))", power="31/64"),
    "a side that does not fall": limit("limit n -> inf: (1 + 7*(63/71)^n)/8 = O(1/n)", power="31/64"),
    "a limit from below": limit("limit n -> inf: 1 - exp(-n)/2 = 1.01", apart="0.009"),
})
LIES.update({
    "a limit that is right": limit("limit n -> inf: n/(n + 1) = 1", apart="1/1000000000"),
    "sides apart by less": changed(APART, apart="1/100"),
    "sides apart by 0": changed(APART, apart="0"),
    "sides apart by less than 0": changed(APART, apart="-1"),
    "a place beyond all numbers": changed(APART, **{"from": "inf"}),
    "a place below 1": changed(APART, **{"from": "0"}),
    "sides that are apart for a while": limit("limit n -> inf: 100/n = 0", start="1", apart="1"),
    "a limit elsewhere": changed(APART, statement="limit n -> 1: n/(n + 1) = 0.99"),
    "a limit shown for one size": changed(APART, statement="forall m in 1..2: limit n -> inf: n/(n + m) = 0.99"),
    "a limit of other numbers": limit("forall x in R: limit n -> inf: x/(n + 1) = 0.99", apart="1/2"),
    "an inequality as a limit": changed(APART, statement="limit n -> inf: n/(n + 1) <= 0.99"),
    "a condition on a limit": changed(APART, statement="limit n -> inf: n/(n + 1) = 0.99 where n <= 2", assumptions=["n <= 2"]),
    "growth by another power": changed(GROWTH, power="0.51"),
    "growth by nothing": changed(GROWTH, power="0"),
    "growth of what falls": changed(GROWTH, statement="limit n -> inf: 1/n = O(1)"),
    "growth of 0": changed(GROWTH, statement="limit n -> inf: 0 = O(1/n)"),
    "growth of a difference of 0": changed(GROWTH, statement="limit n -> inf: n - n = O(1/n)"),
    "growth of what oscillates": changed(GROWTH, statement="limit n -> inf: n*sin(n) = O(1)"),
    "growth that cancels": changed(GROWTH, statement="limit n -> inf: (n + 1) - n = O(1/sqrt(n))"),
    "growth against the same": changed(GROWTH, statement="limit n -> inf: n*exp(n) = O(exp(n)*n)"),
    "growth of a logarithm": changed(GROWTH, statement="limit n -> inf: log(n) = O(1)"),
    "a certificate of a limit": changed(APART, kind="certificate"),
    "a limit by a point": dict(changed(APART, method="point", inputs=[], sides=[], margin="0")),
    "an order of one's own": changed(GROWTH, statement="let O(x) = x*0 + 1: limit n -> inf: n/(n + 1) = O(1/sqrt(n))"),
    "a bound of the other kind": limit("limit n -> inf: n/(n + 1) = O(1/sqrt(n))", apart="1/4"),
})


# Expectations: sums over signs and bits, integrals over panels; the file's panels must cover the law.
def mean(claim, value, relation="<=", law="g ~ normal(0, 1)", panels=None, **choices):
    constant = claim.split()[-1]
    ends = panels if panels is not None else [f"{k}/8" for k in range(-80, 81)]
    return changed(point(f"random {law}: {claim}", choices, {}, relation, value, constant, "0"), panels=ends)


UNIT = [f"{k}/64" for k in range(65)]
TAIL = mean("P[abs(g) > 2] <= 0.0455", ["0.0455001", "0.0456"])
INVERSE = mean("E[1/u] <= 0.693", ["0.6931", "0.6932"], law="u ~ uniform(1, 2)", panels=UNIT)
SIGNS = mean("E[(sum(s))^2] <= 1.999", ["2", "2"], law="s ~ rademacher()^2", panels=[])
BITS = mean("E[max(b)] >= 0.7501", ["3/4", "3/4"], ">=", law="b ~ bernoulli(1/2)^2", panels=[])
SQUARE_OF_NORMAL = mean("E[g^2] <= 0.99", ["0.999", "1.001"])
TRUE.update({"a probability": TAIL, "a uniform mean": INVERSE, "random signs": SIGNS, "random bits": BITS,
             "a normal mean": SQUARE_OF_NORMAL})
LIES.update({
    "a probability that is met": changed(TAIL, statement="random g ~ normal(0, 1): P[abs(g) > 2] <= 0.04551"),
    "another law": changed(TAIL, statement="random g ~ normal(0, 0.99): P[abs(g) > 2] <= 0.0455"),
    "a law without panels": changed(TAIL, panels=[]),
    "panels that leave out the end": changed(TAIL, panels=TAIL["panels"][:-60]),
    "panels out of order": changed(TAIL, panels=TAIL["panels"][::-1]),
    "panels that turn back": changed(TAIL, panels=[*TAIL["panels"][:40], *TAIL["panels"]]),
    "panels of half a normal law": changed(SQUARE_OF_NORMAL, panels=SQUARE_OF_NORMAL["panels"][80:]),
    "panels of half a uniform law": changed(INVERSE, panels=UNIT[:33]),
    "panels of more than a uniform law": changed(INVERSE, panels=[*UNIT, "2"]),
    "panels that are not numbers": changed(INVERSE, panels=["0", "NaN", "1"]),
    "a uniform mean that is met": changed(INVERSE, statement="random u ~ uniform(1, 2): E[1/u] <= 0.69315"),
    "a mean over a division by 0": changed(INVERSE, statement="random u ~ uniform(-1, 2): E[1/u] <= 0.693"),
    "a mean that does not exist": changed(SQUARE_OF_NORMAL, statement="random g ~ normal(0, 1): E[exp(g^2)] <= 0.99"),
    "a mean under a law not known": changed(SQUARE_OF_NORMAL, statement="random g ~ cauchy(0, 1): E[g^2] <= 0.99"),
    "a mean that is met": changed(SIGNS, statement="random s ~ rademacher()^2: E[(sum(s))^2] <= 2"),
    "signs of another number": changed(SIGNS, statement="random s ~ rademacher()^1: E[(sum(s))^2] <= 1.999"),
    "signs read as bits": changed(SIGNS, statement="random s ~ bernoulli(1/2)^2: E[(sum(s))^2] <= 1.999"),
    "bits of another chance": changed(BITS, statement="random b ~ bernoulli(0.6)^2: E[max(b)] >= 0.7501"),
    "a chance above 1": changed(BITS, statement="random b ~ bernoulli(3/2)^2: E[max(b)] >= 0.7501"),
    "a deviation below 0": changed(SQUARE_OF_NORMAL, statement="random g ~ normal(0, -1): E[g^2] <= 0.99"),
    "a uniform law turned": changed(INVERSE, statement="random u ~ uniform(2, 1): E[1/u] <= 0.693"),
    "a mean of jumps": changed(SQUARE_OF_NORMAL, statement="random g ~ normal(0, 1): E[sign(g)] <= -1"),
    "as many signs as are not counted": changed(SIGNS, statement="random s ~ rademacher()^99: E[(sum(s))^2] <= 1.999"),
})
# Fractions are compared as such, roots of roots stand for either sign, and eigenvalues are enclosed.
TRUE["names of marks"] = point("forall row, each in R: sum([row, each]) <= 3", {}, {"row": ["2"], "each": ["2"]}, "<=", "4", "3", "1")
TRUE["thirds"] = file("forall n in 1..5: 1/3*n + 2/3*n = n", "certificate", "enumeration", cases=WHOLE)
LIES["thirds, nearly"] = file("forall n in 1..5: 1/3*n + 2/3*n = n + 10^(-999)", "certificate", "enumeration", cases=WHOLE)
for statement in ("forall x in (0, inf): sqrt(sqrt(x))^4 = x", "forall x, y in R: max(x, y) + min(x, y) = x + y",
                  "forall x in R^2: sqrt(1 + sqrt(1 + norm(x)^2))^2 = 1 + sqrt(1 + dot(x, x))"):
    TRUE[statement] = file(statement, "certificate", "algebra")
for statement in ("forall x in (0, inf): sqrt(sqrt(x))^2 = x", "forall x, y in R: max(x, y) = x", "forall x in R: sqrt(x^4) = x^2 + 1",
                  "forall x in R: max(x, -x) = x", "forall x in R: sqrt(sqrt(x^4)) = x", "forall x in R: 1/(sqrt(x^2) - x) = 1/(sqrt(x^2) - x)"):
    LIES["by algebra: " + statement] = file(statement, "certificate", "algebra")
SPECTRUM = point("forall S in symmetric(3): eigenvalues(S)[2] <= 0.9", {}, {"S": ["1", "2", "0", "1", "0", "1"]}, "<=",
                 ["0.99", "1.01"], "0.9", "0")
TRUE["an eigenvalue in the middle"] = SPECTRUM
LIES["an eigenvalue that is met"] = changed(SPECTRUM, statement="forall S in symmetric(3): eigenvalues(S)[2] <= 1")
LIES["an eigenvalue of another place"] = changed(SPECTRUM, statement="forall S in symmetric(3): eigenvalues(S)[1] <= 0.9")


# Constants turned by 1e-6 across the value at a witness: true on one side of it, a lie on the other.
for name, (formula, x, below) in {
    "exp": ("exp(x)", "1", "2.718281"), "log": ("log(x)", "2", "0.693147"), "sqrt": ("sqrt(x)", "2", "1.414213"),
    "sin": ("sin(x)", "1", "0.841470"), "cos": ("cos(x)", "1", "0.540302"), "tanh": ("tanh(x)", "1", "0.761594"),
    "erf": ("erf(x)", "1", "0.842700"), "gelu": ("gelu(x)", "1", "0.841344"), "sigmoid": ("sigmoid(x)", "1", "0.731058"),
    "softplus": ("softplus(x)", "1", "1.313261"), "normal_cdf": ("normal_cdf(x)", "1", "0.841344"), "gamma": ("gamma(x)", "5/2", "1.329340"),
    "power": ("x^(1/3)", "2", "1.259921"), "softmax": ("max(softmax([x, 0]))", "1", "0.731058"),
    "logsumexp": ("logsumexp([x, 0])", "1", "1.313261"), "norm 3": ("norm([x, 1], 3)", "2", "2.080083"),
    "opnorm": ("opnorm(outer([x, 1], [1, 2]))", "1", "3.162277"), "inverse": ("sum(inverse(diag([x, 3])))", "2", "0.833333"),
    "det": ("det(outer([x, 1], [1, 2]) + identity(2))", "3", "5.999999"), "kl": ("kl([x, 1 - x], [1/2, 1/2])", "1/4", "0.130812"),
    "gelu_tanh": ("gelu_tanh(x)", "1", "0.841191"), "frobenius": ("frobenius(outer([x, 1], [1, 2]))", "1", "3.162277"),
    "dobrushin": ("dobrushin(diag([x, 1]))", "1/3", "0.666666"), "entropy": ("entropy([x, 1 - x])", "1/4", "0.562335"),
}.items():
    above = f"{float(below) + 1e-6:.6f}"
    for constant, table in ((below, TRUE), (above, LIES)):
        table[f"{name} at most {constant}"] = point(f"forall x in R: {formula} <= {constant}", {}, {"x": [x]}, "<=", [below + "01", above],
                                                    constant, "0")


def codes(documents):
    """The checker's word for each document."""
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


wrong = []
status, said = codes(TRUE.values())
wrong += [f"true, but {line}: {name}" for name, line in zip(TRUE, said) if line != "verified"]
wrong += ["the exit status of true files is not 0"] if status != VERIFIED else []
status, said = codes(LIES.values())
wrong += [f"a lie is accepted: {name}" for name, line in zip(LIES, said) if line == "verified"]
wrong += ["the exit status of lies is not 2"] if status != NO_EVIDENCE else []
for name, expected in {"a box removed": NOT_VERIFIED, "a function of the language": NOT_SUPPORTED, "a file cut": NO_EVIDENCE}.items():
    wrong += [f"the exit status of {name} is not {expected}"] if codes([LIES[name], CUBE])[0] != expected else []
# Bad input: one sentence that says what is wrong, and exit status 2.
BAD = {
    "another schema": (changed(CUBE, schema="attest-evidence-2"), "the schema is not attest-evidence-1"),
    "a file cut": (UNSEALED[:200], "it is not valid JSON"), "no JSON": ("forall x in R: x <= 8", "it is not valid JSON"),
    "an empty file": ("", "it is not valid JSON"), "a list": ([CUBE], "the schema is not"), "not UTF-8": (b"\xff\xfe{}", "not valid"),
    "a formula that is not known": (LIES["an unknown function"], "'besselj' is no function of the language"),
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
if "-v" in sys.argv:
    print("\n".join(f"{name}: {line}" for name, line in zip(LIES, said)))
print("\n".join(wrong) or f"{len(TRUE)} true files verified, none of {len(LIES)} lies accepted")
sys.exit(bool(wrong))
