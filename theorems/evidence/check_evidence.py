#!/usr/bin/env python3
"""Verifies Attest's evidence files without Attest: python3 check_evidence.py FILE...

Needs the standard library and the interval arithmetic of mpmath. The formula of a file is parsed and evaluated here, by
code of its own; nothing found in a file is run. A line per file: `verified`, `not verified` with the place, `not supported`
with the reason, or what is wrong with the file. Exit code: 0 all verified, 1 one is not, 2 one is no evidence file, 4 none
failed but one is not supported. The format is described in evidence-format.md.
"""
import ast, functools, hashlib, itertools, json, keyword, math, os, re, sys
from fractions import Fraction
from mpmath import iv

SCHEMA, MOST_BYTES, MOST_TEXT, MOST_STEPS, INF = "attest-evidence-1", 64 << 20, 20000, 20_000_000, math.inf
iv.prec = 320
ZERO, ONE = iv.mpf(0), iv.mpf(1)
class Malformed(Exception): """No evidence file of this schema."""
class Unsupported(Exception): """The formula says something that this checker does not know."""
class Fails(Exception): """The evidence does not show what it claims."""
def need(ok, reason, kind=Fails):
    if not ok: raise kind(reason)
    return True

# ---- A statement's text: Python's own grammar reads the expressions once ^ = .. ' are spelled its way; nothing is run ----
TOKEN = re.compile(r'\s*(?:(\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)|([A-Za-z]\w*)|("[^"\\\n]*")'
                   r"|(\.\.|\.\*|\./|\.\^|<=|>=|[-+*/^'()\[\]{},:<>=]))", re.ASCII)
EXACT = re.compile(r"-?(inf|\d+(/\d*[1-9]\d*)?|\d*\.?\d+([eE][-+]?\d{1,4})?)", re.ASCII)
SPELLED = {"^": "**", ".^": ".E **", ".*": "@", "./": "//", "=": "==", "..": ":", "'": ".T"}
def number(text):
    need(isinstance(text, str) and EXACT.fullmatch(text), f"{str(text)[:60]} is no exact number such as '1/2'", Malformed)
    return float(text) if "inf" in text else Fraction(text)
def spelled(name): return name + "_" if keyword.iskeyword(name) and name not in ("and", "or", "not", "in") else name
def tokens_of(text):
    need(len(text) <= MOST_TEXT and not TOKEN.sub("", text).strip(), "a sign or the length of the statement", Unsupported)
    return [spelled(match.group(match.lastindex)) for match in TOKEN.finditer(text)]
def split(tokens, sign):  # The pieces between the signs that stand outside of brackets.
    pieces, depth = [[]], 0
    for token in tokens:
        depth += (token in ("(", "[", "{")) - (token in (")", "]", "}"))
        pieces += [[]] if depth == 0 and token == sign else []
        pieces[-1] += [] if depth == 0 and token == sign else [token]
    return pieces
def tree(tokens, numbers):
    words, ends = [], []
    for i, value in enumerate(tokens):
        series = value == "(" and tokens[i + 2:i + 3] == ["in"]  # sum(i in 1..n: body) becomes sum[i, 1:n, body]
        option = value == "=" and i > 1 and tokens[i - 2] in ("(", ",") and ends and tokens[i - 1].isidentifier()
        need(value not in ("E", "P", "random") or tokens[i + 1:i + 2] != ["["], f"'{value}'", Unsupported)
        if value in ("(", "["): ends.append("]" if series or value == "[" else ")")
        if value in (")", "]") and ends: value = ends.pop()
        if value.lstrip(".")[:1].isdigit(): numbers[value := f"_{len(numbers)}"] = number(tokens[i])
        words.append("[" if series else "," if value == "in" or (value == ":" and ends) else
                     value if option else SPELLED.get(value, value))
    try: return ast.parse(" ".join(words), mode="eval").body
    except SyntaxError: raise Unsupported("the text '" + " ".join(tokens)[:60] + "'") from None
def set_of(tokens, numbers):  # Kind, arguments, extents, whether the lower and the upper end are open.
    def listed(inner): return tree(["(", *inner, ",", ")"], numbers).elts if inner else []
    if len(ends := split(tokens, "..")) == 2: return ("whole", [tree(end, numbers) for end in ends], [])
    base, *power = split(tokens, "^")
    kind = {"R": "R", "(": "interval", "[": "interval", "{": "finite"}.get(base[0])
    inner = listed(base[1:-1] if kind else base[2:-1])
    fits = {"R": len(base) == 1, "interval": len(inner) == 2, "finite": True, None: not power and base[1:2] == ["("]}
    need(len(power) < 2 and fits[kind], "this set", Unsupported)
    extents = [e for p in power for e in listed(p[1:-1] if p[:1] == ["("] else p)]
    return (kind or base[0], inner, extents, base[0] == "(", base[-1] == ")")
def statement_of(text):
    """let NAME = .., F(x) = ..: forall|exists NAME, NAME in SET where .., ..: CLAIM where .., F(0) = .., F(l + 1) = .."""
    *blocks, last = split(tokens_of(text), ":")
    read = {"binders": [], "let": {}, "where": [], "said": [], "recursions": {}, "numbers": {}}
    def condition(tokens): read["said"].append(tokens), read["where"].append(tree(tokens, read["numbers"]))
    for word, *block in blocks:
        need(word in ("forall", "exists", "let"), f"a statement with '{word}'", Unsupported)
        names = []
        for piece in split(block, ","):
            names.append(piece[0])
            if word == "let":
                left, right = split(piece, "=")
                need(piece[0] not in read["let"], "a name defined twice", Malformed)
                read["let"][piece[0]] = ([v for v in left[1:] if v not in ("(", ")", ",")], tree(right, read["numbers"]))
            elif piece[1:]:
                kind, *more = split(piece[2:], "where")
                need(piece[1] == "in" and len(more) < 2, "this quantifier", Unsupported)
                read["binders"].append((word, names, set_of(kind, read["numbers"])))
                names = [condition(tokens) for tokens in more][:0]
        need(word == "let" or not names, "a name without its set", Malformed)
    claim, *tail = split(last, "where")
    read["claim"] = tree(claim, read["numbers"])
    for tokens in (piece for part in tail for piece in split(part, ",")):
        left, *right = [tree(side, read["numbers"]) for side in split(tokens, "=")] if len(split(tokens, "=")) == 2 else [None]
        if isinstance(left, ast.Call) and left.func.id not in {*FUNCTIONS, *read["let"]}:
            read["recursions"].setdefault(left.func.id, []).append((*left.args, *right))
        else: condition(tokens)
    bound = [n for _, names, _ in read["binders"] for n in names]
    for rules in read["recursions"].values():
        steps = [at for at, _ in rules if not isinstance(at, ast.Name) or at.id not in read["numbers"]]
        need(len(steps) == 1 < len(rules) and isinstance(steps[0], ast.BinOp) and isinstance(steps[0].op, ast.Add) and
             steps[0].left.id not in {*bound, *read["let"]}, "this recursion", Unsupported)
    taken, given = [*bound, *read["let"], *read["recursions"], *FUNCTIONS, "pi", "e", "inf", "true", "false"], set(bound)
    clear = len(set(taken)) == len(taken) and not any(set(taken) & set(ps) - given for ps, _ in read["let"].values())
    need(clear and len(tail) < 2, "a name with two meanings", Unsupported)
    return read

# ---- Functions of intervals, vectors (lists) and matrices (lists of rows) ------------------------------------------------
def exact(x): return need(abs(x) < INF, "arithmetic with inf", Unsupported) and iv.mpf(x.numerator) / iv.mpf(x.denominator)
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
    shapes = {(len(x), matrix(x)) for x in xs if isinstance(x, list)}
    need(len(shapes) < 2, "shapes do not fit")
    return [each(f, *(x[i] if isinstance(x, list) else x for x in xs)) for i in range(shapes.pop()[0])] if shapes else f(*xs)
def rowwise(f): return lambda x, *more: [f(row, *more) for row in x] if matrix(x) else f(x, *more)
def divided(a, b): return need(b.a > 0 or b.b < 0, "a division by an interval around 0") and a / b
def exp(x): return need(abs(x).b < 1e9, "an exponential as large as this", Unsupported) and iv.exp(x)
def root(x): return need(x.a >= 0, "a square root of a number that is not certainly at least 0") and iv.sqrt(x)
def log(x): return need(x.a > 0, "a logarithm of a number that is not certainly above 0") and iv.log(x)
def gamma(x): return need(x.a > 0 and x.b <= 1000, "gamma outside (0, 1000]", Unsupported) and iv.gamma(x)
def power(x, y):
    if y.a == y.b and abs(y).b < 1e6 and y.a == int(float(y.a)):
        n = int(float(y.a))
        return x**n if n >= 0 else divided(ONE, x**-n)
    if x.a > 0 or y.a <= 0: return exp(y * log(x))
    need(x.a >= 0, "a power of a number that is not certainly at least 0")
    return ZERO if x.b == 0 else hull(ZERO, exp(y * log(iv.mpf(x.b))))
def increasing(f): return lambda x: hull(f(iv.mpf(x.a)), f(iv.mpf(x.b)))
def erf_at(x):  # By its alternating series, whose last term bounds the remainder.
    if abs(x).a > 9: return hull(ONE, 1 - exp(-x * x)) if x.a > 0 else hull(-ONE, exp(-x * x) - 1)
    term, s, n = x, x, 0
    while n < 120 or abs(term).b > 1e-70:
        n += 1
        term = -term * x * x / n
        s += term / (2 * n + 1)
    return 2 / iv.sqrt(iv.pi) * (s + hull(-term, term))
softmax = rowwise(lambda x: [divided(ONE, total([exp(b - a) for b in x])) for a in x])
logsumexp = rowwise(lambda x: iv.mpf(largest(x).b) + log(total([exp(a - iv.mpf(largest(x).b)) for a in x])))
rmsnorm = rowwise(lambda x, eps: [divided(a, root(total([b**2 for b in x]) / len(x) + eps)) for a in x])
layernorm = rowwise(lambda x, eps: rmsnorm([a - total(x) / len(x) for a in x], eps))
def product(a, b):
    if not isinstance(a, list) or not isinstance(b, list): return each(lambda x, y: x * y, a, b)
    return [dot(row, b) for row in a] if not matrix(b) else [[dot(row, c) for c in columns(b)] for row in a]
def eliminate(m):  # Inverse and determinant by Gauss and Jordan.
    n, det = len(m), ONE
    m = [[*row, *unit] for row, unit in zip(m, identity(n), strict=True)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: float(abs(m[i][k]).a))
        det *= m[pivot][k] * (1 if pivot == k else -1)
        m[pivot], m[k] = m[k], [divided(a, m[pivot][k]) for a in m[pivot]]
        m = [row if i == k else [a - row[k] * b for a, b in zip(row, m[k])] for i, row in enumerate(m)]
    return [row[n:] for row in m], det
def eigenvalues(s):
    """Of a symmetric matrix, ascending: rotations that are orthogonal in intervals, and Weyl's bound for what they leave."""
    n = len(s)
    need(all(s[i][j].a <= s[j][i].b for i in range(n) for j in range(n)), "a matrix that is not symmetric")
    t = [[hull(s[i][j], s[j][i]) for j in range(n)] for i in range(n)]
    for p, q in [*itertools.combinations(range(n), 2)] * 12:
        if float(abs(t[p][q]).b) < 1e-80: continue
        theta = float((t[q][q] - t[p][p]).mid) / (2 * float(t[p][q].mid) or 1e-300)
        tangent = iv.mpf(math.copysign(1, theta) / (abs(theta) + math.hypot(theta, 1)))
        c = 1 / iv.sqrt(1 + tangent**2)
        for _ in range(2):
            t[p], t[q] = [c * (a - tangent * b) for a, b in zip(t[p], t[q])], [c * (tangent * a + b) for a, b in zip(t[p], t[q])]
            t = columns(t)
    rest = iv.sqrt(total([abs(t[i][j]) ** 2 for i in range(n) for j in range(n) if i != j])).b
    lower, upper = sorted(t[i][i].a for i in range(n)), sorted(t[i][i].b for i in range(n))
    return [iv.mpf([(a - rest).a, (b + rest).b]) for a, b in zip(lower, upper)]
def singular_values(m):
    few = m if len(m) <= len(m[0]) else columns(m)
    return [iv.sqrt(largest([x, ZERO])) for x in reversed(eigenvalues(product(few, columns(few))))]
def norm(x, p=Fraction(2)):
    if matrix(x) and p == 2: return singular_values(x)[0]
    if matrix(x) and p in (1, INF): return largest([total([abs(a) for a in r]) for r in (x if p == INF else columns(x))])
    need(not matrix(x) and p >= 1, "this norm", Unsupported)
    if p == INF: return largest([abs(a) for a in x])
    return root(total([a**2 for a in x])) if p == 2 else power(total([power(abs(a), exact(p)) for a in x]), exact(1 / p))
def attention(name, q, k, v, causal=False, scale=None):
    need(name in ("softmax", "twicing"), f"attention '{name}'", Unsupported)
    logits = each(lambda x: x * (1 / iv.sqrt(len(q[0]) * ONE) if scale is None else scale), product(q, columns(k)))
    a = [softmax(r[:i + 1]) + [ZERO] * (len(r) - i - 1) if causal else softmax(r) for i, r in enumerate(logits)]
    return product(a, v) if name == "softmax" else each(lambda x, y: 2 * x - y, product(a, v), product(a, product(a, v)))
def var(x): return total([(a - total(x) / len(x)) ** 2 for a in x]) / len(x)
def kl(p, q): return total([ZERO if a.a == a.b == 0 else a * log(divided(a, b)) for a, b in zip(p, q, strict=True)])
def sign(x): return ONE if x.a > 0 else -ONE if x.b < 0 else ZERO if x.a == x.b else hull(-ONE, ONE)
def tanh(x): return 1 - 2 / (exp(2 * x) + 1)
def diag(x): return [r[i] for i, r in enumerate(x)] if matrix(x) else [[a * b for b in r] for a, r in zip(x, identity(len(x)))]
def extreme(f): return lambda *x: each(lambda a, b: f([a, b]), *x) if len(x) == 2 else f(flat(*x))
erf, normal_cdf = increasing(erf_at), increasing(lambda x: (1 + erf_at(x / iv.sqrt(2 * ONE))) / 2)
ENTRYWISE = {
    "exp": exp, "log": log, "sqrt": root, "abs": abs, "sin": iv.sin, "cos": iv.cos, "gamma": gamma, "erf": erf, "sign": sign,
    "tan": lambda x: divided(iv.sin(x), iv.cos(x)), "log2": lambda x: log(x) / log(2 * ONE), "log1p": lambda x: log(1 + x),
    "log10": lambda x: log(x) / log(10 * ONE), "expm1": lambda x: exp(x) - 1, "cosh": lambda x: (exp(x) + exp(-x)) / 2,
    "sinh": lambda x: (exp(x) - exp(-x)) / 2, "tanh": tanh, "sigmoid": lambda x: 1 / (1 + exp(-x)), "normal_cdf": normal_cdf,
    "softplus": lambda x: log(1 + exp(x)), "relu": lambda x: largest([x, ZERO]), "silu": lambda x: x / (1 + exp(-x)),
    "erfc": lambda x: 1 - erf(x), "gelu": lambda x: x * normal_cdf(x), "atanh": lambda x: log(divided(1 + x, 1 - x)) / 2,
    "gelu_tanh": lambda x: x / 2 * (1 + tanh(iv.sqrt(2 / iv.pi) * (x + exact(Fraction(44715, 10**6)) * x**3))),
    "normal_pdf": lambda x: exp(-(x**2) / 2) / iv.sqrt(2 * iv.pi), "asinh": lambda x: log(x + root(x**2 + 1))}
FUNCTIONS = {
    "sum": lambda x: total(flat(x)), "mean": lambda x: total(flat(x)) / len(flat(x)), "norm": norm, "opnorm": norm, "dot": dot,
    "prod": lambda x: math.prod(flat(x), start=ONE), "range": lambda x: spread(flat(x)), "kl": kl, "max": extreme(largest),
    "min": extreme(least), "var": lambda x: var(flat(x)), "std": lambda x: root(var(flat(x))), "softmax": softmax, "diag": diag,
    "osc": lambda x: largest([spread(c) for c in columns(x)]) if matrix(x) else spread(x), "frobenius": lambda m: norm(flat(m)),
    "entropy": lambda p: -kl(p, [ONE] * len(p)), "outer": lambda x, y: [[a * b for b in y] for a in x], "logsumexp": logsumexp,
    "trace": lambda m: total([r[i] for i, r in enumerate(m)]), "det": lambda m: eliminate(m)[1], "attention": attention,
    "logdet": lambda m: log(eliminate(m)[1]), "inverse": lambda m: eliminate(m)[0], "eigmax": lambda m: eigenvalues(m)[-1],
    "eigmin": lambda m: eigenvalues(m)[0], "eigenvalues": eigenvalues, "singular_values": singular_values, "layernorm": layernorm,
    "rmsnorm": rmsnorm, "cumsum": lambda x: [total(x[:i + 1]) for i in range(len(x))], "transpose": columns, "length": len,
    "jacobian_softmax": lambda x: [[a * (u - b) for b, u in zip(softmax(x), r)] for a, r in zip(softmax(x), identity(len(x)))],
    "rows": len, "cols": lambda m: len(m[0]), "identity": lambda n: identity(int(n)), "zeros": lambda *n: made(n, ZERO),
    "ones": lambda *n: made(n, ONE), "tv": lambda p, q: norm(each(lambda a, b: a - b, p, q), Fraction(1)) / 2,
    "dobrushin": lambda m: largest([norm(each(lambda x, y: x - y, a, b), Fraction(1)) / 2 for a in m for b in m]),
    **{name: (lambda f: lambda x: each(f, x))(f) for name, f in ENTRYWISE.items()}}
OVER = ("sum", "prod", "max", "min", "mean", "all")
COUNTS, EXACT_FROM = ("rows", "cols", "length"), {"norm": 1, "opnorm": 1, "identity": 0, "zeros": 0, "ones": 0}
OPERATIONS = {ast.Add: lambda a, b: a + b, ast.Sub: lambda a, b: a - b, ast.MatMult: lambda a, b: a * b, ast.Pow: power,
              ast.Mult: lambda a, b: a * b, ast.Div: divided, ast.FloorDiv: divided}

class Formula:
    """A statement at fixed choices: `names` holds whole numbers and choices (Fraction, inf) and elements (intervals)."""
    def __init__(self, read, names): self.read, self.let, self.names, self.steps, self.values = read, read["let"], names, 0, {}
    def known(self, node, names):  # The exact value of an expression of numbers and choices; None where it is none.
        if isinstance(node, ast.Name):
            if node.id not in names and not self.let.get(node.id, "?")[0]: return self.known(self.let[node.id][1], self.names)
            value = self.read["numbers"].get(node.id, INF if node.id == "inf" else names.get(node.id))
            return value if isinstance(value, (Fraction, float)) else None
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in COUNTS:
            return Fraction(FUNCTIONS[node.func.id](self.value(node.args[0], names)))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return None if (value := self.known(node.operand, names)) is None else -value
        if not isinstance(node, ast.BinOp): return None
        a, b, op = self.known(node.left, names), self.known(node.right, names), type(node.op)
        if a is None or b is None or INF in (abs(a), abs(b)): return None
        small = b.denominator == 1 and abs(b) * (abs(a.numerator) + a.denominator).bit_length() < 100000
        if op is ast.Pow: return a ** int(b) if small and (a or b > 0) else None
        return {ast.Add: a + b, ast.Sub: a - b, ast.Mult: a * b, ast.Div: a / b if b else None}.get(op)
    def whole(self, node, names):
        value = self.known(node, names)
        need(value is not None and abs(value) < INF and value.denominator == 1, "a whole number not known before", Unsupported)
        return int(value)
    def value(self, node, names):
        self.steps += 1
        need(self.steps < MOST_STEPS, "more work than this checker does", Unsupported)
        if (known := self.known(node, names)) is not None: return exact(known)
        if isinstance(node, ast.Name):
            if node.id in names: return names[node.id]
            if node.id in ("pi", "e"): return iv.pi * 1 if node.id == "pi" else iv.exp(ONE)
            need(node.id in self.let and not self.let[node.id][0], f"'{node.id}' is not quantified", Malformed)
            return self.value(self.let[node.id][1], self.names)
        if isinstance(getattr(node, "op", None), ast.USub): return each(lambda x: -x, self.value(node.operand, names))
        if isinstance(node, ast.Attribute): return (columns if node.attr == "T" else list)(self.value(node.value, names))
        if isinstance(node, ast.List): return [self.value(item, names) for item in node.elts]
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATIONS:
            a, op = self.value(node.left, names), type(node.op)
            if op is ast.Pow and isinstance(a, list) and getattr(node.left, "attr", "") != "E":
                need(matrix(a) and self.whole(node.right, names) >= 0, "this power", Unsupported)
                return functools.reduce(product, [a] * self.whole(node.right, names), identity(len(a)))
            return (product if op is ast.Mult else functools.partial(each, OPERATIONS[op]))(a, self.value(node.right, names))
        if isinstance(node, ast.Subscript):
            all_names = self.bound(node, names)
            if all_names is not None: return FUNCTIONS[node.value.id]([self.value(node.slice.elts[2], n) for n in all_names])
            value = self.value(node.value, names)
            for item in node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]:
                span = isinstance(item, ast.Slice)
                low, high = (self.whole(i, names) for i in ((item.lower, item.upper) if span else (item, item)))
                need(1 <= low <= high <= len(value) and not (span and item.step), "an index out of range")
                value = value[low - 1:high] if span else value[low - 1]
            return value
        need(isinstance(node, ast.Call) and isinstance(node.func, ast.Name), "a part of the formula", Unsupported)
        name, given = node.func.id, node.args
        if name in self.let:
            told = [self.value(a, names) if (k := self.known(a, names)) is None else k for a in given]
            return self.value(self.let[name][1], {**self.names, **dict(zip(self.let[name][0], told, strict=True))})
        if name in self.read["recursions"]: return self.along(name, self.whole(given[0], names))
        need(name in FUNCTIONS, f"the function '{name}'", Unsupported)
        arguments = [a.value if isinstance(a, ast.Constant) else self.value(a, names) if i < EXACT_FROM.get(name, 9)
                     else self.known(a, names) for i, a in enumerate(given)]
        told = {o.arg: o.value.id == "true" if getattr(o.value, "id", "") in ("true", "false") else self.value(o.value, names)
                for o in node.keywords}
        need(None not in arguments and not set(told) - {"causal", "scale", "eps"}, f"this use of '{name}'", Unsupported)
        return FUNCTIONS[name](*arguments, **told)
    def bound(self, node, names):  # The names within sum(i in 1..n: body), one set for each i; None for other forms.
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) and isinstance(node.value, ast.Name) else []
        if len(parts) != 3 or not isinstance(parts[1], ast.Slice) or node.value.id not in OVER: return None
        need(parts[0].id not in {*names, *self.let}, "a name with two meanings", Unsupported)
        low, high = self.whole(parts[1].lower, names), self.whole(parts[1].upper, names)
        need(high - low < 1000000, "an index as long as this", Unsupported)
        return [{**names, parts[0].id: Fraction(i)} for i in range(low, high + 1)]
    def along(self, name, wanted):  # name(wanted) by the recursion, from its start upwards.
        rules = [(self.known(at, self.names), at, body) for at, body in self.read["recursions"][name]]
        start = {self.whole(at, self.names): body for k, at, body in rules if k is not None}
        at, step = next((at, body) for k, at, body in rules if k is None)
        for k in range(min(start), wanted + 1):
            told = self.names if k in start else {**self.names, at.left.id: Fraction(k - self.whole(at.right, self.names))}
            if (name, k) not in self.values: self.values[name, k] = self.value(start.get(k, step), told)
        return self.values[name, wanted]
    def truth(self, node, names, sides):
        """True or False where certain, else None; `sides` collects (relation, left, right) of every entry that is compared."""
        decisive = isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or)
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            symbol, parts = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "="}[type(node.ops[0])], []
            each(lambda a, b: parts.append(compared(symbol, a, b)) or sides.append((symbol, a, b)),
                 self.value(node.left, names), self.value(node.comparators[0], names))
        elif isinstance(node, ast.BoolOp): parts = [self.truth(part, names, sides) for part in node.values]
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return None if (part := self.truth(node.operand, names, sides)) is None else not part
        else:
            all_names = self.bound(node, names) if isinstance(node, ast.Subscript) else None
            need(all_names is not None and node.value.id == "all", "this claim", Unsupported)
            parts = [self.truth(node.slice.elts[2], told, sides) for told in all_names]
        return decisive if decisive in parts else None if None in parts else not decisive
def compared(symbol, a, b):  # True or False where the relation certainly holds or fails, else None.
    low, high = ((a - b).a, (a - b).b) if symbol in (">", ">=") else ((b - a).a, (b - a).b)
    if symbol == "=": return False if low > 0 or high < 0 else low == high == 0 or None
    strict = symbol in ("<", ">")
    return True if low > 0 or (low == 0 and not strict) else False if high < 0 or (high == 0 and strict) else None

# ---- Evidence files --------------------------------------------------------------------------------------------------------
PLAIN = ("R", "interval", "finite")
def is_choice(kind): return kind[0] == "whole" or (kind[0] == "finite" and not kind[2])
def members(read, choices): return [(n, k) for _, names, k in read["binders"] if is_choice(k) == choices for n in names]
def shaped(x, shape):
    step = len(x) // (shape or [1])[0]
    return [shaped(x[i * step:(i + 1) * step], shape[1:]) for i in range(shape[0])] if shape else x[0]
def reflections(raw, n):  # H_1 ... H_(n-1) diag(1, ..., 1, sign v_n), H_k = 1 - 2 v v'/v'v of v_k in the last coordinates
    q = [[a * (divided(raw[-1], abs(raw[-1])) if i == n - 1 else ONE) for a in row] for i, row in enumerate(identity(n))]
    for k in range(n - 2, -1, -1):
        v = [ZERO] * k + raw[k * n - k * (k - 1) // 2:][:n - k]
        along = [divided(2 * dot(v, c), total([a**2 for a in v])) for c in columns(q)]
        q = [[a - v[i] * along[j] for j, a in enumerate(row)] for i, row in enumerate(q)]
    return q
def set_at(f, kind):  # count, bounds and open ends of a set's raw numbers, and how they make its element: evidence-format.md
    name, args = kind[:2]
    n = [f.whole(e, f.names) for e in (kind[2] if name in PLAIN else args[:2 if name in ("stochastic", "attention") else 1])]
    need(all(k >= 1 for k in n), "an extent below 1")
    size, square, triangle, line, unit = math.prod(n), n[:1] * 2, sum(range(n[0] + 1)) if n else 0, (-INF, INF), (0, 1)
    if name == "interval" and None in (ends := [f.known(a, f.names) for a in args]):
        low, high = (None if abs(end or 0) == INF else f.value(a, f.names) for end, a in zip(ends, args))
        need(None in (low, high) or high.a > low.b or (high.a == low.b and not any(kind[3:])), "an interval that may be empty")
        between = lambda u: low + u if high is None else high - u if low is None else low + (high - low) * u
        opened = kind[3:] if None not in (low, high) else (kind[3 if high is None else 4], False)
        return size, 0, INF if None in (low, high) else 1, *opened, lambda raw: shaped([between(u) for u in raw], n)
    if name == "interval": return size, *ends, *kind[3:], lambda raw: shaped(raw, n)
    shares = rowwise(lambda row: [divided(w, total(row)) for w in row])
    below = lambda i, j: min(i, j) * n[0] - min(i, j) * (min(i, j) + 1) // 2 + max(i, j)
    scores = lambda raw: each(lambda x: x / iv.sqrt(n[1] * ONE), product(shaped(raw[:size], n), columns(shaped(raw[size:], n))))
    radius = lambda: f.value(args[1], f.names)
    finite = lambda u: f.value(args[int(float(u.a))], f.names)
    count, bounds, element = {
        "R": lambda: (size, line, lambda raw: shaped(raw, n)),
        "finite": lambda: (size, (0, len(args) - 1), lambda raw: shaped([finite(u) for u in raw], n)),
        "simplex": lambda: (size, unit, shares), "stochastic": lambda: (size, unit, lambda raw: shares(shaped(raw, n))),
        "sphere": lambda: (size, (-1, 1), lambda raw: [divided(u, norm(raw)) for u in raw]),
        "ball": lambda: (size, (-1, 1), lambda raw: [u * root(radius())**2 / largest([ONE, norm(raw)]) for u in raw]),
        "symmetric": lambda: (triangle, line, lambda raw: [[raw[below(i, j)] for j in range(n[0])] for i in range(n[0])]),
        "psd": lambda: (n[0]**2, line, lambda raw: product(shaped(raw, square), columns(shaped(raw, square)))),
        "attention": lambda: (2 * size, line, lambda raw: softmax(scores(raw))),
        "orthogonal": lambda: (triangle, line, lambda raw: reflections(raw, n[0])),
    }.get(name, lambda: need(False, f"the set '{name}'", Unsupported))()
    return count, *bounds, False, False, element
def with_choices(read, choices):  # The formula at these choices, which must be those of the statement.
    f, choices = Formula(read, {}), {spelled(name): number(value) for name, value in choices.items()}
    need(set(choices) == {name for name, _ in members(read, True)}, "the choices are not those of the statement")
    for name, kind in members(read, True):
        value, allowed = choices[name], [f.known(a, f.names) for a in kind[1]]
        need(value in allowed if kind[0] == "finite" else None not in allowed and abs(value) < INF and value.denominator == 1 and
             allowed[0] <= value <= allowed[1], f"{name} = {value} lies outside its set")
        f.names[name] = value
    return f
def placed(f, raws, exactly):  # Binds every element; `raws` maps names to the (lower, upper) pairs of raw numbers.
    need(set(raws) == {name for name, _ in members(f.read, False)}, "the inputs are not those of the statement")
    for name, kind in members(f.read, False):
        count, low, high, low_open, high_open, element = set_at(f, kind)
        need(len(raws[name]) == count, f"{name} does not have the {count} raw numbers of its set")
        for a, _ in raws[name] if exactly else ():
            inside = low <= a <= high and abs(a) < INF and not (low_open and a == low) and not (high_open and a == high)
            need(inside and (kind[0] != "finite" or a.denominator == 1), f"{name} has a raw number outside its bounds")
        f.names[name] = element([exact(a) if a == b else hull(exact(a), exact(b)) for a, b in raws[name]])
    return f
def check_point(read, e, expected):
    raws, sides, found = {spelled(i["name"]): [(number(x),) * 2 for x in i["raw"]] for i in e["inputs"]}, [], []
    f = placed(with_choices(read, e["choices"]), need(len(raws) == len(e["inputs"]), "an input stands twice") and raws, True)
    need(all(f.truth(c, f.names, []) is True for c in read["where"]), "an assumption does not certainly hold")
    need(f.truth(read["claim"], f.names, sides) is expected,
         "the claim does not certainly " + ("hold" if expected else "fail") + " at the stored numbers")
    for side in e["sides"]:
        (l, m), (r, s) = ends = [[number(x) for x in side[key]] for key in ("lhs", "rhs")]
        stated = [need(x <= y, "an enclosure upside down") and hull(exact(x), exact(y)) for x, y in ends]
        found = [t for t in sides if t[0] == side["relation"] and all(x.a <= y.b and y.a <= x.b for x, y in zip(stated, t[1:]))]
        need(any(compared(*t) is compared(t[0], *stated) is not None for t in found), "the sides are not those of the claim")
        need(0 <= number(e["margin"]) <= max(l - s, r - m, 0), "the margin is not that of the sides")
    need(found, "no sides of the claim")
def all_choices(read, chosen):  # Every combination of choices, in order.
    if len(chosen) == len(names := members(read, True)): return [chosen]
    f, (name, kind) = Formula(read, {n: number(v) for n, v in chosen.items()}), names[len(chosen)]
    values = [f.known(a, f.names) for a in kind[1]]
    if kind[0] == "whole":
        need(None not in values and INF not in values and values[1] - values[0] < 100000, "a range without end", Unsupported)
        values = range(int(values[0]), int(values[1]) + 1)
    return [c for v in values for c in all_choices(read, {**chosen, name: str(v)})]
def covered(region, boxes):  # True when the boxes cover the region: all are lists of (lower, upper).
    def touch(x, y): return y[0] < x[1] and x[0] < y[1] or y[0] <= x[0] == x[1] <= y[1]
    touching = [b for b in boxes if all(map(touch, region, b))]
    if any(all(y[0] <= x[0] and x[1] <= y[1] for x, y in zip(region, b)) for b in touching): return True
    cuts = [(i, e) for b in touching for i, y in enumerate(b) for e in y if region[i][0] < e < region[i][1]]
    if not cuts: return False
    i, cut = min(cuts, key=lambda c: abs(2 * c[1] - sum(region[c[0]])) / (region[c[0]][1] - region[c[0]][0]))
    return all(covered(region[:i] + [half] + region[i + 1:], touching) for half in ((region[i][0], cut), (cut, region[i][1])))
def box_holds(read, choices, names, box, depth):
    """The claim holds, or a condition fails, on the whole box: found by evaluation, or by the same on its halves."""
    try:
        f = placed(with_choices(read, choices), {n: box[at:at + count] for n, count, at in names}, False)
        if any(f.truth(c, f.names, []) is False for c in read["where"]): return True
        if f.truth(read["claim"], f.names, []) is True: return True
    except Fails: pass
    if depth == 0 or not box: return False
    i = max(range(len(box)), key=lambda k: box[k][1] - box[k][0])
    halves = ((box[i][0], sum(box[i]) / 2), (sum(box[i]) / 2, box[i][1]))
    return all(box_holds(read, choices, names, box[:i] + [half] + box[i + 1:], depth - 1) for half in halves)
def check_cases(read, cases, deep):
    wanted = all_choices(read, {})
    need(len(cases) == len(wanted) > 0, f"{len(cases)} cases where the statement has {len(wanted)}")
    for case, choices in zip(cases, wanted):
        told = {spelled(n): number(v) for n, v in case["choices"].items()}
        need(told == {n: number(v) for n, v in choices.items()}, f"no case {choices} in its place")
        f, names, region = with_choices(read, choices), [], []
        for name, kind in members(read, False):
            count, low, high, *_ = set_at(f, kind)
            need(kind[0] != "finite" and abs(low) < INF and abs(high) < INF, "such a domain", Unsupported)
            names.append((name, count, len(region)))
            region += [(Fraction(low), Fraction(high))] * count
        boxes = [[(number(a), number(b)) for a, b in box] for box in case.get("boxes", [[]])]
        need({len(b) for b in boxes} == {len(region)} and covered(region, boxes), f"the boxes miss a part at {choices}")
        for b, box in enumerate(boxes):
            need(box_holds(read, choices, names, box, deep), f"box {b + 1} at {choices} does not show the claim")
def unique(pairs): return need(len(dict(pairs)) == len(pairs), "a key stands twice in one object", Malformed) and dict(pairs)
def refused(word): need(False, f"{word} is not a number", Malformed)
def sha256(text): return hashlib.sha256(text.encode()).hexdigest()
def verify(path):
    need(os.path.getsize(path) <= MOST_BYTES, "the file is larger than 64 MiB", Malformed)
    with open(path, encoding="utf-8") as file: e = json.load(file, object_pairs_hook=unique, parse_constant=refused)
    need(isinstance(e, dict) and e.get("schema") == SCHEMA, f"the schema is not {SCHEMA}", Malformed)
    need(re.fullmatch(r"\w[\w.-]*(/\w[\w.-]*)?", str(e.get("id"))), "the id is not of the form paper/name", Malformed)
    need(sha256(e["statement"]) == e["sha256"], "the SHA-256 is not that of the statement")
    rest = json.dumps({k: v for k, v in e.items() if k != "digest"}, sort_keys=True, separators=(",", ":"))
    need(sha256(rest) == e["digest"], "the file was changed: its digest is another")
    read, kind, method = statement_of(e["statement"]), e["kind"], e["method"]
    need([tokens_of(a) for a in e["assumptions"]] == read["said"], "the assumptions are not the statement's")
    words = {word for word, _, _ in read["binders"]}
    if kind == "witness" and "exists" not in words: check_point(read, e, False)
    elif kind == "certificate" and method == "point" and words == {"exists"}: check_point(read, e, True)
    elif kind == "certificate" and method in ("boxes", "enumeration") and "exists" not in words:
        check_cases(read, e["cases"], 6 if method == "boxes" else 0)
    else: raise Unsupported(f"a {kind} by {method} of this statement")
def main(paths):
    if not paths or paths[0] in ("-h", "--help"): return print(__doc__) or (0 if paths else 2)
    codes, words = set(), {Fails: (1, "not verified"), Unsupported: (4, "not supported"), Malformed: (2, "not an evidence file")}
    for path in paths:
        code, line = 0, "verified"
        try: verify(path)
        except Exception as reason:  # what a damaged file may raise, too: wrong types, missing keys, too deep, too large
            code, word = words.get(type(reason), (2, f"not readable: {type(reason).__name__}"))
            line = f"{word}: {reason}"[:300]
        print(f"{path}: {line}")
        codes.add(code)
    return next(code for code in (2, 1, 4, 0) if code in codes)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
