#!/usr/bin/env python3
"""Numbers in what a statement says in words: each is computed, judged or the paper's own.

Usage: prose.py [ROOT]. Prints one sentence for each breach and exits 1 when there is one.

Read are the titles, assumptions and notes of claims and the names of parts, near-misses and near-hits in texts, and all
strings of several words, but for labels and TeX, in C++. A number there with a decimal point, of three digits or more, or with a unit of UNITS
 - is computed as the text is read, {= 100*(1 - 3/4)}, or printed by the code,
 - or stands in the formulas of the same claim (of C++: in the code of the same file), or is how much a near-miss changes one,
 - or is the paper's own: between quotation marks, in the claim's label, the number of a section or a table,
 - or is the year of a citation: Fiedler (1973).
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
FORMULAS = ("says", "near_miss", "near_hit")
PROSE = ("title", "assumes", "note")
UNITS = {"percent": 100, "million": 1e6, "GMac": 1e9, "K": 1e3}
NUMBER = re.compile(r"(?<![\w.^/])(\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?)(?:(?= ?(percent|million|GMac)\b)|(K\b)|(?!\w|\.\d))")
COMPUTED = re.compile(r"\{=[^{}]*\}")
QUOTED = re.compile(r"(?<!\w)'[^']*(?:(?<=\w)'(?=\w)[^']*)*'(?!\w)|\"[^\"]*\"")
PLACE = r"(?:[A-Z]\.)?\d+(?:\.\d+)*"
REFERENCE = re.compile(r"\b(?:[Ss]ections?|Sec|Eqs?|Theorems?|Propositions?|Prop|Remarks?|Corollary|Corollaries|Definitions?|Tables?|Figures?|Appendix|"
                       rf"Appendices|Contribution) {PLACE}(?:(?:, |,? and | or | to ){PLACE}(?! percent))*|\b[A-Z]\.\d+(?:\.\d+)*")
IDENTIFIER = re.compile(r"\b(?:[a-z-]+/)?[a-z]+(?:-[a-z0-9.]+)+\b")
CITATION = re.compile(r"\((?:1[6-9]|20)\d\d\)")
LITERAL = r"\d+(?:\.(?!\.)\d*)?(?:[eE][+-]?\d+)?"
ROUNDING = 1e-12  # of the doubles that compare two numbers


def values_in(formulas):
    """Every number that stands in formulas or code, and each quotient and power of two of them."""
    formulas = re.sub(r"(?<=\d)'(?=\d)", "", formulas)
    found = {float(token) for token in re.findall(rf"(?<![\w.]){LITERAL}|(?<=\.\.){LITERAL}", formulas)}
    for a, sign, b in re.findall(rf"(?<![\w.])({LITERAL})\s*([/^])\s*({LITERAL})", formulas):
        if sign == "/" and float(b) != 0:
            found.add(float(a) / float(b))
        elif sign == "^" and float(b) < 100:
            found.add(float(a) ** float(b))
    return found


def near(a, b):
    return abs(a - b) <= ROUNDING * max(abs(a), abs(b))


def untied(prose, values, changed=frozenset()):
    """The numbers of a sentence that are not tied to `values`, nor say how far `changed`, those of a near-miss, are from them."""
    for pattern in (COMPUTED, QUOTED, REFERENCE, IDENTIFIER, CITATION):
        prose = pattern.sub(" ", prose)
    for match in NUMBER.finditer(prose):
        digits, unit = match.group(1).replace(",", ""), match.group(2) or match.group(3)
        if "." not in digits and len(digits) < 3 and not unit:
            continue
        number, size = float(digits), UNITS.get(unit, 1)
        meant = [number, number * size]
        if unit == "percent":
            meant = [number, number / size, 1 - number / size, 1 + number / size]
        if any(near(m, v) for m in meant for v in values | changed):
            continue
        if unit == "percent" and any(near(m * v, c) for m in meant[2:] for v in values for c in changed if v != 0):
            continue
        yield f"{digits} {unit}" if unit else digits


def blocks(path):
    """[line, key, value] of a text: a list for the head, then one for each claim."""
    found = [[]]
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        indent = len(line) - len(line.lstrip())
        key, _, value = line.strip().partition(" ")
        if indent == 0 and key == "claim":
            found.append([])
        if indent <= 2:
            found[-1].append([number, key, value.strip()])
        else:
            found[-1][-1][2] += " " + line.strip()
    return found


def check_text(path):
    breaches = []
    for block in blocks(path):
        named = {number: re.match(r"(?:\[([^\]]*)\])?\s*(.*)", value).groups() for number, key, value in block if key in FORMULAS}
        said = values_in("\n".join(named[number][1] for number, key, _ in block if key == "says"))
        label = values_in(" ".join(value for _, key, value in block if key == "label"))
        around = values_in("\n".join(formula for _, formula in named.values())) | label
        for number, key, value in block:
            if key in FORMULAS:
                found = untied(named[number][0] or "", said, values_in(named[number][1]))
            elif key in PROSE:
                found = untied(value, said | label if key == "title" else around)
            else:
                continue
            breaches += [f"{path.relative_to(ROOT)}:{number}: {key} has the number '{each}', which no formula of the claim has; write "
                         "{= FORMULA} in a title, an assumption or a note, or quote the paper" for each in found]
    return breaches


STRING = r'"(?:[^"\\\n]|\\.)*"'
WORDS = re.compile(rf"(?:{STRING}\s*)+")
TEX = re.compile(r'R"\w*\((?:.|\n)*?\)\w*"')
LABEL = re.compile(rf"\.label\s*=\s*(?:{STRING}\s*)+")


def check_code(path):
    text = path.read_text()
    values = values_in(re.sub(rf"{TEX.pattern}|{STRING}|//[^\n]*", " ", text)) | values_in(" ".join(LABEL.findall(text)))
    for pattern in (TEX, LABEL):
        text = pattern.sub(lambda found: "\n" * found.group().count("\n"), text)
    breaches = []
    for match in WORDS.finditer(text):
        prose = "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', match.group()))
        if " " not in prose:
            continue
        line = text.count("\n", 0, match.start()) + 1
        breaches += [f"{path.relative_to(ROOT)}:{line}: the words have the number '{each}', which the code of the file does not have; "
                     "print it from there, or quote the paper" for each in untied(prose, values)]
    return breaches


def breaches_below(folder):
    return ([b for path in sorted(folder.glob("*.attest")) for b in check_text(path)] +
            [b for path in sorted(folder.glob("*.cpp")) for b in check_code(path)])


def main():
    heads = sorted((ROOT / "theorems").glob("*/paper.attest"))
    breaches = [b for head in heads for b in breaches_below(head.parent)]
    if not heads:
        breaches = [f"{ROOT}/theorems holds no paper (FOLDER/paper.attest); give the root of the repository"]
    for sentence in breaches:
        print(sentence)
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
