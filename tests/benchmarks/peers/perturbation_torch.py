#!/usr/bin/env python3
"""|softmax(c + eta) - softmax(c)| in eager PyTorch: perturbation_torch.py float64|float32 N. One JSON object:
nanoseconds an element, the best of one sample at a time and of batches."""
import json
import os
import sys
import time

import torch


def main():
    dtype, n = getattr(torch, sys.argv[1]), int(sys.argv[2])
    torch.set_num_threads(len(os.sched_getaffinity(0)))
    torch.manual_seed(1)
    c = torch.randn(n, dtype=dtype)
    p = torch.softmax(c, -1)

    def samples(count):
        noise = torch.randn(count, n, dtype=dtype)
        return (torch.softmax(c + 0.5 * noise, -1) - p).norm(dim=-1)

    best = {}
    with torch.no_grad():
        for count in (1, 16, 256):
            samples(count)
            times = []
            start = time.perf_counter()
            while len(times) < 5 or time.perf_counter() - start < 0.5:
                begin = time.perf_counter()
                for _ in range(256 // count):
                    samples(count)
                times.append((time.perf_counter() - begin) / 256)
            times.sort()
            best[count] = 1e9 * times[len(times) // 2] / n
    json.dump({"ns": min(best.values()), "by_batch": best, "version": torch.__version__}, sys.stdout)


main()
