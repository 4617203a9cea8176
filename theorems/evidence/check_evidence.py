#!/usr/bin/env python3
"""Verifies Attest's evidence files without Attest: python3 check_evidence.py FILE...

Needs the standard library and the interval arithmetic of mpmath. Each file's formula is parsed and evaluated here, by
code of its own; nothing found in a file is run. A line a file: `verified`, `not verified` with the place, `not supported`
with the reason, or what is wrong with the file. Exit code: 0 all verified, 1 one is not, 2 one is no evidence file, 4 none
failed but one is not supported. The format: evidence-format.md.
"""
import hashlib
import itertools
import json
import math
import os
import re
import sys
from fractions import Fraction

from mpmath import iv

SCHEMA, MOST_BYTES, MOST_STEPS = "attest-evidence-1", 64 << 20, 20_000_000
iv.prec = 320
INF = float("inf")


class Malformed(Exception):
    """Not an evidence file of this schema: exit 2."""


class Unsupported(Exception):
    """The formula says something that this checker does not know."""


class Fails(Exception):
    """The evidence does not show what it claims."""


# ---- Formula text to trees: (op, ...) ------------------------------------------------------------------------------------
TOKEN = re.compile(r'\s*(?:(\d+(?:\.(?!\.)\d*)?(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)|([A-Za-z_]\w*)|("[^"]*")'
                   r"|(\.\.|\.\*|\./|\.\^|<=|>=|=>|->|[-+*/^'()\[\]{},;:<>=~]))")
LOOSE = {"=>": 1, "implies": 1, "or": 2, "and": 3}
RELATIONS = ("<", "<=", ">", ">=", "=")
TIGHT = {"+": 6, "-": 6, "*": 7, "/": 7, ".*": 7, "./": 7}


class Reader:
    def __init__(self, text):
        self.tokens, place = [], 0
        while place < len(text.rstrip()):
            match = TOKEN.match(text, place)
            if not match:
                raise Malformed(f"character {place + 1} of the statement is not understood")
            self.tokens.append(next((i, v) for i, v in enumerate(match.groups()) if v is not None))
            place = match.end()
        self.tokens.append((3, ""))
        self.at = self.depth = 0

    def sees(self, *signs, ahead=0):
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)][1] in signs

    def take(self, *signs):
        kind, value = self.tokens[self.at]
        if signs and value not in signs:
            raise Malformed(f"the statement has '{value}' where '{signs[0]}' is expected")
        self.at += 1
        return kind, value

    def accept(self, *signs):
        return self.take()[1] if self.sees(*signs) else None

    def many(self, item, close):
        items = [] if self.sees(close) else [item()]
        while self.accept(","):
            items.append(item())
        self.take(close)
        return items

    def expression(self, level=0):
        self.depth += 1
        if self.depth > 200:
            raise Malformed("the statement is nested too deeply")
        if level <= 4 and self.accept("not"):
            left = ("not", self.expression(4))
        elif self.accept("-"):
            left = ("-", ("number", Fraction(0)), self.expression(7))
        else:
            left = self.power()
        while True:
            sign = self.tokens[self.at][1]
            if sign in TIGHT and TIGHT[sign] >= level:
                self.take()
                left = (sign, left, self.expression(TIGHT[sign] + 1))
            elif sign in RELATIONS and level <= 4:
                chain = []
                while self.sees(*RELATIONS):
                    sign = self.take()[1]
                    right = self.expression(5)
                    chain.append((sign, left, right))
                    left = right
                left = chain[0] if len(chain) == 1 else ("and", *chain)
            elif sign in LOOSE and LOOSE[sign] >= level:
                self.take()
                left = (("implies" if LOOSE[sign] == 1 else sign), left, self.expression(LOOSE[sign] + (LOOSE[sign] > 1)))
            else:
                self.depth -= 1
                return left

    def power(self):
        base = self.atom()
        while self.sees("'", "["):
            if self.accept("'"):
                base = ("call", "transpose", [base], {})
            else:
                self.take("[")
                base = ("index", base, self.many(lambda: self.span(), "]"))
        if self.sees("^", ".^"):
            sign = self.take()[1]
            negative = self.accept("-")
            exponent = self.power()
            return (sign, base, ("-", ("number", Fraction(0)), exponent) if negative else exponent)
        return base

    def span(self):
        low = self.expression(5)
        return ("span", low, self.expression(5)) if self.accept("..") else low

    def atom(self):
        kind, value = self.take()
        if kind == 0:
            return ("number", Fraction(value))
        if kind == 2:
            return ("text", value[1:-1])
        if value == "(":
            inner = self.expression()
            self.take(")")
            return inner
        if value == "[":
            rows = [[self.expression(5)]]
            while self.sees(",", ";"):
                if self.take()[1] == ";":
                    rows.append([])
                rows[-1].append(self.expression(5))
            self.take("]")
            return ("array", [("array", r) for r in rows]) if len(rows) > 1 else ("array", rows[0])
        if kind != 1:
            raise Malformed(f"the statement has '{value}' out of place")
        if value in ("E", "P") and self.sees("["):
            raise Unsupported("expectations and probabilities")
        if not self.accept("("):
            return ("name", value)
        if self.sees("in", ahead=1):
            bound = self.take()[1]
            self.take("in")
            low, _, high, _ = self.expression(5), self.take(".."), self.expression(5), self.take(":")
            body = self.expression()
            self.take(")")
            return ("each", value, bound, low, high, body)
        given, options = [], {}
        while not self.sees(")"):
            if self.tokens[self.at][0] == 1 and self.sees("=", ahead=1):
                name = self.take()[1]
                self.take("=")
                options[name] = self.expression(5)
            else:
                given.append(self.expression())
            if not self.sees(")"):
                self.take(",")
        self.take(")")
        return ("call", value, given, options)

    def extents(self):
        if not self.accept("^"):
            return []
        return self.many(lambda: self.expression(5), ")") if self.accept("(") else [self.atom()]

    def set(self):
        if self.sees("(", "["):
            opened, low, _, high, closed = (self.take()[1], self.expression(5), self.take(","), self.expression(5),
                                            self.take(")", "]")[1])
            return ("interval", [low, high], self.extents(), opened == "(", closed == ")")
        if self.accept("{"):
            return ("finite", self.many(lambda: self.expression(5), "}"), self.extents())
        if self.accept("R"):
            return ("R", [], self.extents())
        item = self.expression(5)
        if self.accept(".."):
            return ("whole", [item, self.expression(5)], [])
        if item[0] != "call":
            raise Malformed("the statement has a set that is not understood")
        return (item[1], item[2], [])

    def statement(self):
        read = {"binders": [], "let": {}, "claim": None, "where": [], "recursions": {}}
        while self.sees("forall", "exists", "random", "best", "limit", "let"):
            word = self.take()[1]
            if word in ("random", "best", "limit"):
                raise Unsupported(f"statements with '{word}'")
            while True:
                name = self.take()[1]
                if word == "let":
                    parameters = self.many(lambda: self.take()[1], ")") if self.accept("(") else []
                    self.take("=")
                    read["let"][name] = (parameters, self.expression(5))
                else:
                    names = [name]
                    while self.accept(","):
                        names.append(self.take()[1])
                    self.take("in")
                    read["binders"].append((word, names, self.set()))
                    if self.accept("where"):
                        read["where"].append(self.expression())
                if not self.accept(","):
                    break
            self.accept(":")
        read["claim"] = self.expression()
        if self.accept("where"):
            for part in self.many(self.expression, ""):
                if part[0] == "=" and part[1][0] == "call" and part[1][1] not in FUNCTIONS and len(part[1][2]) == 1:
                    read["recursions"].setdefault(part[1][1], []).append((part[1][2][0], part[2]))
                else:
                    read["where"].append(part)
        elif not self.sees(""):
            raise Malformed("the statement goes on after its end")
        return read


# ---- Interval arithmetic: functions of numbers, vectors (lists) and matrices (lists of lists) ---------------------------
def exact(x):
    return iv.mpf(x.numerator) / iv.mpf(x.denominator) if isinstance(x, Fraction) else iv.mpf(x)


def lo(x):
    return x.a.mid if hasattr(x.a, "mid") else x.a


def hull(*xs):
    return iv.mpf([min(x.a for x in xs).a, max(x.b for x in xs).b])


def broadcast(f, *xs):
    lengths = {len(x) for x in xs if isinstance(x, list)}
    if not lengths:
        return f(*xs)
    if len(lengths) > 1:
        raise Fails("shapes do not fit")
    return [broadcast(f, *(x[i] if isinstance(x, list) else x for x in xs)) for i in range(lengths.pop())]


def flat(x):
    return [e for item in x for e in flat(item)] if isinstance(x, list) else [x]


def total(xs):
    return sum(xs, iv.mpf(0))


def largest(xs):
    return iv.mpf([max(x.a for x in xs).a, max(x.b for x in xs).b])


def least(xs):
    return iv.mpf([min(x.a for x in xs).a, min(x.b for x in xs).b])


def divided(a, b):
    if b.a <= 0 <= b.b:
        raise Fails("a division by an interval around 0")
    return a / b


def root(x):
    if x.a < 0:
        raise Fails("a square root of a number that is not certainly above 0") if x.b < 0 or x.a < -1e-60 else None
        x = iv.mpf([0, x.b])
    return iv.sqrt(x)


def log(x):
    if x.a <= 0:
        raise Fails("a logarithm of a number that is not certainly above 0")
    return iv.log(x)


def xlog(p, q):
    """p log q, with 0 log 0 = 0."""
    return iv.mpf(0) if p.a == p.b == 0 else p * log(q)


def power(x, y):
    if y.a == y.b and y.a == int(float(y.a)) and abs(float(y.a)) < 1e6:
        n = int(float(y.a))
        return x**n if n >= 0 else divided(iv.mpf(1), x**-n)
    if x.a == x.b == 0 and y.a > 0:
        return iv.mpf(0)
    return iv.exp(y * log(x)) if x.a > 0 or y.a <= 0 else hull(iv.mpf(0), iv.exp(y * iv.log(iv.mpf(x.b))))


def tanh(x):
    return 1 - divided(iv.mpf(2), iv.exp(2 * x) + 1)


def erf_at(x):
    """erf at a point (both ends of x nearly equal), by its alternating series, whose terms bound the remainder."""
    if abs(x).a > 9:
        return hull(iv.mpf(1), 1 - iv.exp(-x * x)) if x.a > 0 else hull(iv.mpf(-1), iv.exp(-x * x) - 1)
    term, s, n = x, x, 0
    while n < 120 or abs(term).b > 1e-70:
        n += 1
        term = -term * x * x / n
        s += term / (2 * n + 1)
    return 2 / iv.sqrt(iv.pi) * (s + hull(iv.mpf(0), term))


def increasing(f):
    return lambda x: hull(f(iv.mpf(x.a)), f(iv.mpf(x.b)))


erf = increasing(erf_at)
normal_cdf = increasing(lambda x: (1 + erf_at(x / iv.sqrt(iv.mpf(2)))) / 2)


def softmax(x):
    if isinstance(x[0], list):
        return [softmax(row) for row in x]
    return [divided(iv.mpf(1), total([iv.exp(b - a) for b in x])) for a in x]


def logsumexp(x):
    top = largest(x).b
    return iv.mpf(top) + iv.log(total([iv.exp(a - top) for a in x]))


def transpose(m):
    return [list(row) for row in zip(*m)]


def product(a, b):
    if not isinstance(a, list) or not isinstance(b, list):
        return broadcast(lambda x, y: x * y, a, b)
    if not isinstance(b[0], list):
        return [dot(row, b) for row in a]
    return [[dot(row, column) for column in zip(*b)] for row in a]


def dot(x, y):
    return total([a * b for a, b in zip(x, y, strict=True)])


def eliminate(m, right):
    """Solves m X = right by Gaussian elimination; returns X and the determinant."""
    m, right, n, det = [list(r) for r in m], [list(r) for r in right], len(m), iv.mpf(1)
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: float(abs(m[i][k]).a))
        if pivot != k:
            m[k], m[pivot], right[k], right[pivot], det = m[pivot], m[k], right[pivot], right[k], -det
        if m[k][k].a <= 0 <= m[k][k].b:
            if all(m[i][k].a == m[i][k].b == 0 for i in range(k, n)):
                return None, iv.mpf(0)
            raise Fails("a matrix that may be singular")
        det *= m[k][k]
        for i in range(n):
            if i != k:
                factor = m[i][k] / m[k][k]
                m[i] = [a - factor * b for a, b in zip(m[i], m[k])]
                right[i] = [a - factor * b for a, b in zip(right[i], right[k])]
    return [[x / m[k][k] for x in right[k]] for k in range(n)], det


def identity(n):
    return [[iv.mpf(i == j) for j in range(n)] for i in range(n)]


def eigenvalues(s):
    """Of a symmetric matrix, ascending: Jacobi's rotations in intervals; Ostrowski and Weyl bound what is left."""
    n, v = len(s), identity(len(s))
    t = [[(s[i][j] + s[j][i]) / 2 for j in range(n)] for i in range(n)]
    for _ in range(12):
        for p, q in itertools.combinations(range(n), 2):
            if float(abs(t[p][q]).b) < 1e-80:
                continue
            theta = float((t[q][q] - t[p][p]).mid) / (2 * float(t[p][q].mid) or 1e-300)
            tangent = math.copysign(1, theta) / (abs(theta) + math.hypot(theta, 1))
            c = 1 / iv.sqrt(iv.mpf(1) + iv.mpf(tangent) ** 2)
            r = identity(n)
            r[p][p] = r[q][q] = c
            r[p][q], r[q][p] = c * tangent, -c * tangent
            t, v = product(transpose(r), product(t, r)), product(v, r)
    rest = iv.sqrt(total([t[i][j] ** 2 for i in range(n) for j in range(n) if i != j])).b
    found = sorted((t[i][i] for i in range(n)), key=lambda x: float(x.mid))
    return [hull(x - rest, x + rest) for x in found]


def moments(x):
    mean = total(x) / len(x)
    return mean, total([(a - mean) ** 2 for a in x]) / len(x)


def layernorm(x, eps):
    mean, variance = moments(x)
    return [divided(a - mean, root(variance + eps)) for a in x]


def spread(x):
    return largest(x) - least(x)


def columns(m):
    return [list(c) for c in zip(*m)]


def singular(m):
    few = m if len(m) <= len(m[0]) else transpose(m)
    return [root(x) for x in reversed(eigenvalues(product(few, transpose(few))))]


def norm(x, p=Fraction(2)):
    if x and isinstance(x[0], list):
        if p == 2:
            return singular(x)[0]
        if p in (1, INF):
            return largest([total([abs(a) for a in row]) for row in (x if p == INF else columns(x))])
        raise Unsupported("this norm of a matrix")
    if p == INF:
        return largest([abs(a) for a in x])
    if p == 1:
        return total([abs(a) for a in x])
    return root(total([a**2 for a in x])) if p == 2 else power(total([power(abs(a), exact(p)) for a in x]), 1 / exact(p))


def attention(name, q, k, v, causal=False, scale=None):
    if name not in ("softmax", "twicing"):
        raise Unsupported(f"attention '{name}'")
    scale = 1 / iv.sqrt(iv.mpf(len(q[0]))) if scale is None else scale
    logits = [[dot(a, b) * scale for b in k] for a in q]
    rows = [softmax(row[: i + 1]) + [iv.mpf(0)] * (len(row) - i - 1) if causal else softmax(row)
            for i, row in enumerate(logits)]
    once = product(rows, v)
    return once if name == "softmax" else broadcast(lambda a, b: 2 * a - b, once, product(rows, once))


def dobrushin(m):
    return largest([iv.mpf(0)] + [total([abs(x - y) for x, y in zip(a, b)]) / 2 for a, b in itertools.combinations(m, 2)])


def gelu_tanh(x):
    return x / 2 * (1 + tanh(iv.sqrt(2 / iv.pi) * (x + exact(Fraction(44715, 1000000)) * x**3)))


ENTRYWISE = {
    "exp": iv.exp, "log": log, "sqrt": root, "abs": abs, "sin": iv.sin, "cos": iv.cos, "tan": iv.tan, "tanh": tanh,
    "log2": lambda x: log(x) / iv.log(iv.mpf(2)), "log10": lambda x: log(x) / iv.log(iv.mpf(10)),
    "log1p": lambda x: log(1 + x), "expm1": lambda x: iv.exp(x) - 1, "cbrt": lambda x: power(x, exact(Fraction(1, 3))),
    "sinh": lambda x: (iv.exp(x) - iv.exp(-x)) / 2, "cosh": lambda x: (iv.exp(x) + iv.exp(-x)) / 2,
    "sigmoid": lambda x: divided(iv.mpf(1), 1 + iv.exp(-x)), "softplus": lambda x: iv.log(1 + iv.exp(x)),
    "relu": lambda x: largest([x, iv.mpf(0)]), "silu": lambda x: divided(x, 1 + iv.exp(-x)), "erf": erf,
    "erfc": lambda x: 1 - erf(x), "normal_cdf": normal_cdf, "gelu": lambda x: x * normal_cdf(x), "gelu_tanh": gelu_tanh,
    "normal_pdf": lambda x: iv.exp(-(x**2) / 2) / iv.sqrt(2 * iv.pi), "gamma": lambda x: iv.gamma(x),
    "sign": lambda x: iv.mpf(1 if x.a > 0 else -1 if x.b < 0 else 0 if x.a == x.b else [-1, 1]),
    "asinh": lambda x: log(x + root(x**2 + 1)), "atanh": lambda x: log(divided(1 + x, 1 - x)) / 2,
    "elu": lambda x: x if x.a >= 0 else largest([x, iv.mpf(0)]) + least([iv.exp(x) - 1, iv.mpf(0)]),
}
FUNCTIONS = {
    "sum": lambda x: total(flat(x)), "mean": lambda x: total(flat(x)) / len(flat(x)), "norm": norm, "dot": dot,
    "prod": lambda x: math.prod(flat(x), start=iv.mpf(1)), "range": lambda x: spread(flat(x)), "attention": attention,
    "max": lambda *x: largest(flat(list(x))), "min": lambda *x: least(flat(list(x))), "softmax": softmax,
    "osc": lambda x: largest([spread(c) for c in columns(x)]) if isinstance(x[0], list) else spread(x),
    "var": lambda x: moments(flat(x))[1], "std": lambda x: root(moments(flat(x))[1]), "logsumexp": logsumexp,
    "frobenius": lambda m: root(total([a**2 for a in flat(m)])), "opnorm": norm, "transpose": transpose,
    "outer": lambda x, y: [[a * b for b in y] for a in x], "trace": lambda m: total([m[i][i] for i in range(len(m))]),
    "det": lambda m: eliminate(m, identity(len(m)))[1], "inverse": lambda m: eliminate(m, identity(len(m)))[0],
    "logdet": lambda m: log(eliminate(m, identity(len(m)))[1]), "eigenvalues": eigenvalues, "singular_values": singular,
    "eigmax": lambda m: eigenvalues(m)[-1], "eigmin": lambda m: eigenvalues(m)[0], "dobrushin": dobrushin,
    "diag": lambda x: [x[i][i] for i in range(len(x))] if isinstance(x[0], list) else
    [[x[i] if i == j else iv.mpf(0) for j in range(len(x))] for i in range(len(x))],
    "entropy": lambda p: -total([xlog(a, a) for a in p]), "tv": lambda p, q: norm([a - b for a, b in zip(p, q)], 1) / 2,
    "kl": lambda p, q: total([xlog(a, divided(a, b)) if a.b > 0 else iv.mpf(0) for a, b in zip(p, q)]),
    "layernorm": layernorm, "rmsnorm": lambda x, eps: [divided(a, root(dot(x, x) / len(x) + eps)) for a in x],
    "jacobian_softmax": lambda x: [[a * ((i == j) - b) for j, b in enumerate(softmax(x))] for i, a in enumerate(softmax(x))],
    "cumsum": lambda x: [total(x[: i + 1]) for i in range(len(x))],
    "identity": lambda n: identity(int(n)), "zeros": lambda *n: made(n, 0), "ones": lambda *n: made(n, 1),
    "rows": lambda m: Fraction(len(m)), "cols": lambda m: Fraction(len(m[0])), "length": lambda x: Fraction(len(x)),
    **{name: (lambda f: lambda x: broadcast(f, x))(f) for name, f in ENTRYWISE.items()},
}
EXACT_ARGUMENTS = {"norm": 1, "opnorm": 1, "identity": 0, "zeros": 0, "ones": 0}


def made(extents, value):
    return [made(extents[1:], value) for _ in range(int(extents[0]))] if extents else iv.mpf(value)


class Formula:
    """A statement at fixed choices: its claim and conditions evaluated at elements given by name."""

    def __init__(self, read, names):
        self.read, self.names, self.steps = read, names, 0

    def known(self, node, names=None):
        """The exact value of an expression of whole numbers and choices; None where it is no such number."""
        names, op = self.names if names is None else names, node[0]
        if op == "number":
            return node[1]
        if op == "name":
            value = INF if node[1] == "inf" else names.get(node[1])
            if value is None and node[1] in self.read["let"] and not self.read["let"][node[1]][0]:
                return self.known(self.read["let"][node[1]][1], names)
            return value if isinstance(value, Fraction) or value == INF else None
        if op in ("+", "-", "*", "/", "^"):
            a, b = self.known(node[1], names), self.known(node[2], names)
            if a is None or b is None or INF in (a, b) or (op == "/" and b == 0):
                return -INF if op == "-" and a == 0 and b == INF else None
            if op == "^":
                return a ** int(b) if b.denominator == 1 and abs(b) < 10000 and (a != 0 or b > 0) else None
            return {"+": a + b, "-": a - b, "*": a * b}[op] if op != "/" else a / b
        return None

    def value(self, node, names):
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise Unsupported("more work than this checker does")
        op = node[0]
        if op in ("number", "name"):
            known = self.known(node, names)
            if known is not None:
                return exact(known)
            if node[1] in names:
                return names[node[1]]
            if node[1] in ("pi", "e"):
                return iv.pi * 1 if node[1] == "pi" else iv.exp(iv.mpf(1))
            if node[1] in self.read["let"]:
                return self.value(self.read["let"][node[1]][1], names)
            raise Malformed(f"'{node[1]}' is not quantified")
        if op in ("+", "-", ".*", "./"):
            f = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, ".*": lambda a, b: a * b, "./": divided}[op]
            return broadcast(f, self.value(node[1], names), self.value(node[2], names))
        if op == "*":
            return product(self.value(node[1], names), self.value(node[2], names))
        if op == "/":
            return broadcast(divided, self.value(node[1], names), self.value(node[2], names))
        if op in ("^", ".^"):
            base = self.value(node[1], names)
            if isinstance(base, list) and op == "^":
                result = identity(len(base))
                for _ in range(int(self.whole(node[2], names))):
                    result = product(result, base)
                return result
            return broadcast(power, base, self.value(node[2], names))
        if op == "array":
            return [self.value(item, names) for item in node[1]]
        if op == "index":
            value = self.value(node[1], names)
            for place in node[2]:
                if place[0] == "span":
                    value = value[self.whole(place[1], names) - 1: self.whole(place[2], names)]
                else:
                    at = self.whole(place, names)
                    if not 1 <= at <= len(value):
                        raise Fails("an index out of range")
                    value = value[at - 1]
            return value
        if op == "each":
            each = [self.value(node[5], {**names, node[2]: Fraction(i)}) for i in
                    range(self.whole(node[3], names), self.whole(node[4], names) + 1)]
            return FUNCTIONS[node[1]](each)
        if op == "call":
            return self.call(node, names)
        raise Unsupported(f"'{op}' inside an expression")

    def whole(self, node, names):
        value = self.known(node, names)
        if value is None and node[0] == "call" and node[1] in ("rows", "cols", "length"):
            value = self.value(node, names)
        if value is None or value in (INF, -INF) or value.denominator != 1:
            raise Unsupported("an index that is no whole number known beforehand")
        return int(value)

    def call(self, node, names):
        _, name, given, options = node
        if name in self.read["let"]:
            parameters, body = self.read["let"][name]
            return self.value(body, {**names, **{p: self.argument(a, names) for p, a in zip(parameters, given, strict=True)}})
        if name in self.read["recursions"]:
            return self.along(name, self.whole(given[0], names), names)
        if name not in FUNCTIONS:
            raise Unsupported(f"the function '{name}'")
        first = EXACT_ARGUMENTS.get(name, len(given))
        arguments = [a[1] if a[0] == "text" else self.value(a, names) if i < first else self.known(a, names)
                     for i, a in enumerate(given)]
        if None in arguments:
            raise Unsupported(f"this use of '{name}'")
        told = {k: v == ("name", "true") if v[0] == "name" and v[1] in ("true", "false") else self.value(v, names)
                for k, v in options.items()}
        try:
            return FUNCTIONS[name](*arguments, **told)
        except TypeError:
            raise Unsupported(f"this use of '{name}'") from None

    def argument(self, node, names):
        known = self.known(node, names)
        return self.value(node, names) if known is None else known

    def along(self, name, wanted, names):
        values = {}
        start = {int(self.known(at, names)): v for at, v in self.read["recursions"][name] if self.known(at, names) is not None}
        step = next((s for s in self.read["recursions"][name] if self.known(s[0], names) is None), None)
        for at in range(min(start), wanted + 1):
            if at in start:
                values[at] = self.value(start[at], names)
                continue
            index = step[0][1] if step[0][0] == "+" else step[0]
            ahead = int(step[0][2][1]) if step[0][0] == "+" else 0
            here = Formula({**self.read, "recursions": {}, "let": self.read["let"]}, {})
            told = {**names, index[1]: Fraction(at - ahead)}
            here.call = lambda node, inner: values[int(self.known(node[2][0], inner))] if node[1] == name \
                else Formula.call(here, node, inner)
            values[at] = here.value(step[1], told)
        return values[wanted]

    def truth(self, node, names):
        """True or False where certain, else None."""
        op = node[0]
        if op in RELATIONS:
            a, b = self.value(node[1], names), self.value(node[2], names)
            if op in (">", ">="):
                a, b, op = b, a, op.replace(">", "<")
            slack = flat(broadcast(lambda x, y: y - x, a, b))
            if op == "=":
                return False if any(s.a > 0 or s.b < 0 for s in slack) else True if all(s.a == s.b == 0 for s in slack) else None
            strict = op == "<"
            if all(s.a > 0 or (not strict and s.a >= 0) for s in slack):
                return True
            return False if any(s.b < 0 or (strict and s.b <= 0) for s in slack) else None
        parts = [self.truth(part, names) for part in node[1:]] if op in ("and", "or", "not", "implies") else None
        if parts is None:
            if op == "each" and node[1] == "all":
                parts, op = [self.truth(node[5], {**names, node[2]: Fraction(i)}) for i in
                             range(self.whole(node[3], names), self.whole(node[4], names) + 1)], "and"
            else:
                raise Unsupported(f"'{op}' as a claim")
        if op == "implies":
            parts, op = [None if parts[0] is None else not parts[0], parts[1]], "or"
        if op == "not":
            return None if parts[0] is None else not parts[0]
        decisive = op == "or"
        return decisive if decisive in parts else None if None in parts else not decisive


# ---- Evidence files --------------------------------------------------------------------------------------------------------
def number(text):
    if not isinstance(text, str) or not re.fullmatch(r"-?(inf|\d+(/\d+)?|\d*\.?\d+([eE][-+]?\d{1,4})?)", text):
        raise Malformed(f"{json.dumps(text)[:60]} is not an exact number such as \"1/2\" or \"-0.75\"")
    if text.lstrip("-") == "inf":
        return INF if text == "inf" else -INF
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise Malformed(f"{text} has a denominator of 0") from None


def is_choice(kind):
    return kind[0] == "whole" or (kind[0] == "finite" and not kind[2])


def raw_bounds(formula, kind):
    """The shape of a set's element, and the bounds and number of the raw numbers that make it."""
    name, args, extents = kind[0], kind[1], [formula.whole(e, formula.names) for e in kind[2]]
    sizes = [formula.whole(a, formula.names) for a in args[: 1 if name in ("ball", "sphere") else 2]] \
        if name not in ("R", "interval", "finite", "whole") else extents
    count = math.prod(sizes)
    if name == "interval":
        low, high = formula.known(args[0]), formula.known(args[1])
        if low is not None and high is not None:
            return sizes, count, low, high, kind[3], kind[4]
        return (sizes, count, 0, INF, kind[3], False) if high == INF else \
            (sizes, count, 0, INF, kind[4], False) if low == -INF else (sizes, count, 0, 1, kind[3], kind[4])
    if name in ("simplex", "stochastic"):
        return sizes, count, 0, 1, False, False
    if name in ("sphere", "ball"):
        return sizes[:1], sizes[0], -1, 1, False, False
    if name in ("symmetric", "orthogonal"):
        return sizes * 2, sizes[0] * (sizes[0] + 1) // 2, -INF, INF, False, False
    if name == "psd":
        return sizes * 2, sizes[0] ** 2, -INF, INF, False, False
    if name == "attention":
        return [sizes[0]] * 2, 2 * count, -INF, INF, False, False
    if name in ("R", "finite"):
        return sizes, count, *((-INF, INF) if name == "R" else (0, len(args) - 1)), False, False
    raise Unsupported(f"the set '{name}'")


def shaped(values, shape):
    if not shape:
        return values[0]
    step = len(values) // shape[0]
    return [shaped(values[i * step: (i + 1) * step], shape[1:]) for i in range(shape[0])]


def element(formula, kind, shape, raw):
    """The set's element made from raw numbers (intervals), as sets are described in evidence-format.md."""
    name, args = kind[0], kind[1]
    if name == "interval" and (formula.known(args[0]) is None or formula.known(args[1]) is None):
        low, high = (formula.known(a) for a in args)
        a, b = (None if k in (INF, -INF) else formula.value(n, formula.names) for k, n in zip((low, high), args))
        raw = [a + u if b is None else b - u if a is None else a + (b - a) * u for u in raw]
    if name == "finite":
        raw = [formula.value(args[int(float(u.a))], formula.names) for u in raw]
    if name in ("simplex", "stochastic"):
        rows = shaped(raw, shape if name == "stochastic" else [1, len(raw)])
        rows = [[divided(w, total(row)) for w in row] for row in rows]
        return rows if name == "stochastic" else rows[0]
    if name == "sphere":
        return [divided(u, norm(raw)) for u in raw]
    if name == "ball":
        return [u * formula.value(args[1], formula.names) / largest([iv.mpf(1), norm(raw)]) for u in raw]
    if name == "symmetric":
        upper = iter(raw)
        table = {(i, j): next(upper) for i in range(shape[0]) for j in range(i, shape[0])}
        return [[table[min(i, j), max(i, j)] for j in range(shape[0])] for i in range(shape[0])]
    if name == "psd":
        b = shaped(raw, shape)
        return product(b, transpose(b))
    if name == "attention":
        both = shaped(raw, [2 * shape[0], len(raw) // (2 * shape[0])])
        scale = iv.sqrt(iv.mpf(len(both[0])))
        return softmax([[dot(q, k) / scale for k in both[shape[0]:]] for q in both[: shape[0]]])
    if name == "orthogonal":
        n, at = shape[0], 0
        q = identity(n)
        q[n - 1][n - 1] = FUNCTIONS["sign"](raw[-1])
        vectors = []
        for k in range(n):
            vectors.append(raw[at: at + n - k])
            at += n - k
        for k in range(n - 2, -1, -1):
            v = [iv.mpf(0)] * k + vectors[k]
            along = [divided(2 * dot(v, c), dot(v, v)) for c in columns(q)]
            q = [[q[i][j] - v[i] * along[j] for j in range(n)] for i in range(n)]
        return q
    return shaped(raw, shape)


def with_choices(read, choices):
    """The formula at these choices, which must be those of the statement."""
    formula = Formula(read, {})
    for _, names, kind in read["binders"]:
        for name in names:
            if not is_choice(kind):
                continue
            if name not in choices:
                raise Fails(f"no value for {name}")
            value = number(choices[name])
            allowed = [formula.known(a) for a in kind[1]]
            inside = value in allowed if kind[0] == "finite" else \
                value != INF and value.denominator == 1 and allowed[0] <= value <= allowed[1]
            if not inside:
                raise Fails(f"{name} = {choices[name]} lies outside its set")
            formula.names[name] = value
    if set(choices) != set(formula.names):
        raise Fails("values for names that the statement does not have")
    return formula


def place(formula, raws, exactly=True):
    """Binds every element; `raws` maps names to lists of (lower, upper) pairs of raw numbers."""
    for _, names, kind in formula.read["binders"]:
        for name in names if not is_choice(kind) else ():
            shape, count, low, high, low_open, high_open = raw_bounds(formula, kind)
            if len(raws.get(name, ())) != count:
                raise Fails(f"{name} has {len(raws.get(name, ()))} raw numbers where its set takes {count}")
            for a, b in raws[name] if exactly else ():
                if not (low <= a <= b <= high) or (low_open and a == low) or (high_open and b == high):
                    raise Fails(f"{name} has a raw number outside its bounds")
                if kind[0] == "finite" and a.denominator != 1:
                    raise Fails(f"{name} has a position that is not whole")
            raw = [exact(a) if a == b else hull(exact(a), exact(b)) for a, b in raws[name]]
            formula.names[name] = element(formula, kind, shape, raw)


def check_point(read, evidence, expected):
    formula = with_choices(read, evidence["choices"])
    raws = {i["name"]: [(number(x), number(x)) for x in i["raw"]] for i in evidence["inputs"]}
    if len(raws) != len(evidence["inputs"]) or set(raws) & set(formula.names):
        raise Fails("an input is given twice")
    place(formula, raws)
    for condition in read["where"]:
        if formula.truth(condition, formula.names) is not True:
            raise Fails("an assumption does not certainly hold at the stored numbers")
    found = formula.truth(read["claim"], formula.names)
    if found is not expected:
        raise Fails("the claim does not certainly " + ("hold" if expected else "fail") + " at the stored numbers")


def all_choices(read):
    """Every combination of choices of a statement whose ranges end."""
    names = [n for _, ns, kind in read["binders"] if is_choice(kind) for n in ns]
    kinds = {n: kind for _, ns, kind in read["binders"] for n in ns}

    def extend(at, chosen):
        if at == len(names):
            yield dict(chosen)
            return
        formula = Formula(read, {n: number(v) for n, v in chosen.items()})
        values = [formula.known(a) for a in kinds[names[at]][1]]
        if None in values or (kinds[names[at]][0] == "whole" and INF in values):
            raise Unsupported("a range without end")
        for v in values if kinds[names[at]][0] == "finite" else range(int(values[0]), int(values[1]) + 1):
            yield from extend(at + 1, {**chosen, names[at]: "inf" if v == INF else str(v)})

    return extend(0, {})


def same_choices(a, b):
    return {n: number(v) for n, v in a.items()} == {n: number(v) for n, v in b.items()}


def covered(region, boxes):
    """True when the boxes cover the region; both are lists of (lower, upper)."""
    inside = [b for b in boxes if all(x[0] < y[1] and y[0] < x[1] or x[0] == x[1] == y[0] or x[0] == x[1] == y[1]
                                      for x, y in zip(region, b))]
    if not inside:
        return False
    if any(all(y[0] <= x[0] and x[1] <= y[1] for x, y in zip(region, b)) for b in inside):
        return True
    cuts = [(i, e) for b in inside for i, y in enumerate(b) for e in y if region[i][0] < e < region[i][1]]
    if not cuts:
        return False
    i, cut = min(cuts, key=lambda c: abs(c[1] - (region[c[0]][0] + region[c[0]][1]) / 2) / (region[c[0]][1] - region[c[0]][0]))
    left, right = list(region), list(region)
    left[i], right[i] = (region[i][0], cut), (cut, region[i][1])
    return covered(left, inside) and covered(right, inside)


def box_holds(read, choices, names, box, depth):
    formula = with_choices(read, choices)
    raws, at = {}, 0
    for name, count in names:
        raws[name] = box[at: at + count]
        at += count
    try:
        place(formula, raws, exactly=False)
        if any(formula.truth(c, formula.names) is False for c in read["where"]) or \
                formula.truth(read["claim"], formula.names) is True:
            return True
    except Fails:
        pass
    if depth == 0:
        return False
    i = max(range(len(box)), key=lambda k: box[k][1] - box[k][0])
    middle = (box[i][0] + box[i][1]) / 2
    return all(box_holds(read, choices, names, box[:i] + [half] + box[i + 1:], depth - 1)
               for half in ((box[i][0], middle), (middle, box[i][1])))


def check_cases(read, evidence, with_boxes):
    cases = evidence["cases"]
    for n, choices in enumerate(all_choices(read)):
        if n >= len(cases) or not same_choices(cases[n]["choices"], choices):
            raise Fails(f"case {n + 1} is not the statement's: {choices}")
        formula, names, region = with_choices(read, choices), [], []
        for _, ns, kind in read["binders"]:
            for name in ns if not is_choice(kind) else ():
                _, count, low, high, _, _ = raw_bounds(formula, kind)
                names.append((name, count))
                region += [(Fraction(low), Fraction(high)) if INF not in (high, -low) else (low, high)] * count
        if not with_boxes and region:
            raise Fails("an enumeration of a statement with continuous variables")
        boxes = [[(number(a), number(b)) for a, b in box] for box in cases[n].get("boxes", [])] if with_boxes else [[]]
        if any(not isinstance(e, Fraction) for box in [region] + boxes for side in box for e in side):
            raise Unsupported("a domain without ends")
        if any(len(b) != len(region) for b in boxes) or not (covered(region, boxes) if region else boxes):
            raise Fails(f"the boxes do not cover the domain at {choices}")
        for b, box in enumerate(boxes):
            if not box_holds(read, choices, names, box, 6 if with_boxes else 0):
                raise Fails(f"box {b + 1} of case {n + 1} does not show the claim")
    if len(cases) != sum(1 for _ in all_choices(read)):
        raise Fails("cases beyond the statement's")


def unique(pairs):
    if len({k for k, _ in pairs}) != len(pairs):
        raise Malformed("a key stands twice in one object")
    return dict(pairs)


def no_constant(word):
    raise Malformed(f"{word} is not a number")


def verify(path):
    """None when the file is verified. Raises Fails, Unsupported or Malformed otherwise."""
    if os.path.getsize(path) > MOST_BYTES:
        raise Malformed("the file is larger than 64 MiB")
    with open(path, encoding="utf-8") as file:
        evidence = json.load(file, object_pairs_hook=unique, parse_constant=no_constant)
    if not isinstance(evidence, dict) or evidence.get("schema") != SCHEMA:
        raise Malformed(f"the schema is not {SCHEMA}")
    if not re.fullmatch(r"[\w.-]+(/[\w.-]+)?", str(evidence.get("id"))) or ".." in evidence["id"]:
        raise Malformed("the id is not of the form paper/name")
    if hashlib.sha256(evidence["statement"].encode()).hexdigest() != evidence["sha256"]:
        raise Fails("the SHA-256 is not that of the statement")
    rest = {k: v for k, v in evidence.items() if k != "digest"}
    if hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest() != evidence["digest"]:
        raise Fails("the file was changed: its digest is another")
    read = Reader(evidence["statement"]).statement()
    exists = {word for word, _, _ in read["binders"]} == {"exists"}
    if not exists and any(word == "exists" for word, _, _ in read["binders"]):
        raise Unsupported("forall together with exists")
    kind, method = evidence["kind"], evidence.get("method")
    if evidence.get("assumptions") is not None and len(evidence["assumptions"]) != len(read["where"]):
        raise Fails("the assumptions are not those of the statement")
    if kind == "witness" and not exists:
        check_point(read, evidence, False)
    elif kind == "certificate" and method == "point" and exists:
        check_point(read, evidence, True)
    elif kind == "certificate" and method in ("boxes", "enumeration") and not exists:
        check_cases(read, evidence, method == "boxes")
    else:
        raise Unsupported(f"a {kind} by {method}")


def main(paths):
    if not paths or paths[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if paths else 2
    worst = 0
    for path in paths:
        code, line = 0, "verified"
        try:
            verify(path)
        except Fails as reason:
            code, line = 1, f"not verified: {reason}"
        except Unsupported as reason:
            code, line = 4, f"not supported: {reason}"
        except (Malformed, OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as reason:
            code, line = 2, f"not an evidence file: {type(reason).__name__}: {reason}"
        print(f"{path}: {line}")
        worst = max(worst, code, key=(0, 4, 1, 2).index)
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
