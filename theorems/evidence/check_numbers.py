"""The numbers and functions of check_evidence.py: what its formulas are evaluated with.

Exact Fractions; intervals of mpmath at 320 bits; intervals with slopes over a box; rates of growth, for limits;
residues of a random point, for algebra. Scalars, vectors (lists) and matrices (lists of rows) of any of these go
through the same functions.
"""
import functools, hashlib, itertools, math, secrets
from fractions import Fraction
from mpmath import iv

INF = math.inf
iv.prec = 320
ZERO, ONE, ANY = iv.mpf(0), iv.mpf(1), iv.mpf([-INF, INF])
class Malformed(Exception): """No evidence file of this schema."""
class Unsupported(Exception): """The formula says something that this checker does not know."""
class Fails(Exception): """The evidence does not show what it claims."""
def need(ok, reason, kind=Fails):
    if not ok: raise kind(reason)
    return True

# ---- Numbers: intervals; intervals with slopes over a box; rates of growth; in algebra residues of a random point ---
def hull(*xs): return iv.mpf([min(x.a for x in xs), max(x.b for x in xs)])
def common(x, y): return iv.mpf([max(x.a, y.a), min(x.b, y.b)])
def times(x, y): return ZERO if x.a == x.b == 0 or y.a == y.b == 0 else x * y  # 0 [1, inf] is 0 and not any number
def exact(x):
    if not isinstance(x, (int, float, Fraction)): return x
    return need(abs(x) < INF, "arithmetic with inf", Unsupported) and iv.mpf(x.numerator) / iv.mpf(x.denominator)
class Number:
    def __neg__(self): return self * -1
    def __sub__(self, other): return self + self.lift(other) * -1
    def __rsub__(self, other): return -self + other
    def __truediv__(self, other): return self * self.lift(other)**-1
    def __rtruediv__(self, other): return self**-1 * other
    def __radd__(self, other): return self + other
    def __rmul__(self, other): return self * other
class Slopes(Number):
    """Over a box: the value in its middle, the range (also by the mean value form), the range of each slope."""
    def __init__(self, middle, span, slopes, radii):
        form = middle + sum((s * iv.mpf([-r, r]) for s, r in zip(slopes, radii)), ZERO)
        self.middle, self.span, self.slopes, self.radii = middle, common(span, form), slopes, radii
        self.a, self.b = self.span.a, self.span.b
    def lift(self, x):
        return x if isinstance(x, Slopes) else Slopes(exact(x), exact(x), [ZERO] * len(self.radii), self.radii)
    def called(self, name, f, slope):
        need(slope, f"slopes of '{name}'", Unsupported)
        return Slopes(f(self.middle), f(self.span), [slope(self.span) * s for s in self.slopes], self.radii)
    def __add__(self, other):
        o = self.lift(other)
        slopes = [s + t for s, t in zip(self.slopes, o.slopes)]
        return Slopes(self.middle + o.middle, self.span + o.span, slopes, self.radii)
    def __mul__(self, other):
        o = self.lift(other)
        slopes = [s * o.span + self.span * t for s, t in zip(self.slopes, o.slopes)]
        return Slopes(self.middle * o.middle, self.span * o.span, slopes, self.radii)
    def __pow__(self, n):
        return self.called("", lambda x: power(x, Fraction(n)), lambda x: n * power(x, Fraction(n - 1)))
class Growth(Number):
    """A function f of x in [N, inf): its value at N, its range, and the range of its rate x f'(x)/f(x)."""
    def __init__(self, start, span, rate):
        beyond = iv.mpf([start.a if start.a >= 0 else -INF, start.b if start.b <= 0 else INF])
        if rate.a >= 0: span = common(span, beyond)
        if rate.b <= 0: span = common(span, hull(start, ZERO))
        self.start, self.span, self.rate, self.a, self.b = start, span, rate, span.a, span.b
    def lift(self, x): return x if isinstance(x, Growth) else Growth(exact(x), exact(x), ZERO)
    def __mul__(self, other):
        o = self.lift(other)
        return Growth(self.start * o.start, times(self.span, o.span), self.rate + o.rate)
    def __pow__(self, n):
        span = self.span**int(n) if n == int(n) else power(self.span, n)  # 1/[0, 1] is [1, inf]
        return Growth(power(self.start, Fraction(n)), span, times(self.rate, exact(n)))
    def __add__(self, other):  # the rate of a + b is between those of a and b by the share a/(a + b)
        o, rate = self.lift(other), ANY
        if self.a == self.b == 0 or o.a == o.b == 0: return o if self.a == self.b == 0 else self
        if self.start.a > 0 <= self.a or self.start.b < 0 >= self.b:
            quotient = (o * self**-1).span
            if quotient.a > -1 or quotient.b < -1: rate = o.rate + times(1 / (1 + quotient), self.rate - o.rate)
            if quotient.a >= 0: rate = common(rate, hull(self.rate, o.rate))
        return Growth(self.start + o.start, self.span + o.span, rate)
    def called(self, name, f, _):
        if name == "sqrt": return self**Fraction(1, 2)
        rates = {"exp": lambda: times(self.span, self.rate), "log": lambda: divided(self.rate, f(self.span)),
                 "abs": lambda: self.rate}
        still = self.rate.a == self.rate.b == 0
        return Growth(f(self.start), f(self.span), ZERO if still else rates.get(name, lambda: ANY)())
class Residue(Number):
    """Modulo random primes P and Q, Q dividing P - 1, with square roots adjoined: {set of roots, as bits: residues}.

    exp(x) is the power x of an element of order Q, so that exp(x + y) = exp(x) exp(y), and s^2 = u is all that is known
    of the root s of u: sides that agree do so for either sign. Others are random, the same at the same place."""
    MODULI, BASE, SECRET, squares = (), 1, secrets.token_bytes(32), []
    def __init__(self, parts): self.parts = {m: p for m, p in parts.items() if any(p)}
    def __getattr__(self, name): raise Unsupported("an order between numbers in algebra")  # .a and .b
    def lift(self, x):
        if isinstance(x, (int, Fraction)):
            return Residue({0: [x.numerator * pow(x.denominator, -1, m) % m for m in self.MODULI]})
        return x if isinstance(x, Residue) else self.random(f"the number {x}")
    def random(self, name):
        digests = [hashlib.sha512(self.SECRET + f"{k} {name}".encode()).hexdigest() for k in (0, 1)]
        return Residue({0: [int(d, 16) % m for d, m in zip(digests, self.MODULI)]})
    def called(self, name, *_):
        if name == "abs": return (self * self).called("sqrt")
        if name == "sqrt":
            if self.parts in ({}, {0: [1, 1]}): return self
            if self.parts not in self.squares: self.squares.append(self.parts)
            return Residue({1 << self.squares.index(self.parts): [1, 1]})
        if name != "exp": return self.random(f"{name} {sorted(self.parts.items())}")
        weights = [1 if m == 0 else self.random(f"the roots {m}").parts[0][1] for m in self.parts]
        exponent = sum(w * p[1] for w, p in zip(weights, self.parts.values())) % self.MODULI[1]
        return Residue({0: [pow(self.BASE, exponent, self.MODULI[0]), self.random(f"exp {exponent}").parts[0][1]]})
    def __add__(self, other):
        parts = dict(self.parts)
        for m, p in self.lift(other).parts.items():
            parts[m] = [(v + w) % n for v, w, n in zip(p, parts.get(m, (0, 0)), self.MODULI)]
        return Residue(parts)
    def __mul__(self, other):
        result = Residue({})
        for (m, p), (n, q) in itertools.product(self.parts.items(), self.lift(other).parts.items()):
            term = Residue({m ^ n: [v * w % k for v, w, k in zip(p, q, self.MODULI)]})
            for root in range((m & n).bit_length()):
                if m & n & 1 << root: term = term * Residue(self.squares[root])
            result = result + term
        return need(len(result.parts) <= 256, "as many roots as these", Unsupported) and result
    def __pow__(self, n):
        if n >= 0: return functools.reduce(lambda x, bit: x * x * (self if bit == "1" else 1), f"{n:b}", self.lift(1))
        top = 1 << max((m.bit_length() for m in self.parts), default=0) >> 1  # 1/(a + b s) = (a - b s)/(a^2 - b^2 u)
        if top == 0: return need(all(self.parts.get(0, [0])), "a division by what is 0") and Residue(
            {0: [pow(v, n, m) for v, m in zip(self.parts[0], self.MODULI)]})
        turned = Residue({m: [-v % k if m & top else v for v, k in zip(p, self.MODULI)] for m, p in self.parts.items()})
        return (turned * (self * turned)**-1)**-n
def prime(n): return all(pow(secrets.randbelow(n - 3) + 2, n - 1, n) == 1 for _ in range(40))
def draw_primes():
    q = next(n for n in iter(lambda: secrets.randbits(160) | 1 << 159 | 1, 0) if prime(n))
    p = next(n for n in iter(lambda: 2 * q * (secrets.randbits(96) | 1) + 1, 0) if n > q and prime(n))
    Residue.MODULI, Residue.BASE, Residue.squares = (p, q), pow(secrets.randbelow(p), (p - 1) // q, p), []

# ---- Functions of numbers, vectors (lists) and matrices (lists of rows) ---------------------------------------------
def matrix(x): return isinstance(x, list) and isinstance(x[0], list)
def flat(x): return [e for item in x for e in flat(item)] if isinstance(x, list) else [x]
def each(f, *xs):
    shapes = {(len(x), matrix(x)) for x in xs if isinstance(x, list)}
    need(len(shapes) < 2, "shapes do not fit")
    if not shapes: return f(*xs)
    return [each(f, *(x[i] if isinstance(x, list) else x for x in xs)) for i in range(shapes.pop()[0])]
def rowwise(f): return lambda x, *more: [f(row, *more) for row in x] if matrix(x) else f(x, *more)
def total(xs): return functools.reduce(functools.partial(each, lambda a, b: a + b), xs) if xs else Fraction(0)
def columns(m): return [list(c) for c in zip(*m)]
def largest(xs):
    if all(isinstance(x, Fraction) for x in xs): return max(xs)
    xs = [next(x for x in xs if not isinstance(x, Fraction)) * 0 + x for x in xs]
    if isinstance(xs[0], Residue): return functools.reduce(lambda x, y: (x + y + apply("abs", x - y)) / 2, xs)
    if not isinstance(xs[0], Number): return iv.mpf([max(x.a for x in xs), max(x.b for x in xs)])
    need(isinstance(xs[0], Slopes), "a largest number in a limit", Unsupported)
    middle, span, least = largest([x.middle for x in xs]), largest([x.span for x in xs]), max(x.a for x in xs)
    return Slopes(middle, span, [hull(*s) for s in zip(*(x.slopes for x in xs if x.b >= least))], xs[0].radii)
def divided(a, b):
    return need(isinstance(b, (int, Residue)) or b.a > 0 or b.b < 0, "a division by an interval around 0") and a / b
def erf(x):  # by its alternating series, whose last term bounds the remainder
    def at(x):
        if abs(x).a > 9: return hull(ONE, 1 - iv.exp(-x * x)) if x.a > 0 else hull(-ONE, iv.exp(-x * x) - 1)
        term, s, n = x, x, 0
        while n < 120 or abs(term).b > 1e-70:
            n, term = n + 1, -term * x * x / (n + 1)
            s += term / (2 * n + 1)
        return 2 / iv.sqrt(iv.pi) * (s + hull(-term, term))
    return hull(at(iv.mpf(x.a)), at(iv.mpf(x.b)))
def sign(x): return ONE if x.a > 0 else -ONE if x.b < 0 else ZERO if x.a == x.b else hull(-ONE, ONE)
SCALAR = {  # the function of intervals, its slope, where it is defined
    "exp": (iv.exp, iv.exp, lambda x: all(abs(end) < 1e9 or abs(end) == INF for end in (x.a, x.b))),
    "log": (iv.log, lambda x: 1 / x, lambda x: x.a > 0),
    "sqrt": (iv.sqrt, lambda x: divided(ONE, 2 * iv.sqrt(x)), lambda x: x.a >= 0),
    "abs": (abs, sign, lambda x: True), "sign": (sign, None, lambda x: True),
    "sin": (iv.sin, iv.cos, lambda x: True), "cos": (iv.cos, lambda x: -iv.sin(x), lambda x: True),
    "erf": (erf, lambda x: 2 / iv.sqrt(iv.pi) * iv.exp(-x * x), lambda x: True),
    "gamma": (iv.gamma, None, lambda x: x.a > 0 and x.b <= 1000)}
def apply(name, x):
    f, slope, defined = SCALAR[name]
    if isinstance(x, Fraction): return abs(x) if name == "abs" else Fraction((x > 0) - (x < 0))
    def certain(x): return need(defined(x), f"{name} of what may lie outside of its domain") and f(x)
    return x.called(name, certain, slope) if isinstance(x, Number) else certain(x)
def power(x, y):
    if isinstance(x, Growth) and isinstance(y, Fraction): return x**y
    if isinstance(y, Fraction) and y.denominator == 1 and abs(y) < 10**6:
        return x**int(y) if y >= 0 else divided(1, x**-int(y))
    if isinstance(y, Fraction) and y.denominator == 2: return power(apply("sqrt", x), Fraction(y.numerator))
    if isinstance(x, Residue) or x.a > 0: return apply("exp", apply("log", x) * exact(y))
    fits = x.a >= 0 and not isinstance(x, Slopes) and exact(y).a > 0
    need(fits, "a power of a number that is not certainly at least 0")
    return ZERO if x.b == 0 else hull(ZERO, iv.exp(exact(y) * iv.log(iv.mpf(x.b))))
softmax = rowwise(lambda x: [divided(1, total([apply("exp", b - a) for b in x])) for a in x])
logsumexp = rowwise(lambda x: apply("log", total([apply("exp", a - x[0]) for a in x])) + x[0])
rmsnorm = rowwise(lambda x, eps: [divided(a, apply("sqrt", total([b**2 for b in x]) / len(x) + eps)) for a in x])
layernorm = rowwise(lambda x, eps: rmsnorm([a - total(x) / len(x) for a in x], eps))
def made(rule, *extents):  # an array of a size from a rule for its entries
    rows, *more = [whole(n) for n in extents]
    return [[Fraction(rule(i, j)) for j in range(more[0])] if more else Fraction(rule(i, 0)) for i in range(rows)]
def identity(n): return made(lambda i, j: i == j, n, n)
def product(a, b):
    if not isinstance(a, list) or not isinstance(b, list): return each(lambda x, y: x * y, a, b)
    if matrix(b): return columns([product(a, c) for c in columns(b)])
    return [total([x * y for x, y in zip(row, b, strict=True)]) for row in a]
def eliminate(m):  # inverse and determinant by Gauss and Jordan
    n, det = len(m), 1
    m = [[*row, *(int(i == j) for j in range(n))] for i, row in enumerate(m)]
    for k in range(n):
        size = lambda x: bool(x.parts) if isinstance(x, Residue) else float(abs(x).a)
        pivot = max(range(k, n), key=lambda i: size(m[i][k]))
        det = m[pivot][k] * (1 if pivot == k else -1) * det
        m[pivot], m[k] = m[k], [divided(a, m[pivot][k]) for a in m[pivot]]
        m = [row if i == k else [a - row[k] * b for a, b in zip(row, m[k])] for i, row in enumerate(m)]
    return [row[n:] for row in m], det
def reflections(raw):  # H_1 ... H_(n-1) diag(1, ..., 1, sign v_n), H_k = 1 - 2 v v'/v'v of v_k in the last coordinates
    n = math.isqrt(2 * len(raw))
    q = [[int(i == j) for j in range(n)] for i in range(n)]
    q[-1][-1] = divided(raw[-1], apply("abs", raw[-1]))
    for k in range(n - 2, -1, -1):
        v = [raw[0] * 0] * k + raw[k * n - k * (k - 1) // 2:][:n - k]
        along = [divided(2 * x, total([a**2 for a in v])) for x in product(columns(q), v)]
        q = [[a - v[i] * along[j] for j, a in enumerate(row)] for i, row in enumerate(q)]
    return q
def symmetric(raw):  # from its upper triangle
    n = math.isqrt(2 * len(raw))
    return [[raw[min(i, j) * n - min(i, j) * (min(i, j) + 1) // 2 + max(i, j)] for j in range(n)] for i in range(n)]
def eigenvalues(s):
    """Of a symmetric s, ascending: rotated until nearly diagonal (Jacobi); what is left off the diagonal moves each by
    at most its largest sum of a row (Weyl)."""
    n = len(s)
    need(all(s[i][j].a <= s[j][i].b for i in range(n) for j in range(n)), "a matrix that is not symmetric")
    a = each(lambda x: x * 1, s)
    for _ in range(12):
        for i, j in itertools.combinations(range(n), 2):
            middle = lambda x: iv.mpf(x.mid)
            x, y, z = middle(a[i][i]), middle(a[j][j]), middle(a[i][j])
            if abs(z).b < 1e-90: continue
            t = middle(2 * z / (x - y + (1 if x.a >= y.a else -1) * iv.sqrt((x - y)**2 + 4 * z * z)))
            c = 1 / iv.sqrt(1 + t * t)
            r = identity(Fraction(n))
            r[i][i], r[i][j], r[j][i], r[j][j] = c, -t * c, t * c, c
            a = product(product(columns(each(exact, r)), a), each(exact, r))
    rest = max(sum((abs(x).b for j, x in enumerate(row) if j != i), ZERO.b) for i, row in enumerate(a))
    ends = zip(sorted(a[i][i].a for i in range(n)), sorted(a[i][i].b for i in range(n)))
    return [iv.mpf([low, high]) + iv.mpf([-rest, rest]) for low, high in ends]
def opnorm(m):
    square = product(columns(m), m) if len(m) > len(m[0]) else product(m, columns(m))
    return apply("sqrt", largest([eigenvalues(square)[-1], ZERO]))
def norm(x, p=Fraction(2)):
    if matrix(x) and p == 2: return opnorm(x)
    if matrix(x) and p in (1, INF):
        return largest([total([apply("abs", a) for a in r]) for r in (x if p == INF else columns(x))])
    need(not matrix(x) and p >= 1, "this norm", Unsupported)
    if p == INF: return largest([apply("abs", a) for a in x])
    if p == 2: return apply("sqrt", total([a**2 for a in x]))
    return power(total([power(apply("abs", a), p) for a in x]), 1 / p)
def attention(name, q, k, v, causal=False, scale=None):
    need(name in ("softmax", "twicing"), f"attention '{name}'", Unsupported)
    scale = divided(1, apply("sqrt", q[0][0] * 0 + len(q[0]))) if scale is None else scale
    rows = [[x * scale for x in (row[:i + 1] if causal else row)] for i, row in enumerate(product(q, columns(k)))]
    a = [softmax(row) + [0] * (len(k) - len(row)) for row in rows]
    once = product(a, v)
    return once if name == "softmax" else each(lambda x, y: x * 2 - y, once, product(a, once))
def diag(x):
    if matrix(x): return [r[i] for i, r in enumerate(x)]
    return [[a if i == j else a * 0 for j in range(len(x))] for i, a in enumerate(x)]
def kl(p, q):
    return total([ZERO if a.a == a.b == 0 else a * apply("log", divided(a, b)) for a, b in zip(p, q, strict=True)])
def whole(n):
    need(isinstance(n, Fraction) and n.denominator == 1, "a whole number not known before", Unsupported)
    return need(0 <= n <= 100000, "numbers as large as these", Unsupported) and int(n)
def floor(x):
    low, high = (x, x) if isinstance(x, Fraction) else (x.a, x.b)
    need(math.floor(low) == math.floor(high), "the floor of what may be on either side")
    return Fraction(math.floor(low))
def extreme(f): return lambda *x: each(lambda a, b: f([a, b]), *x) if len(x) == 2 else f(flat(*x))
def tested(name): return lambda x: each(lambda a: apply(name, a), x)
EXACT = ("sum", "mean", "prod", "max", "min", "abs", "floor", "sign", "cumsum", "diag", "rows", "cols", "length",
         "outer", "identity", "zeros", "ones", "causal_mask", "factorial", "binomial", "transpose")
FUNCTIONS = {
    **{name: tested(name) for name in SCALAR}, "sum": lambda x: total(flat(x)),
    "mean": lambda x: total(flat(x)) / len(flat(x)),
    "prod": lambda x: functools.reduce(lambda a, b: a * b, flat(x), Fraction(1)), "max": extreme(largest),
    "min": extreme(lambda x: -largest([-a for a in x])), "norm": norm, "opnorm": opnorm, "kl": kl, "diag": diag,
    "osc": lambda x: largest([largest(c) + largest([-a for a in c]) for c in (columns(x) if matrix(x) else [x])]),
    "softmax": softmax, "logsumexp": logsumexp, "rmsnorm": rmsnorm, "layernorm": layernorm, "attention": attention,
    "outer": lambda x, y: [[a * b for b in y] for a in x], "det": lambda m: eliminate(m)[1],
    "inverse": lambda m: eliminate(m)[0],
    "eigenvalues": eigenvalues, "transpose": columns, "cumsum": lambda x: [total(x[:i + 1]) for i in range(len(x))],
    "rows": lambda m: Fraction(len(m)), "cols": lambda m: Fraction(len(m[0])),
    "length": lambda x: Fraction(len(flat(x))), "identity": identity,
    "zeros": functools.partial(made, lambda i, j: 0), "ones": functools.partial(made, lambda i, j: 1),
    "causal_mask": lambda n: made(lambda i, j: j <= i, n, n), "floor": lambda x: each(floor, x),
    "factorial": lambda n: Fraction(math.factorial(whole(n))),
    "binomial": lambda n, k: Fraction(math.comb(whole(n), whole(k))),
    "symmetric": symmetric, "reflections": reflections}
OTHERS = ("asin", "acos", "atan", "acosh", "cbrt", "digamma", "lgamma", "erfinv", "normal_quantile", "singular_values",
          "sort")  # of the language, not known here
# In the language itself; definitions by lines and semicolons.
PRELUDE_TEXT = """tan(x) = sin(x) ./ cos(x); log1p(x) = log(1 + x); log2(x) = log(x)/log(2); log10(x) = log(x)/log(10)
    expm1(x) = exp(x) - 1; cosh(x) = (exp(x) + exp(-x))/2; sinh(x) = (exp(x) - exp(-x))/2
    tanh(x) = 1 - 2 ./ (exp(2*x) + 1)
    sigmoid(x) = 1 ./ (1 + exp(-x)); softplus(x) = log(1 + exp(x)); relu(x) = max(x, 0*x); silu(x) = x ./ (1 + exp(-x))
    normal_cdf(x) = (erf(x/sqrt(2)) + 1)/2; gelu(x) = x .* normal_cdf(x); normal_pdf(x) = exp(-x.^2/2)/sqrt(2*pi)
    gelu_tanh(x) = x ./ (1 + exp(-2*sqrt(2/pi)*(x + 0.044715*x.^3))); asinh(x) = log(x + sqrt(x.^2 + 1))
    atanh(x) = log((1 + x) ./ (1 - x))/2; erfc(x) = 1 - erf(x); frobenius(x) = sqrt(sum(x.^2)); dot(x, y) = sum(x .* y)
    var(x) = sum((x - mean(x)).^2)/length(x); std(x) = sqrt(var(x)); range(x) = max(x) - min(x)
    tv(p, q) = norm(p - q, 1)/2
    entropy(p) = -kl(p, p.^0); trace(x) = sum(diag(x)); logdet(x) = log(det(x))
    dobrushin(m) = max(i in 1..rows(m): tvs(m, i))
    tvs(m, i) = max(j in 1..rows(m): tv(m[i], m[j])); eigmax(x) = max(eigenvalues(x)); eigmin(x) = min(eigenvalues(x))
    jacobian_softmax(x) = diag(softmax(x)) - outer(softmax(x), softmax(x)); elu(x) = max(x, 0*x) + exp(min(x, 0*x)) - 1
    ceil(x) = -floor(-x); beta(x, y) = gamma(x)*gamma(y)/gamma(x + y)"""
