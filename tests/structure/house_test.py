#!/usr/bin/env python3
"""Each rule of house.py fires: a breach of it is planted in a small tree, alone.

Usage: house_test.py ROOT. ROOT is the repository, whose guides and tables the small tree takes.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = pathlib.Path(sys.argv[1]).resolve()
KINDS = "simulations/models/model_kind.hpp"
LINE = "int line = 0;\n"

# A path, its content, and words of the sentence that house.py must say.
BREACHES = [
    ("kernels/a/up.cpp", '#include "theorems/b.hpp"\n', "kernels may not use theorems"),
    ("kernels/a/long.cpp", LINE * 351, "kernels/a/long.cpp has 351 lines"),
    ("kernels/a/function.cpp", "void f() {\n" + "  g();\n" * 71 + "}\n", "f has a body of 71 lines"),
    ("kernels/a/other.cpp", "namespace attest::b {\n}\n", "opens attest::b"),
    ("kernels/a/word.cpp", "// one thread a core, and one a line\n", "says 'one a NOUN'"),
    ("kernels/a/two_lines.cpp", "// a file that cannot be read\n// or meant\n", "two_lines.cpp:1 says 'read or meant'"),
    ("kernels/a/quoted.cpp", 'f("this is no "\n  "pair");\n', "says 'is no NOUN'"),
    ("theorems/a/paper.attest", "  note The bound is no theorem.\n", "paper.attest:1 says 'is no NOUN'"),
    ("tests/a/words.py", "# runs go on with the next\n", "words.py:1 says 'go on with'"),
    ("kernels/a/comment.cpp", "// see kernels/a/gone.cpp\n", "names kernels/a/gone.cpp"),
    ("simulations/a/kind.cpp", "bool b = kind == Kind::vision;\n", "asks which kind a model is"),
    ("theorems/a/name.cpp", 'bool b = call.mechanism == "softmax";\n', "compares the name of a mechanism"),
    ("theorems/a/near.cpp", "int edit_distance(std::string_view a, std::string_view b);\n", "counts how near two words are"),
    ("reports/a/read.cpp", "catch (const nlohmann::json::exception& e) {\n  say(e.what());\n}\n", "quotes an exception"),
    ("reports/a/plural.cpp", 'say("{} point{}", n, n == 1 ? "" : "s");\n', "makes a plural of its own"),
    ("simulations/a/bracket.cpp", 'say("{} step(s)", n);\n', "makes a plural of its own"),
    ("tests/a/script.sh", "#!/bin/bash\nset -o pipefail\nls | grep -q a\n", "stops reading after a pipe"),
    ("tests/a/near_test.cpp", "EXPECT_NEAR(f(1, 2), g(\")\"), 1e-9 * size);\n", "types the tolerance 1e-9 * size"),
    ("tests/a/whole_test.cpp", "EXPECT_NEAR(a,\n            b, 0.5);\n", "types the tolerance 0.5"),
    ("kernels/a/loop.cpp", "for (const auto& [a, b] : c)\n  f([&](int d) { return d == a; });\n", "loop.cpp:2 captures a"),
    ("kernels/a/block.cpp", "const auto [a, b] = c;\nf([&] { return e.a + b; });\n", "block.cpp:2 captures b"),
    ("tests/a/less_test.cpp", "EXPECT_LE(error, 1e-12);\n", "types the tolerance 1e-12"),
]
# What is as it should be, and near to a breach.
SOUND = [
    ("tests/a/sound_test.cpp", "EXPECT_NEAR(a, 1e-9, tolerance);\nEXPECT_LE(e, 3 * unit_roundoff);\nEXPECT_LT(n, 20);\n"),
    ("theorems/a/sound.attest", "  label Remark 2 (b is no loss)\n"),
    ("kernels/a/sound.cpp", "// there is no smaller one, there\n// is no other\nnamespace attest::a {\n}\n"),
    ("kernels/a/bound.cpp", "for (const auto& [a, b] : c) {\n  f([&b = b](int a) { return a + b + d.a; });\n}\ng([&] { a(); });\n"),
]


def small_tree(folder):
    for name in ("CMakeLists.txt", "CONTRIBUTING.md", "README.md", "attest", KINDS):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    # The guides name paths of the whole repository: here without them.
    (folder / "README.md").write_text("")
    words = (folder / "CONTRIBUTING.md").read_text().split("## Words", 1)[1]
    (folder / "CONTRIBUTING.md").write_text("## Words" + words.replace("`kernels/", "`").replace("`tests/", "`"))
    for layer in ("kernels", "theorems", "reports", "simulations"):
        (folder / layer / "a").mkdir(parents=True, exist_ok=True)
        (folder / layer / "a" / "a.hpp").write_text(LINE)
    (folder / "theorems" / "b.hpp").write_text(LINE)
    for name, content in SOUND:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)


def said(folder):
    return subprocess.run([sys.executable, HERE / "house.py", folder], capture_output=True, text=True, check=False).stdout


def main():
    failures = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        small_tree(folder)
        if said(folder) != "0 breaches\n":
            failures.append(f"the small tree breaks a rule by itself:\n{said(folder)}")
        for path, content, words in BREACHES:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(content)
            sentences = said(folder)
            if words not in sentences or "1 breaches" not in sentences:
                failures.append(f"{path}: expected '{words}' alone, house.py says:\n{sentences}")
            (folder / path).unlink()
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
