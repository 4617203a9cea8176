"""Witnesses and points: points_evidence_test.py CHECKER. True ones are verified, and no lie about numbers, sets or sides."""
from evidence_documents import *

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
TRUE = {"cube": CUBE, "square root, strict": SQRT, "assumption": PAIR, "choices": NORM, "open end": OPEN, "simplex": SIMPLEX,
        "recursion": STEPS, "exists": SOME, "entries squared": POWER, "interval of variables": ENDS, "eigenvalue": EIGEN,
        "orthogonal": ORTHOGONAL}
LIES = {
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
    "an assumption after a comma": changed(CUBE, statement="forall x in R: x^3 <= 8, x <= 3", assumptions=["x <= 3"]),
    "every value of an interval of variables": changed(
        ENDS, every="t", statement="forall a, b in [0, 1], t in [a, b]: t <= 0"),
    "an assumption as a recursion": changed(CUBE, statement="forall x in R: x^3 <= 8 where f(x) = 0", assumptions=[]),
    "an order that is not a choice": changed(NORM, choices={"n": "2", "p": "3"}),
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
    "the square root of a negative number": changed(CUBE, statement="forall x in R: sqrt(-x) <= -9"),
    "a power of a negative number": changed(CUBE, statement="forall x in R: (-x)^(1/2) <= -9"),
    "+x read as -x": changed(CUBE, statement="forall x in R: +x >= 0"),
    "a name that is not quantified": changed(CUBE, statement="forall x in R: y <= 8"),
    "a name quantified twice": changed(CUBE, statement="forall x in [0, 1], x in R: x^3 <= 8"),
    "a function named as a variable": changed(CUBE, statement="forall exp in R: exp <= 8"),
}
SPECTRUM = point("forall S in symmetric(3): eigenvalues(S)[2] <= 0.9", {}, {"S": ["1", "2", "0", "1", "0", "1"]}, "<=",
                 ["0.99", "1.01"], "0.9", "0")
TRUE["names of marks"] = point("forall row, each in R: sum([row, each]) <= 3", {}, {"row": ["2"], "each": ["2"]}, "<=", "4", "3", "1")
ANY = TRUE["any of several, remainders"] = point("forall n in 1..9: any(k in 1..3: mod(n, k) > 5)", {"n": "3"}, {}, ">", "1", "5", "4")
PART = TRUE["a part of a column"] = point("forall A in R^(3, 3): sum(A[1..2, 3]) <= 8", {},
                                          {"A": ["1", "2", "3", "4", "5", "6", "7", "8", "9"]}, "<=", "9", "8", "1")
LIES["any read as all"] = changed(ANY, statement="forall n in 1..9: any(k in 1..3: mod(n, k) > 0)")
LIES["rows of rows"] = changed(PART, statement="forall A in R^(3, 3): sum(A[1..2, 2]) <= 8")
LIES["an eigenvalue, which is not supported"] = SPECTRUM
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
    "eigmin": ("eigmin([x, 1; 1, 3])", "1", "0.585786"), "sum of a row": ("norm(outer([sqrt(x), 1], [1, 2]), inf)", "2", "4.242640"),
    "gelu_tanh": ("gelu_tanh(x)", "1", "0.841191"), "frobenius": ("frobenius(outer([x, 1], [1, 2]))", "1", "3.162277"),
    "dobrushin": ("dobrushin(diag([x, 1]))", "1/3", "0.666666"), "entropy": ("entropy([x, 1 - x])", "1/4", "0.562335"),
}.items():
    above = f"{float(below) + 1e-6:.6f}"
    for constant, table in ((below, TRUE), (above, LIES)):
        table[f"{name} at most {constant}"] = point(f"forall x in R: {formula} <= {constant}", {}, {"x": [x]}, "<=", [below + "01", above],
                                                    constant, "0")
judge(TRUE, LIES)
