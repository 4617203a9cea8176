#!/usr/bin/env python3
"""|softmax(c + eta) - softmax(c)| in NumPy: perturbation_numpy.py N. One JSON object: nanoseconds an element."""
import json
import sys
import time

import numpy as np


def softmax(x):
    e = np.exp(x - x.max())
    return e / e.sum()


def main():
    n = int(sys.argv[1])
    rng = np.random.default_rng(1)
    c = rng.standard_normal(n)
    p = softmax(c)

    def sample():
        return np.linalg.norm(softmax(c + 0.5 * rng.standard_normal(n)) - p)

    sample()
    times = []
    start = time.perf_counter()
    while len(times) < 5 or time.perf_counter() - start < 1:
        begin = time.perf_counter()
        for _ in range(200):
            sample()
        times.append((time.perf_counter() - begin) / 200)
    times.sort()
    json.dump({"ns": 1e9 * times[len(times) // 2] / n, "version": np.__version__}, sys.stdout)


main()
