#!/usr/bin/env python3
"""The Python module over the program. Usage: python_module.py ATTEST_PROGRAM FOLDER_OF_MODULE"""
import os
import pathlib
import sys
import tempfile
import unittest

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
        with self.assertRaisesRegex(attest.Error, "top level"):
            attest.judge(lambda q, k, v: v)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
