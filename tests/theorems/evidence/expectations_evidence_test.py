"""Expectations: sums over signs and bits, integrals over panels, which must cover the law: expectations_evidence_test.py CHECKER."""
from evidence_documents import *

TRUE, LIES = {}, {}


def mean(claim, value, relation="<=", law="g ~ normal(0, 1)", panels=None, **choices):
    constant = claim.split()[-1]
    ends = panels if panels is not None else [f"{k}/8" for k in range(-80, 81)]
    return changed(point(f"random {law}: {claim}", choices, {}, relation, value, constant, "0"), panels=ends)


UNIT = [f"{k}/64" for k in range(65)]
TAIL = mean("P[abs(g) > 2] <= 0.0455", ["0.0455001", "0.0456"])
INVERSE = mean("E[1/u] <= 0.693", ["0.6931", "0.6932"], law="u ~ uniform(1, 2)", panels=UNIT)
SIGNS = mean("E[(sum(s))^2] <= 1.999", ["2", "2"], law="s ~ rademacher()^2", panels=[])
BITS = mean("E[max(b)] >= 0.7501", ["3/4", "3/4"], ">=", law="b ~ bernoulli(1/2)^2", panels=[])
def at(c, value):
    """The tail beyond a variable, stored at `c`."""
    return changed(point("forall c in [1, 3]: random g ~ normal(0, 1): P[abs(g) > c] <= 0.1", {}, {"c": [c]}, "<=", value, "0.1", "0"),
                   panels=TAIL["panels"])


TRUE["a probability at a variable"] = at("3/2", ["0.1336", "0.1337"])
LIES["a probability at a variable that meets it"] = at("2", ["0.0455", "0.0456"])
LIES["a probability at a variable, of another place"] = at("3/2", ["0.3173", "0.3174"])
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
judge(TRUE, LIES)
