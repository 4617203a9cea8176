#!/usr/bin/env python3
"""Runs of six or more equal logical lines in two places: the same logic written twice.

Usage: repeated.py [ROOT]. A logical line of C and C++ is one statement, however it is wrapped; of Python and shell one line. Comments,
braces, includes, declarations without a body, labels of a switch and what every test script begins with do not count. Prints one
sentence for each pair of places and exits 1 when there is one that is not on the list of what is owed, which only shrinks.
"""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
FOLDERS = ("kernels", "theorems", "simulations", "reports", "tests")
CPP = (".c", ".h", ".cpp", ".hpp", ".cu", ".cuh")
LINES = (".py", ".sh")
WINDOW = 6

# Pairs of files that still repeat each other.
OWED = set()

TOKEN = re.compile(r'R"(\w*)\((?:.|\n)*?\)\1"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\'|//[^\n]*|/\*(?:.|\n)*?\*/|\w+|\S')
# What says nothing by itself: scopes, names from elsewhere, declarations, labels, the ends of branches.
EMPTY = re.compile(r"^(?:using |namespace |template |public :|private :|protected :|struct \w+$|class \w+$|return$|break$|continue$|"
                   r"else$|do$|try$|static_assert|friend |typedef |extern |EXPECT_EQ \( 0)|.* override(?: =|$)|.*= default$|.*= delete$")


# Before a brace that opens a scope, not a list of values: of a function, a lambda, a branch.
BEFORE_BLOCK = (";", ")", "]", "else", "do", "try", "const", "noexcept", "override", "mutable", "{", "}")


def statements(text):
    """The logical lines of C++ with the numbers of their first lines."""
    text = re.sub(r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.M)
    found, tokens, opened, first, where, at = [], [], [], 0, 1, 0

    def finish(end):
        if tokens:
            found.append((first, " ".join(tokens), end))
        tokens.clear()

    for match in TOKEN.finditer(text):
        token = match.group(0)
        where += text.count("\n", at, match.start())
        at = match.start()
        if token.startswith(("//", "/*")):
            continue
        if not tokens:
            first = where
        before = tokens[-1] if tokens else ";"
        block = token == "{" and (before in BEFORE_BLOCK or tokens[0] in ("struct", "class", "enum", "namespace", "union"))
        if token in "([" or token == "{":
            opened.append("block" if block else token)
        if block:
            finish(token)
            continue
        if token in ")]}" and opened and opened.pop() == "block":
            finish(token)
            continue
        if token == ";" and (not opened or opened[-1] == "block"):
            finish(token)
            continue
        tokens.append(token)
        if token == ":" and tokens[0] in ("case", "default") and (not opened or opened[-1] == "block"):
            tokens.clear()
    return [(line, text) for line, text, end in found if not EMPTY.match(text) and not declares(text, end)]


def declares(text, end):
    """Whether a statement only says that a function is there: `double f ( int x ) const ;`."""
    return end == ";" and not text.startswith(("return ", "throw ", "delete ")) and "=" not in text.replace("= 0", "") and \
        re.match(r"^(?:[\w:<>,&*]+ )+[\w:]+ \([^()]*\)(?: const)?(?: = 0)?$", text) is not None


def plain_lines(text):
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.strip()
        if line and not line.startswith(("#", "import ", "from ", '"""')) and line not in (")", "}", "]", "fi", "done", "else", "EOF"):
            found.append((number, " ".join(line.split())))
    return found


def main():
    places = collections.defaultdict(list)
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in CPP:
                lines = statements(path.read_text())
            elif path.suffix in LINES:
                lines = plain_lines(path.read_text())
            else:
                continue
            name = path.relative_to(ROOT).as_posix()
            for i in range(len(lines) - WINDOW + 1):
                window = tuple(text for _, text in lines[i:i + WINDOW])
                if len(set(window)) > WINDOW // 2:
                    places[window].append((name, lines[i][0]))
    pairs = collections.defaultdict(list)
    for window, where in places.items():
        for a, b in zip(where, where[1:]):
            pairs[a[0], b[0]].append((a[1], b[1], window[0]))
    found = []
    for (a, b), hits in sorted(pairs.items()):
        if (a, b) not in OWED:
            here, there, text = hits[0]
            found.append(f"{a}:{here} and {b}:{there} have {WINDOW - 1 + len(hits)} lines in common, from '{text[:60]}'")
    found += [f"{a} and {b} repeat each other no longer: take them off the list of what is owed"
              for a, b in sorted(OWED) if (a, b) not in pairs]
    for sentence in found:
        print(sentence)
    print(f"{len(found)} repetitions")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
