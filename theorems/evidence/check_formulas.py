"""The formulas of check_evidence.py: a statement's text is read into Python's syntax tree, of which the few kinds of
nodes that stand below are evaluated with numbers of any kind of check_numbers.py; sets make elements of raw numbers.
"""
import ast, functools, itertools, math, operator, re
from fractions import Fraction
from mpmath import iv
from check_numbers import *  # the file beside this one

MOST_TEXT, MOST_STEPS = 20000, 20_000_000

# ---- A statement's text ---------------------------------------------------------------------------------------------
TOKEN = re.compile(r'\s*(\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|[A-Za-z]\w*|"[\w-]*"'
                   r"|\.\.|\.\*|\./|\.\^|<=|>=|->|[-+*/^'()\[\]{},:;<>=~])", re.ASCII)
NUMBER = re.compile(r"-?(inf|\d+(/\d*[1-9]\d*)?|\d*\.?\d+([eE][-+]?\d{1,4})?)", re.ASCII)
PYTHON = {"^": "**", ".^": "**_each**", ".*": "@", "./": "//", "'": ".T", "..": ":", "=": "==", ";": ",_row,"}
def number(text):
    fits = isinstance(text, str) and NUMBER.fullmatch(text)
    need(fits, f"{str(text)[:60]} is no exact number such as '1/2'", Malformed)
    return float(text) if "inf" in text else Fraction(text)
def tokens_of(text):
    fits = len(text) <= MOST_TEXT and not TOKEN.sub("", text).strip()
    need(fits, "a sign or the length of the statement", Unsupported)
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
def pair_of(tokens, sign):
    return need(len(ends := split(tokens, sign)) == 2, f"the text '{' '.join(tokens)[:60]}'", Unsupported) and ends
@functools.lru_cache(maxsize=None)
def tree_of(tokens):
    """An expression as Python's syntax tree: names get a _, numbers are texts, sum(i in 1..n: x) is sum[i in 1:n:x]."""
    python, closing, depth = [], [], 0
    for i, token in enumerate(tokens):
        over = token == "(" and tokens[i + 2:i + 3] == ("in",)
        depth = depth + 1 if token in ("(", "[", "-", "^", ".^", "not") else 0 if token == "," else depth
        need(depth < 900, "a formula as long as this", Unsupported)
        if token in ("(", "["): closing.append("]" if over else {"(": ")", "[": "]"}[token])
        if token in (")", "]"): token = closing.pop()
        elif token[0].isdigit() or token[0] == ".": token = PYTHON.get(token, f"'{token}'")
        elif token[0].isalpha() and token not in ("and", "or", "not", "in"): token += "_"
        else: token = "[" if over else PYTHON.get(token, token)
        python.append(token)
    try: return ast.parse(" ".join(python), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise Unsupported(f"'{' '.join(tokens)[:60]}'") from None
def set_of(tokens):  # Kind, arguments, extents, whether the lower and the upper end are open.
    if len(split(tokens, "..")) == 2: return ("whole", pair_of(tokens, ".."), [])
    base, *power = split(tokens, "^")
    kind = {"R": "R", "(": "interval", "[": "interval", "{": "finite"}.get(base[0])
    inner = list_of(base[1:-1] if kind else base[2:-1])
    fits = {"R": len(base) == 1, "interval": len(inner) == 2, "finite": True, None: base[1:2] == ["("]}
    need(len(power) < 2 and fits[kind], "this set", Unsupported)
    extents = [e for p in power for e in list_of(p[1:-1] if p[0] == "(" else p)]
    return (kind or base[0], inner, extents, base[0] == "(", base[-1] == ")")
def define(tokens, into):  # NAME = .. or F(x, y) = ..
    left, right = pair_of(tokens, "=")
    need(left[0] not in into, "a name defined twice", Malformed)
    into[left[0]] = ([v for v in left[1:] if v not in ("(", ")", ",")], right)
def statement_of(text):
    """let NAME = .., F(x) = ..: forall|exists NAME in SET where ..: limit n -> inf: random x ~ LAW: CLAIM where ..,
    F(0) = .., F(l + 1) = .."""
    *blocks, last = split(tokens_of(text), ":")
    read = {"binders": [], "let": {}, "where": [], "recursions": {}, "random": [], "limit": None}
    for word, *block in blocks:
        sign = {"forall": "in", "exists": "in", "let": "", "random": "~", "limit": "->"}
        need(word in sign, f"a statement with '{word}'", Unsupported)
        names = []
        for piece in split(block, ","):
            if word == "let": define(piece, read["let"])
            else: names.append(piece[0])
            if word != "let" and piece[1:]:
                kind, *more = split(piece[2:], "where")
                need(piece[1] == sign[word] and len(more) < 2, "this quantifier", Unsupported)
                if word == "limit": read["limit"] = (names[0], kind)
                else: read["random" if word == "random" else "binders"].append((word, names, set_of(kind)))
                read["where"], names = read["where"] + more, []
        need(not names, "a name without its set", Malformed)
    read["claim"], *tail = split(last, "where")
    for tokens in (piece for part in tail for piece in split(part, ",")):
        left, *right = split(tokens, "=")
        if right and left[1:2] == ["("] and left[0] not in {*FUNCTIONS, *PRELUDE, *read["let"]}:
            read["recursions"].setdefault(left[0], []).append((left[2:-1], right[0]))
        else: read["where"].append(tokens)
    names = [n for _, names, _ in read["binders"] + read["random"] for n in names] + list(read["limit"] or ())[:1]
    for name, rules in read["recursions"].items():  # Becomes start, index, how far ahead, step.
        (at, step), = [(at, step) for at, step in rules if len(at) == 3] or need(False, "this recursion", Unsupported)
        start = {int(at[0]): body for at, body in rules if len(at) == 1}
        need(len(start) == len(rules) - 1 > 0 and at[1] == "+", "this recursion", Unsupported)
        read["recursions"][name] = (start, at[0], int(at[2]), step)
    # A variable may have the name of a function that is not called.
    tokens, called = tokens_of(text), {*FUNCTIONS, *PRELUDE}
    parameters = set().union(*(set(ps) for ps, _ in read["let"].values()))
    called -= {n for n in called & {*names, *read["let"], *parameters} if (n, "(") not in set(zip(tokens, tokens[1:]))}
    taken = [*names, *read["let"], *read["recursions"], *called, "pi", "inf", "true", "false", "and", "or", "not", "in"]
    inner = parameters & set(taken) - {*names, *read["let"]}
    clear = len(set(taken)) == len(taken) and not inner and all(name[0].isalpha() for name in names)
    need(clear and len(tail) < 2, "a name with two meanings", Unsupported)
    return read
PRELUDE = {}
for line in PRELUDE_TEXT.replace("\n", ";").split(";"): define(tokens_of(line), PRELUDE)

# ---- Formulas -------------------------------------------------------------------------------------------------------
OPERATIONS = {"Add": operator.add, "Sub": operator.sub, "Mult": operator.mul, "MatMult": operator.mul, "Div": divided,
              "FloorDiv": divided, "Pow": power}
RELATIONS = {"LtE": "<=", "Lt": "<", "GtE": ">=", "Gt": ">", "Eq": "="}
EXACT_OPERATIONS = {"Add": operator.add, "Sub": operator.sub, "MatMult": operator.mul, "Div": operator.truediv,
                    "FloorDiv": operator.truediv}
EXACTLY = {"<=": operator.le, "<": operator.lt, ">=": operator.ge, ">": operator.gt, "=": operator.eq}
def kind_of(node): return type(node).__name__
def named(node, what="a name"): return need(kind_of(node) == "Name", what, Unsupported) and node.id[:-1]
class Formula:
    """A statement at fixed choices: `names` holds these (Fraction, inf) and elements; `lift` makes numbers."""
    def __init__(self, read, names, lift=exact, panels=None):
        self.read, self.let, self.names, self.lift, self.panels = read, {**PRELUDE, **read["let"]}, names, lift, panels
        self.steps, self.cache = 0, {}
    def known(self, tokens):  # A Fraction or inf; None for what is not known exactly.
        return value if isinstance(value := self.value(tree_of(tuple(tokens)), self.names), (Fraction, float)) else None
    def number(self, tokens): return each(self.lift, self.value(tree_of(tuple(tokens)), self.names))
    def value(self, node, names):
        self.steps += 1
        need(self.steps < MOST_STEPS, "more work than this checker does", Unsupported)
        rule = getattr(self, f"of_{kind_of(node)}", None)
        return need(rule, f"an expression of the kind {kind_of(node)}", Unsupported) and rule(node, names)
    def whole(self, node, names):
        value = self.value(node, names)
        known = isinstance(value, Fraction) and value.denominator == 1
        return need(known, "a whole number not known before", Unsupported) and int(value)
    def of_Constant(self, node, names):
        return need(node.value[0] in ".0123456789", "a text in a formula", Unsupported) and number(node.value)
    def of_Name(self, node, names):
        name = named(node)
        if name in names: return names[name]
        if name in ("pi", "e", "inf") and name not in self.let:
            return INF if name == "inf" else self.lift(iv.pi * 1 if name == "pi" else iv.exp(ONE))
        need(name in self.let and not self.let[name][0], f"'{name[:60]}' stands for nothing", Unsupported)
        if name not in self.cache: self.cache[name] = self.value(tree_of(tuple(self.let[name][1])), self.names)
        return self.cache[name]
    def of_UnaryOp(self, node, names):
        need(kind_of(node.op) == "USub", "+x", Unsupported)
        return each(lambda x: -x, self.value(node.operand, names))
    def of_BinOp(self, node, names):
        sign, right, entries = kind_of(node.op), node.right, False
        if sign == "Pow" and kind_of(right) == "BinOp" and getattr(right.left, "id", "") == "_each":
            right, entries = right.right, True
        a, b = self.value(node.left, names), self.value(right, names)
        if all(isinstance(x, Fraction) for x in flat([a, b])):  # stays exact
            plain = isinstance(a, Fraction) and isinstance(b, Fraction) and b.denominator == 1 and (a or b > 0)
            if sign == "Pow" and plain and abs(b) * (abs(a.numerator) + a.denominator).bit_length() < 100000:
                return a**int(b)
            if sign == "Mult": return product(a, b)
            if sign in EXACT_OPERATIONS and (sign[-3:] != "Div" or all(flat(b))):
                return each(EXACT_OPERATIONS[sign], a, b)
        if sign != "Pow": b = each(self.lift, b)
        a = each(self.lift, a)
        if sign == "Pow" and isinstance(a, list) and not entries:
            need(matrix(a) and isinstance(b, Fraction) and b.denominator == 1 and b >= 0, "this power", Unsupported)
            return functools.reduce(product, [a] * int(b), each(self.lift, identity(Fraction(len(a)))))
        return product(a, b) if sign == "Mult" else each(OPERATIONS[sign], a, b)
    def of_List(self, node, names):
        rows = [list(g) for bar, g in itertools.groupby(node.elts, lambda x: getattr(x, "id", "") == "_row") if not bar]
        rows = [[self.value(x, names) for x in row] for row in rows]
        return rows if len(rows) > 1 else rows[0]
    def of_Attribute(self, node, names): return columns(self.value(node.value, names))
    def over(self, node, names):  # name[i in low:high:body] as the body and the names for each i
        part = node.slice
        fits = kind_of(part) == "Slice" and part.step is not None and kind_of(part.lower) == "Compare"
        need(fits, "this use of ':'", Unsupported)
        index, low = named(part.lower.left), self.whole(part.lower.comparators[0], names)
        high, clear = self.whole(part.upper, names), index not in {*names, *self.let}
        need(clear and high - low < 1000000, "a name with two meanings, or a long index", Unsupported)
        return part.step, [{**names, index: Fraction(i)} for i in range(low, high + 1)]
    def of_Subscript(self, node, names):
        name = node.value.id[:-1] if kind_of(node.value) == "Name" else ""
        if name in ("E", "P") and name not in {*names, *self.let}: return self.expectation(name, node.slice, names)
        if kind_of(node.slice) == "Slice" and node.slice.step is not None:
            need(name in ("sum", "prod", "max", "min", "mean"), f"'{name}' over an index", Unsupported)
            body, all_names = self.over(node, names)
            parts = [self.value(body, told) for told in all_names]
            return self.averaged(name, parts) if name in ("sum", "mean") else self.applied(name, [parts])
        value = self.value(node.value, names)
        for item in node.slice.elts if kind_of(node.slice) == "Tuple" else [node.slice]:
            ends = (item.lower, item.upper) if kind_of(item) == "Slice" else (item, item)
            low, high = (self.whole(end, names) for end in ends)
            need(isinstance(value, list) and 1 <= low <= high <= len(value), "an index out of range")
            value = value[low - 1:high] if kind_of(item) == "Slice" else value[low - 1]
        return value
    def averaged(self, name, parts):  # the sum or mean of numbers or arrays
        if not all(isinstance(x, Fraction) for x in flat(parts)): parts = [each(self.lift, part) for part in parts]
        return each(lambda x: x / len(parts), total(parts)) if name == "mean" else total(parts)
    def applied(self, name, arguments, **options):
        exactly = name in EXACT and all(isinstance(x, (Fraction, str)) for x in flat(arguments))
        if not exactly: arguments = [a if name in ("norm", "opnorm") and i or isinstance(a, str) else each(self.lift, a)
                                     for i, a in enumerate(arguments)]
        return each(lambda x: self.lift(x) if isinstance(x, int) else x, FUNCTIONS[name](*arguments, **options))
    def of_Call(self, node, names):
        name, options = named(node.func), {}
        if name in self.read["recursions"]: return self.along(name, self.whole(node.args[0], names))
        given = [a for a in node.args if kind_of(a) != "Compare"]
        for option in (a for a in node.args if kind_of(a) == "Compare"):
            key, said = named(option.left), option.comparators[0]
            need(key in ("causal", "scale", "eps") and name not in self.let, f"this use of '{name}'", Unsupported)
            yes = getattr(said, "id", "") in ("true_", "false_")
            options[key] = said.id == "true_" if yes else each(self.lift, self.value(said, names))
        texts = [kind_of(a) == "Constant" and a.value[0].isalpha() for a in given]
        arguments = [a.value if text else self.value(a, names) for a, text in zip(given, texts)]
        if name in self.let:
            told = dict(zip(self.let[name][0], arguments, strict=True))
            return self.value(tree_of(tuple(self.let[name][1])), {**self.names, **told})
        need(name in FUNCTIONS or name in OTHERS, f"'{name}' is no function of the language", Malformed)
        need(name in FUNCTIONS, f"the function '{name}'", Unsupported)
        return self.applied(name, arguments, **options)
    def along(self, name, wanted):  # name(wanted) by the recursion, from its start upwards
        start, index, ahead, step = self.read["recursions"][name]
        for k in range(min(start), wanted + 1):
            told = self.names if k in start else {**self.names, index: Fraction(k - ahead)}
            if (name, k) not in self.cache:
                self.cache[name, k] = each(self.lift, self.value(tree_of(tuple(start.get(k, step))), told))
        return self.cache[name, wanted]
    def truth(self, node, names, sides):
        """True or False where certain, else None; `sides` collects (relation, left, right) of every compared entry."""
        kind, word = kind_of(node), kind_of(getattr(node, "op", None))
        if kind == "BoolOp": parts = [self.truth(part, names, sides) for part in node.values]
        elif kind == "UnaryOp" and word == "Not":
            return None if (part := self.truth(node.operand, names, sides)) is None else not part
        elif kind == "Compare":
            parts, values = [], [self.value(x, names) for x in (node.left, *node.comparators)]
            for op, left, right in zip(node.ops, values, values[1:]):
                symbol = need(kind_of(op) in RELATIONS, "this relation", Unsupported) and RELATIONS[kind_of(op)]
                def compare(a, b):
                    exactly = isinstance(a, Fraction) and isinstance(b, Fraction)
                    sides.append((symbol, self.lift(a), self.lift(b)))
                    parts.append(EXACTLY[symbol](a, b) if exactly else compared(*sides[-1]))
                each(compare, left, right)
        else:
            need(kind == "Subscript" and getattr(node.value, "id", "") == "all_", "this claim", Unsupported)
            body, all_names = self.over(node, names)
            parts = [self.truth(body, told, sides) for told in all_names]
        return (word == "Or") if (word == "Or") in parts else None if None in parts else word != "Or"
    def holds(self, tokens, sides=None):
        return self.truth(tree_of(tuple(tokens)), self.names, [] if sides is None else sides)
    def expectation(self, name, node, names):
        """E[..] or P[..]: summed over all signs and bits, or over panels for one uniform or normal number."""
        def inside(told, lift=self.lift):
            f = Formula(self.read, {**self.names, **told}, lift, self.panels)
            if name == "E": return lift(f.value(node, {**names, **told}))
            return {True: lift(1), False: lift(0), None: hull(ZERO, ONE)}[f.truth(node, {**names, **told}, [])]
        draws = [(n, law, [self.number(a) for a in args], extents_of(self, extents))
                 for _, ns, (law, args, extents, *_) in self.read["random"] for n in ns]
        counts = [math.prod(shape) for *_, shape in draws]
        for _, law, args, _ in draws:
            fits = {"bernoulli": lambda p: p.a >= 0 and p.b <= 1, "normal": lambda _, s: s.a > 0,
                    "uniform": lambda a, b: a.b < b.a}.get(law, lambda *_: True)
            need(fits(*args), f"arguments that the law '{law}' does not have")
        if all(law in ("rademacher", "bernoulli") for _, law, *_ in draws):
            need(sum(counts) <= 12, "as many signs as these", Unsupported)
            result = self.lift(0)
            for bits in itertools.product((0, 1), repeat=sum(counts)):
                told, left, weight = {}, list(bits), self.lift(1)
                for (n, law, args, shape), count in zip(draws, counts):
                    own, left = left[:count], left[count:]
                    told[n] = shaped([self.lift(b if law == "bernoulli" else 2 * b - 1) for b in own], shape)
                    chance = self.lift(Fraction(1, 2)) if law == "rademacher" else args[0]
                    for b in own: weight = weight * (chance if b else 1 - chance)
                result = result + weight * inside(told)
            return result
        need(counts == [1] and draws[0][1] in ("uniform", "normal") and self.lift is exact, "such a law", Unsupported)
        (n, law, args, shape), normal = draws[0], draws[0][1] == "normal"
        def at(x): return {n: shaped([x * args[1] + args[0] if normal else x * (args[1] - args[0]) + args[0]], shape)}
        edges = self.panels
        need(len(edges) > 1 and (normal or (edges[0], edges[-1]) == (0, 1)), "the panels do not cover the law")
        parts = [on_panel(name, inside, at, normal, *ends) for ends in zip(edges, edges[1:])]
        if normal: parts += [on_tail(name, inside, at, side, side * edges[-(side > 0)]) for side in (-1, 1)]
        return total(parts)
def on_panel(name, inside, at, normal, low, high, depth=30):
    """The integral of g over [low, high] under the standard law: g(m) mass + g'(..) (moment about the middle m)."""
    need(low < high, "panels out of order")
    ends, middle, radius = (exact(low), exact(high)), exact((low + high) / 2), exact((high - low) / 2)
    x = Slopes(middle, hull(*ends), [ONE], [radius.b])
    mass, moment = 2 * radius, ZERO
    if normal:
        mass = (erf(ends[1] / iv.sqrt(iv.mpf(2))) - erf(ends[0] / iv.sqrt(iv.mpf(2)))) / 2
        moment = (iv.exp(-ends[0]**2 / 2) - iv.exp(-ends[1]**2 / 2)) / iv.sqrt(2 * iv.pi) - middle * mass
    g = x.lift(inside(at(x), x.lift))
    if name == "P" and depth and g.a < g.b:  # the event begins or ends inside
        cut = (low + high) / 2
        return total([on_panel(name, inside, at, normal, *half, depth - 1) for half in ((low, cut), (cut, high))])
    slope, spread = iv.mpf(g.slopes[0].mid), abs(g.slopes[0] - iv.mpf(g.slopes[0].mid)).b
    return common(g.span * mass, g.middle * mass + slope * moment + radius * mass * iv.mpf([-spread, spread]))
def on_tail(name, inside, at, side, end):
    """The normal integral beyond `end`: where h = g(x) phi(x) x^2 falls, it is at most h(end)/end."""
    need(end >= 1, "a tail that begins in the middle")
    if name == "P": return hull(ZERO, (1 - erf(exact(end) / iv.sqrt(iv.mpf(2)))) / 2)
    x = Growth(exact(end), hull(exact(end), iv.mpf(INF)), ONE)
    h = x.lift(inside(at(x * side), x.lift)) * apply("exp", x * x * Fraction(-1, 2)) * x * x / iv.sqrt(2 * iv.pi)
    need(h.rate.b <= 0, "a tail that does not fall", Unsupported)
    return hull(-abs(h.start), abs(h.start)) / exact(end)
def compared(symbol, a, b):  # True or False where the relation certainly holds or fails, else None.
    if isinstance(a - b, Residue):
        need(symbol == "=", "an order in algebra", Unsupported)
        return None if any(p for p, _ in (a - b).parts.values()) else True
    low, high = ((a - b).a, (a - b).b) if symbol in (">", ">=") else ((b - a).a, (b - a).b)
    if symbol == "=": return False if low > 0 or high < 0 else low == high == 0 or None
    strict = symbol in ("<", ">")
    return True if low > 0 or (low == 0 and not strict) else False if high < 0 or (high == 0 and strict) else None

# ---- Sets: how raw numbers make an element --------------------------------------------------------------------------
SETS = {  # parameters, shape and bounds of the raw numbers u, the element in the language
    "simplex": ("n", "n", 0, 1, "u/sum(u)"), "stochastic": ("m n", "m, n", 0, 1, "diag(1 ./ (u*ones(n)))*u"),
    "sphere": ("n", "n", -1, 1, "u/norm(u)"), "ball": ("n r", "n", -1, 1, "sqrt(r)^2*u/max(1, norm(u))"),
    "symmetric": ("n", "n*(n + 1)/2", -INF, INF, "symmetric(u)"), "psd": ("n", "n, n", -INF, INF, "u*u'"),
    "orthogonal": ("n", "n*(n + 1)/2", -INF, INF, "reflections(u)"),
    "attention": ("n d", "2*n, d", -INF, INF, "softmax(u[1..n]*u[n + 1..2*n]'/sqrt(d))")}
def members(read, choices):  # The variables of whole and finite sets, or the others.
    return [(n, k) for _, names, k in read["binders"] for n in names
            if choices == (k[0] == "whole" or (k[0] == "finite" and not k[2]))]
def shaped(x, shape):
    step = len(x) // (shape or [1])[0]
    return [shaped(x[i * step:(i + 1) * step], shape[1:]) for i in range(shape[0])] if shape else x[0]
def extents_of(f, texts):
    n = [f.known(tokens_of(e) if isinstance(e, str) else e) for e in texts]
    need(all(isinstance(k, Fraction) and k.denominator == 1 for k in n), "an extent not known before", Unsupported)
    return need(all(k >= 1 for k in n), "an extent below 1") and [int(k) for k in n]
def set_at(f, kind):  # count, bounds and open ends of a set's raw numbers, and how they make its element
    name, args, extents, *opened = kind
    if name == "interval":
        n, ends = extents_of(f, extents), [f.known(a) for a in args]
        if None not in ends: return math.prod(n), *ends, *opened, lambda raw: shaped(raw, n)
        low, high = (None if abs(end or 0) == INF else f.number(a) for end, a in zip(ends, args))
        need(f.lift is not exact or None in (low, high) or high.a > low.b or (high.a == low.b and not any(opened)),
             "an interval that may be empty")
        between = lambda u: low + u if high is None else high - u if low is None else low + (high - low) * u
        if None in (low, high): opened = (opened[high is not None], False)
        most = INF if None in (low, high) else 1
        return math.prod(n), 0, most, *opened, lambda raw: shaped([between(u) for u in raw], n)
    if name in ("R", "finite"):
        n, chosen = extents_of(f, extents), lambda u: f.number(args[int(float(u.a))]) if name == "finite" else u
        return (math.prod(n), *((0, len(args) - 1) if name == "finite" else (-INF, INF)), False, False,
                lambda raw: shaped([chosen(u) for u in raw], n))
    need(name in SETS and len(args) == len(SETS[name][0].split()), f"the set '{name}'", Unsupported)
    parameters, shape, low, high, element = SETS[name]
    given = {p: f.value(tree_of(tuple(a)), f.names) for p, a in zip(parameters.split(), args)}
    of = Formula({"let": {}, "recursions": {}}, given, f.lift)
    n = extents_of(of, shape.split(", "))
    def made_of(raw):
        of.names["u"] = shaped(raw, n)
        return of.value(tree_of(tuple(tokens_of(element))), of.names)
    return math.prod(n), low, high, False, False, made_of
def all_choices(read, chosen=None):  # Every combination of choices, in order.
    f, names = Formula(read, chosen or {}), members(read, True)
    if len(f.names) == len(names): return [f.names]
    name, kind = names[len(f.names)]
    values = [f.known(a) for a in kind[1]]
    if kind[0] == "whole":
        short = None not in values and INF not in values and values[1] - values[0] < 100000
        need(short, "a range without end", Unsupported)
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
