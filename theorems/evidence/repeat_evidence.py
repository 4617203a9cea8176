#!/usr/bin/env python3
"""Repeats expectations of Attest's stochastic evidence with other random numbers: repeat_evidence.py [--as NAME] FILE...

Needs NumPy, and check_evidence.py beside it, whose reading of formulas it shares; draws and arithmetic are NumPy's.
A line for each expectation: whether the stored interval and the one found here overlap. It begins with the file's path,
or with NAME. Exit code: 0 all overlap, 1 one does not, 2 a file is not stochastic evidence, 4 one says what is not known
here.
"""
import json, math, secrets, sys

import numpy

import check_evidence as base

SCHEMA, SAMPLES = "attest-stochastic-1", 1 << 17
FUNCTIONS = {"sqrt": numpy.sqrt, "exp": numpy.exp, "log": numpy.log, "sin": numpy.sin, "cos": numpy.cos,
             "abs": numpy.abs, "sign": numpy.sign, "erf": numpy.vectorize(math.erf, otypes=[float]),
             "gamma": numpy.vectorize(math.gamma, otypes=[float])}
RELATIONS = {"<": numpy.less, "<=": numpy.less_equal, ">": numpy.greater, ">=": numpy.greater_equal, "=": numpy.equal}
LAWS = {  # NumPy's draws of the language's laws
    "normal": lambda r, size, mean, deviation: r.normal(mean, deviation, size),
    "uniform": lambda r, size, low, high: r.uniform(low, high, size),
    "rademacher": lambda r, size: 2.0 * r.integers(0, 2, size) - 1,
    "bernoulli": lambda r, size, p: (r.random(size) < p).astype(float),
    "exponential": lambda r, size, rate: r.exponential(1 / rate, size),
    "laplace": lambda r, size, mean, scale: r.laplace(mean, scale, size),
    "lognormal": lambda r, size, mean, deviation: r.lognormal(mean, deviation, size),
    "cauchy": lambda r, size, place, scale: place + scale * r.standard_cauchy(size)}


class Draws(base.Residue):
    """A number of which NumPy holds one value for each sample; formulas compute with it as with any number."""
    def __init__(self, values): self.values = values
    @classmethod
    def of(cls, x):
        if isinstance(x, cls): return x
        return cls(numpy.float64(float(x) if base.is_exact(x) else float(x.mid)))  # else a constant such as pi
    def called(self, name, *_):
        base.need(name in FUNCTIONS, f"the function '{name}'", base.Unsupported)
        return Draws(FUNCTIONS[name](self.values))
    def is_zero(self): return not numpy.all(self.values)
    def __add__(self, other): return Draws(self.values + self.of(other).values)
    def __mul__(self, other): return Draws(self.values * self.of(other).values)
    def raised(self, n): return Draws(self.values**float(n))


def happens(formula, tree):
    """For each sample whether the event of P[..] happens."""
    sign, *parts = tree
    if sign in ("and", "or"):
        join = numpy.logical_or if sign == "or" else numpy.logical_and
        return join(*(happens(formula, part) for part in parts))
    base.need(sign in RELATIONS, "this event", base.Unsupported)
    left, right = (base.each(formula.lift, formula.value(part)) for part in parts)
    found = base.flat(base.each(lambda x, y: RELATIONS[sign](x.values, y.values), left, right))
    return numpy.logical_and.reduce(numpy.broadcast_arrays(*found))


def formula_of(e, random):
    """The statement's names at the stored point, the random ones as draws."""
    formula = base.Formula(base.Statement(e["statement"]), base.exactly(e["choices"]), Draws.of)
    base.place(formula, base.taking(iter([base.number(x) for i in e["inputs"] for x in i["raw"]])))
    for _, name, kind in (b for b in formula.read.binders if b[0] == "random"):
        (_, law, *arguments), extents = kind[1:] if kind[0] == "^" else (kind, None)
        base.need(law in LAWS, f"the law '{law}'", base.Unsupported)
        shape = base.extents_of(formula, extents)
        values = [Draws.of(formula.value(argument)).values for argument in arguments]
        drawn = [Draws(LAWS[law](random, SAMPLES, *values)) for _ in range(math.prod(shape))]
        formula.names[name] = base.shaped(drawn, shape)
    return formula


def repeat(path):
    """(written, stored interval, interval found here, whether they overlap) for each expectation of the file."""
    e = base.loaded(path)
    base.need(isinstance(e, dict) and e.get("schema") == SCHEMA, f"the schema is not {SCHEMA}", base.Malformed)
    base.need(base.sha256(e["statement"]) == e["sha256"], "the SHA-256 is not that of the statement", base.Malformed)
    rest = json.dumps({k: v for k, v in e.items() if k != "digest"}, sort_keys=True, separators=(",", ":"))
    base.need(base.sha256(rest) == e["digest"], "the file was changed: its digest is another", base.Malformed)
    formula = formula_of(e, numpy.random.default_rng(secrets.randbits(128)))
    for each in e["expectations"]:
        sign, word, body = base.Reader(each["written"]).tree()
        base.need(sign == "[" and word in ("E", "P"), "this expectation", base.Unsupported)
        x = happens(formula, body) if word == "P" else Draws.of(formula.value(body)).values
        x = numpy.broadcast_to(numpy.asarray(x, dtype=float), SAMPLES)
        base.need(bool(numpy.isfinite(x).all()), "samples that are not finite", base.Unsupported)
        # Normal for many samples; what is bounded by 1 has at most 1/n more to it (Bernstein).
        log_level = math.log(2 / float(e["level"]))
        half = math.sqrt(2 * log_level * x.var() / SAMPLES) + (log_level / SAMPLES if word == "P" else 0)
        last = each["intervals"][-1]
        stored = [float(last["lower"]), float(last["upper"])]
        found = [x.mean() - half, x.mean() + half]
        yield each["written"], stored, found, stored[0] <= found[1] and found[0] <= stored[1]


def named(words):
    """What lines begin with, and the path, of each file."""
    words = iter(words)
    for word in words:
        name = next(words, "") if word == "--as" else word
        yield name, next(words, "") if word == "--as" else word


def main(words):
    if not words or words[0] in ("-h", "--help"): return print(__doc__) or (0 if words else 2)
    codes = {0}
    numpy.seterr(all="ignore")  # what is not finite is refused
    for name, path in named(words):
        try:
            for written, stored, found, overlap in repeat(path):
                intervals = " and ".join("[{:.9g}, {:.9g}]".format(*ends) for ends in (stored, found))
                print(f"{name}: {written}: {intervals} {'overlap' if overlap else 'do not overlap'}")
                codes.add(0 if overlap else 1)
        except Exception as reason:  # what a damaged file may raise, too
            unknown = isinstance(reason, base.Unsupported)
            print(f"{name}: {'not supported' if unknown else 'not stochastic evidence'}: {reason}"[:300])
            codes.add(4 if unknown else 2)
    return next(code for code in (2, 1, 4, 0) if code in codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
