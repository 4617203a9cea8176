#!/usr/bin/env python3
"""Verifies Attest's evidence files without Attest: python3 check_evidence.py FILE...

Needs the standard library and mpmath's intervals, has no code in common with Attest, and runs nothing found in a file.
A line per file: `verified`, `not verified` with the place, `not supported`, or what is wrong with the file. Exit code:
0 all verified, 1 one is not, 2 one is not an evidence file, 4 one is not supported. evidence-format.md says what is where.
"""
import collections, hashlib, itertools, json, math, operator, os, re, secrets, sys
from fractions import Fraction
from functools import cache, lru_cache, partial, reduce
from mpmath import iv

SCHEMA, MOST_BYTES, MOST_TEXT, MOST_STEPS, INF = "attest-evidence-1", 64 << 20, 20000, 20_000_000, math.inf
iv.prec = 320
ZERO, ONE, UNIT = iv.mpf(0), iv.mpf(1), iv.mpf([-1, 1])
@lru_cache(1 << 16)
def ends_of(numerator, denominator): return (iv.mpf(numerator) / denominator)._mpi_
Fraction._mpi_ = property(lambda x: ends_of(x.numerator, x.denominator))  # as mpmath sees it by an interval
class Malformed(Exception): """No evidence file of this schema."""
class Unsupported(Exception): """The formula says something that this checker does not know."""
class Fails(Exception): """The evidence does not show what it claims."""
def need(ok, reason, kind=Fails):
    if not ok: raise kind(reason)
    return ok

# ---- Numbers: fractions, and in one formula of one kind besides: intervals of mpmath, Slopes, Growth or Residue ------
class Number:
    """What the + and * of a class, its of(x), raised(n) and called(name, f, slope) amount to."""
    def __neg__(self): return self * -1
    def __sub__(self, other): return self + other * -1
    def __rsub__(self, other): return self * -1 + other
    def __truediv__(self, other): return self * power(other, -1)
    def __rtruediv__(self, other): return power(self, -1) * other
    def __radd__(self, other): return self + other
    def __rmul__(self, other): return self * other
    @classmethod
    def of(cls, x): return x if isinstance(x, cls) else cls(iv.mpf(x))
def common(x, y): return iv.mpf([max(x.a, y.a), min(x.b, y.b)])
class Slopes(Number):
    """Over a box whose coordinates run over [-1, 1]: the range, the value in the middle, the range of each slope."""
    def __init__(self, span, middle=None, slopes=()):
        self.middle, self.slopes = span if middle is None else middle, slopes
        self.span = common(span, sum((s * UNIT for s in slopes), self.middle))
        self.a, self.b = self.span.a, self.span.b
    def pairs(self, other): return itertools.zip_longest(self.slopes, other.slopes, fillvalue=ZERO)
    def __add__(self, other):
        o = self.of(other)
        return Slopes(self.span + o.span, self.middle + o.middle, [s + t for s, t in self.pairs(o)])
    def __mul__(self, other):
        o = self.of(other)
        slopes = [s * o.span + self.span * t for s, t in self.pairs(o)]
        return Slopes(self.span * o.span, self.middle * o.middle, slopes)
    def raised(self, n): return self.called("", lambda x: power(x, n), lambda x: n * power(x, n - 1))
    def called(self, name, f, slope):
        span, middle = f(self.span), f(self.middle)
        return Slopes(span, middle, [need(slope, f"no slope of {name}")(self.span) * s for s in self.slopes])
class Growth(Number):
    """A function of n >= START: n^power times what lies in the interval `factor`."""
    START, STEEP = ONE, 8
    def __init__(self, factor, exponent=0):
        self.factor, self.power = factor, Fraction(exponent)
        span = factor * self.reach(self.power) if factor.a < 0 or factor.b > 0 else ZERO
        self.a, self.b = span.a, span.b
    def reach(self, p):  # n^p
        start = power(self.START, p)
        return start if p == 0 else iv.mpf([start.a, INF] if p > 0 else [0, start.b])
    def __add__(self, other):
        o = self.of(other)
        if 0 == self.a == self.b or 0 == o.a == o.b: return o if 0 == self.a == self.b else self
        most = max(self.power, o.power)
        return Growth(self.factor * self.reach(self.power - most) + o.factor * self.reach(o.power - most), most)
    def __mul__(self, other): return Growth(self.factor * self.of(other).factor, self.power + self.of(other).power)
    def raised(self, n): return Growth(power(self.factor, n), self.power * n)
    def called(self, name, f, _):
        if name in ("sqrt", "abs"): return Growth(f(self.factor), self.power / (2 if name == "sqrt" else 1))
        start = self.factor * power(self.START, self.power)
        steep = self.STEEP * ((start.a > 0) - (start.b < 0))
        if name != "exp" or steep == 0 or self.power <= 0: return Growth(f(iv.mpf([self.a, self.b])))
        need(abs(start * self.power).a >= self.STEEP, "an exponential that begins slowly")  # then n^steep is slower
        edge = iv.exp(start) * power(self.START, -steep)
        return Growth(iv.mpf([edge.a, INF] if steep > 0 else [0, edge.b]), steep)
SMALL = math.prod(range(3, 1000, 2))  # no prime of many bits has a factor in common with it
class Residue(Number):
    """Modulo P Q for random primes of which Q divides P - 1, with square roots: {set of roots, as bits: residue}.

    exp(x) is modulo P the power x of an element of order Q, so that exp(x + y) = exp(x) exp(y); s^2 = u is all that is
    known of the root s of u: sides that agree do so for either sign. Others are random, the same at the same place."""
    P = Q = N = BASE = 1
    SECRET, squares = secrets.token_bytes(32), []
    def __init__(self, parts): self.parts = {m: v % self.N for m, v in parts.items() if v % self.N}
    def __getattr__(self, name): raise Unsupported("an order between numbers in algebra")  # .a and .b
    @classmethod
    def of(cls, x):
        if isinstance(x, (int, Fraction)): return cls({0: x.numerator * pow(x.denominator, -1, cls.N)})
        return x if isinstance(x, cls) else cls({0: cls.random(f"the number {x}")})
    @classmethod
    def random(cls, name): return int(hashlib.sha512(cls.SECRET + name.encode()).hexdigest(), 16)
    @classmethod
    def draw_primes(cls):
        def prime(n):
            return math.gcd(n, SMALL) == 1 and all(pow(secrets.randbelow(n - 3) + 2, n - 1, n) == 1 for _ in range(40))
        cls.Q = next(filter(prime, iter(lambda: secrets.randbits(160) | 1 << 159 | 1, 0)))
        cls.P = next(filter(prime, iter(lambda: 2 * cls.Q * (secrets.randbits(96) | 1 << 95) + 1, 0)))
        cls.BASE, cls.N, cls.squares = pow(secrets.randbelow(cls.P), (cls.P - 1) // cls.Q, cls.P), cls.P * cls.Q, []
    def is_zero(self): return not any(v % self.P for v in self.parts.values())
    def called(self, name, *_):
        if name == "abs": return (self * self).called("sqrt")
        if name == "sqrt":
            if self.parts in ({}, {0: 1}): return self
            if self.parts not in self.squares: self.squares.append(self.parts)
            return Residue({1 << self.squares.index(self.parts): 1})
        if name != "exp": return Residue({0: self.random(f"{name} {sorted(self.parts.items())}")})
        exponent = sum((self.random(f"the roots {m}") if m else 1) * v for m, v in self.parts.items()) % self.Q
        other = self.random(f"exp {exponent}")  # modulo Q
        return Residue({0: other + self.Q * (pow(self.BASE, exponent, self.P) - other) * pow(self.Q, -1, self.P)})
    def __add__(self, other):
        parts = collections.Counter(self.parts)
        parts.update(self.of(other).parts)
        return Residue(parts)
    def __mul__(self, other):
        result = Residue({})
        for (m, v), (n, w) in itertools.product(self.parts.items(), self.of(other).parts.items()):
            twice = [Residue(u) for k, u in enumerate(self.squares) if m & n & 1 << k]
            result = result + reduce(operator.mul, twice, Residue({m ^ n: v * w}))
        return need(len(result.parts) <= 256, "as many roots as these", Unsupported) and result
    def raised(self, n):
        if n >= 0: return reduce(lambda x, bit: x * x * (self if bit == "1" else 1), f"{n:b}", self.of(1))
        top = 1 << max((m.bit_length() for m in self.parts), default=0) >> 1  # 1/(a + b s) = (a - b s)/(a^2 - b^2 u)
        if top == 0: return Residue({0: pow(need(self.parts.get(0), "a division by what is 0"), n, self.N)})
        turned = Residue({m: -v if m & top else v for m, v in self.parts.items()})
        return (turned * (self * turned).raised(-1)).raised(-n)

# ---- Functions of numbers, vectors (lists) and matrices (lists of rows) ----------------------------------------------
def is_exact(x): return isinstance(x, (int, Fraction, float))  # the only float is inf
def whole(x): return need(is_exact(x) and x % 1 == 0, "a whole number not known before", Unsupported) and int(x)
def size(x): return need(0 <= whole(x) <= 100000, "numbers as large as these", Unsupported) and int(x)
def matrix(x): return isinstance(x, list) and isinstance(x[0], list)
def flat(x): return [e for item in x for e in flat(item)] if isinstance(x, list) else [x]
def columns(m): return [list(c) for c in zip(*m)] if matrix(m) else [m]
def each(f, *xs):
    shapes = {(len(x), matrix(x)) for x in xs if isinstance(x, list)}
    need(len(shapes) < 2, "shapes do not fit")
    if not shapes: return f(*xs)
    return [each(f, *(x[i] if isinstance(x, list) else x for x in xs)) for i in range(min(shapes)[0])]
def divided(a, b):
    sure = b.factor if isinstance(b, Growth) else b
    need(isinstance(b, Residue) or (b != 0 if is_exact(b) else sure.a > 0 or sure.b < 0), "a division by what may be 0")
    return Fraction(a) / b if is_exact(a) else a / b
@cache  # neighbouring panels share an end
def erf_at(end):  # by its alternating series, whose last term bounds the remainder
    x = term = s = iv.make_mpf(end)
    square = x * x
    for n in itertools.takewhile(lambda n: n <= square.b or abs(term).b > 1e-80, itertools.count(1)):
        term = -term * square / n
        s += term / (2 * n + 1)
    return 2 / iv.sqrt(iv.pi) * (s + term * UNIT)
def erf(x):
    return need(abs(x).b < 20, "erf of a large number") and iv.mpf([erf_at(x.a._mpi_).a, erf_at(x.b._mpi_).b])
def sign(x): return ONE if x.a > 0 else -ONE if x.b < 0 else ZERO if x.a == 0 == x.b else UNIT
def anywhere(x): return True
SCALAR = {  # the function of intervals, its slope, where it is defined
    "exp": (iv.exp, iv.exp, lambda x: all(abs(end) < 1e9 or abs(end) == INF for end in (x.a, x.b))),
    "log": (iv.log, lambda x: 1 / x, lambda x: x.a > 0), "abs": (abs, sign, anywhere), "sign": (sign, None, anywhere),
    "sqrt": (iv.sqrt, lambda x: divided(1, 2 * iv.sqrt(x)), lambda x: x.a >= 0), "sin": (iv.sin, iv.cos, anywhere),
    "cos": (iv.cos, lambda x: -iv.sin(x), anywhere), "gamma": (iv.gamma, None, lambda x: x.a > 0 and x.b <= 1000),
    "erf": (erf, lambda x: 2 / iv.sqrt(iv.pi) * iv.exp(-x * x), anywhere)}
def apply(name, x):
    f, slope, defined = SCALAR[name]
    if is_exact(x): return need(x == x, "inf - inf") and (abs(x) if name == "abs" else (x > 0) - (x < 0))
    def certain(x): return need(defined(x), f"{name} of what may lie outside of its domain") and f(x)
    return x.called(name, certain, slope) if isinstance(x, Number) else certain(x)
def tanh(x):
    if isinstance(x, Slopes): return x.called("tanh", tanh, lambda x: 1 - tanh(x)**2)  # never more than 1
    return 1 - divided(2, apply("exp", x * 2) + 1)
def power(x, y):
    if is_exact(y) and y % 1 == 0:
        if isinstance(x, Number): return x.raised(int(y)) if y else Fraction(1)
        bits = (abs(x.numerator) + x.denominator).bit_length() if is_exact(x) else 1
        need(abs(y) * bits < 10**6, "a power as large as this", Unsupported)
        return Fraction(x)**int(y) if is_exact(x) else x**int(y) if y >= 0 else divided(1, x**-int(y))
    if is_exact(y) and y.denominator == 2: return power(apply("sqrt", x), y.numerator)
    if isinstance(x, Growth) and is_exact(y): return x.raised(y)
    if isinstance(x, Residue) or x.a > 0: return apply("exp", apply("log", x) * y)
    need(x.a >= 0 and not isinstance(x, Slopes) and iv.mpf(y).a > 0, "a power of what may lie below 0")
    return ZERO if x.b == 0 else iv.mpf([0, iv.exp(y * iv.log(iv.mpf(x.b))).b])
def raised(f, a, b):
    if not is_exact(b) or b % 1: a = each(f.lift, a)
    return power(a, b) if not isinstance(a, list) else reduce(product, [a] * size(b), identity(len(a)))
def product(a, b):
    if not isinstance(a, list) or not isinstance(b, list): return each(operator.mul, a, b)
    if matrix(b): return columns([product(a, c) for c in columns(b)])
    return [sum(x * y for x, y in zip(row, b, strict=True)) for row in a]
def larger(x, y):
    if is_exact(x) and is_exact(y): return need(x == x and y == y, "inf - inf") and max(x, y)
    return (x + y + apply("abs", x - y)) / 2
REDUCTIONS = {"sum": operator.add, "mean": operator.add, "prod": operator.mul, "max": larger,
              "min": lambda x, y: -larger(-x, -y)}
def reduced(name, parts):  # of numbers or arrays
    if not parts and name in ("sum", "prod"): return Fraction(name == "prod")
    value = reduce(partial(each, REDUCTIONS[name]), parts)
    return each(lambda x: divided(x, len(parts)), value) if name == "mean" else value
def reduction(name): return lambda *x: each(REDUCTIONS[name], *x) if len(x) == 2 else reduced(name, flat(*x))
def made(rule, *extents):  # an array of a size from a rule for its entries
    rows, *more = map(size, extents)
    return [[Fraction(rule(i, j)) for j in range(more[0])] if more else Fraction(rule(i, 0)) for i in range(rows)]
def identity(n): return made(operator.eq, n, n)
def eliminated(m):  # determinant and inverse by Gauss and Jordan
    def off_zero(x): return not x.is_zero() if isinstance(x, Residue) else abs(x) if is_exact(x) else max(x.a, -x.b)
    n, d, m = len(m), Fraction(1), [[*row, *unit] for row, unit in zip(m, identity(len(m)))]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: off_zero(m[i][k]))
        m[k], m[pivot], d = m[pivot], m[k], m[pivot][k] * d * (1 if pivot == k else -1)
        m[k] = [divided(a, m[k][k]) for a in m[k]]
        m = [row if i == k else [a - row[k] * b for a, b in zip(row, m[k])] for i, row in enumerate(m)]
    return d, [row[n:] for row in m]
def opnorm(m):
    """trace(s)^(1/2) trace(s')^(1/4) ..: s = m'm, s' is the square of s/trace(s), .., and trace/n to trace encloses the
    largest eigenvalue of the last."""
    need(not any(type(x) is Residue for x in flat(m)), "the norm of a matrix in algebra", Unsupported)
    s, logarithm = product(columns(m), m), Fraction(0)
    for k in range(1, 65):
        trace = sum(diag(s)) * (1 if k < 64 else iv.mpf([Fraction(1, len(s)), 1]))
        s, logarithm = each(lambda x: divided(x, trace), s), logarithm + apply("log", trace) / 2**k
        s = product(s, s)
    return apply("exp", logarithm)
def mirrored(m):
    same = all(compared("=", a, b) >= 0 for a, b in zip(flat(m), flat(columns(m)), strict=True))
    return need(same, "a matrix that is not symmetric") and m
def norm(x, p=2):
    if matrix(x) and p == 2: return opnorm(x)
    if matrix(x) and p == INF: return reduced("max", [norm(row, Fraction(1)) for row in x])
    if matrix(x) and p == 1: return norm(columns(x), INF)
    need(not matrix(x) and p >= 1, "this norm", Unsupported)
    if p == INF: return reduced("max", [apply("abs", a) for a in x])
    return power(sum(power(a if p == 2 else apply("abs", a), p) for a in x), Fraction(1) / p)
def diag(x):
    if matrix(x): return [r[i] for i, r in enumerate(x)]
    return [[a if i == j else a * 0 for j in range(len(x))] for i, a in enumerate(x)]
def floor(x):
    low, high = (math.floor(end) for end in ((x, x) if is_exact(x) else (x.a, x.b)))
    return need(low == high, "the floor of what may be on either side") and Fraction(low)
def reflections(raw):  # H_1 ... H_(n-1) diag(1, ..., 1, sign v_n), H_k = 1 - 2 v v'/v'v of v_k in the last coordinates
    q, rest = [[divided(raw[-1], apply("abs", raw[-1]))]], raw[:-1]
    while rest:
        q = [[1] + [0] * len(q), *([0] + row for row in q)]
        v, rest = rest[-len(q):], rest[:-len(q)]
        along = [divided(2 * x, sum(power(a, 2) for a in v)) for x in product(columns(q), v)]
        q = [[a - v[i] * along[j] for j, a in enumerate(row)] for i, row in enumerate(q)]
    return q
def symmetric(raw):  # from its upper triangle
    n = range(math.isqrt(2 * len(raw)))
    upper = dict(zip(itertools.combinations_with_replacement(n, 2), raw))
    return [[upper[min(i, j), max(i, j)] for j in n] for i in n]
FUNCTIONS = {
    **{name: partial(each, partial(apply, name)) for name in SCALAR}, **{name: reduction(name) for name in REDUCTIONS},
    "floor": partial(each, floor), "norm": norm, "opnorm": opnorm, "diag": diag, "det": lambda m: eliminated(m)[0],
    "softmax": lambda x: [divided(1, sum(apply("exp", b - a) for b in x)) for a in x],
    "inverse": lambda m: eliminated(m)[1], "outer": lambda x, y: [[a * b for b in y] for a in x],
    "cumsum": lambda x: [*itertools.accumulate(x)], "rows": lambda m: Fraction(len(m)), "identity": identity,
    "cols": lambda m: Fraction(len(m[0])), "length": lambda x: Fraction(len(flat(x))),
    "zeros": partial(made, lambda i, j: 0), "ones": partial(made, lambda i, j: 1),
    "causal_mask": lambda n: made(operator.ge, n, n), "factorial": lambda n: Fraction(math.factorial(size(n))),
    "binomial": lambda n, k: Fraction(math.comb(size(n), size(k))), "symmetric": symmetric, "reflections": reflections,
    "mirrored": mirrored, "tanh": partial(each, tanh)}
LIFTED = {*SCALAR, "tanh", "norm", "opnorm", "softmax"} - {"abs", "sign"}  # never exact
BY_ROWS = ("softmax", "logsumexp", "rmsnorm", "layernorm")
OTHERS = ("asin", "acos", "atan", "acosh", "cbrt", "digamma", "lgamma", "erfinv", "normal_quantile", "eigenvalues",
          "singular_values", "sort")  # of the language, not known here
PRELUDE = """let tan(x) = sin(x) ./ cos(x), log1p(x) = log(1 + x), log2(x) = log(x)/log(2), log10(x) = log(x)/log(10),
    expm1(x) = exp(x) - 1, cosh(x) = (exp(x) + exp(-x))/2, sinh(x) = (exp(x) - exp(-x))/2, erfc(x) = 1 - erf(x),
    sigmoid(x) = 1 ./ (1 + exp(-x)), softplus(x) = log(1 + exp(x)),
    relu(x) = max(x, 0*x), silu(x) = x ./ (1 + exp(-x)), elu(x) = max(x, 0*x) + exp(min(x, 0*x)) - 1,
    normal_cdf(x) = (erf(x/sqrt(2)) + 1)/2, gelu(x) = x .* normal_cdf(x), normal_pdf(x) = exp(-x.^2/2)/sqrt(2*pi),
    gelu_tanh(x) = x ./ (1 + exp(-2*sqrt(2/pi)*(x + 0.044715*x.^3))), asinh(x) = log(x + sqrt(x.^2 + 1)),
    atanh(x) = log((1 + x) ./ (1 - x))/2, frobenius(x) = sqrt(sum(x.^2)), ceil(x) = -floor(-x),
    mod(x, y) = x - y .* floor(x ./ y),
    trace(x) = sum(diag(x)), dot(x, y) = sum(x .* y), var(x) = sum((x - mean(x)).^2)/length(x), std(x) = sqrt(var(x)),
    range(x) = max(x) - min(x), tv(p, q) = sum(abs(p - q))/2, kl(p, q) = sum(p .* log(p ./ q)),
    entropy(p) = -sum(p .* log(p)), logdet(x) = log(det(x)), by_rows(x) = max(j in 1..rows(x): range(x[j])),
    osc(x) = by_rows(x'), dobrushin(m) = max(i in 1..rows(m): max(j in 1..rows(m): tv(m[i], m[j]))),
    eigmax(x) = opnorm(mirrored(x) + frobenius(x)*identity(rows(x))) - frobenius(x), eigmin(x) = -eigmax(-x),
    beta(x, y) = gamma(x)*gamma(y)/gamma(x + y), logsumexp(x) = log(sum(exp(x - x[1]))) + x[1],
    rmsnorm(x, eps) = x/sqrt(sum(x.^2)/length(x) + eps), layernorm(x, eps) = rmsnorm(x - mean(x), eps),
    jacobian_softmax(x) = diag(softmax(x)) - outer(softmax(x), softmax(x)),
    weights(w) = diag(1 ./ (w*ones(cols(w))))*w, softmax_attention(q, k, v) = softmax(q*k'/sqrt(cols(q)))*v,
    softmax_attention_causal(q, k, v) = weights(exp(q*k'/sqrt(cols(q))) .* causal_mask(rows(q)))*v,
    twicing_attention(q, k, v) = 2*softmax_attention(q, k, v) - softmax_attention(q, k, softmax_attention(q, k, v)):
    0"""

# ---- A statement's text becomes trees by precedence: numbers and names as text, tuples (sign, part, ...) -------------
TOKEN = re.compile(r'\s*(\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|[A-Za-z]\w*|"[\w-]*"'
                   r"|\.\.|\.\*|\./|\.\^|<=|>=|->|=>|[-+*/^'()\[\]{},:;<>=~])", re.ASCII)
NUMBER = re.compile(r"-?(inf|\d+(/\d*[1-9]\d*)?|\d*\.?\d+([eE][-+]?\d{1,4})?)", re.ASCII)
LEVELS = {sign: level for level, signs in enumerate((
    ":", "where", "in ~ ->", "=>", "or", "and", "not", "< <= > >= =", "..", "+ -", "* / .* ./", "-x", "^ .^", "( [ '"))
    for sign in signs.split()}
CLOSING = {"(": ")", "[": "]", "{": "}"}
BINDS = {"let": "=", "forall": "in", "exists": "in", "best": "in", "random": "~", "limit": "->"}
WORDS = {*BINDS, "where", "in", "or", "and", "not"}
@cache
def number(text):
    fits = isinstance(text, str) and NUMBER.fullmatch(text)
    need(fits, f"{str(text)[:60]} is not an exact number such as '1/2'", Malformed)
    return float(text) if "inf" in text else Fraction(text)
class Reader:
    def __init__(self, text):
        fits = len(text) <= MOST_TEXT and not TOKEN.sub("", text).strip()
        need(fits, "a sign or the length of the text", Unsupported)
        self.tokens = ["", "end", *TOKEN.findall(text)[::-1]]
    def next(self, *signs): return self.tokens.pop() if self.tokens[-1] in signs else ""
    def items(self, *ends, least=0):  # the sign at which they end, and the trees with commas between
        found, end = [], self.next(*ends)
        while not end:
            found.append(self.tree(least))
            end = self.next(*ends)
            need(end or self.next(","), f"'{self.tokens[-1]}' there", Unsupported)
        return end, *found
    def tree(self, least=0):
        token = self.tokens.pop()
        if token == "-": left = ("-x", self.tree(LEVELS["^"]))
        elif token == "not": left = ("not", self.tree(LEVELS["not"]))
        elif token in CLOSING:
            rows = [self.items(";", ")", "]", "}")]
            while rows[-1][0] == ";": rows.append(self.items(";", "]"))
            left = (token + rows[-1][0], *(rows[0][1:] if len(rows) == 1 else [("[]", *row[1:]) for row in rows]))
            if left[0] == "()" and len(left) == 2: left = left[1]
        else:
            fits = (token[0].isalnum() or token[0] == '"') and token not in WORDS
            left = need(fits, f"'{token}' there", Unsupported) and token
        while (level := LEVELS.get(self.tokens[-1], -1)) >= least:
            sign = self.tokens.pop()
            if sign in CLOSING: left = (sign, left, *self.items(CLOSING[sign])[1:])
            elif sign == "'": left = (sign, left)
            else: left = (sign, left, self.tree(level + (sign not in (":", "=>", "^", ".^"))))
        return left
class Statement:
    """let F(x) = ..: forall NAME in SET where ..: limit n -> inf: random x ~ LAW: CLAIM where .., K(l + 1) = .."""
    def __init__(self, text):
        read, self.binders, self.where, self.recursions = Reader(text), [], [], {}
        tokens = read.tokens[::-1]
        while word := read.next(*BINDS):
            names = []
            for item in read.items(":", least=1)[1:]:
                item, *conditions = item[1:] if item[0] == "where" else [item]
                self.where += conditions
                sign, name, kind = item if isinstance(item, tuple) else ("", item, None)
                names.append(name)
                need(sign in ("", BINDS[word]), "this quantifier", Unsupported)
                if sign: self.binders, names = self.binders + [(word, name, kind) for name in names], []
            need(not names, "a name without its set", Malformed)
        heads = [(head[1:] if head[0] == "(" else [head], body) for word, head, body in self.binders if word == "let"]
        self.lets = {name: (parameters, body) for (name, *parameters), body in heads}
        self.binders = [b for b in self.binders if b[0] != "let"]
        self.claim, *tail = read.items("end")[1:]
        need(not tail or self.claim[0] == "where", "a comma after the claim", Unsupported)
        if self.claim[0] == "where": self.claim, tail = self.claim[1], [self.claim[2], *tail]
        for item in tail:  # K(0) = .., K(l + 1) = .., or a condition
            if item[0] == "=" and item[1][0] == "(" and item[1][1] not in BUILTIN | {*self.lets}:
                (_, name, place), body = item[1:]
                key, rule = "step" if place[0] == "+" else whole(number(place)), self.recursions.setdefault(name, {})
                rule[key] = need(key not in rule, "a name defined twice", Malformed) and (place, body)
            else: self.where.append(item)
        names = [*(name for _, name, _ in self.binders), *(name for (name, *_), _ in heads), *self.recursions]
        own = {*self.recursions, *(name for name, (parameters, _) in self.lets.items() if parameters)}
        other = {name for name, sign in zip(tokens, tokens[1:]) if sign == "("} - own | {"inf"}  # called, and indices
        other |= {name for sign, name, word in zip(tokens, tokens[1:], tokens[2:]) if sign == "(" and word == "in"}
        clear = len({*names}) == len(names) and not {*names} & other and not own & BUILTIN
        clear = clear and all(isinstance(name, str) and name[0].isalpha() for name in names)
        need(clear, "a name with two meanings", Unsupported)

# ---- Formulas --------------------------------------------------------------------------------------------------------
class Truth:
    """1: certainly true, -1: certainly false, 0: neither; no number, so that arithmetic with it is an error."""
    def __init__(self, sign): self.sign = sign
def logic(f): return lambda formula, *xs: Truth(f(*(x.sign for x in xs)))
def entrywise(f): return lambda formula, *xs: each(f, *xs)
OPERATIONS = {
    "=>": logic(lambda a, b: max(-a, b)), "or": logic(max), "and": logic(min), "not": logic(operator.neg), "^": raised,
    "+": entrywise(operator.add), "-": entrywise(operator.sub), "-x": entrywise(operator.neg), "/": entrywise(divided),
    "./": entrywise(divided), ".*": entrywise(operator.mul), "*": lambda f, a, b: product(a, b),
    ".^": lambda f, a, b: each(partial(raised, f), a, b), "'": lambda f, m: columns(m), "[]": lambda f, *xs: [*xs],
    **{sign: lambda f, a, b, sign=sign: f.related(sign, a, b) for sign in ("<", "<=", ">", ">=", "=")}}
def compared(sign, a, b):  # 1 where a < b (a <= b, ..) certainly holds, -1 where it certainly fails, else 0
    if ">" in sign: return compared(sign.replace(">", "<"), b, a)
    difference = a - b
    if isinstance(difference, Residue) and sign == "=": return int(difference.is_zero())
    low, high = (difference, difference) if is_exact(difference) else (difference.a, difference.b)
    if sign == "=": return int(low == 0 == high) - (low > 0 or high < 0)
    return (high < 0) - (low >= 0) if sign == "<" else (high <= 0) - (low > 0)
class Formula:
    """A statement at fixed choices: `names` holds these and elements of sets; `lift` makes numbers of exact ones."""
    def __init__(self, read, names, lift=iv.mpf, panels=()):
        self.read, self.names, self.lift, self.panels = read, dict(names), lift, panels
        self.steps, self.cache, self.sides = 0, {}, []
    def value(self, tree, names=None):
        names, self.steps = self.names if names is None else names, self.steps + 1
        need(self.steps < MOST_STEPS, "more work than this checker does", Unsupported)
        if isinstance(tree, str): return number(tree) if tree[0].isdigit() else self.named(tree, names)
        sign, *parts = tree
        if sign in CLOSING: return (self.call if sign == "(" else self.entry)(names, *parts)
        need(sign in OPERATIONS, f"'{sign}' in a formula", Unsupported)
        return OPERATIONS[sign](self, *(self.value(part, names) for part in parts))
    def named(self, name, names):
        if name in names: return names[name]
        if name in self.read.lets and not self.read.lets[name][0]:
            if name not in self.cache: self.cache[name] = self.value(self.read.lets[name][1])
            return self.cache[name]
        need(name in ("pi", "e", "inf"), f"'{name[:60]}' stands for nothing", Unsupported)
        return INF if name == "inf" else self.lift(+getattr(iv, name))
    def related(self, sign, left, right):
        begin = len(self.sides)
        each(lambda a, b: self.sides.append((sign, a, b)), left, right)
        return Truth(min(compared(*side) for side in self.sides[begin:]))
    def entry(self, names, array, *places):
        if array in ("E", "P") and array not in names: return self.expectation(names, array, *places)
        def taken(x, places):  # a slice keeps its rows, of which each is taken on
            if not places: return x
            ends = places[0][1:] if places[0][0] == ".." else (places[0],)
            low, high = (whole(self.value(end, names)) for end in (ends[0], ends[-1]))
            need(isinstance(x, list) and 1 <= low <= high <= len(x), "an index out of range")
            if len(ends) == 1: return taken(x[low - 1], places[1:])
            return [taken(row, places[1:]) for row in x[low - 1:high]]
        return taken(self.value(array, names), places)
    def call(self, names, name, *parts):
        if parts and parts[0][0] == ":":  # name(i in 1..n: body)
            ((_, (word, index, (sign, *ends)), body),) = parts
            need((word, sign) == ("in", "..") and name in (*REDUCTIONS, "all", "any"), f"'{name}' over this", Unsupported)
            low, high = (whole(self.value(end, names)) for end in ends)
            need(high - low < 1000000, "an index as long as this", Unsupported)
            values = [self.value(body, {**names, index: Fraction(i)}) for i in range(low, high + 1)]
            if name == "all": return Truth(min((x.sign for x in values), default=1))
            return Truth(max((x.sign for x in values), default=-1)) if name == "any" else reduced(name, values)
        if name == "attention":
            need(len(parts) == 4 or parts[4:] == (("=", "causal", "true"),), "this attention", Unsupported)
            name, parts = parts[0].strip('"') + "_attention" + "_causal" * len(parts[4:]), parts[1:4]
        values = [self.value(part, names) for part in parts]
        if name in self.read.recursions: return self.along(name, self.read.recursions[name], whole(*values))
        if name in BY_ROWS and matrix(values[0]):
            return [self.call({**names, "row": row}, name, "row", *parts[1:]) for row in values[0]]
        if name in self.read.lets or name in LANGUAGE:
            parameters, body = self.read.lets.get(name) or LANGUAGE[name]
            known = self.names if name in self.read.lets else {}
            return self.value(body, {**known, **dict(zip(parameters, values, strict=True))})
        known = name in FUNCTIONS or name in OTHERS or "_attention" in name
        need(known, f"'{name}' is not a function of the language", Malformed)
        need(name in FUNCTIONS, f"the function '{name}'", Unsupported)
        if name in LIFTED: values[0] = each(self.lift, values[0])
        return FUNCTIONS[name](*values)
    def along(self, name, rule, wanted):  # name(wanted) by the recursion, from its start upwards
        (_, index, ahead), step = rule["step"]
        for k in range(min(k for k in rule if k != "step"), wanted + 1):
            names = self.names if k in rule else {**self.names, index: k - number(ahead)}
            body = rule[k][1] if k in rule else step
            if (name, k) not in self.cache: self.cache[name, k] = each(self.lift, self.value(body, names))
        return self.cache[name, wanted]
    def expectation(self, names, word, body):
        """E[..] or P[..]: summed over all signs and bits, or over the panels of one uniform or normal number."""
        def inside(drawn, lift=self.lift):
            def lifted(names):
                numbers = {**names, **drawn}.items()
                return {n: each(lambda v: v if is_exact(v) else lift(v), x) for n, x in numbers}
            x = Formula(self.read, lifted(self.names), lift).value(body, lifted(names))
            return iv.mpf([x.sign > 0, x.sign >= 0]) if word == "P" else x
        told, cells, total = {}, [], Fraction(0)
        for _, name, kind in (b for b in self.read.binders if b[0] == "random"):
            (sign, law, *args), extents = kind[1:] if kind[0] == "^" else (kind, None)
            args, shape = [self.value(p) for p in args], extents_of(self, extents)
            need(sign == "(", "such a law", Unsupported)
            if law in ("uniform", "normal"):
                alone = math.prod(shape) == 1 and len([b for b in self.read.binders if b[0] == "random"]) == 1
                need(alone and self.lift is iv.mpf, "such a law", Unsupported)
                scale = args[1] if law == "normal" else args[1] - args[0]
                need(compared("<", 0, scale) == 1, "a law without such arguments")
                return integral(word, law == "normal", self.panels,
                                lambda x, lift: inside({name: shaped([x * scale + args[0]], shape)}, lift))
            need(law in ("rademacher", "bernoulli"), f"the law '{law}'", Unsupported)
            low, chance = (-1, Fraction(1, 2)) if law == "rademacher" else (0, *args)
            need(compared("<=", 0, chance) == compared("<=", chance, 1) == 1, "a chance outside of [0, 1]")
            told[name] = (shape, len(cells))
            cells += [((Fraction(low), 1 - chance), (Fraction(1), chance))] * math.prod(shape)
        need(0 < len(cells) <= 12, "as many signs as these", Unsupported)
        for outcome in itertools.product(*cells):
            drawn = {n: shaped([x for x, _ in outcome[at:]], shape) for n, (shape, at) in told.items()}
            total += math.prod((chance for _, chance in outcome), start=inside(drawn))
        return total
def integral(word, normal, edges, g):
    need(len(edges) > 1 and (normal or (edges[0], edges[-1]) == (0, 1)), "the panels do not cover the law")
    beyond = [on_tail(word, side, edges[-1] if side > 0 else -edges[0], g) for side in (-1, 1) if normal]
    return sum(on_panel(word, normal, low, high, g) for low, high in zip(edges, edges[1:])) + sum(beyond)
def on_panel(word, normal, low, high, g, depth=30):
    """Over [low, high] with middle m: g(m) mass + g'(..) (moment about m), or the range of g times the mass."""
    need(low < high, "panels out of order")
    a, b, radius, middle = iv.mpf(low), iv.mpf(high), iv.mpf((high - low) / 2), iv.mpf((low + high) / 2)
    x = Slopes.of(g(Slopes(iv.mpf([low, high]), middle, [radius]), Slopes.of))
    if word == "P" and depth and x.a < x.b:  # the event begins or ends inside
        cut = (low + high) / 2
        return sum(on_panel(word, normal, *half, g, depth - 1) for half in ((low, cut), (cut, high)))
    mass, moment = 2 * radius, ZERO
    if normal:
        mass = (erf(b / iv.sqrt(2)) - erf(a / iv.sqrt(2))) / 2
        moment = (iv.exp(-a * a / 2) - iv.exp(-b * b / 2)) / iv.sqrt(2 * iv.pi) - middle * mass
    slope = x.slopes[0] if x.slopes else ZERO  # of a coordinate that runs over [-1, 1]
    return common(x.span * mass, x.middle * mass + slope.mid * moment / radius + abs(slope - slope.mid) * mass * UNIT)
def on_tail(word, side, end, g):
    """Of N(0, 1) beyond `end`: where g(x) phi(x) is at most c x^p with p < -1, at most c end^(p + 1)/(-p - 1)."""
    if word == "P": return iv.mpf([0, ((1 - erf(iv.mpf(end) / iv.sqrt(2))) / 2).b])
    Growth.START = iv.mpf(need(end >= 1, "a tail that begins in the middle") and end)
    h = Growth.of(g((x := Growth(ONE, 1)) * side, Growth.of)) * apply("exp", x * x * Fraction(-1, 2))
    need(h.power < -1 and abs(h.factor).b < INF, "a tail that may not fall", Unsupported)
    return h.factor * power(Growth.START, h.power + 1) / -(h.power + 1) / iv.sqrt(2 * iv.pi) * UNIT
BUILTIN = {*FUNCTIONS, *OTHERS, *REDUCTIONS, "all", "any", "O"}
LANGUAGE = Statement(PRELUDE).lets
BUILTIN |= {*LANGUAGE}

# ---- Sets: how raw numbers make an element ---------------------------------------------------------------------------
SETS = {  # parameters, shape and bounds of the raw numbers u, the element in the language
    "simplex": ("n", "n", 0, 1, "u/sum(u)"), "stochastic": ("m n", "(m, n)", 0, 1, "weights(u)"),
    "sphere": ("n", "n", -1, 1, "u/norm(u)"), "ball": ("n r", "n", -1, 1, "sqrt(r)^2*u/max(1, norm(u))"),
    "symmetric": ("n", "n*(n + 1)/2", -INF, INF, "symmetric(u)"), "psd": ("n", "(n, n)", -INF, INF, "u*u'"),
    "orthogonal": ("n", "n*(n + 1)/2", -INF, INF, "reflections(u)"),
    "attention": ("n d", "(2*n, d)", -INF, INF, "softmax(u[1..n]*u[n + 1..2*n]'/sqrt(d))")}
INTERVALS = ("[]", "[)", "(]", "()")
def elements(f): return [(n, kind) for word, n, kind in f.read.binders if word != "random" and n not in f.names]
def extents_of(f, tree):
    parts = () if tree is None else tree[1:] if tree[0] == "()" else (tree,)
    return [need(size(f.value(part)), "an extent below 1") for part in parts]
def shaped(x, shape):
    return [shaped(x[i * math.prod(shape[1:]):], shape[1:]) for i in range(shape[0])] if shape else x[0]
def set_at(f, kind):
    """The shape of an element's raw numbers, their bounds, which of these are open, and what makes the element."""
    kind, extents = kind[1:] if kind[0] == "^" else (kind, None)
    shape, closed = extents_of(f, extents), (False, False)
    if kind == "R": return shape, -INF, INF, closed, lambda u: each(f.lift, u)
    args = [f.value(part) for part in kind[1 + (kind[0] == "("):]]
    if kind[0] == "{}": return shape, 0, len(args) - 1, closed, lambda u: each(lambda k: args[whole(k)], u)
    if kind[0] == "(":
        need(kind[1] in SETS, f"the set '{kind[1]}'", Unsupported)
        parameters, extents, low, high, element = SETS[kind[1]]
        of = Formula(f.read, zip(parameters.split(), args, strict=True), f.lift)
        make = lambda u: of.value(Reader(element).tree(), {**of.names, "u": each(f.lift, u)})
        return extents_of(of, Reader(extents).tree()), low, high, closed, make
    need(kind[0] in INTERVALS, "this set", Unsupported)
    (low, high), opened = args, (kind[0][0] == "(", kind[0][-1] == ")")
    if is_exact(low) and is_exact(high): return shape, low, high, opened, lambda u: each(f.lift, u)
    if is_exact(high) and high == INF: return shape, 0, INF, (opened[0], False), lambda u: each(lambda x: low + x, u)
    if is_exact(low) and low == -INF: return shape, 0, INF, (opened[1], False), lambda u: each(lambda x: high - x, u)
    some = f.lift is not iv.mpf or compared("<" if any(opened) else "<=", low, high) == 1
    need(some, "an interval that may be empty")
    return shape, 0, 1, opened, lambda u: each(lambda x: low + (high - low) * x, u)
def choices_of(read, chosen):  # every combination of the names of ranges and finite sets, the first outermost
    f = Formula(read, chosen)
    (name, kind), *others = [b for b in elements(f) if b[1][0] in ("..", "{}")] or [(None, None)]
    if name is None: return [chosen]
    values = [f.value(part) for part in kind[1:]]
    if kind[0] == "..":
        need(INF not in values and values[1] - values[0] < 100000, "a range without end", Unsupported)
        values = map(Fraction, range(math.ceil(values[0]), math.floor(values[1]) + 1))
    chosen = [{**chosen, name: x} for x in values]
    return [c for one in chosen for c in choices_of(read, one)] if others else chosen
def place(f, draw):  # binds each element, made of draw(count) raw numbers
    for name, kind in elements(f):
        shape, low, high, opened, element = set_at(f, kind)
        raws = draw(math.prod(shape))
        for x in filter(is_exact, raws):
            out = abs(x) == INF or x == low and opened[0] or x == high and opened[1]
            need(low <= x <= high and not out, f"{name} has a raw number outside its bounds")
        f.names[name] = element(shaped(raws, shape))
def taking(raws): return lambda count: [*itertools.islice(raws, count)]

# ---- What each kind of evidence shows -------------------------------------------------------------------------------
def exactly(choices): return {name: number(x) for name, x in choices.items()}
def check_point(read, e, expected):
    """The claim holds (fails) at the stored numbers and the conditions hold; the sides are enclosures that say so."""
    choices = exactly(e["choices"])
    need(choices in choices_of(read, {}), "the choices are not those of the statement")
    f = Formula(read, choices, panels=[number(x) for x in e.get("panels", [])])
    def raws_of(name, raw, kind):  # of "every" all at once, as an interval
        if name != e.get("every"): return [number(x) for x in raw]
        return [iv.mpf([need(is_exact(end := f.value(part)) and [end], "such an interval")[0] for part in kind[1:]])]
    names = [i["name"] for i in e["inputs"]]
    need(names == [name for name, _ in elements(f)], "the inputs are not those of the statement")
    raws = iter([x for i, (name, kind) in zip(e["inputs"], elements(f)) for x in raws_of(name, i["raw"], kind)])
    place(f, taking(raws))
    need(next(raws, None) is None, "there are more raw numbers than the sets have")
    need(all(f.value(c).sign > 0 for c in read.where), "an assumption does not certainly hold")
    f.sides.clear()
    said = "the claim does not certainly " + ("hold" if expected > 0 else "fail") + " at the stored numbers"
    need(f.value(read.claim).sign == expected, said)
    (side,) = e["sides"]
    (l, m), (r, s) = [[number(x) for x in side[key]] for key in ("lhs", "rhs")]
    in_order = l <= m and r <= s and 0 <= number(e["margin"]) <= max(l - s, r - m, 0)
    need(in_order, "the enclosures or the margin do not fit")
    stated = (side["relation"], iv.mpf([l, m]), iv.mpf([r, s]))
    found = [t for t in f.sides if t[0] == stated[0] and compared(*t) == compared(*stated) != 0
             and all(iv.mpf(x).a <= y.b and y.a <= iv.mpf(x).b for x, y in zip(t[1:], stated[1:]))]
    need(found, "the sides are not those of the claim")
def covered(region, boxes):  # whether the boxes cover the region: all are lists of (lower, upper)
    def meets(x, y): return y[0] < x[1] and x[0] < y[1] or y[0] <= x[0] == x[1] <= y[1]
    boxes = [box for box in boxes if all(map(meets, region, box))]
    if any(all(y[0] <= x[0] and x[1] <= y[1] for x, y in zip(region, box)) for box in boxes): return True
    cuts = sorted((i, x) for box in boxes for i, y in enumerate(box) for x in y if region[i][0] < x < region[i][1])
    if not cuts: return False
    i, cut = cuts[len(cuts) // 2]
    halves = ((region[i][0], cut), (cut, region[i][1]))
    return all(covered([*region[:i], half, *region[i + 1:]], boxes) for half in halves)
def shows(read, names, box, depth, expected, face=False):
    """The claim holds (fails), or a condition fails, on the whole box: by evaluation, by slopes, on the face to which
    the difference of the sides falls (where it certainly does along some sides of the box), or so on both halves."""
    finite, worst = all(abs(end) < INF for x in box for end in x), box
    for lift in (iv.mpf, Slopes.of)[:1 + finite]:
        f, raws = Formula(read, dict(names), lift), [iv.mpf(x) for x in box]
        if lift is not iv.mpf: raws = [Slopes(x, iv.mpf((low + high) / 2), [ZERO] * k + [iv.mpf((high - low) / 2)])
                                       for k, (x, (low, high)) in enumerate(zip(raws, box))]
        try:
            place(f, taking(iter(raws)))
            if not face and any(f.value(c).sign < 0 for c in read.where): return True
            f.sides.clear()
            if f.value(read.claim).sign == expected: return True
        except (Fails, ZeroDivisionError): continue
        if lift is not iv.mpf and expected > 0 and read.claim[0] in ("<", "<=", ">", ">=") and len(f.sides) == 1:
            a, b = f.sides[0][1:] if "<" in f.sides[0][0] else f.sides[0][:0:-1]  # to show: a is below b
            slopes = itertools.chain(getattr(a - b, "slopes", ()), itertools.repeat(ZERO))
            worst = [(x[1],) * 2 if s.a >= 0 else (x[0],) * 2 if s.b <= 0 else x for x, s in zip(box, slopes)]
    if worst != box and shows(read, names, worst, depth, expected, True): return True
    k = max(range(len(box)), key=lambda i: box[i][1] - box[i][0], default=None)
    if not depth or not box or not finite or box[k][0] == box[k][1]: return False
    halves = ((box[k][0], sum(box[k]) / 2), (sum(box[k]) / 2, box[k][1]))
    return all(shows(read, names, [*box[:k], half, *box[k + 1:]], depth - 1, expected, face) for half in halves)
def check_cases(read, cases, depth, expected):
    wanted = choices_of(read, {})
    need(len(cases) == len(wanted) > 0, f"{len(cases)} cases where the statement has {len(wanted)}")
    for case, names in zip(cases, wanted):
        need(exactly(case["choices"]) == names, f"no case {case['choices']} in its place")
        f, region = Formula(read, dict(names)), []
        for _, kind in elements(f):
            shape, low, high, *_ = set_at(f, kind)
            region += [(low, high)] * math.prod(shape)
        boxes = [[(number(a), number(b)) for a, b in box] for box in case.get("boxes", [[]])]
        fit = {len(box) for box in boxes} == {len(region)} and covered(region, boxes)
        need(fit, f"the boxes miss a part at {case['choices']}")
        for k, box in enumerate(boxes, 1):
            need(shows(read, names, box, depth, expected), f"box {k} at {case['choices']} does not show the claim")
def check_algebra(read):
    """Both sides agree at a random point, whatever the roots' signs: if not everywhere, then with a chance as small as
    degree/2^150 (Schwartz, Zippel; with exponentials Gonnet)."""
    for names in choices_of(read, {}):
        Residue.draw_primes()
        f = Formula(read, dict(names), Residue.of)
        place(f, lambda count: [Residue({0: secrets.randbits(500)}) for _ in range(count)])
        same = f.value(read.claim).sign > 0
        need(same, f"the sides are not shown to be the same at {names}", Unsupported)
def check_limit(read, e):
    """A limit is wrong: from some place on the sides stay apart, or their ratio grows like a power or faster."""
    ((name, place),) = [(name, place) for word, name, place in read.binders if word == "limit"]
    names, start, order = {**exactly(e["choices"]), name: INF}, number(e["from"]), read.claim[2][:2] == ("(", "O")
    fit = place == "inf" and read.claim[0] == "=" and "O" not in read.lets and not read.where
    fit = fit and names in choices_of(read, {name: INF}) and not elements(Formula(read, names))
    need(fit, "such a limit", Unsupported)
    Growth.START = iv.mpf(need(1 <= start < INF, "a place that is none") and start)
    f = Formula(read, {**names, name: Growth(iv.mpf(1), 1)}, Growth.of)
    l, r = (Growth.of(f.value(side)) for side in (read.claim[1], read.claim[2][2] if order else read.claim[2]))
    least = need(0 < (p := number(e["power" if order else "apart"])) < INF, "a bound that is not positive") and p
    if not order: return need((l - r).a >= least or (l - r).b <= -least, "the sides are not so far apart from there on")
    grows = (l.factor.a > 0 or l.factor.b < 0) and abs(r.factor).b < INF and l.power - r.power >= least
    need(grows, "the ratio of the sides does not grow so fast from there on")
def check_constant(read, e):
    """best C in [a, b]: forall .. is forall C in [a, c], .., false at one point for every C, and forall C in {d}, .."""
    (_, name, interval), *others = read.binders
    need(interval[0] in INTERVALS, "such a constant", Unsupported)
    def ends_in(part):
        of = verified(e[part])
        same = [of.binders[0][:2], *of.binders[1:]] == [("forall", name), *others] and all(
            getattr(of, key) == getattr(read, key) for key in ("lets", "claim", "where", "recursions"))
        need(same, f"'{part}' is of another statement")
        return [Formula(of, {}).value(end) for end in of.binders[0][2][1:]]
    need(e["not_enough"]["kind"] == "witness" and e["not_enough"]["every"] == name, "no witness for every constant")
    (low, high), (a, b) = [Formula(read, {}).value(end) for end in interval[1:]], ends_in("not_enough")
    if e["kind"] == "witness": return need((a, b) == (low, high), "other constants may be enough")
    (enough,) = need(e["enough"]["kind"] == "certificate", "no certificate") and ends_in("enough")
    need(interval[0] == "[]" or low < enough < high, "a constant at an open end")
    need(low == a <= b < enough <= high or low <= enough < a <= b == high, "the constants do not lie as they must")

# ---- Files ----------------------------------------------------------------------------------------------------------
def unique(pairs):
    return need(len(dict(pairs)) == len(pairs), "a key stands twice in one object", Malformed) and dict(pairs)
def refused(word): need(False, f"{word} is not a number", Malformed)
def sha256(text): return hashlib.sha256(text.encode()).hexdigest()
CHECKS = {  # kind, method and quantifiers
    ("witness", "point", "forall"): lambda read, e: check_point(read, e, -1),
    ("certificate", "point", "exists"): lambda read, e: check_point(read, e, 1),
    **{(kind, method, word): lambda read, e, sign=sign, depth=depth: check_cases(read, e["cases"], depth, sign)
       for kind, word, sign in (("certificate", "forall", 1), ("witness", "exists", -1))
       for method, depth in (("boxes", 6), ("enumeration", 0))},
    ("certificate", "algebra", "forall"): lambda read, e: check_algebra(read),
    ("witness", "limit", "limit"): check_limit, ("witness", "limit", "forall limit"): check_limit,
    ("witness", "constant", "best forall"): check_constant, ("certificate", "constant", "best forall"): check_constant}
def verified(e):
    """The statement of the evidence, which is checked."""
    need(isinstance(e, dict) and e.get("schema") == SCHEMA, f"the schema is not {SCHEMA}", Malformed)
    need(re.fullmatch(r"\w[\w.-]*(/\w[\w.-]*)?", str(e.get("id"))), "the id is not of the form paper/name", Malformed)
    need(sha256(e["statement"]) == e["sha256"], "the SHA-256 is not that of the statement")
    rest = json.dumps({k: v for k, v in e.items() if k != "digest"}, sort_keys=True, separators=(",", ":"))
    need(sha256(rest) == e["digest"], "the file was changed: its digest is another")
    read = Statement(e["statement"])
    stated = [condition for text in e["assumptions"] for condition in Reader(text).items("end")[1:]]
    need(stated == read.where, "the assumptions are not the statement's")
    words = " ".join(sorted({word for word, *_ in read.binders} - {"random"})) or "forall"
    check = CHECKS.get((e["kind"], e["method"], words))
    need(check, f"a {e['kind']} by {e['method']} of this statement", Unsupported)(read, e)
    return read
def loaded(path):
    need(os.path.getsize(path) <= MOST_BYTES, "the file is larger than 64 MiB", Malformed)
    with open(path, encoding="utf-8") as file: return json.load(file, object_pairs_hook=unique, parse_constant=refused)
SAID = ((Fails, "{}"), (Unsupported, "{}"), (Malformed, "{}"), (OSError, "it cannot be opened"),
        (KeyError, "the key {} is missing"), ((json.JSONDecodeError, UnicodeDecodeError), "it is not valid JSON"),
        ((RecursionError, MemoryError), "it is nested too deeply"), (Exception, "it has a value of the wrong kind"))
WORDS_OF = {Fails: (1, "not verified"), Unsupported: (4, "not supported")}
def main(paths):
    if not paths or paths[0] in ("-h", "--help"): return print(__doc__) or (0 if paths else 2)
    codes = {0}
    for path in paths:
        line = "verified"
        try: verified(loaded(path))
        except Exception as reason:  # also what a damaged file may raise
            code, word = WORDS_OF.get(type(reason), (2, "not an evidence file"))
            text = next(text for kind, text in SAID if isinstance(reason, kind)).format(reason)
            codes, line = codes | {code}, f"{word}: {text}"[:300]
        print(f"{path}: {line}")
    return next(code for code in (2, 1, 4, 0) if code in codes)

if __name__ == "__main__": sys.exit(main(sys.argv[1:]))
