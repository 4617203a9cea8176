#!/usr/bin/env python3
"""What headers declare and no source but a test uses: dead code, or a helper that its own source should keep to itself.

Usage: unused.py [ROOT]. Looks at the functions, types and constants that a header of the four layers declares at the scope of a
namespace, which clang-format puts into the first column. Each must be used by a source; tests and its own definition do not count. Prints one sentence for each that is not and exits 1 when there is one.
"""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
LAYERS = ("kernels", "theorems", "simulations", "reports")
SOURCE = (".cpp", ".hpp", ".cu", ".cuh", ".h", ".in")

# What stands in a header for others than our sources, with the reason.
ALLOWED = {
    # The definitions, kept for reading: what the tests compare the fast kernels with.
    "kernels/attention/attend/attend_reference.hpp: attend_reference",
    "kernels/attention/attend/attend_reference.hpp: attend_backward_reference",
    "kernels/softmax/softmax.hpp: softmax_reference",
    # The forms for one number of steps that the laws use on lanes: by them the accuracy is measured.
    "kernels/elementary/exponential.hpp: exponential_minus_one",
    "kernels/elementary/sine_cosine.hpp: circle_point",
    # A bound that the header promises.
    "kernels/streams/pair_moments.hpp: pair_moments_error",
    # The binary interface for judged libraries in C.
    "simulations/judge/attest_judge.h: attest_judge_type",
    "simulations/judge/attest_judge.h: attest_judge_result",
}

FUNCTION = re.compile(r"^(?!using|namespace|typedef|return|static_assert|friend|#|//|template|extern|struct|class|enum|union|\s)"
                      r"[\w:<>,&*\[\]\s]*?[\w>&*\]]\s[&*]?(\w+)\(")
TYPE = re.compile(r"^(?:struct|class|enum class|enum|union)\s+(\w+)\b(?!.*;\s*$)")
CONSTANT = re.compile(r"^(?:inline\s+)?constexpr\s[\w:<>,&*\s]*?\b(\w+)(?:\[\w*\])?\s*(?:=|\{)")
ALIAS = re.compile(r"^using\s+(\w+)\s*=")


def sources():
    return sorted(p for layer in LAYERS for p in (ROOT / layer).rglob("*") if p.suffix in SOURCE)


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def declared(line):
    """The name that a line in the first column declares or defines; none for any other line."""
    for pattern in (FUNCTION, TYPE, CONSTANT, ALIAS):
        if match := pattern.match(line):
            return match.group(1)
    return None


def belongs(path, header):
    """Whether `path` is the header or one of its own sources: x.hpp has x.cpp, x_cuda.cu, x_avx512.cpp."""
    return path.parent == header.parent and (path == header or path.suffix in (".cpp", ".cu") and
                                             re.match(re.escape(header.stem) + r"(_\w+)?$", path.stem))


def main():
    texts = {path: without_comments(path.read_text()) for path in sources()}
    named_by = collections.defaultdict(set)
    for path, text in texts.items():
        for word in set(re.findall(r"\w+", text)):
            named_by[word].add(path)
    found, needed = [], set()
    for header, text in texts.items():
        if header.suffix not in (".hpp", ".cuh", ".h"):
            continue
        own = [other for other in texts if belongs(other, header)]
        for name in dict.fromkeys(filter(None, map(declared, text.splitlines()))):
            if not named_by[name] <= set(own):
                continue
            # What only its own sources use is a part of them; what they only declare and define is dead.
            uses = [line for path in own for line in texts[path].splitlines()
                    if re.search(rf"\b{name}\b", line) and declared(line) != name
                    and not (name[0].isupper() and re.match(rf"\s*(?:explicit |constexpr )*~?{name}\(|.*\b{name}::", line))]
            if uses:
                continue
            where = f"{header.relative_to(ROOT).as_posix()}: {name}"
            (needed.add if where in ALLOWED else found.append)(where)
    found += [f"{where} is used now, or gone: take it off the list" for where in ALLOWED if where not in needed]
    for sentence in found:
        print(sentence)
    print(f"{len(found)} unused")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
