#!/usr/bin/env python3
"""The pytest plug-in. Usage: pytest_plugin.py ATTEST_PROGRAM FOLDER_OF_MODULE. Exit 77 without pytest and NumPy."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

try:
    import numpy  # noqa: F401
    import pytest  # noqa: F401
except ImportError:
    print("skipped: python3-pytest and python3-numpy are not installed")
    sys.exit(77)

PROGRAM, MODULE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
KERNELS = """
import attest
import numpy


def attend(q, k, v, scale, causal):
    seen = numpy.tri(q.shape[2], k.shape[2], k.shape[2] - q.shape[2] if causal else k.shape[2], dtype=bool)
    logits = numpy.where(seen, scale * (q @ numpy.swapaxes(k, -1, -2)), -numpy.inf)
    largest = logits.max(-1, keepdims=True)
    weights = numpy.where(seen, numpy.exp(logits - numpy.where(numpy.isfinite(largest), largest, 0)), 0)
    total = weights.sum(-1, keepdims=True)
    return (weights / numpy.where(total > 0, total, 1)) @ v


@attest.kernel(masked_nan="spreads")
def right(q, k, v, *, causal=False):
    return attend(q, k, v, q.shape[3] ** -0.5, causal).astype(q.dtype)


@attest.kernel("softmax", masked_nan="spreads"KEPT)
def without_scale(q, k, v, *, causal=False):
    return attend(q, k, v, 1, causal).astype(q.dtype)


def test_the_function_stays_a_function():
    one = numpy.ones((1, 1, 1, 1))
    assert right(one, one, one) == 1
"""


class Plugin(unittest.TestCase):
    def run_pytest(self, *arguments, kept=""):
        environment = dict(os.environ, ATTEST_PROGRAM=PROGRAM, PYTHONPATH=MODULE, PYTHONDONTWRITEBYTECODE="1",
                           OMP_NUM_THREADS="1")
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "test_kernels.py").write_text(KERNELS.replace("KEPT", kept))
            return subprocess.run([sys.executable, "-m", "pytest", "-p", "attest.pytest_plugin", "-p", "no:cacheprovider",
                                   "-q", *arguments], cwd=folder, env=environment, text=True, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)

    def test_a_right_kernel_passes_and_a_wrong_one_fails_with_the_finding(self):
        done = self.run_pytest("-rA")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("1 failed, 2 passed", done.stdout)
        self.assertIn("wrong default scale: out[", done.stdout)
        self.assertIn("smallest case: float64", done.stdout)
        self.assertIn("FAILED test_kernels.py::without_scale", done.stdout)
        self.assertIn("out=FOLDER) keeps this case", done.stdout)

    def test_a_case_that_is_kept_comes_with_its_command(self):
        done = self.run_pytest("-k", "without_scale", kept=', out="cases"')
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn(" --case cases/case-1.json", done.stdout)

    def test_kernels_are_chosen_by_marker_and_name(self):
        done = self.run_pytest("-m", "attest", "-k", "right", "--attest-budget", "quick")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("1 passed, 2 deselected", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
