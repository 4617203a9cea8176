#!/usr/bin/env python3
"""The rules of the house that a reader relies on, checked on the tree as it stands.

Usage: house.py [ROOT]. Prints one sentence for each breach and exits 1 when there is one.
"""
import collections
import pathlib
import re
import statistics
import sys

import avoided_words
import captures

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
LAYERS = ("kernels", "theorems", "simulations", "reports")
# What a layer may include beside itself. The programs in simulations/ tie the layers together.
BELOW = {
    "kernels": (),
    "theorems": ("kernels",),
    "reports": (),
    "simulations": ("kernels", "theorems", "reports"),
}
SOURCE = (".cpp", ".hpp", ".cu", ".cuh", ".h")
LONGEST_FILE = 350
LONGEST_BODY = 70
TABLE_STATEMENTS = 10  # of a function that is a table: a list of data, of claims, or a switch of one line per case
LARGEST_MEDIAN = 90
MOST_FILES = 30
# Folders in which every file is one more of the same thing.
INSTANCES = {
    "kernels/attention/mechanisms", "kernels/quantities",
    "theorems/boosting", "theorems/primal_dual", "theorems/twicing", "theorems/probdr",
    "simulations/commands", "simulations/sweeps",
}

# A namespace is named after its room, the folder below the layer (attest::streams in kernels/streams and below). These stand
# in others: the files of a concept beside those of its instances, a room whose name would be a verb, the layer of reports.
ROOMS_OF = {
    "quantities": {"kernels/quantity"},
    "sweeps": {"simulations/sweeping"},
    "commands": {"simulations/command"},
    "engine": {"theorems"},
    "gaps": {"theorems"},
    "reports": {"reports"},
}
# Files that define functions of several rooms: the sweeps' kernels for devices are one translation unit.
ACROSS_ROOMS = {"kernels/streams/cuda/sweeps_cuda.cu", "kernels/streams/cuda/sweeps_without_cuda.cpp"}

breaches = []


def breach(sentence):
    breaches.append(sentence)


def sources(layer):
    return sorted(p for p in (ROOT / layer).rglob("*") if p.suffix in SOURCE)


def relative(path):
    return path.relative_to(ROOT).as_posix()


def included(path):
    """Includes from the root of the repository, with their lines."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
        if match:
            yield number, match.group(1)


def check_layers():
    for layer in LAYERS:
        for path in sources(layer):
            for number, target in included(path):
                top = target.split("/")[0]
                if top in LAYERS + ("tests",) and top != layer and top not in BELOW[layer]:
                    breach(f"{relative(path)}:{number} includes {target}: {layer} may not use {top}")


def cycles_of(graph):
    """Strongly connected components with more than one folder (Tarjan)."""
    index, low, stack, found, counter = {}, {}, [], [], [0]

    def visit(folder):
        index[folder] = low[folder] = counter[0]
        counter[0] += 1
        stack.append(folder)
        for other in sorted(graph.get(folder, ())):
            if other not in index:
                visit(other)
                low[folder] = min(low[folder], low[other])
            elif other in stack:
                low[folder] = min(low[folder], index[other])
        if low[folder] == index[folder]:
            component = []
            while not component or component[-1] != folder:
                component.append(stack.pop())
            if len(component) > 1:
                found.append(sorted(component))

    for folder in sorted(graph):
        if folder not in index:
            visit(folder)
    return found


def check_folders():
    for layer in LAYERS:
        graph, example = collections.defaultdict(set), {}
        for path in sources(layer):
            here = relative(path.parent)
            for number, target in included(path):
                there = target.rsplit("/", 1)[0]
                if target.startswith(layer + "/") and there != here:
                    graph[here].add(there)
                    example.setdefault((here, there), f"{relative(path)}:{number}")
        for cycle in cycles_of(graph):
            arrows = [f"{a} -> {b} ({example[a, b]})" for a, b in sorted(example) if a in cycle and b in cycle]
            breach("folders include each other: " + "; ".join(arrows))
        for folder in sorted({p.parent for p in (ROOT / layer).rglob("*") if p.is_file()}):
            count = sum(1 for p in folder.iterdir() if p.is_file())
            if count > MOST_FILES and relative(folder) not in INSTANCES:
                breach(f"{relative(folder)} holds {count} files, more than {MOST_FILES}: divide it")


def check_lengths():
    lengths = {relative(p): len(p.read_text().splitlines()) for layer in LAYERS for p in sources(layer)}
    for path, length in sorted(lengths.items()):
        if length > LONGEST_FILE:
            breach(f"{path} has {length} lines, more than {LONGEST_FILE}")
    median = statistics.median(lengths.values())
    if median > LARGEST_MEDIAN:
        breach(f"the median file has {median} lines, more than {LARGEST_MEDIAN}")


def functions(text):
    """Name, line, length of the body and its statements, of each function in a namespace or a class, as clang-format lays
    them out. What a case of a switch returns on a line of its own is not counted as a statement."""
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        line, start = lines[number], number
        indent = len(line) - len(line.lstrip())
        skipped = line.lstrip().startswith(("#", "//", "}", ")", "namespace", "enum", "using", "extern"))
        if line.strip() and not skipped and not re.match(r"\s*(?:(?:public|private|protected):|template\b.*>$)", line):
            head = line
            while not re.search(r"[{};]\s*(?://.*)?$", lines[number]) and number + 1 < len(lines):
                number += 1
                head += " " + lines[number].strip()
            # `= f({` begins an array, not a body.
            if (re.search(r"\{\s*(?://.*)?$", lines[number]) and "(" in head and not head.endswith("({") and
                    not re.match(r"\s*(?:class|struct|union)\b[^(]*$", head)):
                end = next((n for n in range(number + 1, len(lines)) if re.match(rf" {{{indent}}}\}}", lines[n])), None)
                if end is not None:
                    body = lines[number + 1:end]
                    statements = sum(1 for before, here in zip([""] + body, body) if re.search(r";\s*(?://.*)?$", here)
                                     and not re.match(r"\s*(?:case\b.*|default):$", before))
                    name = re.search(r"([\w:~]+|operator\S+)\s*\(", head)
                    yield (name[1] if name else head.strip()), start + 1, len(body), statements
                    number = end
        number += 1


def check_function_lengths():
    """A longer body is either a table, with no more than a few statements beside its entries, or to be divided."""
    for layer in LAYERS:
        for path in sources(layer):
            for name, line, length, statements in functions(path.read_text()):
                if length > LONGEST_BODY and statements > TABLE_STATEMENTS:
                    breach(f"{relative(path)}:{line} {name} has a body of {length} lines, more than {LONGEST_BODY}: divide it")


def check_type_names():
    """No two headers define one type in one namespace."""
    where = collections.defaultdict(set)
    for layer in LAYERS:
        for path in sources(layer):
            if path.suffix not in (".hpp", ".cuh", ".h"):
                continue
            namespace = ""
            for line in path.read_text().splitlines():
                opened = re.match(r"namespace ([\w:]+) \{", line)
                if opened:
                    namespace = opened.group(1)
                # Only types of the namespace itself stand in the first column.
                match = re.match(r"(?:struct|class|union|enum class|enum)\s+(\w+)\s*(?:final\s*)?(?::[^:;]*)?\{", line)
                if match:
                    where[namespace, match.group(1)].add(relative(path))
    for (namespace, name), paths in sorted(where.items()):
        if len(paths) > 1:
            breach(f"{namespace}::{name} is defined in {' and '.join(sorted(paths))}")


def check_namespaces():
    for layer in LAYERS:
        for path in sources(layer):
            parts = relative(path).split("/")
            room = "/".join(parts[:2]) if len(parts) > 2 and layer != "reports" else layer
            # Forward declarations of another room's types open its namespace, too.
            text = re.sub(r"^namespace [\w:]+ \{\n(?:(?:class|struct) \w+;\n)+\}.*$", "", path.read_text(), flags=re.M)
            for name in re.findall(r"^namespace attest(?:::([\w:]+))? \{", text, flags=re.M):
                top = name.split("::")[0]
                if not (room.split("/")[-1] == top or room in ROOMS_OF.get(top, ()) or
                        (not top and relative(path) in ACROSS_ROOMS)):
                    breach(f"{relative(path)} opens attest::{name}: the room {room} has the namespace of its name")


def check_words():
    for path, number, word, instead in avoided_words.found_below(ROOT, LAYERS + ("tests",)):
        breach(f"{relative(path)}:{number} says '{word}': write '{instead}'" if word else instead)


def check_named_paths():
    """What the guides name in backticks as a path of the repository is there; <paper>, FILE and {a,b} stand for anything."""
    for guide in ("CONTRIBUTING.md", "README.md"):
        text = (ROOT / guide).read_text()
        for name in sorted(set(re.findall(r"`((?:" + "|".join(LAYERS + ("tests",)) + r")/[^`\s]+)`", text))):
            if not any(ROOT.glob(re.sub(r"<[^>]*>|\{[^}]*\}|FILE|NAME|PAPER", "*", name).rstrip("/"))):
                breach(f"{guide} names {name}, which is not there")


def check_model_kinds():
    """Kinds of models differ by the traits in their rows: nobody else asks which kind a model is. A new kind is then a row,
    and where it reads or answers as none does, an end of the transformer."""
    table = "simulations/models/model_kind.hpp"
    kinds = re.search(r"enum class ModelKind[^{]*\{([^}]*)\}", (ROOT / table).read_text())
    if not kinds:
        breach(f"{table} has no enum ModelKind")
        return
    one = r"(?:\w+::)*(?:Kind|ModelKind)::(?:" + "|".join(re.findall(r"\w+", kinds[1])) + r")\b"
    asks = re.compile(rf"(?:[=!]=\s*|\bcase\s+){one}|{one}\s*[=!]=")
    for path in sources("simulations"):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if asks.search(line) and relative(path) != table:
                breach(f"{relative(path)}:{number} asks which kind a model is: make it a trait in {table}")


def check_mechanism_names():
    """What sets a mechanism apart is data: nobody compares its name, but for the two of whom the judge's contract knows more."""
    table = "simulations/judge/case/case_spec.hpp"
    for layer in ("kernels", "theorems", "simulations"):
        for path in sources(layer):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if re.search(r'\bmechanism(?:\.name)? [!=]= "', line) and relative(path) != table:
                    breach(f"{relative(path)}:{number} compares the name of a mechanism: make it a trait, or ask {table}")


def check_nearest_names():
    """How near two words are is counted in one place."""
    counts = re.compile(r"\b\w*(?:edit|distance|levenshtein)\w*\(std::string(?:_view)? \w+, (?:const )?std::string", re.I)
    for layer in LAYERS:
        for path in sources(layer):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if counts.search(line) and relative(path.parent) != "kernels/names":
                    breach(f"{relative(path)}:{number} counts how near two words are: ask kernels/names/nearest.hpp")


def check_quoted_exceptions():
    """What the JSON library says reaches a user without the name of its exception (kernels/names/plain_reason.hpp)."""
    caught = re.compile(r"catch \(const [\w:]*json::\w+& (\w+)\) \{(.*?)\n *\}", re.DOTALL)
    for layer in LAYERS:
        for path in sources(layer):
            for name, body in caught.findall(path.read_text()):
                if re.search(rf"(?<!plain_reason\(){name}\.what\(\)", body):
                    breach(f"{relative(path)} quotes an exception of the JSON library: write names::plain_reason({name}.what())")


def check_plurals():
    """A count and its noun agree by one function, reports::counted, in the layers that may use it: nobody adds an s by a
    condition, nor writes one in brackets."""
    own = re.compile(r"== 1 \? \"\" : \"e?s\"|\{\} [a-z]+\(e?s\)")
    for layer in ("simulations", "reports"):
        for path in sources(layer):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                if own.search(line.partition("//")[0]):
                    breach(f"{relative(path)}:{number} makes a plural of its own: write reports::counted(count, noun)")


def check_pipes():
    """No script with pipefail has a command that stops reading after a pipe: what writes then dies by SIGPIPE, and the pipe
    fails, where it still had something to write. `grep -q WORD <<<"$(COMMAND)"` reads first."""
    stops = re.compile(r"(?<!\|)\|\s*(?:grep\s+(?:-\w*[qm]|--quiet|--max-count)|head\b|sed\s+(?:-n\s+)?['\"]?[^'\" ]*\d*q\b)")
    scripts = [p for p in ROOT.rglob("*.sh") if "build" not in p.relative_to(ROOT).parts] + [ROOT / "attest"]
    for path in sorted(scripts):
        text = path.read_text()
        # What has no first line of its own is sourced by others.
        if "pipefail" not in text and text.startswith("#!"):
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if not line.lstrip().startswith("#") and stops.search(line):
                breach(f"{relative(path)}:{number} stops reading after a pipe under pipefail: read the output first, "
                       'as in grep -q WORD <<<"$(COMMAND)"')


def arguments(text, start):
    """The arguments of a call whose opening bracket is before `start`, as far as they go."""
    depth, begin, at, found = 0, start, start, []
    while at < len(text):
        c = text[at]
        if c in "\"'":
            quote = c
            at += 1
            while at < len(text) and text[at] != quote:
                at += 2 if text[at] == "\\" else 1
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            if depth == 0:
                return found + [text[begin:at].strip()]
            depth -= 1
        elif c == "," and depth == 0:
            found.append(text[begin:at].strip())
            begin = at + 1
        at += 1
    return found


def check_tolerances():
    """A tolerance is derived and has a name: no test types one into a comparison."""
    typed = re.compile(r"(?<![\w.])\d+\.?\d*e-\d+")
    number = re.compile(r"\d+\.?\d*(?:e[+-]?\d+)?")
    calls = re.compile(r"\b(?:EXPECT|ASSERT)_(NEAR|LE|LT)\(")
    for path in sources("tests"):
        text = path.read_text()
        for call in calls.finditer(text):
            given = arguments(text, call.end())
            if len(given) != (3 if call[1] == "NEAR" else 2):
                continue
            if typed.search(given[-1]) or (call[1] == "NEAR" and number.fullmatch(given[-1])):
                line = text.count("\n", 0, call.start()) + 1
                breach(f"{relative(path)}:{line} types the tolerance {' '.join(given[-1].split())}: derive it and give it a name")


def check_paths_in_comments():
    """A file that a comment names is there: from the root, a layer, the comment's own folder or the one around it."""
    path_in_text = re.compile(r"(?<![\w/.-])((?:[\w-]+/)+[\w.-]+\.(?:hpp|cpp|cuh|cu|py|md|toml|attest|sh))\b")
    for layer in LAYERS + ("tests",):
        for path in sources(layer):
            bases = [ROOT, *(ROOT / each for each in LAYERS), path.parent, path.parent.parent]
            for number, line in enumerate(path.read_text().splitlines(), 1):
                comment = line.partition("//")[2]
                for name in path_in_text.findall(comment):
                    placeholder = re.search(r"(?:^|/)[A-Z]+(?:[/.]|$)", name)
                    if not placeholder and not any((base / name).exists() for base in bases):
                        breach(f"{relative(path)}:{number} names {name}, which is not there")


def check_captures():
    for layer in LAYERS + ("tests",):
        for path in sources(layer):
            for line, name in captures.captured_names(path.read_text()):
                breach(f"{relative(path)}:{line} captures {name} of a structured binding, which clang before 16 refuses: "
                       f"write [&{name} = {name}]")


def main():
    check_layers()
    check_folders()
    check_lengths()
    check_function_lengths()
    check_type_names()
    check_namespaces()
    check_words()
    check_named_paths()
    check_model_kinds()
    check_mechanism_names()
    check_nearest_names()
    check_quoted_exceptions()
    check_plurals()
    check_pipes()
    check_tolerances()
    check_paths_in_comments()
    check_captures()
    for sentence in breaches:
        print(sentence)
    print(f"{len(breaches)} breaches")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
