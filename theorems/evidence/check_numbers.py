"""The numbers and functions of check_evidence.py: what its formulas are evaluated with.

Exact Fractions; intervals of mpmath at 320 bits; intervals with slopes over a box; residues of a random point, for algebra.
Scalars, vectors (lists) and matrices (lists of rows) of any of these go through the same functions.
"""
import functools, hashlib, math, secrets
from fractions import Fraction
from mpmath import iv

INF = math.inf
iv.prec = 320
ZERO, ONE = iv.mpf(0), iv.mpf(1)
class Malformed(Exception): """No evidence file of this schema."""
class Unsupported(Exception): """The formula says something that this checker does not know."""
class Fails(Exception): """The evidence does not show what it claims."""
class NoRoot(Exception): """In algebra: half of all numbers have no root modulo P, and another point is drawn."""
def need(ok, reason, kind=Fails):
    if not ok: raise kind(reason)
    return True

# ---- Numbers: exact ones, intervals, intervals with slopes over a box; in algebra residues of a random point ---------------
def hull(*xs): return iv.mpf([min(x.a for x in xs), max(x.b for x in xs)])
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
    """Over a box: the value in its middle, the range (also by the mean value form), the range of the slope along each side."""
    def __init__(self, middle, span, slopes, radii):
        form = middle + sum((s * iv.mpf([-r, r]) for s, r in zip(slopes, radii)), ZERO)
        self.a, self.b = max(span.a, form.a), min(span.b, form.b)
        self.middle, self.span, self.slopes, self.radii = middle, iv.mpf([self.a, self.b]), slopes, radii
    def lift(self, x): return x if isinstance(x, Slopes) else Slopes(exact(x), exact(x), [ZERO] * len(self.radii), self.radii)
    def called(self, f, slope): return Slopes(f(self.middle), f(self.span), [slope(self.span) * s for s in self.slopes], self.radii)
    def __add__(self, other):
        o = self.lift(other)
        return Slopes(self.middle + o.middle, self.span + o.span, [s + t for s, t in zip(self.slopes, o.slopes)], self.radii)
    def __mul__(self, other):
        o = self.lift(other)
        slopes = [s * o.span + self.span * t for s, t in zip(self.slopes, o.slopes)]
        return Slopes(self.middle * o.middle, self.span * o.span, slopes, self.radii)
    def __pow__(self, n): return self.called(lambda x: power(x, Fraction(n)), lambda x: n * power(x, Fraction(n - 1)))
class Residue(Number):
    """Modulo random primes P and Q, Q dividing P - 1: exp(x) is the power x of an element of order Q, so that exp(x + y) = exp(x)
    exp(y); a root is one modulo P, and both its signs are tried; any other function is random, the same at the same place."""
    PRIMES, BASE, SECRET, roots, signs = [], 1, secrets.token_bytes(32), {}, 0
    def __init__(self, pair): self.pair = [v % m for v, m in zip(pair, self.PRIMES)]
    def __getattr__(self, name): raise Unsupported("an order between numbers in algebra")  # .a and .b
    def lift(self, x):
        if isinstance(x, (int, Fraction)): return Residue([x.numerator * pow(x.denominator, -1, m) for m in self.PRIMES])
        return x if isinstance(x, Residue) else Residue([1, 1]).called(f"times {x}")
    def called(self, name, *_):
        p, q = [int(hashlib.sha512(self.SECRET + f"{k} {name} {self.pair}".encode()).hexdigest(), 16) for k in (0, 1)]
        if name in ("root", "abs"): return Root(self if name == "root" else self * self)
        return Residue([pow(self.BASE, self.pair[1], self.PRIMES[0]) if name == "exp" else p, q])
    def __add__(self, other): return Residue([v + w for v, w in zip(self.pair, self.lift(other).pair)])
    def __mul__(self, other): return Residue([v * w for v, w in zip(self.pair, self.lift(other).pair)])
    def __pow__(self, n):
        need(n >= 0 or all(self.pair), "a division by what is 0")
        return Residue([pow(v, n, m) for v, m in zip(self.pair, self.PRIMES)])
def prime(n): return all(pow(secrets.randbelow(n - 3) + 2, n - 1, n) == 1 for _ in range(40))
def draw_primes():
    q = next(n for n in iter(lambda: secrets.randbits(160) | 1 << 159 | 3, 0) if prime(n))
    p = next(n for n in iter(lambda: 2 * q * (secrets.randbits(96) | 1) + 1, 0) if n > q and prime(n))
    Residue.PRIMES, Residue.BASE = [p, q], pow(secrets.randbelow(p), (p - 1) // q, p)
class Root(Residue):
    def __init__(self, square): self.square = square
    def __pow__(self, n): return self.square**(n // 2) if n % 2 == 0 else Residue(self.pair)**n
    @property
    def pair(self):
        (u, _), p = self.square.pair, self.PRIMES[0]
        if u < 2: return [u, u]
        value, sign = pow(u, p + 1 >> 2, p), self.signs >> self.roots.setdefault(u, len(self.roots)) & 1
        need(value * value % p == u, "a root modulo P", NoRoot)
        return [p - value if sign else value, self.square.called("the root").pair[1]]
class NoRoot(Exception): """Half of all numbers have no root modulo P: another point is drawn."""

# ---- Functions of numbers, vectors (lists) and matrices (lists of rows) ----------------------------------------------------
def largest(xs):
    if not isinstance(xs[0], Slopes): return iv.mpf([max(x.a for x in xs), max(x.b for x in xs)])
    middle, span, least = largest([x.middle for x in xs]), largest([x.span for x in xs]), max(x.a for x in xs)
    return Slopes(middle, span, [hull(*s) for s in zip(*(x.slopes for x in xs if x.b >= least))], xs[0].radii)
def flat(x): return [e for item in x for e in flat(item)] if isinstance(x, list) else [x]
def total(xs): return functools.reduce(functools.partial(each, lambda a, b: a + b), xs) if xs else ZERO
def columns(m): return [list(c) for c in zip(*m)]
def identity(n): return [[int(i == j) for j in range(n)] for i in range(n)]
def made(extents, value): return [made(extents[1:], value) for _ in range(int(extents[0]))] if extents else value
def matrix(x): return isinstance(x, list) and isinstance(x[0], list)
def each(f, *xs):
    shapes = {(len(x), matrix(x)) for x in xs if isinstance(x, list)}
    need(len(shapes) < 2, "shapes do not fit")
    return [each(f, *(x[i] if isinstance(x, list) else x for x in xs)) for i in range(shapes.pop()[0])] if shapes else f(*xs)
def rowwise(f): return lambda x, *more: [f(row, *more) for row in x] if matrix(x) else f(x, *more)
def lifted(name, f, slope=None, fits=lambda x: True, reason="", kind=Fails):  # A function of intervals as one of all numbers.
    def certain(x): return need(fits(x), reason, kind) and f(x)
    return lambda x: (x.called(certain, slope) if isinstance(x, Slopes) else x.called(name) if isinstance(x, Residue) else certain(x))
def divided(a, b): return need(isinstance(b, (int, Residue)) or b.a > 0 or b.b < 0, "a division by an interval around 0") and a / b
def erf_at(x):  # By its alternating series, whose last term bounds the remainder.
    if abs(x).a > 9: return hull(ONE, 1 - exp(-x * x)) if x.a > 0 else hull(-ONE, exp(-x * x) - 1)
    term, s, n = x, x, 0
    while n < 120 or abs(term).b > 1e-70:
        n, term = n + 1, -term * x * x / (n + 1)
        s += term / (2 * n + 1)
    return 2 / iv.sqrt(iv.pi) * (s + hull(-term, term))
sign = lifted("sign", lambda x: ONE if x.a > 0 else -ONE if x.b < 0 else ZERO if x.a == x.b else hull(-ONE, ONE))
absolute = lifted("abs", abs, sign)
exp = lifted("exp", iv.exp, iv.exp, lambda x: abs(x).b < 1e9, "an exponential as large as this", Unsupported)
log = lifted("log", iv.log, lambda x: 1 / x, lambda x: x.a > 0, "a logarithm of a number that is not certainly above 0")
root = lifted("root", iv.sqrt, lambda x: divided(ONE, 2 * iv.sqrt(x)), lambda x: x.a >= 0, "a square root of what may be below 0")
sin, cos = lifted("sin", iv.sin, iv.cos), lifted("cos", iv.cos, lambda x: -iv.sin(x))
erf = lifted("erf", lambda x: hull(erf_at(iv.mpf(x.a)), erf_at(iv.mpf(x.b))), lambda x: 2 / iv.sqrt(iv.pi) * exp(-x * x))
gamma = lifted("gamma", iv.gamma, None, lambda x: x.a > 0 and x.b <= 1000, "gamma outside (0, 1000]", Unsupported)
def power(x, y):
    if isinstance(y, Fraction) and y.denominator == 1 and abs(y) < 10**6: return x**int(y) if y >= 0 else divided(1, x**-int(y))
    if isinstance(y, Fraction) and y.denominator == 2: return power(root(x), Fraction(y.numerator))
    if isinstance(x, Residue) or x.a > 0: return exp(log(x) * exact(y))
    need(x.a >= 0 and not isinstance(x, Slopes) and exact(y).a > 0, "a power of a number that is not certainly at least 0")
    return ZERO if x.b == 0 else hull(ZERO, exp(exact(y) * log(iv.mpf(x.b))))
softmax = rowwise(lambda x: [divided(1, total([exp(b - a) for b in x])) for a in x])
logsumexp = rowwise(lambda x: log(total([exp(a - x[0]) for a in x])) + x[0])
rmsnorm = rowwise(lambda x, eps: [divided(a, root(total([b**2 for b in x]) / len(x) + eps)) for a in x])
layernorm = rowwise(lambda x, eps: rmsnorm([a - total(x) / len(x) for a in x], eps))
def product(a, b):
    if not isinstance(a, list) or not isinstance(b, list): return each(lambda x, y: x * y, a, b)
    return [total([x * y for x, y in zip(row, b, strict=True)]) for row in a] if not matrix(b) else columns([product(a, c) for c in columns(b)])
def eliminate(m):  # Inverse and determinant by Gauss and Jordan.
    n, det = len(m), 1
    m = [[*row, *unit] for row, unit in zip(m, identity(n), strict=True)]
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: all(m[i][k].pair) if isinstance(m[i][k], Residue) else float(abs(m[i][k]).a))
        det = m[pivot][k] * (1 if pivot == k else -1) * det
        m[pivot], m[k] = m[k], [divided(a, m[pivot][k]) for a in m[pivot]]
        m = [row if i == k else [a - row[k] * b for a, b in zip(row, m[k])] for i, row in enumerate(m)]
    return [row[n:] for row in m], det
def reflections(raw, n):  # H_1 ... H_(n-1) diag(1, ..., 1, sign v_n), H_k = 1 - 2 v v'/v'v of v_k in the last coordinates
    q = [[a * (divided(raw[-1], absolute(raw[-1])) if i == n - 1 else 1) for a in row] for i, row in enumerate(identity(n))]
    for k in range(n - 2, -1, -1):
        v = [raw[0] * 0] * k + raw[k * n - k * (k - 1) // 2:][:n - k]
        along = [divided(2 * x, total([a**2 for a in v])) for x in product(columns(q), v)]
        q = [[a - v[i] * along[j] for j, a in enumerate(row)] for i, row in enumerate(q)]
    return q
def eigmax(s):  # Of a symmetric s: (tr T^k)^(1/k) is between the largest eigenvalue of T = s + shift >= 0 and n^(1/k) times it.
    n, shift, logarithm, part = len(s), norm(flat(s)) + 1, ZERO, ONE
    need(all(s[i][j].a <= s[j][i].b for i in range(n) for j in range(n)), "a matrix that is not symmetric")
    t = [[hull(s[i][j], s[j][i]) + (shift if i == j else 0) for j in range(n)] for i in range(n)]
    for _ in range(40):
        size = total(diag(t))
        t, logarithm, part = [[a / size for a in row] for row in t], logarithm + part * log(size), part / 2
        t = product(t, t)
    top = exp(logarithm + part * log(total(diag(t))))
    return hull(top, top * exp(-part * log(n * ONE))) - shift
def opnorm(m): return root(largest([eigmax(product(*((columns(m), m) if len(m) > len(m[0]) else (m, columns(m))))), ZERO]))
def norm(x, p=Fraction(2)):
    if matrix(x) and p == 2: return opnorm(x)
    if matrix(x) and p in (1, INF): return largest([total([absolute(a) for a in r]) for r in (x if p == INF else columns(x))])
    need(not matrix(x) and p >= 1, "this norm", Unsupported)
    if p == INF: return largest([absolute(a) for a in x])
    return root(total([a**2 for a in x])) if p == 2 else power(total([power(absolute(a), p) for a in x]), 1 / p)
def attention(name, q, k, v, causal=False, scale=None):
    need(name in ("softmax", "twicing"), f"attention '{name}'", Unsupported)
    scale = divided(1, root(q[0][0] * 0 + len(q[0]))) if scale is None else scale
    rows = [[x * scale for x in row[:i + 1] if causal] or [x * scale for x in row] for i, row in enumerate(product(q, columns(k)))]
    a = [softmax(row) + [0] * (len(k) - len(row)) for row in rows]
    return product(a, v) if name == "softmax" else each(lambda x, y: x * 2 - y, product(a, v), product(a, product(a, v)))
def kl(p, q): return total([ZERO if a.a == a.b == 0 else a * log(divided(a, b)) for a, b in zip(p, q, strict=True)])
def diag(x): return [r[i] for i, r in enumerate(x)] if matrix(x) else [[a * b for b in r] for a, r in zip(x, identity(len(x)))]
def whole(n): return need(isinstance(n, Fraction) and n.denominator == 1 and 0 <= n <= 100000, "numbers as large as these", Unsupported) and int(n)
def floor(x):
    low, high = (x, x) if isinstance(x, Fraction) else (x.a, x.b)
    return need(math.floor(low) == math.floor(high), "the floor of what may be on either side") and Fraction(math.floor(low))
def osc(x): return largest([largest(c) + largest([-a for a in c]) for c in (columns(x) if matrix(x) else [x])])
def extreme(f): return lambda *x: each(lambda a, b: f([a, b]), *x) if len(x) == 2 else f(flat(*x))
FUNCTIONS = {
    "sum": lambda x: total(flat(x)), "mean": lambda x: total(flat(x)) / len(flat(x)), "norm": norm, "opnorm": opnorm, "kl": kl,
    "prod": lambda x: math.prod(flat(x)), "max": extreme(largest), "min": extreme(lambda x: -largest([-a for a in x])), "osc": osc,
    "softmax": softmax, "diag": diag, "outer": lambda x, y: [[a * b for b in y] for a in x], "logsumexp": logsumexp,
    "det": lambda m: eliminate(m)[1], "inverse": lambda m: eliminate(m)[0], "eigmax": eigmax, "layernorm": layernorm,
    "rmsnorm": rmsnorm, "transpose": columns, "cumsum": lambda x: [total(x[:i + 1]) for i in range(len(x))], "attention": attention,
    "rows": lambda m: Fraction(len(m)), "cols": lambda m: Fraction(len(m[0])), "length": lambda x: Fraction(len(x)),
    "identity": lambda n: identity(int(n)), "zeros": lambda *n: made(n, 0), "ones": lambda *n: made(n, 1),
    "floor": lambda x: each(floor, x), "factorial": lambda n: Fraction(math.factorial(whole(n))), "binomial": lambda n, k: Fraction(math.comb(whole(n), whole(k))), "entries_of": lambda x: Fraction(len(flat(x))),
    "range": lambda x: osc(flat(x)), "dobrushin": lambda m: largest([norm(each(lambda x, y: x - y, a, b), Fraction(1)) / 2 for a in m for b in m]),
    **{name: (lambda f: lambda x: each(f, x))(f) for name, f in {"exp": exp, "log": log, "sqrt": root, "abs": absolute, "sin": sin,
                                                                "cos": cos, "gamma": gamma, "erf": erf, "sign": sign}.items()}}
EXACT_FROM = {"norm": 1, "identity": 0, "zeros": 0, "ones": 0, "floor": 0, "factorial": 0, "binomial": 0}
# In the language itself; a definition each, by lines and semicolons.
PRELUDE_TEXT = """tan(x) = sin(x) ./ cos(x); log1p(x) = log(1 + x); log2(x) = log(x)/log(2); log10(x) = log(x)/log(10); expm1(x) = exp(x) - 1
    cosh(x) = (exp(x) + exp(-x))/2; sinh(x) = (exp(x) - exp(-x))/2; tanh(x) = 1 - 2 ./ (exp(2*x) + 1); sigmoid(x) = 1 ./ (1 + exp(-x))
    softplus(x) = log(1 + exp(x)); relu(x) = max(x, 0*x); silu(x) = x ./ (1 + exp(-x)); erfc(x) = 1 - erf(x)
    normal_cdf(x) = (erf(x/sqrt(2)) + 1)/2; gelu(x) = x .* normal_cdf(x); normal_pdf(x) = exp(-x.^2/2)/sqrt(2*pi)
    gelu_tanh(x) = x ./ (1 + exp(-2*sqrt(2/pi)*(x + 0.044715*x.^3))); asinh(x) = log(x + sqrt(x.^2 + 1)); frobenius(x) = sqrt(sum(x.^2))
    atanh(x) = log((1 + x) ./ (1 - x))/2; var(x) = sum((x - mean(x)).^2)/entries_of(x); std(x) = sqrt(var(x)); tv(p, q) = norm(p - q, 1)/2
    dot(x, y) = sum(x .* y); entropy(p) = -kl(p, p.^0); trace(x) = sum(diag(x)); logdet(x) = log(det(x)); eigmin(x) = -eigmax(-x)
    jacobian_softmax(x) = diag(softmax(x)) - outer(softmax(x), softmax(x))"""
