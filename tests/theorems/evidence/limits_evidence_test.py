"""Limits, by a place from which on the sides stay apart or their ratio grows like a power: limits_evidence_test.py CHECKER."""
from evidence_documents import *

TRUE, LIES = {}, {}


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
    "an exponential against a power": limit("limit n -> inf: exp(n) = O(n^7)", power="1"),
    "a fall like a power": limit("limit n -> inf: sqrt(n) = O(sqrt(n)/n^2 + exp(-sqrt(n)))", power="2"),
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
    "growth of what an exponential outgrows": changed(GROWTH, statement="limit n -> inf: n^8 = O(exp(n))"),
    "growth of an exponential against itself": changed(GROWTH, statement="limit n -> inf: exp(n) = O(2*exp(n))"),
    "growth of what falls like an exponential": changed(GROWTH, statement="limit n -> inf: exp(-n) = O(1/n)"),
    "growth of a difference of roots": changed(GROWTH, statement="limit n -> inf: sqrt(n^2 + n) - n = O(1/2)"),
    "growth of whole parts": changed(GROWTH, statement="limit n -> inf: floor(n) - floor(n) + 1 = O(1)"),
    "growth of a logarithm": changed(GROWTH, statement="limit n -> inf: log(n) = O(1)"),
    "a certificate of a limit": changed(APART, kind="certificate"),
    "a limit by a point": dict(changed(APART, method="point", inputs=[], sides=[], margin="0")),
    "an order of one's own": changed(GROWTH, statement="let O(x) = x*0 + 1: limit n -> inf: n/(n + 1) = O(1/sqrt(n))"),
    "a bound of the other kind": limit("limit n -> inf: n/(n + 1) = O(1/sqrt(n))", apart="1/4"),
})
judge(TRUE, LIES)
