#!/usr/bin/env python3
"""Verifies Attest's evidence files without Attest: python3 check_evidence.py FILE...

Needs the standard library and the interval arithmetic of mpmath. The formula of a file is parsed and evaluated here, by
code of its own; nothing found in a file is run. A line per file: `verified`, `not verified` with the place, `not supported`
with the reason, or what is wrong with the file. Exit code: 0 all verified, 1 one is not, 2 one is no evidence file, 4 none
failed but one is not supported. The format is described in evidence-format.md.
"""
import ast
import hashlib
import itertools
import json
import math
import os
import re
import sys
from fractions import Fraction
from mpmath import iv

SCHEMA, MOST_BYTES, MOST_STEPS, INF = "attest-evidence-1", 64 << 20, 20_000_000, math.inf
iv.prec = 320
ZERO, ONE = iv.mpf(0), iv.mpf(1)
class Malformed(Exception): """No evidence file of this schema."""
class Unsupported(Exception): """The formula says something that this checker does not know."""
class Fails(Exception): """The evidence does not show what it claims."""

# ---- A statement's text: Python's own grammar reads the expressions once ^ = .. ' are spelled its way; nothing is run ----
TOKEN = re.compile(r'\s*(?:(\d+(?:\.(?!\.)\d*)?(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)|([A-Za-z]\w*)|("[^"]*")'
                   r"|(\.\.|\.\*|\./|\.\^|<=|>=|[-+*/^'()\[\]{},:<>=~]))")
SPELLED = {"^": "**", ".^": "**", ".*": "@", "./": "//", "=": "==", "..": ":", "'": ".T"}
PREFIXES = ("forall", "exists", "random", "best", "limit", "let")

class Reader:
    def __init__(self, text):
        self.tokens, self.numbers, place, self.at = [], {}, 0, 0
        while place < len(text.rstrip()):
            match = TOKEN.match(text, place)
            if not match: raise Unsupported(f"character {place + 1} of the statement")
            self.tokens.append(match.group(match.lastindex))
            place = match.end()
    def take(self, *signs):
        if self.at >= len(self.tokens) or (signs and self.tokens[self.at] not in signs): raise Malformed(f"no {signs} in place")
        self.at += 1
        return self.tokens[self.at - 1]
    def accept(self, *signs): return self.take() if self.at < len(self.tokens) and self.tokens[self.at] in signs else None
    def until(self, *stops):
        """The tokens up to a stop outside brackets. Unless "any" stops, a comma does only before `a, b in` or `f(x) =`."""
        begin, depth = self.at, 0
        while self.at < len(self.tokens):
            value, after = self.tokens[self.at], self.tokens[self.at + 1:]
            if depth == 0 and value in stops:
                names = next((i for i, v in enumerate(after) if i % 2 == 1 and v != ","), 0)
                if value != "," or "any" in stops or (names and after[names] in ("in", "=", "(")): break
            depth += (value in "([{") - (value in ")]}")
            self.at += 1
        return self.tokens[begin:self.at]
    def tree(self, tokens):
        words, closing = [], []
        for i, value in enumerate(tokens):
            series = value == "(" and tokens[i + 2:i + 3] == ["in"]  # sum(i in 1..n: body) becomes sum[i, 1:n, body]
            option = value == "=" and i > 1 and tokens[i - 2] in "(," and closing and tokens[i - 1].isidentifier()
            if value in ("(", "["): closing.append("]" if series or value == "[" else ")")
            if value in (")", "]") and closing: value = closing.pop()
            if value[0].isdigit() or (value[0] == "." and value[1:2].isdigit()):
                self.numbers[f"_{len(self.numbers)}"] = Fraction(value)
                value = f"_{len(self.numbers) - 1}"
            elif value in ("E", "P", "random") and tokens[i + 1:i + 2] == ["["]: raise Unsupported(f"'{value}'")
            elif value == "in" or (value == ":" and closing): value = ","
            words.append("[" if series else value if option else SPELLED.get(value, value))
        try: return ast.parse(" ".join(words).replace(" .T", ".T"), mode="eval").body
        except SyntaxError: raise Unsupported("the text '" + " ".join(tokens)[:60] + "'") from None
    def listed(self, tokens): return self.tree(["(", *tokens, ",", ")"]).elts if tokens else []
    def set(self, tokens):
        last = next((i for i in range(len(tokens) - 1, 0, -1) if tokens[i] == "^"), len(tokens))
        if ".." in tokens:
            return ("whole", [self.tree(tokens[:tokens.index("..")]), self.tree(tokens[tokens.index("..") + 1:])], [])
        if tokens[0] not in ("(", "[", "{", "R"): return (tokens[0], self.listed(tokens[2:-1]), [])
        power, inner = tokens[last + 1:], self.listed(tokens[1:last - 1]) if tokens[0] != "R" else []
        extents = self.listed(power[1:-1] if power[:1] == ["("] else power)
        return ({"R": "R", "{": "finite"}.get(tokens[0], "interval"), inner, extents, tokens[0] == "(", tokens[last - 1] == ")")
    def statement(self):
        read = {"binders": [], "let": {}, "where": [], "recursions": {}, "numbers": self.numbers}
        while word := self.accept("forall", "exists", "random", "best", "limit", "let"):
            if word in ("random", "best", "limit"): raise Unsupported(f"a statement with '{word}'")
            while True:
                names = [self.take()]
                if word == "let":
                    parameters = [v for v in self.until("=", "any") if v not in "(),"]
                    read["let"][names[0]] = (parameters, self.take("=") and self.tree(self.until(":", ",", *PREFIXES)))
                else:
                    while self.accept(","): names.append(self.take())
                    self.take("in")
                    read["binders"].append((word, names, self.set(self.until("where", ":", ",", *PREFIXES))))
                    read["where"] += [self.tree(self.until(":", ",", *PREFIXES))] if self.accept("where") else []
                if not self.accept(","): break
            self.accept(":")
        read["claim"] = self.tree(self.until("where"))
        while self.accept("where", ","):
            part = self.tree(self.until(",", "any"))
            call = part.left if isinstance(part, ast.Compare) else None
            if isinstance(call, ast.Call) and call.func.id not in FUNCTIONS and len(call.args) == 1:
                read["recursions"].setdefault(call.func.id, []).append((call.args[0], part.comparators[0]))
            else: read["where"].append(part)
        return read

# ---- Functions of intervals, vectors (lists) and matrices (lists of rows) ------------------------------------------------
def exact(x): return iv.mpf(x.numerator) / iv.mpf(x.denominator) if isinstance(x, Fraction) else iv.mpf(x)
def largest(xs): return iv.mpf([max(x.a for x in xs), max(x.b for x in xs)])
def least(xs): return iv.mpf([min(x.a for x in xs), min(x.b for x in xs)])
def hull(*xs): return iv.mpf([min(x.a for x in xs), max(x.b for x in xs)])
def flat(x): return [e for item in x for e in flat(item)] if isinstance(x, list) else [x]
def total(xs): return sum(xs, ZERO)
def dot(x, y): return total([a * b for a, b in zip(x, y, strict=True)])
def columns(m): return [list(c) for c in zip(*m)]
def identity(n): return [[ONE * (i == j) for j in range(n)] for i in range(n)]
def made(extents, value): return [made(extents[1:], value) for _ in range(int(extents[0]))] if extents else value
def spread(x): return largest(x) - least(x)
def matrix(x): return isinstance(x, list) and isinstance(x[0], list)
def each(f, *xs):
    lengths = {len(x) for x in xs if isinstance(x, list)}
    if len(lengths) > 1: raise Fails("shapes do not fit")
    return f(*xs) if not lengths else [each(f, *(x[i] if isinstance(x, list) else x for x in xs)) for i in range(*lengths)]
def divided(a, b):
    if b.a <= 0 <= b.b: raise Fails("a division by an interval around 0")
    return a / b
def root(x):
    if x.a < -1e-60: raise Fails("a square root of a number that is not certainly above 0")
    return iv.sqrt(largest([x, ZERO]))
def log(x):
    if x.a <= 0: raise Fails("a logarithm of a number that is not certainly above 0")
    return iv.log(x)
def power(x, y):
    if y.a == y.b and y.a == int(float(y.a)) and abs(float(y.a)) < 1e6:
        n = int(float(y.a))
        return x**n if n >= 0 else divided(ONE, x**-n)
    if x.a > 0 or y.a <= 0: return iv.exp(y * log(x))
    return ZERO if x.b <= 0 <= x.a else hull(ZERO, iv.exp(y * log(iv.mpf(x.b))))
def increasing(f): return lambda x: hull(f(iv.mpf(x.a)), f(iv.mpf(x.b)))
def erf_at(x):
    """By its alternating series, whose next term bounds the remainder."""
    if abs(x).a > 9: return hull(ONE, 1 - iv.exp(-x * x)) if x.a > 0 else hull(-ONE, iv.exp(-x * x) - 1)
    term, s, n = x, x, 0
    while n < 120 or abs(term).b > 1e-70:
        n += 1
        term = -term * x * x / n
        s += term / (2 * n + 1)
    return 2 / iv.sqrt(iv.pi) * (s + hull(ZERO, term))
def softmax(x):
    return [softmax(r) for r in x] if matrix(x) else [divided(ONE, total([iv.exp(b - a) for b in x])) for a in x]
def logsumexp(x):
    top = iv.mpf(largest(x).b)
    return top + iv.log(total([iv.exp(a - top) for a in x]))
def product(a, b):
    if not isinstance(a, list) or not isinstance(b, list): return each(lambda x, y: x * y, a, b)
    return [dot(row, b) for row in a] if not matrix(b) else [[dot(row, c) for c in columns(b)] for row in a]
def eliminate(m):
    """Inverse and determinant by Gauss and Jordan."""
    n, det = len(m), ONE
    m = [list(row) + unit for row, unit in zip(m, identity(n))]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: float(abs(m[i][k]).a))
        if m[pivot][k].a <= 0 <= m[pivot][k].b:
            if all(m[i][k].a == m[i][k].b == 0 for i in range(k, n)): return None, ZERO
            raise Fails("a matrix that may be singular")
        det *= m[pivot][k] * (1 if pivot == k else -1)
        m[k], m[pivot] = m[pivot], m[k]
        m[k] = [a / m[k][k] for a in m[k]]
        m = [row if i == k else [a - row[k] * b for a, b in zip(row, m[k])] for i, row in enumerate(m)]
    return [row[n:] for row in m], det
def eigenvalues(s):
    """Of a symmetric matrix, ascending: exact rotations in intervals, and Weyl's bound for what they leave."""
    n, t = len(s), [[hull(s[i][j], s[j][i]) for j in range(len(s))] for i in range(len(s))]
    for p, q in itertools.chain.from_iterable(itertools.repeat(list(itertools.combinations(range(n), 2)), 12)):
        if float(abs(t[p][q]).b) < 1e-80: continue
        theta = float((t[q][q] - t[p][p]).mid) / (2 * float(t[p][q].mid) or 1e-300)
        tangent = math.copysign(1, theta) / (abs(theta) + math.hypot(theta, 1))
        c, r = 1 / iv.sqrt(1 + iv.mpf(tangent) ** 2), identity(n)
        r[p][p], r[q][q], r[p][q], r[q][p] = c, c, c * tangent, -c * tangent
        t = product(columns(r), product(t, r))
    rest = iv.sqrt(total([t[i][j] ** 2 for i in range(n) for j in range(n) if i != j])).b
    return [x + hull(-rest, rest) for x in sorted((t[i][i] for i in range(n)), key=lambda x: float(x.mid))]
def singular_values(m):
    few = m if len(m) <= len(m[0]) else columns(m)
    return [root(x) for x in reversed(eigenvalues(product(few, columns(few))))]
def norm(x, p=Fraction(2)):
    if matrix(x) and p == 2: return singular_values(x)[0]
    if matrix(x) and p in (1, INF): return largest([total([abs(a) for a in r]) for r in (x if p == INF else columns(x))])
    if matrix(x): raise Unsupported("this norm of a matrix")
    if p == INF: return largest([abs(a) for a in x])
    if p == 2: return root(total([a**2 for a in x]))
    return power(total([power(abs(a), exact(p)) for a in x]), exact(1 / p))
def layernorm(x, eps):
    mean = total(x) / len(x)
    return rmsnorm([a - mean for a in x], eps)
def rmsnorm(x, eps): return [divided(a, root(total([b**2 for b in x]) / len(x) + eps)) for a in x]
def attention(name, q, k, v, causal=False, scale=None):
    if name not in ("softmax", "twicing"): raise Unsupported(f"attention '{name}'")
    logits = each(lambda x: x * (1 / iv.sqrt(len(q[0]) * ONE) if scale is None else scale), product(q, columns(k)))
    a = [softmax(r[:i + 1]) + [ZERO] * (len(r) - i - 1) if causal else softmax(r) for i, r in enumerate(logits)]
    return product(a, v) if name == "softmax" else each(lambda x, y: 2 * x - y, product(a, v), product(a, product(a, v)))
def var(x): return total([(a - total(x) / len(x)) ** 2 for a in x]) / len(x)
def kl(p, q): return total([a * log(divided(a, b)) if a.b > 0 else ZERO for a, b in zip(p, q, strict=True)])
def tanh(x): return 1 - 2 / (iv.exp(2 * x) + 1)
erf = increasing(erf_at)
normal_cdf = increasing(lambda x: (1 + erf_at(x / iv.sqrt(2 * ONE))) / 2)
ENTRYWISE = {
    "exp": iv.exp, "log": log, "sqrt": root, "abs": abs, "sin": iv.sin, "cos": iv.cos, "tan": iv.tan, "tanh": tanh,
    "log2": lambda x: log(x) / log(2 * ONE), "log10": lambda x: log(x) / log(10 * ONE), "log1p": lambda x: log(1 + x),
    "expm1": lambda x: iv.exp(x) - 1, "cosh": lambda x: (iv.exp(x) + iv.exp(-x)) / 2, "gamma": iv.gamma, "erf": erf,
    "sinh": lambda x: (iv.exp(x) - iv.exp(-x)) / 2, "sigmoid": lambda x: 1 / (1 + iv.exp(-x)), "normal_cdf": normal_cdf,
    "softplus": lambda x: log(1 + iv.exp(x)), "relu": lambda x: largest([x, ZERO]), "silu": lambda x: x / (1 + iv.exp(-x)),
    "erfc": lambda x: 1 - erf(x), "gelu": lambda x: x * normal_cdf(x), "atanh": lambda x: log(divided(1 + x, 1 - x)) / 2,
    "gelu_tanh": lambda x: x / 2 * (1 + tanh(iv.sqrt(2 / iv.pi) * (x + exact(Fraction(44715, 10**6)) * x**3))),
    "normal_pdf": lambda x: iv.exp(-(x**2) / 2) / iv.sqrt(2 * iv.pi), "asinh": lambda x: log(x + root(x**2 + 1)),
    "sign": lambda x: ONE if x.a > 0 else -ONE if x.b < 0 else ZERO if x.a == x.b else hull(-ONE, ONE)}
FUNCTIONS = {
    "sum": lambda x: total(flat(x)), "mean": lambda x: total(flat(x)) / len(flat(x)), "norm": norm, "opnorm": norm,
    "prod": lambda x: math.prod(flat(x), start=ONE), "range": lambda x: spread(flat(x)), "dot": dot, "kl": kl,
    "max": lambda *x: largest(flat(list(x))), "min": lambda *x: least(flat(list(x))), "var": lambda x: var(flat(x)),
    "osc": lambda x: largest([spread(c) for c in columns(x)]) if matrix(x) else spread(x), "softmax": softmax,
    "std": lambda x: root(var(flat(x))), "frobenius": lambda m: norm(flat(m)), "transpose": columns, "entropy":
    lambda p: -kl(p, [ONE] * len(p)), "outer": lambda x, y: [[a * b for b in y] for a in x], "logsumexp": logsumexp,
    "trace": lambda m: total([m[i][i] for i in range(len(m))]), "det": lambda m: eliminate(m)[1], "inverse":
    lambda m: eliminate(m)[0], "logdet": lambda m: log(eliminate(m)[1]), "eigenvalues": eigenvalues, "eigmax":
    lambda m: eigenvalues(m)[-1], "eigmin": lambda m: eigenvalues(m)[0], "singular_values": singular_values,
    "tv": lambda p, q: total([abs(a - b) for a, b in zip(p, q, strict=True)]) / 2, "layernorm": layernorm, "rmsnorm": rmsnorm,
    "dobrushin": lambda m: largest([FUNCTIONS["tv"](a, b) for a in m for b in m]), "attention": attention,
    "diag": lambda x: [x[i][i] for i in range(len(x))] if matrix(x) else each(lambda r: r, product(identity(len(x)), [
        [a if i == j else ZERO for j in range(len(x))] for i, a in enumerate(x)])), "jacobian_softmax": lambda x: [
        [a * ((i == j) - b) for j, b in enumerate(softmax(x))] for i, a in enumerate(softmax(x))],
    "cumsum": lambda x: [total(x[:i + 1]) for i in range(len(x))], "identity": lambda n: identity(int(n)),
    "zeros": lambda *n: made(n, ZERO), "ones": lambda *n: made(n, ONE), "rows": lambda m: Fraction(len(m)),
    "cols": lambda m: Fraction(len(m[0])), "length": lambda x: Fraction(len(x)),
    **{name: (lambda f: lambda x: each(f, x))(f) for name, f in ENTRYWISE.items()}}
EXACT_FROM = {"norm": 1, "opnorm": 1, "identity": 0, "zeros": 0, "ones": 0}  # arguments that must be known exactly

class Formula:
    """A statement at fixed choices: `names` holds whole numbers and choices (Fraction, inf) and elements (intervals)."""
    def __init__(self, read, names): self.read, self.names, self.steps, self.values = read, names, 0, {}
    def known(self, node, names):
        """The exact value of an expression of numbers and choices; None where it is none."""
        if isinstance(node, ast.Name):
            value = self.read["numbers"].get(node.id, INF if node.id == "inf" else names.get(node.id))
            if node.id in self.read["let"] and not self.read["let"][node.id][0]: value = self.known(self.read["let"][node.id][1], names)
            return value if isinstance(value, (Fraction, float)) else None
        if isinstance(node, ast.Call) and node.func.id in ("rows", "cols", "length"): return self.value(node, names)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            value = self.known(node.operand, names)
            return None if value is None else -value
        if not isinstance(node, ast.BinOp): return None
        a, b, op = self.known(node.left, names), self.known(node.right, names), type(node.op)
        if a is None or b is None or INF in (abs(a), abs(b)): return None
        if op is ast.Pow: return a ** int(b) if b.denominator == 1 and abs(b) < 10000 and (a or b > 0) else None
        return {ast.Add: a + b, ast.Sub: a - b, ast.Mult: a * b, ast.Div: a / b if b else None}.get(op)
    def whole(self, node, names):
        value = self.known(node, names)
        if value is None or abs(value) == INF or value.denominator != 1: raise Unsupported("a whole number not known before")
        return int(value)
    def value(self, node, names):
        self.steps += 1
        if self.steps > MOST_STEPS: raise Unsupported("more work than this checker does")
        known, recursive = None if isinstance(node, ast.Call) else self.known(node, names), self.read["recursions"]
        if known is not None: return exact(known)
        if isinstance(node, ast.Name):
            if node.id in names: return names[node.id]
            if node.id in ("pi", "e"): return iv.pi * 1 if node.id == "pi" else iv.exp(ONE)
            if node.id not in self.read["let"]: raise Malformed(f"'{node.id}' is not quantified")
            return self.value(self.read["let"][node.id][1], names)
        if isinstance(node, ast.UnaryOp): return each(lambda x: -x, self.value(node.operand, names))
        if isinstance(node, ast.Attribute): return columns(self.value(node.value, names))
        if isinstance(node, ast.List): return [self.value(item, names) for item in node.elts]
        if isinstance(node, ast.BinOp):
            a, op = self.value(node.left, names), type(node.op)
            if op is ast.Pow and matrix(a):
                result = identity(len(a))
                for _ in range(self.whole(node.right, names)): result = product(result, a)
                return result
            b = self.value(node.right, names)
            return product(a, b) if op is ast.Mult else each({ast.Add: lambda x, y: x + y, ast.Sub: lambda x, y: x - y,
                ast.MatMult: lambda x, y: x * y, ast.Pow: power}.get(op, divided), a, b)
        if isinstance(node, ast.Subscript):
            if self.bound(node): return FUNCTIONS[node.value.id]([self.value(node.slice.elts[2], n) for n in self.bound(node, names)])
            value = self.value(node.value, names)
            for item in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
                span = isinstance(item, ast.Slice)
                low, high = (self.whole(i, names) for i in ((item.lower, item.upper) if span else (item, item)))
                if not 1 <= low <= high <= len(value): raise Fails("an index out of range")
                value = value[low - 1:high] if span else value[low - 1]
            return value
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name): raise Unsupported("a part of the formula")
        name, given = node.func.id, node.args
        if name in self.read["let"]:
            told = [self.value(a, names) if (k := self.known(a, names)) is None else k for a in given]
            return self.value(self.read["let"][name][1], {**names, **dict(zip(self.read["let"][name][0], told, strict=True))})
        if name in recursive: return self.along(name, self.whole(given[0], names), names)
        if name not in FUNCTIONS: raise Unsupported(f"the function '{name}'")
        arguments = [a.value if isinstance(a, ast.Constant) else self.value(a, names) if i < EXACT_FROM.get(name, 9)
                     else self.known(a, names) for i, a in enumerate(given)]
        told = {o.arg: o.value.id == "true" if getattr(o.value, "id", "") in ("true", "false") else self.value(o.value, names)
                for o in node.keywords}
        if None in arguments or set(told) - {"causal", "scale", "eps"}: raise Unsupported(f"this use of '{name}'")
        return FUNCTIONS[name](*arguments, **told)
    def bound(self, node, names=None):
        """The names within sum(i in 1..n: body), one set for each i; without `names`, whether `node` is of this form."""
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) and isinstance(node.value, ast.Name) else []
        form = len(parts) == 3 and isinstance(parts[1], ast.Slice) and node.value.id in ("sum", "prod", "max", "min", "mean", "all")
        if names is None or not form: return form
        span = range(self.whole(parts[1].lower, names), self.whole(parts[1].upper, names) + 1)
        return [{**names, parts[0].id: Fraction(i)} for i in span]
    def along(self, name, wanted, names):
        """name(wanted) by the recursion, from its start upwards."""
        rules = [(self.known(at, names), at, body) for at, body in self.read["recursions"][name]]
        start = {int(k): body for k, _, body in rules if k is not None}
        for at in range(min(start), wanted + 1):
            if (name, at) in self.values: continue
            body, told = start.get(at), names
            if body is None:
                place, body = next((place, b) for k, place, b in rules if k is None)
                index, ahead = (place.left.id, self.whole(place.right, names)) if isinstance(place, ast.BinOp) else (place.id, 0)
                told = {**names, index: Fraction(at - ahead)}
            self.values[name, at] = self.value(body, told)
        return self.values[name, wanted]
    def truth(self, node, names):
        """True or False where certain, else None."""
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            a, b, op = self.value(node.left, names), self.value(node.comparators[0], names), type(node.ops[0])
            slack = flat(each(lambda x, y: y - x, *((b, a) if op in (ast.Gt, ast.GtE) else (a, b))))
            if op is ast.Eq: return False if any(s.a > 0 or s.b < 0 for s in slack) else all(s.a == s.b for s in slack) or None
            strict = op in (ast.Lt, ast.Gt)
            if all(s.a > 0 or (not strict and s.a >= 0) for s in slack): return True
            return False if any(s.b < 0 or (strict and s.b <= 0) for s in slack) else None
        if isinstance(node, ast.Compare):
            terms = [node.left, *node.comparators]
            parts = [self.truth(ast.Compare(a, [op], [b]), names) for a, op, b in zip(terms, node.ops, terms[1:])]
        elif isinstance(node, ast.BoolOp): parts = [self.truth(part, names) for part in node.values]
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return None if (part := self.truth(node.operand, names)) is None else not part
        elif isinstance(node, ast.Subscript) and self.bound(node) and node.value.id == "all":
            parts = [self.truth(node.slice.elts[2], told) for told in self.bound(node, names)]
        else: raise Unsupported("this claim")
        decisive = isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or)
        return decisive if decisive in parts else None if None in parts else not decisive

# ---- Evidence files --------------------------------------------------------------------------------------------------------
def number(text):
    if not isinstance(text, str) or not re.fullmatch(r"-?(inf|\d+(/\d*[1-9]\d*)?|\d*\.?\d+([eE][-+]?\d{1,4})?)", text):
        raise Malformed(f"{json.dumps(text)[:60]} is not an exact number such as \"1/2\" or \"-0.75\"")
    return float(text) if "inf" in text else Fraction(text)
def is_choice(kind): return kind[0] == "whole" or (kind[0] == "finite" and not kind[2])
def shaped(x, shape):
    step = len(x) // (shape or [1])[0]
    return [shaped(x[i * step:(i + 1) * step], shape[1:]) for i in range(shape[0])] if shape else x[0]
def raw_numbers(f, kind):
    """Shape of a set's element; count, bounds and open ends of the raw numbers that make it."""
    name, args, n = kind[0], kind[1], [f.whole(e, f.names) for e in (kind[2] or kind[1][:1 + (kind[0] in ("stochastic", "attention"))])] \
        if kind[0] not in ("R", "interval", "finite") or kind[2] else []
    if name == "interval":
        low, high = f.known(args[0], f.names), f.known(args[1], f.names)
        bounds = (low, high, kind[3], kind[4]) if None not in (low, high) else (0, INF, kind[3], False) if high == INF else \
            (0, INF, kind[4], False) if low == -INF else (0, 1, kind[3], kind[4])
        return (n, math.prod(n), *bounds)
    shape, count, low, high = {
        "R": (n, math.prod(n), -INF, INF), "finite": (n, math.prod(n), 0, len(args) - 1), "simplex": (n, math.prod(n), 0, 1),
        "stochastic": (n, math.prod(n), 0, 1), "sphere": (n, math.prod(n), -1, 1), "ball": (n, math.prod(n), -1, 1),
        "symmetric": (n * 2, sum(range(n[0] + 1)) if n else 0, -INF, INF), "psd": (n * 2, math.prod(n * 2), -INF, INF),
        "orthogonal": (n * 2, sum(range(n[0] + 1)) if n else 0, -INF, INF), "attention": (n[:1] * 2, 2 * math.prod(n), -INF, INF),
    }.get(name) or (_ for _ in ()).throw(Unsupported(f"the set '{name}'"))
    return shape, count, low, high, False, False
def element(f, kind, shape, raw):
    """The set's element made from raw numbers, as evidence-format.md says for each set."""
    name, args, n = kind[0], kind[1], shape[0] if shape else 0
    if name == "interval" and None in (ends := [f.known(a, f.names) for a in args]):
        low, high = (None if end in (INF, -INF) else f.value(a, f.names) for end, a in zip(ends, args))
        raw = [low + u if high is None else high - u if low is None else low + (high - low) * u for u in raw]
    if name == "finite": raw = [f.value(args[int(float(u.a))], f.names) for u in raw]
    if name == "simplex": return [divided(w, total(raw)) for w in raw]
    if name == "stochastic": return [[divided(w, total(row)) for w in row] for row in shaped(raw, shape)]
    if name == "sphere": return [divided(u, norm(raw)) for u in raw]
    if name == "ball": return [u * f.value(args[1], f.names) / largest([ONE, norm(raw)]) for u in raw]
    if name == "symmetric":
        table = dict(zip(((i, j) for i in range(n) for j in range(i, n)), raw))
        return [[table[min(i, j), max(i, j)] for j in range(n)] for i in range(n)]
    if name == "psd": return product(shaped(raw, shape), columns(shaped(raw, shape)))
    if name == "attention":
        both = shaped(raw, [2 * n, len(raw) // (2 * n)])
        return softmax(each(lambda x: x / iv.sqrt(ONE * len(both[0])), product(both[:n], columns(both[n:]))))
    if name == "orthogonal":
        q = identity(n)
        q[-1][-1] = FUNCTIONS["sign"](raw[-1])
        for k in range(n - 2, -1, -1):
            begin = k * n - k * (k - 1) // 2
            v = [ZERO] * k + raw[begin:begin + n - k]
            along = [divided(2 * dot(v, c), dot(v, v)) for c in columns(q)]
            q = [[q[i][j] - v[i] * along[j] for j in range(n)] for i in range(n)]
        return q
    return shaped(raw, shape)
def with_choices(read, choices):
    """The formula at these choices, which must be those of the statement."""
    f = Formula(read, {})
    for name, kind in ((n, kind) for _, names, kind in read["binders"] if is_choice(kind) for n in names):
        if name not in choices: raise Fails(f"no value for {name}")
        value, allowed = number(choices[name]), [f.known(a, f.names) for a in kind[1]]
        if not (value in allowed if kind[0] == "finite" else
                value != INF and value.denominator == 1 and allowed[0] <= value <= allowed[1]):
            raise Fails(f"{name} = {choices[name]} lies outside its set")
        f.names[name] = value
    if set(choices) != set(f.names): raise Fails("values for names that the statement does not have")
    return f
def placed(f, raws, exactly):
    """Binds every element; `raws` maps names to the (lower, upper) pairs of raw numbers."""
    for name, kind in ((n, kind) for _, names, kind in f.read["binders"] if not is_choice(kind) for n in names):
        shape, count, low, high, low_open, high_open = raw_numbers(f, kind)
        if len(raws.get(name, ())) != count: raise Fails(f"{name} does not have the {count} raw numbers of its set")
        for a, b in raws[name] if exactly else ():
            if not low <= a <= b <= high or (low_open and a == low) or (high_open and b == high) or \
                    (kind[0] == "finite" and a.denominator != 1) or INF in (abs(a), abs(b)):
                raise Fails(f"{name} has a raw number outside its bounds")
        f.names[name] = element(f, kind, shape, [exact(a) if a == b else hull(exact(a), exact(b)) for a, b in raws[name]])
    return f
def check_point(read, evidence, expected):
    f, raws = with_choices(read, evidence["choices"]), {i["name"]: [(number(x),) * 2 for x in i["raw"]] for i in evidence["inputs"]}
    if len(raws) != len(evidence["inputs"]) or set(raws) != {
            n for _, names, kind in read["binders"] if not is_choice(kind) for n in names}:
        raise Fails("the inputs are not those of the statement")
    placed(f, raws, True)
    if any(f.truth(c, f.names) is not True for c in read["where"]): raise Fails("an assumption does not certainly hold")
    if f.truth(read["claim"], f.names) is not expected:
        raise Fails("the claim does not certainly " + ("hold" if expected else "fail") + " at the stored numbers")
def all_choices(read, chosen=None, at=0):
    """Every combination of choices, in order."""
    names = [(n, kind) for _, ns, kind in read["binders"] if is_choice(kind) for n in ns]
    if at == len(names): return [dict(chosen or {})]
    f = Formula(read, {n: number(v) for n, v in (chosen or {}).items()})
    values = [f.known(a, f.names) for a in names[at][1][1]]
    if names[at][1][0] == "whole":
        if None in values or INF in values or values[1] - values[0] > 100000: raise Unsupported("a range without end")
        values = range(int(values[0]), int(values[1]) + 1)
    return [c for v in values for c in all_choices(read, {**(chosen or {}), names[at][0]: str(v)}, at + 1)]
def covered(region, boxes):
    """True when the boxes cover the region: all are lists of (lower, upper)."""
    touching = [b for b in boxes if all(x[0] < y[1] and y[0] < x[1] or x[0] == x[1] and y[0] <= x[0] <= y[1] for x, y in zip(region, b))]
    if any(all(y[0] <= x[0] and x[1] <= y[1] for x, y in zip(region, b)) for b in touching): return True
    cuts = [(i, e) for b in touching for i, y in enumerate(b) for e in y if region[i][0] < e < region[i][1]]
    if not cuts: return False
    i, cut = min(cuts, key=lambda c: abs(2 * c[1] - sum(region[c[0]])) / (region[c[0]][1] - region[c[0]][0]))
    return all(covered(region[:i] + [half] + region[i + 1:], touching) for half in ((region[i][0], cut), (cut, region[i][1])))
def box_holds(read, choices, names, box, depth):
    """The claim holds, or a condition fails, on the whole box: found by evaluation, or by the same on its halves."""
    raws = {n: box[at:at + count] for n, count, at in names}
    try:
        f = placed(with_choices(read, choices), raws, False)
        if any(f.truth(c, f.names) is False for c in read["where"]) or f.truth(read["claim"], f.names) is True: return True
    except Fails: pass
    if depth == 0: return False
    i = max(range(len(box)), key=lambda k: box[k][1] - box[k][0])
    halves = ((box[i][0], sum(box[i]) / 2), (sum(box[i]) / 2, box[i][1]))
    return all(box_holds(read, choices, names, box[:i] + [half] + box[i + 1:], depth - 1) for half in halves)
def check_cases(read, cases, deep):
    wanted = all_choices(read)
    if len(cases) != len(wanted): raise Fails(f"{len(cases)} cases where the statement has {len(wanted)}")
    for case, choices in zip(cases, wanted):
        if {n: number(v) for n, v in case["choices"].items()} != {n: number(v) for n, v in choices.items()}:
            raise Fails(f"no case {choices} in its place")
        f, names, region = with_choices(read, choices), [], []
        for name, kind in ((n, kind) for _, ns, kind in read["binders"] if not is_choice(kind) for n in ns):
            if kind[0] == "finite" or INF in map(abs, (bounds := raw_numbers(f, kind))[2:4]): raise Unsupported("such a domain")
            names.append((name, bounds[1], len(region)))
            region += [(Fraction(bounds[2]), Fraction(bounds[3]))] * bounds[1]
        boxes = [[(number(a), number(b)) for a, b in box] for box in case.get("boxes", [[]])]
        if any(len(b) != len(region) for b in boxes) or not boxes or (region and not covered(region, boxes)):
            raise Fails(f"the boxes do not cover the domain at {choices}")
        for b, box in enumerate(boxes):
            if not box_holds(read, choices, names, box, deep): raise Fails(f"box {b + 1} at {choices} does not show the claim")
def unique(pairs):
    if len({k for k, _ in pairs}) != len(pairs): raise Malformed("a key stands twice in one object")
    return dict(pairs)
def refused(word): raise Malformed(f"{word} is not a number")
def sha256(text): return hashlib.sha256(text.encode()).hexdigest()
def verify(path):
    if os.path.getsize(path) > MOST_BYTES: raise Malformed("the file is larger than 64 MiB")
    with open(path, encoding="utf-8") as file: e = json.load(file, object_pairs_hook=unique, parse_constant=refused)
    if not isinstance(e, dict) or e.get("schema") != SCHEMA: raise Malformed(f"the schema is not {SCHEMA}")
    if not re.fullmatch(r"\w[\w.-]*(/\w[\w.-]*)?", str(e.get("id"))): raise Malformed("the id is not of the form paper/name")
    if sha256(e["statement"]) != e["sha256"]: raise Fails("the SHA-256 is not that of the statement")
    rest = json.dumps({k: v for k, v in e.items() if k != "digest"}, sort_keys=True, separators=(",", ":"))
    if sha256(rest) != e["digest"]: raise Fails("the file was changed: its digest is another")
    read = Reader(e["statement"]).statement()
    words, kind, method = {word for word, _, _ in read["binders"]}, e["kind"], e.get("method")
    if len(e.get("assumptions", read["where"])) != len(read["where"]): raise Fails("the assumptions are not the statement's")
    if words == {"exists", "forall"}: raise Unsupported("forall together with exists")
    if kind == "witness" and "exists" not in words: check_point(read, e, False)
    elif kind == "certificate" and method == "point" and words == {"exists"}: check_point(read, e, True)
    elif kind == "certificate" and method in ("boxes", "enumeration") and "exists" not in words:
        check_cases(read, e["cases"], 6 if method == "boxes" else 0)
    else: raise Unsupported(f"a {kind} by {method}")
def main(paths):
    if not paths or paths[0] in ("-h", "--help"): print(__doc__)
    worst = 0 if paths else 2
    for path in paths if paths[:1] not in (["-h"], ["--help"]) else ():
        code, line = 0, "verified"
        try: verify(path)
        except Fails as reason: code, line = 1, f"not verified: {reason}"
        except Unsupported as reason: code, line = 4, f"not supported: {reason}"
        except (Malformed, OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError, MemoryError) as reason:
            code, line = 2, f"not an evidence file: {reason}" if isinstance(reason, Malformed) else f"not readable: {reason!r}"
        print(f"{path}: {line}")
        worst = max(worst, code, key=(0, 4, 1, 2).index)
    return worst

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
