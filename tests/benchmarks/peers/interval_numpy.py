#!/usr/bin/env python3
"""Time until plain NumPy sampling knows a mean within 0.1 percent at 99.9 percent (normal interval for a sample size fixed
beforehand): interval_numpy.py. One JSON object per statement of bench_interval. What would take longer than a few seconds
is measured for that long and extrapolated: needed samples by the variance seen, at the pace seen."""
import json
import statistics
import sys
import time

import numpy as np

AIM = 1e-3
Z = statistics.NormalDist().inv_cdf(1 - 0.0005)
LIMIT = 4.0
rng = np.random.default_rng(1)


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def perturbation(logits, n, batch):
    """Norms of a batch of samples; `logits` are given, or None for drawn ones of scale 1/2."""
    def sample():
        c = 0.5 * rng.standard_normal((batch, n)) if logits is None else logits
        return np.linalg.norm(softmax(c + 0.5 * rng.standard_normal((batch, n))) - softmax(c), axis=-1)

    if logits is None:
        return sample
    p = softmax(logits)
    return lambda: np.linalg.norm(softmax(logits + 0.5 * rng.standard_normal((batch, n))) - p, axis=-1)


def run(name, sample):
    sample()
    count, total, squares, needed = 0, 0.0, 0.0, float("inf")
    start = time.perf_counter()
    while count < needed and time.perf_counter() - start < LIMIT:
        x = sample()
        count, total, squares = count + x.size, total + x.sum(), squares + (x * x).sum()
        mean = total / count
        if count >= 64 and mean > 0:
            needed = max(64, (Z / AIM) ** 2 * (squares / count - mean * mean) / mean ** 2)
    seconds = time.perf_counter() - start
    print(json.dumps({"statement": name, "seconds": float(seconds * max(1, needed / count)), "samples": round(float(needed)),
                      "measured_samples": count, "extrapolated": bool(count < needed), "mean": float(total / count),
                      "version": np.__version__}), flush=True)


def main():
    n = 10000
    levels = (np.arange(n) + 0.5) / n
    inverse = statistics.NormalDist().inv_cdf
    given = 0.5 * np.array([inverse(u) for u in levels])
    run("perturbation of given logits, N = 10000", perturbation(given, n, 1))
    run("perturbation of drawn logits, N = 10000", perturbation(None, n, 1))
    run("perturbation of 4 drawn logits", perturbation(None, 4, 2000))
    return 0


sys.exit(main())
