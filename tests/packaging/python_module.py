#!/usr/bin/env python3
"""The Python module over the program. Usage: python_module.py ATTEST_PROGRAM FOLDER_OF_MODULE"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

os.environ["ATTEST_PROGRAM"] = os.path.abspath(sys.argv[1])
sys.path.insert(0, sys.argv[2])
import attest  # noqa: E402

try:
    import numpy
except ImportError:
    numpy = None

WRONG = """
import numpy

def attention(q, k, v, *, causal=False):
    logits = q @ numpy.swapaxes(k, -1, -2)  # the scale is forgotten
    if causal:
        logits = numpy.where(numpy.tri(q.shape[2], k.shape[2], dtype=bool), logits, -numpy.inf)
    weights = numpy.exp(logits - logits.max(-1, keepdims=True))
    return weights / weights.sum(-1, keepdims=True) @ v
"""


class Module(unittest.TestCase):
    def test_a_false_statement_comes_with_its_witness(self):
        trial = attest.try_("forall x in R: x^2 > x")
        self.assertEqual((trial.verdict, trial.stands), ("refuted", False))
        x = trial.witness["inputs"]["x"]
        self.assertFalse(x * x > x)

    def test_a_true_one_stands(self):
        self.assertTrue(attest.try_("forall x in R: x^2 >= 0").stands)

    def test_what_cannot_be_read_is_an_error_with_the_programs_sentence(self):
        with self.assertRaisesRegex(attest.Error, "line 1") as caught:
            attest.try_("forall x in: x")
        self.assertEqual(caught.exception.code, 2)

    def test_statements_are_found_and_judged(self):
        found = attest.statements("theorem 3.1", paper="boosting")
        self.assertIn("boosting/thm-3.1", [each.id for each in found])
        record = attest.check("boosting/eq-2.3")
        self.assertTrue(record.as_recorded)
        self.assertEqual([each.verdict for each in record.claims], ["refuted"])

    @unittest.skipIf(numpy is None, "needs NumPy")
    def test_a_mechanism_runs_on_arrays(self):
        draw = numpy.random.default_rng(1)
        q, k, v = (draw.normal(size=(1, 2, 5, 4)) for _ in range(3))
        out = attest.apply("softmax", {"q": q, "k": k, "v": v}, causal=True)["out"]
        numpy.testing.assert_allclose(out[:, :, 0], v[:, :, 0], atol=1e-12)

    @unittest.skipIf(numpy is None, "needs NumPy")
    def test_the_judge_finds_what_is_wrong_with_a_function(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "wrong_attention.py").write_text(WRONG)
            sys.path.insert(0, folder)
            import wrong_attention
            judgement = attest.judge(wrong_attention.attention)
            self.assertFalse(judgement.passed)
            self.assertTrue(judgement.findings)
            self.assertNotIn("reproduce", judgement.findings[0])
            kept = attest.judge(wrong_attention.attention, out=os.path.join(folder, "cases"))
            self.assertIn("--case " + kept.findings[0]["case"], kept.findings[0]["reproduce"])
            self.assertTrue(os.path.isfile(kept.findings[0]["case"]))

    def test_what_cannot_be_judged_is_an_error_with_a_sentence(self):
        from_input = {}
        exec(compile("def f(q, k, v): return q", "<stdin>", "exec"), from_input)  # as typed at the prompt
        for wrong, word in ((lambda q, k, v: v, "top level"), (3, "not a function"), (max, "top level"),
                            (from_input["f"], "f was not defined in a file")):
            with self.assertRaisesRegex(attest.Error, word):
                attest.judge(wrong)
        with self.assertRaisesRegex(attest.Error, "3 is not text"):
            attest.try_(3)

    def test_a_program_that_is_not_there_is_named(self):
        with mock.patch.dict(os.environ, ATTEST_PROGRAM="/nofile"):
            with self.assertRaisesRegex(attest.Error, "ATTEST_PROGRAM names /nofile"):
                attest.statements("theorem 3.1")

    @unittest.skipIf(numpy is None, "needs NumPy")
    def test_a_script_that_calls_the_judge_as_it_is_imported_is_told_so(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "unguarded.py"
            script.write_text(WRONG + "\nimport attest\nattest.judge(attention)\n")
            done = subprocess.run([sys.executable, script], env=dict(os.environ, PYTHONPATH=sys.argv[2]), text=True,
                                  stderr=subprocess.PIPE, timeout=60)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("put the call under if __name__ ==", done.stderr.splitlines()[-1])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
