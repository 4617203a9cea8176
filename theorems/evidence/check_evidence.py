#!/usr/bin/env python3
"""Verifies Attest's evidence files without Attest: python3 check_evidence.py FILE...

Needs the standard library, the interval arithmetic of mpmath, and, in the sources, check_formulas.py and
check_numbers.py beside this file; `attest check` leaves all three as one file. Nothing found in a file is run. A line
per file: `verified`, `not verified` with the place, `not supported` with the reason, or what is wrong with the file.
Exit code: 0 all verified, 1 one is not, 2 one is no evidence file, 4 none failed but one is not supported. The format
is described in evidence-format.md.
"""
import hashlib, json, math, os, re, secrets, sys
from fractions import Fraction
from mpmath import iv
from check_formulas import *  # the file beside this one

SCHEMA, MOST_BYTES = "attest-evidence-1", 64 << 20

# ---- What each kind of evidence shows -------------------------------------------------------------------------------
def check_point(read, e, expected):
    raws, sides, found = {i["name"]: [number(x) for x in i["raw"]] for i in e["inputs"]}, [], []
    need(told(e["choices"]) in all_choices(read), "the choices are not those of the statement")
    if "every" in e:  # all values of the constant at once
        f, kind = Formula(read, {}), dict(members(read, False))[e["every"]]
        raws[e["every"]] = [hull(*(exact(f.known(end)) for end in kind[1]))]
    panels = [number(x) for x in e.get("panels", [])]
    need(len(raws) == len(e["inputs"]), "an input stands twice")
    f = placed(Formula(read, told(e["choices"]), panels=panels), raws)
    need(all(f.holds(c) is True for c in read["where"]), "an assumption does not certainly hold")
    need(f.holds(read["claim"], sides) is expected,
         "the claim does not certainly " + ("hold" if expected else "fail") + " at the stored numbers")
    for side in e["sides"]:
        (l, m), (r, s) = ends = [[number(x) for x in side[key]] for key in ("lhs", "rhs")]
        stated = [need(x <= y, "an enclosure upside down") and hull(exact(x), exact(y)) for x, y in ends]
        found = [t for t in sides
                 if t[0] == side["relation"] and all(x.a <= y.b and y.a <= x.b for x, y in zip(stated, t[1:]))]
        decided = any(compared(*t) is compared(t[0], *stated) is not None for t in found)
        need(decided, "the sides are not those of the claim")
        need(0 <= number(e["margin"]) <= max(l - s, r - m, 0), "the margin is not that of the sides")
    need(found, "no sides of the claim")
def covered(region, boxes):  # True when the boxes cover the region: all are lists of (lower, upper).
    def touch(x, y): return y[0] < x[1] and x[0] < y[1] or y[0] <= x[0] == x[1] <= y[1]
    touching = [b for b in boxes if all(map(touch, region, b))]
    if any(all(y[0] <= x[0] and x[1] <= y[1] for x, y in zip(region, b)) for b in touching): return True
    cuts = [(i, e) for b in touching for i, y in enumerate(b) for e in y if region[i][0] < e < region[i][1]]
    if not cuts: return False
    i, cut = min(cuts, key=lambda c: abs(2 * c[1] - sum(region[c[0]])) / (region[c[0]][1] - region[c[0]][0]))
    halves = ((region[i][0], cut), (cut, region[i][1]))
    return all(covered(region[:i] + [half] + region[i + 1:], touching) for half in halves)
def box_shows(expected, read, choices, names, box, depth, face=False):
    """The claim holds (fails), or a condition fails, on the whole box: by evaluation, by slopes, on the face to which
    the difference of the sides falls (where it certainly does along some sides of the box), or so on both halves."""
    radii, worst, claim = [exact((high - low) / 2) for low, high in box], box, tree_of(tuple(read["claim"]))
    for slopes in (False, True):
        try:
            f, sides = Formula(read, dict(choices)), []
            middle = Slopes(ZERO, ZERO, [ZERO] * len(box), [r.b for r in radii])
            if slopes: f.lift = middle.lift
            raw = [hull(exact(low), exact(high)) for low, high in box]
            if slopes: raw = [Slopes(exact(sum(box[i]) / 2), x, [ONE * (i == k) for k in range(len(box))], middle.radii)
                              for i, x in enumerate(raw)]
            placed(f, {n: raw[at:at + count] for n, count, at in names})
            if not face and any(f.holds(c) is False for c in read["where"]): return True
            if f.holds(read["claim"], sides) is expected: return True
            if slopes and expected and len(sides) == 1 and sides[0][0] != "=" and kind_of(claim) == "Compare":
                rising = (sides[0][1] - sides[0][2]) * (1 if sides[0][0] in (">", ">=") else -1)
                worst = [(x[0],) * 2 if s.a >= 0 else (x[1],) * 2 if s.b <= 0 else x
                         for x, s in zip(box, rising.slopes)]
        except (Fails, Unsupported, NotImplementedError, TypeError, AttributeError) as reason:
            if not slopes and not isinstance(reason, Fails): raise
    if worst != box and box_shows(expected, read, choices, names, worst, depth, True): return True
    i = max(range(len(box)), key=lambda k: box[k][1] - box[k][0], default=0)
    if depth == 0 or not box or box[i][0] == box[i][1]: return False
    halves = ((box[i][0], sum(box[i]) / 2), (sum(box[i]) / 2, box[i][1]))
    parts = (box[:i] + [half] + box[i + 1:] for half in halves)
    return all(box_shows(expected, read, choices, names, part, depth - 1, face) for part in parts)
def check_cases(read, cases, deep, expected):
    wanted = all_choices(read)
    need(len(cases) == len(wanted) > 0, f"{len(cases)} cases where the statement has {len(wanted)}")
    for case, choices in zip(cases, wanted):
        need(told(case["choices"]) == choices, f"no case {({n: str(v) for n, v in choices.items()})} in its place")
        f, names, region = Formula(read, dict(choices)), [], []
        for name, kind in members(read, False):
            count, low, high, *_ = set_at(f, kind)
            need(kind[0] != "finite" and abs(low) < INF and abs(high) < INF, "such a domain", Unsupported)
            names.append((name, count, len(region)))
            region += [(Fraction(low), Fraction(high))] * count
        boxes = [[(number(a), number(b)) for a, b in box] for box in case.get("boxes", [[]])]
        fit = {len(b) for b in boxes} == {len(region)}
        need(fit and covered(region, boxes), f"the boxes miss a part at {case['choices']}")
        for b, box in enumerate(boxes, 1):
            shown = box_shows(expected, read, f.names, names, box, deep)
            need(shown, f"box {b} at {case['choices']} does not show the claim")
def check_algebra(read):
    """Both sides agree at a random point, whatever the roots' signs: if not everywhere, then with a chance as small as
    degree/2^150 (Schwartz, Zippel; with exponentials Gonnet)."""
    for choices in all_choices(read):
        draw_primes()
        f = Formula(read, dict(choices), Residue({}).lift)
        for name, kind in members(read, False):
            count, *_, element = set_at(f, kind)
            raw = [[secrets.randbits(320) % m for m in Residue.MODULI] for _ in range(count)]
            f.names[name] = element([Residue({0: pair}) for pair in raw])
        if f.holds(read["claim"]) is not True: raise Unsupported(f"the sides are not shown to be the same at {choices}")
def check_limit(read, e):
    """A limit is wrong: from some place on the sides stay apart, or their ratio grows like a power or faster."""
    (name, target), start = read["limit"], number(e["from"])
    need(target == ["inf"] and not members(read, False) and not read["where"], "a limit of this kind", Unsupported)
    need(told(e["choices"]) in all_choices(read) and 1 <= start < INF, "the choices or the place are none")
    x = Growth(exact(start), hull(exact(start), iv.mpf(INF)), ONE)
    f, claim = Formula(read, {**told(e["choices"]), name: x}, x.lift), tree_of(tuple(read["claim"]))
    equation = kind_of(claim) == "Compare" and [kind_of(op) for op in claim.ops] == ["Eq"] and "O" not in f.let
    need(equation, "a limit that is no equation", Unsupported)
    left, right = claim.left, claim.comparators[0]
    order = kind_of(right) == "Call" and named(right.func) == "O"
    l, r = (f.lift(f.value(side, f.names)) for side in (left, right.args[0] if order else right))
    least = number(e["power" if order else "apart"])
    bound = need(0 < least < INF, "a bound that is not positive") and exact(least).b
    if not order: return need((l - r).a >= bound or (l - r).b <= -bound, "the sides are not so far apart from there on")
    up = max(l.rate.a, 0 if l.a > 0 or l.b < 0 else -INF)  # a side that is bounded away from 0, or bounded, has rate 0
    down = min(r.rate.b, 0 if abs(r.a) < INF and abs(r.b) < INF else INF)
    grows = (l.start.a > 0 or l.start.b < 0) and up - down >= bound
    need(grows, "the ratio of the sides does not grow so fast from there on")
def check_constant(e):
    """best C in [a, b]: forall .. is forall C in [a, c], .., false at one point for every C, and forall C in {d}, .."""
    best = re.compile(r"(let .*: )?best (\w+) in ([\[(].*?[\])]): forall (.*)")
    lets, name, interval, rest = best.fullmatch(e["statement"]).groups("")
    def set_in(part):
        begin, end, text = f"{lets}forall {name} in ", f", {rest}", e[part]["statement"]
        need(text.startswith(begin) and text.endswith(end), f"'{part}' is of another statement")
        check(e[part])
        return [number("".join(end)) for end in set_of(tokens_of(text[len(begin):-len(end)]))[1]]
    need(e["not_enough"]["kind"] == "witness" and e["not_enough"]["every"] == name, "no witness for every constant")
    (low, high), (a, b) = [[number("".join(end)) for end in set_of(tokens_of(interval))[1]], set_in("not_enough")]
    if e["kind"] == "witness": return need((a, b) == (low, high), "other constants may be enough")
    (enough,) = need(e["enough"]["kind"] == "certificate", "no certificate") and set_in("enough")
    need(low == a <= b < enough <= high or low <= enough < a <= b == high, "the constants do not lie as they must")

# ---- Files ----------------------------------------------------------------------------------------------------------
def unique(pairs):
    return need(len(dict(pairs)) == len(pairs), "a key stands twice in one object", Malformed) and dict(pairs)
def refused(word): need(False, f"{word} is not a number", Malformed)
def sha256(text): return hashlib.sha256(text.encode()).hexdigest()
def verify(path):
    need(os.path.getsize(path) <= MOST_BYTES, "the file is larger than 64 MiB", Malformed)
    with open(path, encoding="utf-8") as file: check(json.load(file, object_pairs_hook=unique, parse_constant=refused))
def check(e):
    need(isinstance(e, dict) and e.get("schema") == SCHEMA, f"the schema is not {SCHEMA}", Malformed)
    need(re.fullmatch(r"\w[\w.-]*(/\w[\w.-]*)?", str(e.get("id"))), "the id is not of the form paper/name", Malformed)
    need(sha256(e["statement"]) == e["sha256"], "the SHA-256 is not that of the statement")
    rest = json.dumps({k: v for k, v in e.items() if k != "digest"}, sort_keys=True, separators=(",", ":"))
    need(sha256(rest) == e["digest"], "the file was changed: its digest is another")
    if e["method"] == "constant": return check_constant(e)
    read = statement_of(e["statement"])
    shows = (e["kind"], e["method"], *(sorted({word for word, *_ in read["binders"]}) or ["forall"]))
    need([tokens_of(a) for a in e["assumptions"]] == read["where"], "the assumptions are not the statement's")
    if read["limit"]: shows = (e["kind"], e["method"], *(["limit"] if shows[2:] == ("forall",) else shows))
    if shows == ("witness", "point", "forall"): check_point(read, e, False)
    elif shows == ("certificate", "point", "exists"): check_point(read, e, True)
    elif shows == ("witness", "limit", "limit"): check_limit(read, e)
    elif shows[1] in ("boxes", "enumeration") and shows[::2] in (("certificate", "forall"), ("witness", "exists")):
        check_cases(read, e["cases"], 6 if shows[1] == "boxes" else 0, shows[2] == "forall")
    elif shows == ("certificate", "algebra", "forall"): check_algebra(read)
    else: raise Unsupported(f"a {shows[0]} by {shows[1]} of this statement")
def main(paths):
    if not paths or paths[0] in ("-h", "--help"): return print(__doc__) or (0 if paths else 2)
    words = {Fails: (1, "not verified"), Unsupported: (4, "not supported"), Malformed: (2, "not an evidence file")}
    codes = set()
    for path in paths:
        code, line = 0, "verified"
        try: verify(path)
        except tuple(words) as reason:
            code, word = words[type(reason)]
            line = f"{word}: {reason}"[:300]
        except Exception as reason:  # what a damaged file raises
            kinds = ((OSError, "it cannot be opened"), (KeyError, f"the key {reason} is missing"),
                     ((json.JSONDecodeError, UnicodeDecodeError), "it is not valid JSON"),
                     ((RecursionError, MemoryError), "it is nested too deeply"))
            said = next((text for kind, text in kinds if isinstance(reason, kind)), "it has a value of the wrong kind")
            code, line = 2, f"not an evidence file: {said}"[:300]
        print(f"{path}: {line}")
        codes.add(code)
    return next(code for code in (2, 1, 4, 0) if code in codes)

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
