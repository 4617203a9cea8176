"""A best constant is two files of derived statements that must belong to it and to each other: constants_evidence_test.py CHECKER."""
from evidence_documents import *

TRUE, LIES = {}, {}
BEST = "best C in [0, 10]: forall x in [0, 1]: x*(1 - x) <= C"


def not_enough(upper, every="C", interval=None, rest="x in [0, 1]: x*(1 - x) <= C"):
    found = point(f"forall C in {interval or f'[0, {upper}]'}, {rest}", {}, {"C": [upper], "x": ["1/2"]}, "<=", "1/4", upper, "0")
    return changed(found, every=every) if every else found


def enough(constant, kind="certificate"):
    return file(f"forall C in {{{constant}}}, x in [0, 1]: x*(1 - x) <= C", kind, "boxes",
                cases=[{"choices": {"C": constant}, "boxes": [[["0", "1/2"]], [["1/2", "1"]]]}])


def best(below, above, statement=BEST, kind="certificate"):
    return file(statement, kind, "constant", not_enough=below, **({"enough": above} if above else {}))


TRUE["best constant"] = best(not_enough("0.2499"), enough("0.26"))
TRUE["no constant of the set"] = best(not_enough("0.2"), None, BEST.replace("10", "0.2"), "witness")
LIES.update({
    "a best constant that is too small": best(not_enough("0.2"), enough("0.24")),
    "a demand that is too large": best(not_enough("0.26"), enough("0.27")),
    "a demand above what is enough": best(not_enough("0.2499"), enough("0.2")),
    "a demand that does not begin at the set's end": best(not_enough("0.2499", interval="[0.1, 0.2499]"), enough("0.26")),
    "a demand of one constant alone": best(not_enough("0.2499", every=None), enough("0.26")),
    "a demand of another variable": best(not_enough("0.2499", every="x"), enough("0.26")),
    "a demand of another statement": best(not_enough("0.2499", rest="x in [0, 2]: x*(1 - x) <= C"), enough("0.26")),
    "a constant outside of its set": best(not_enough("0.2499"), enough("0.26"), BEST.replace("10", "0.255")),
    "a constant at an open end": best(not_enough("0.2499"), enough("0.26"), BEST.replace("[0, 10]", "[0, 0.26)")),
    "no constant, shown for some": best(not_enough("0.2"), None, BEST.replace("10", "0.3"), "witness"),
    "enough shown by a witness": best(not_enough("0.2499"), enough("0.26", "witness")),
    "a certificate without what is enough": best(not_enough("0.2499"), None),
    "an unsealed part": best(dict(not_enough("0.2499"), title="other"), enough("0.26")),
    "every value of a variable": changed(CUBE, statement="forall x in [2.0000005, 3]: x^3 <= 9", every="x"),
})
judge(TRUE, LIES)
