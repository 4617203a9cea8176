#!/usr/bin/env python3
"""Verifies Attest's evidence files without Attest: python3 check_evidence.py FILE...

Needs the standard library, the interval arithmetic of mpmath, and check_numbers.py beside this file. Formulas are parsed and
evaluated by code of its own; nothing found in a file is run. A line per file: `verified`, `not verified` with the place, `not
supported` with the reason, or what is wrong with the file. Exit code: 0 all verified, 1 one is not, 2 one is no evidence file,
4 none failed but one is not supported. The format is described in evidence-format.md.
"""
import functools, hashlib, json, math, os, re, secrets, sys
from fractions import Fraction
from mpmath import iv
from check_numbers import *  # the file beside this one

SCHEMA, MOST_BYTES, MOST_TEXT, MOST_STEPS = "attest-evidence-1", 64 << 20, 20000, 20_000_000

# ---- A statement's text ----------------------------------------------------------------------------------------------------
TOKEN = re.compile(r'\s*(\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|[A-Za-z]\w*|"[^"\\\n]*"'
                   r"|\.\.|\.\*|\./|\.\^|<=|>=|[-+*/^'()\[\]{},:;<>=~])", re.ASCII)
EXACT = re.compile(r"-?(inf|\d+(/\d*[1-9]\d*)?|\d*\.?\d+([eE][-+]?\d{1,4})?)", re.ASCII)
RELATIONS, OVER = ("<=", "<", ">=", ">", "="), ("sum", "prod", "max", "min", "mean")
def number(text):
    need(isinstance(text, str) and EXACT.fullmatch(text), f"{str(text)[:60]} is no exact number such as '1/2'", Malformed)
    return float(text) if "inf" in text else Fraction(text)
def tokens_of(text):
    need(len(text) <= MOST_TEXT and not TOKEN.sub("", text).strip(), "a sign or the length of the statement", Unsupported)
    return TOKEN.findall(text)
def split(tokens, *signs):  # The pieces between the signs that stand outside of brackets.
    pieces, depth = [[]], 0
    for token in tokens:
        depth += (token in ("(", "[", "{")) - (token in (")", "]", "}"))
        if depth == 0 and token in signs: pieces.append([])
        else: pieces[-1].append(token)
    need(depth == 0 and (signs != (",",) or pieces == [[]] or all(pieces)), "brackets or commas", Unsupported)
    return pieces
def list_of(tokens): return split(tokens, ",") if tokens else []
def pair_of(tokens, sign): return need(len(ends := split(tokens, sign)) == 2, f"the text '{' '.join(tokens)[:60]}'", Unsupported) and ends
def set_of(tokens):  # Kind, arguments, extents, whether the lower and the upper end are open.
    if len(split(tokens, "..")) == 2: return ("whole", pair_of(tokens, ".."), [])
    base, *power = split(tokens, "^")
    kind = {"R": "R", "(": "interval", "[": "interval", "{": "finite"}.get(base[0])
    inner = list_of(base[1:-1] if kind else base[2:-1])
    fits = {"R": len(base) == 1, "interval": len(inner) == 2, "finite": True, None: base[1:2] == ["("]}
    need(len(power) < 2 and fits[kind], "this set", Unsupported)
    return (kind or base[0], inner, [e for p in power for e in list_of(p[1:-1] if p[0] == "(" else p)], base[0] == "(", base[-1] == ")")
def define(tokens, into):  # NAME = .. or F(x, y) = ..
    left, right = pair_of(tokens, "=")
    need(left[0] not in into, "a name defined twice", Malformed)
    into[left[0]] = ([v for v in left[1:] if v not in ("(", ")", ",")], right)
def statement_of(text):
    """let NAME = .., F(x) = ..: forall|exists NAME, NAME in SET where .., ..: CLAIM where .., F(0) = .., F(l + 1) = .."""
    *blocks, last = split(tokens_of(text), ":")
    read = {"binders": [], "let": {}, "where": [], "recursions": {}}
    for word, *block in blocks:
        need(word in ("forall", "exists", "let", "random"), f"a statement with '{word}'", Unsupported)
        names = []
        for piece in split(block, ","):
            if word == "let": define(piece, read["let"])
            else: names.append(piece[0])
            if word != "let" and piece[1:]:
                kind, *more = split(piece[2:], "where")
                need(piece[1] == ("~" if word == "random" else "in") and len(more) < 2, "this quantifier", Unsupported)
                read["binders"].append((word, names, set_of(kind)))
                read["where"], names = read["where"] + more, []
        need(not names, "a name without its set", Malformed)
    read["claim"], *tail = split(last, "where")
    for tokens in (piece for part in tail for piece in split(part, ",")):
        left, *right = split(tokens, "=")
        if right and left[1:2] == ["("] and left[0] not in {*FUNCTIONS, *PRELUDE, *read["let"]}:
            read["recursions"].setdefault(left[0], []).append((left[2:-1], right[0]))
        else: read["where"].append(tokens)
    names = [n for _, names, _ in read["binders"] for n in names]
    for name, rules in read["recursions"].items():  # Becomes start, index, how far ahead, step.
        (at, step), = [(at, step) for at, step in rules if len(at) == 3] or need(False, "this recursion", Unsupported)
        start = {int(at[0]): body for at, body in rules if len(at) == 1}
        need(len(start) == len(rules) - 1 > 0 and at[1] == "+", "this recursion", Unsupported)
        read["recursions"][name] = (start, at[0], int(at[2]), step)
    tokens, called = tokens_of(text), {*FUNCTIONS, *PRELUDE}  # a variable may have the name of a function that is not called
    called -= {name for name in called & {*names, *read["let"]} if ["(" for a, b in zip(tokens, tokens[1:]) if (a, b) == (name, "(")] == []}
    taken = [*names, *read["let"], *read["recursions"], *called, "pi", "inf", "true", "false"]
    clear = len(set(taken)) == len(taken) and not any(set(taken) & set(ps) - {*names, *read["let"]} for ps, _ in read["let"].values())
    need(clear and len(tail) < 2 and all(name[0].isalpha() for name in names), "a name with two meanings", Unsupported)
    return read

PRELUDE = {}
for line in PRELUDE_TEXT.replace("\n", ";").split(";"): define(tokens_of(line), PRELUDE)

# ---- Formulas are evaluated as they are read -------------------------------------------------------------------------------
class Formula:
    """A statement at fixed choices: `names` holds whole numbers and choices (Fraction, inf) and elements; `lift` makes numbers."""
    def __init__(self, read, names, lift=exact):
        self.read, self.let, self.names, self.lift, self.steps, self.values = read, {**PRELUDE, **read["let"]}, names, lift, 0, {}
    def value(self, tokens, names=None):
        reading = Reading(self, tokens, self.names if names is None else names)
        return need((value := reading.sum()) is not None and reading.at == len(tokens), f"'{' '.join(tokens)[:60]}'", Unsupported) and value
    def number(self, tokens, names=None): return each(self.lift, self.value(tokens, names))
    def known(self, tokens):  # A Fraction or inf; None for what is not known exactly.
        return value if isinstance(value := self.value(tokens), (Fraction, float)) else None
    def whole(self, tokens, names=None):
        value = self.value(tokens, names)
        return need(isinstance(value, Fraction) and value.denominator == 1, "a whole number not known before", Unsupported) and int(value)
    def over(self, inner, names):  # i in 1..n: body as the body's tokens and the names for each i
        span, body = pair_of(inner[2:], ":")
        low, high = (self.whole(end, names) for end in pair_of(span, ".."))
        need(inner[0] not in {*names, *self.let} and high - low < 1000000, "a name with two meanings, or a long index", Unsupported)
        return body, [{**names, inner[0]: Fraction(i)} for i in range(low, high + 1)]
    def along(self, name, wanted):  # name(wanted) by the recursion, from its start upwards.
        start, index, ahead, step = self.read["recursions"][name]
        for k in range(min(start), wanted + 1):
            told = self.names if k in start else {**self.names, index: Fraction(k - ahead)}
            if (name, k) not in self.values: self.values[name, k] = self.number(start.get(k, step), told)
        return self.values[name, wanted]
    def called(self, name, inner, names):
        if inner[1:2] == ["in"]:
            need(name in OVER, f"'{name}' over an index", Unsupported)
            body, all_names = self.over(inner, names)
            parts = [self.number(body, told) for told in all_names]
            return total(parts) if name == "sum" else each(lambda x: x / len(parts), total(parts)) if name == "mean" else FUNCTIONS[name](parts)
        given = list_of(inner)
        if name in self.let:
            told = dict(zip(self.let[name][0], [self.value(a, names) for a in given], strict=True))
            return self.value(self.let[name][1], {**self.names, **told})
        if name in self.read["recursions"]: return self.along(name, self.whole(inner, names))
        need(name in FUNCTIONS, f"the function '{name}'", Unsupported)
        options = {a[0]: a[2] == "true" if a[2] in ("true", "false") else self.number(a[2:], names) for a in given if "=" in a[1:2]}
        need(not set(options) - {"causal", "scale", "eps"}, f"this use of '{name}'", Unsupported)
        arguments = [a[0][1:-1] if a[0][0] == '"' else (self.number if i < EXACT_FROM.get(name, 9) else self.value)(a, names)
                     for i, a in enumerate(given) if "=" not in a[1:2]]
        return each(lambda x: self.lift(x) if isinstance(x, int) else x, FUNCTIONS[name](*arguments, **options))
    def arithmetic(self, sign, a, b):
        self.steps += 1
        need(self.steps < MOST_STEPS and None not in (a, b), "more work than this checker does", Unsupported)
        if isinstance(a, Fraction) and isinstance(b, Fraction):
            small = b.denominator == 1 and abs(b) * (abs(a.numerator) + a.denominator).bit_length() < 100000
            if sign[-1] == "^" and small and (a or b > 0): return a ** int(b)
            if sign[-1] in "+-*" or (sign[-1] == "/" and b): return a / b if sign[-1] == "/" else OPERATIONS[sign[-1]](a, b)
        a, b = each(self.lift, a), b if sign[-1] == "^" else each(self.lift, b)
        if sign == "^" and isinstance(a, list):
            need(matrix(a) and b.denominator == 1 and b >= 0, "this power", Unsupported)
            return functools.reduce(product, [a] * int(b), each(self.lift, identity(len(a))))
        return product(a, b) if sign == "*" else each(OPERATIONS[sign[-1]], a, b)
    def truth(self, tokens, names, sides):
        """True or False where certain, else None; `sides` collects (relation, left, right) of every entry that is compared."""
        word = next((word for word in ("or", "and") if word in tokens and len(split(tokens, word)) > 1), "")
        ends = split(tokens, *RELATIONS)
        if word: parts = [self.truth(part, names, sides) for part in split(tokens, word)]
        elif tokens[0] == "not": return None if (part := self.truth(tokens[1:], names, sides)) is None else not part
        elif len(ends) == 2:
            parts, symbol = [], tokens[len(ends[0])]
            each(lambda a, b: parts.append(compared(symbol, a, b)) or sides.append((symbol, a, b)), *(self.number(x, names) for x in ends))
        elif tokens[:2] == ["all", "("] and tokens[3:4] == ["in"]:
            body, all_names = self.over(tokens[2:-1], names)
            parts = [self.truth(body, told, sides) for told in all_names]
        else:
            need(tokens[0] == "(" and tokens[-1] == ")", f"the claim '{' '.join(tokens)[:60]}'", Unsupported)
            return self.truth(tokens[1:-1], names, sides)
        return (word == "or") if (word == "or") in parts else None if None in parts else word != "or"
class Reading:
    """A descent through the tokens of one expression, which it evaluates; None where it is none."""
    def __init__(self, f, tokens, names): self.f, self.tokens, self.names, self.at = f, tokens, names, 0
    def next(self, *signs):
        self.at += (found := self.tokens[self.at:self.at + 1] + [""])[0] in signs
        return found[0] if found[0] in signs else ""
    def inside(self):  # The tokens up to the bracket that closes the one before.
        depth, start = 1, self.at
        while depth: self.at, depth = self.at + 1, depth + {"(": 1, "[": 1, ")": -1, "]": -1}.get(self.tokens[self.at], 0)
        return self.tokens[start:self.at - 1]
    def sum(self):
        value = self.term()
        while sign := self.next("+", "-"): value = self.f.arithmetic(sign, value, self.term())
        return value
    def term(self):
        if self.next("-"): return each(lambda x: -x, self.term())
        value = self.factor()
        while sign := self.next("*", "/", ".*", "./"): value = self.f.arithmetic(sign, value, self.factor())
        return value
    def factor(self):
        if self.next("-"): return each(lambda x: -x, self.factor())
        value = self.atom()
        return self.f.arithmetic(sign, value, self.factor()) if (sign := self.next("^", ".^")) else value
    def atom(self):
        token, f = self.tokens[self.at:self.at + 1] + [""], self.f
        token, self.at = token[0], self.at + 1
        if token[-1:].isdigit() and not token[0].isalpha(): value = number(token)
        elif token == "(": value = f.value(self.inside(), self.names)
        elif token == "[":
            rows = [[f.number(x, self.names) for x in list_of(row)] for row in split(self.inside(), ";")]
            value = rows if len(rows) > 1 else rows[0]
        elif token[:1].isalpha() and self.next("("): value = f.called(token, self.inside(), self.names)
        elif token in self.names: value = self.names[token]
        elif token in ("pi", "e", "inf") and token not in f.let: value = INF if token == "inf" else f.lift(iv.pi * 1 if token == "pi" else iv.exp(ONE))
        else:
            need(token in f.let and not f.let[token][0], f"'{token[:60]}' stands for nothing", Unsupported)
            value = f.value(f.let[token][1])
        while sign := self.next("'", "["):
            if sign == "'": value = columns(value)
            for item in split(self.inside(), ",") if sign == "[" else ():
                low, high = (f.whole(end, self.names) for end in (split(item, "..") * 2)[:2])
                need(1 <= low <= high <= len(value), "an index out of range")
                value = value[low - 1:high] if ".." in item else value[low - 1]
        return value
def compared(symbol, a, b):  # True or False where the relation certainly holds or fails, else None.
    if isinstance(a - b, Residue): return need(symbol == "=", "an order in algebra", Unsupported) and ((a - b).pair[0] == 0 or None)
    low, high = ((a - b).a, (a - b).b) if symbol in (">", ">=") else ((b - a).a, (b - a).b)
    if symbol == "=": return False if low > 0 or high < 0 else low == high == 0 or None
    strict = symbol in ("<", ">")
    return True if low > 0 or (low == 0 and not strict) else False if high < 0 or (high == 0 and strict) else None
OPERATIONS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "^": power, "/": divided}


# ---- Evidence files --------------------------------------------------------------------------------------------------------
PLAIN = ("R", "interval", "finite")
def members(read, choices):  # The variables of whole and finite sets, or the others.
    return [(n, k) for word, names, k in read["binders"] for n in names if word != "random" and choices == (k[0] == "whole" or (k[0] == "finite" and not k[2]))]
def shaped(x, shape):
    step = len(x) // (shape or [1])[0]
    return [shaped(x[i * step:(i + 1) * step], shape[1:]) for i in range(shape[0])] if shape else x[0]
def set_at(f, kind):  # count, bounds and open ends of a set's raw numbers, and how they make its element: evidence-format.md
    name, args = kind[:2]
    n = [f.whole(e) for e in (kind[2] if name in PLAIN else args[:2 if name in ("stochastic", "attention") else 1])]
    need(all(k >= 1 for k in n), "an extent below 1")
    size, square, triangle, line, unit = math.prod(n), n[:1] * 2, sum(range(n[0] + 1)) if n else 0, (-INF, INF), (0, 1)
    if name == "interval" and None in (ends := [f.known(a) for a in args]):
        low, high = (None if abs(end or 0) == INF else f.number(a) for end, a in zip(ends, args))
        need(f.lift is not exact or None in (low, high) or high.a > low.b or (high.a == low.b and not any(kind[3:])), "an interval that may be empty")
        between = lambda u: low + u if high is None else high - u if low is None else low + (high - low) * u
        opened = kind[3:] if None not in (low, high) else (kind[3 if high is None else 4], False)
        return size, 0, INF if None in (low, high) else 1, *opened, lambda raw: shaped([between(u) for u in raw], n)
    if name == "interval": return size, *ends, *kind[3:], lambda raw: shaped(raw, n)
    shares = rowwise(lambda row: [divided(w, total(row)) for w in row])
    below = lambda i, j: min(i, j) * n[0] - min(i, j) * (min(i, j) + 1) // 2 + max(i, j)
    scores = lambda raw: each(lambda x: x / root(f.lift(n[1])), product(shaped(raw[:size], n), columns(shaped(raw[size:], n))))
    in_ball = lambda raw: each(lambda u: u * root(f.number(args[1]))**2 / largest([ONE, norm(raw)]), raw)
    count, bounds, element = {
        "R": lambda: (size, line, lambda raw: shaped(raw, n)),
        "finite": lambda: (size, (0, len(args) - 1), lambda raw: shaped([f.number(args[int(float(u.a))]) for u in raw], n)),
        "simplex": lambda: (size, unit, shares), "stochastic": lambda: (size, unit, lambda raw: shares(shaped(raw, n))),
        "sphere": lambda: (size, (-1, 1), lambda raw: [divided(u, norm(raw)) for u in raw]),
        "ball": lambda: (size, (-1, 1), in_ball),
        "symmetric": lambda: (triangle, line, lambda raw: [[raw[below(i, j)] for j in range(n[0])] for i in range(n[0])]),
        "psd": lambda: (n[0]**2, line, lambda raw: product(shaped(raw, square), columns(shaped(raw, square)))),
        "attention": lambda: (2 * size, line, lambda raw: softmax(scores(raw))),
        "orthogonal": lambda: (triangle, line, lambda raw: reflections(raw, n[0])),
    }.get(name, lambda: need(False, f"the set '{name}'", Unsupported))()
    return count, *bounds, False, False, element
def all_choices(read, chosen=None):  # Every combination of choices, in order.
    f, names = Formula(read, chosen or {}), members(read, True)
    if len(f.names) == len(names): return [f.names]
    name, kind = names[len(f.names)]
    values = [f.known(a) for a in kind[1]]
    if kind[0] == "whole":
        need(None not in values and INF not in values and values[1] - values[0] < 100000, "a range without end", Unsupported)
        values = [Fraction(v) for v in range(math.ceil(values[0]), math.floor(values[1]) + 1)]
    return [c for v in values for c in all_choices(read, {**f.names, name: v})]
def told(choices): return {name: number(value) for name, value in choices.items()}
def placed(f, raws):  # Binds every element; `raws` maps names to raw numbers.
    need(set(raws) == {name for name, _ in members(f.read, False)}, "the inputs are not those of the statement")
    for name, kind in members(f.read, False):
        count, low, high, low_open, high_open, element = set_at(f, kind)
        need(len(raws[name]) == count, f"{name} does not have the {count} raw numbers of its set")
        for a in (a for a in raws[name] if isinstance(a, (Fraction, float))):
            inside = low <= a <= high and abs(a) < INF and not (low_open and a == low) and not (high_open and a == high)
            need(inside and (kind[0] != "finite" or a.denominator == 1), f"{name} has a raw number outside its bounds")
        f.names[name] = element([exact(a) for a in raws[name]])
    return f
def check_point(read, e, expected):
    raws, sides, found = {i["name"]: [number(x) for x in i["raw"]] for i in e["inputs"]}, [], []
    need(told(e["choices"]) in all_choices(read), "the choices are not those of the statement")
    if "every" in e:  # all values of the constant at once
        f, kind = Formula(read, {}), dict(members(read, False))[e["every"]]
        raws[e["every"]] = [hull(*(exact(f.known(end)) for end in kind[1]))]
    f = placed(Formula(read, told(e["choices"])), need(len(raws) == len(e["inputs"]), "an input stands twice") and raws)
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
def covered(region, boxes):  # True when the boxes cover the region: all are lists of (lower, upper).
    def touch(x, y): return y[0] < x[1] and x[0] < y[1] or y[0] <= x[0] == x[1] <= y[1]
    touching = [b for b in boxes if all(map(touch, region, b))]
    if any(all(y[0] <= x[0] and x[1] <= y[1] for x, y in zip(region, b)) for b in touching): return True
    cuts = [(i, e) for b in touching for i, y in enumerate(b) for e in y if region[i][0] < e < region[i][1]]
    if not cuts: return False
    i, cut = min(cuts, key=lambda c: abs(2 * c[1] - sum(region[c[0]])) / (region[c[0]][1] - region[c[0]][0]))
    return all(covered(region[:i] + [half] + region[i + 1:], touching) for half in ((region[i][0], cut), (cut, region[i][1])))
def box_shows(expected, read, choices, names, box, depth, face=False):
    """The claim holds (fails), or a condition fails, on the whole box: by evaluation, by slopes, on the face to which the
    difference of the sides falls (where it certainly does along some sides of the box), or by the same on both halves."""
    radii, worst = [exact((high - low) / 2) for low, high in box], box
    for slopes in (False, True):
        try:
            f, sides = Formula(read, dict(choices)), []
            middle = Slopes(ZERO, ZERO, [ZERO] * len(box), [r.b for r in radii])
            if slopes: f.lift = middle.lift
            raw = [hull(exact(low), exact(high)) for low, high in box]
            if slopes: raw = [Slopes(exact(sum(box[i]) / 2), x, [ONE * (i == k) for k in range(len(box))], middle.radii) for i, x in enumerate(raw)]
            placed(f, {n: raw[at:at + count] for n, count, at in names})
            if not face and any(f.truth(c, f.names, []) is False for c in read["where"]): return True
            if f.truth(read["claim"], f.names, sides) is expected: return True
            if slopes and expected and len(sides) == 1 and sides[0][0] != "=" and not {"not", "or", "all"} & set(read["claim"]):
                rising = (sides[0][1] - sides[0][2]) * (1 if sides[0][0] in (">", ">=") else -1)
                worst = [(x[0],) * 2 if s.a >= 0 else (x[1],) * 2 if s.b <= 0 else x for x, s in zip(box, rising.slopes)]
        except (Fails, Unsupported, NotImplementedError, TypeError, AttributeError) as reason:
            if not slopes and not isinstance(reason, Fails): raise
    if worst != box and box_shows(expected, read, choices, names, worst, depth, True): return True
    i = max(range(len(box)), key=lambda k: box[k][1] - box[k][0], default=0)
    if depth == 0 or not box or box[i][0] == box[i][1]: return False
    halves = ((box[i][0], sum(box[i]) / 2), (sum(box[i]) / 2, box[i][1]))
    return all(box_shows(expected, read, choices, names, box[:i] + [half] + box[i + 1:], depth - 1, face) for half in halves)
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
        need({len(b) for b in boxes} == {len(region)} and covered(region, boxes), f"the boxes miss a part at {case['choices']}")
        for b, box in enumerate(boxes):
            need(box_shows(expected, read, f.names, names, box, deep), f"box {b + 1} at {case['choices']} does not show the claim")
def check_algebra(read):
    """Both sides agree at a random point, whatever the roots' signs: if not everywhere, then with a chance as small as
    degree/2^150 (Schwartz, Zippel; with exponentials Gonnet)."""
    for choices in all_choices(read):
        for attempt in range(4096):
            if attempt % 16 == 0: draw_primes()
            point, Residue.roots, Residue.signs = {}, {}, 0
            try:
                while Residue.signs < 1 << len(Residue.roots):
                    f = Formula(read, dict(choices), Residue([0, 0]).lift)
                    for name, kind in members(read, False):
                        count, *_, element = set_at(f, kind)
                        f.names[name] = element([point.setdefault((name, i), Residue([secrets.randbits(320)] * 2)) for i in range(count)])
                    if f.truth(read["claim"], f.names, []) is not True:
                        raise Unsupported(f"the sides are not shown to be the same at {choices}")
                    Residue.signs += 1
                    need(len(Residue.roots) < 11, "more than ten roots", Unsupported)
                break
            except NoRoot: pass
        else: raise Unsupported("roots that hardly exist modulo P")
def check_constant(e):  # best C in [a, b]: forall .. becomes forall C in [a, c], .., false at one point for every C, and forall C in {d}, ..
    lets, name, interval, rest = re.fullmatch(r"(let .*: )?best (\w+) in ([\[(].*?[\])]): forall (.*)", e["statement"]).groups("")
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
def unique(pairs): return need(len(dict(pairs)) == len(pairs), "a key stands twice in one object", Malformed) and dict(pairs)
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
    if shows == ("witness", "point", "forall"): check_point(read, e, False)
    elif shows == ("certificate", "point", "exists"): check_point(read, e, True)
    elif shows[1] in ("boxes", "enumeration") and shows[::2] in (("certificate", "forall"), ("witness", "exists")):
        check_cases(read, e["cases"], 6 if shows[1] == "boxes" else 0, shows[2] == "forall")
    elif shows == ("certificate", "algebra", "forall"): check_algebra(read)
    else: raise Unsupported(f"a {shows[0]} by {shows[1]} of this statement")
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
