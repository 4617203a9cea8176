#!/usr/bin/env python3
"""The rule of prose.py fires on numbers that nothing computes, and on no others."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

RULE = pathlib.Path(__file__).with_name("prose.py")
HEAD = 'paper "P"\n'
TEXT = HEAD + """claim one
  label Table 5 (1.33 in all)
  title {title}
  says [part of 0.3] forall x in [0, 0.9]: x <= 0.9*2000 + 3/4
  near_miss [{name}] forall x in [0, 0.9]: x <= 0.8991
  note {note}
"""
CODE = """Check check(double factor) { return inequality(0.25 * factor); }
claim = {{.label = "Table 2", .title = "%s", .assumptions = {"one", "%s"}, .tex = R"(0.5)"}, check(57'000)};
"""


def breaches(text=HEAD, code=""):
    with tempfile.TemporaryDirectory() as root:
        folder = pathlib.Path(root, "theorems", "p")
        folder.mkdir(parents=True)
        folder.joinpath("paper.attest").write_text(HEAD)
        folder.joinpath("one.attest").write_text(text)
        folder.joinpath("one.cpp").write_text(code)
        done = subprocess.run([sys.executable, RULE, root], capture_output=True, text=True, check=False)
        lines = done.stdout.splitlines()
        assert done.returncode == (1 if lines else 0), done
        return lines


def of_text(title="words", name="words", note="words"):
    """Breaches beside the one of the part's name, which shows that names of parts are read."""
    lines = breaches(TEXT.format(title=title, name=name, note=note))
    parts = [line for line in lines if "one.attest:5: says has the number '0.3'" in line]
    assert len(parts) == 1, lines
    return [line for line in lines if line not in parts]


class NumbersOfTexts(unittest.TestCase):
    def test_a_number_that_no_formula_has_is_a_breach(self):
        for number in ("0.43", "43 percent", "143,081", "3000", "7 million", "6K"):
            self.assertEqual(len(of_text(title=f"At most {number} of it")), 1, number)
            self.assertEqual(len(of_text(name=f"by {number}")), 1, number)
            self.assertEqual(len(of_text(note=f"At most\n    {number} of it")), 1, number)

    def test_numbers_of_the_formulas_are_none(self):
        for number in ("0.9", "90 percent", "10 percent", "2000", "2K", "0.75", "75 percent"):
            self.assertEqual(of_text(title=f"At most {number} of it"), [], number)

    def test_what_falls_is_no_number_of_a_title(self):
        self.assertEqual(len(of_text(title="At most 0.8991")), 1)
        self.assertEqual(of_text(name="at most 0.8991", note="It falls at 0.8991."), [])

    def test_how_far_a_near_miss_goes_is_computed(self):
        self.assertEqual(of_text(name="0.1 percent less"), [])
        self.assertEqual(len(of_text(name="0.2 percent less")), 1)

    def test_computed_quoted_and_placed_numbers_are_none(self):
        for note in ("It is {= 100*(1 - 0.43)} percent.", "The text's '0.43 of it' and \"143,081\".", "Section 3.1's, Eqs 2.3 and 2.6, A.5.",
                     "Eqs 2.11, 2.12 and 3.10 use p/eq-a.12.", "Fiedler (1973)", "1.33 as printed", "12 of 56"):
            self.assertEqual(of_text(note=note), [], note)
        self.assertEqual(len(of_text(note="Fiedler had 1973 of them, Section 3.1 has 3.2.")), 2)


class NumbersOfCode(unittest.TestCase):
    def test_a_number_that_the_code_lacks_is_a_breach(self):
        self.assertEqual(breaches(code=CODE % ("At most 0.25 of 57,000", "25 percent")), [])
        self.assertEqual(len(breaches(code=CODE % ("At most 0.26", "0.5 of it"))), 2)


class Roots(unittest.TestCase):
    def test_a_folder_without_papers_is_refused(self):
        with tempfile.TemporaryDirectory() as root:
            done = subprocess.run([sys.executable, RULE, root], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("holds no paper", done.stdout)


if __name__ == "__main__":
    unittest.main()
