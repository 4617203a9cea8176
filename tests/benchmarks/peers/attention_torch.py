#!/usr/bin/env python3
"""Eager PyTorch on the problems of bench_attention: the same requests on standard input, one JSON object for each.

run softmax|twicing BATCH HEADS TOKENS DIM FULL|CAUSAL THREADS SECONDS FORWARD|BOTH
"""
import ctypes
import json
import math
import statistics
import sys
import time

import torch


def softmax(q, k, v, hidden):
    logits = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    if hidden is not None:
        logits = logits.masked_fill(hidden, -math.inf)
    return torch.softmax(logits, dim=-1) @ v


def twicing(q, k, v, hidden):
    logits = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    if hidden is not None:
        logits = logits.masked_fill(hidden, -math.inf)
    weights = torch.softmax(logits, dim=-1)
    smoothed = weights @ v
    return smoothed + weights @ (v - smoothed)


def status_bytes(key):
    with open("/proc/self/status", encoding="ascii") as status:
        for line in status:
            if line.startswith(key + ":"):
                return 1024 * int(line.split()[1])
    return 0


class Problem:
    def __init__(self, mechanism, batch, heads, tokens, dim, mask, threads, passes):
        torch.set_num_threads(int(threads))
        torch.manual_seed(0)
        self.mechanism = {"softmax": softmax, "twicing": twicing}[mechanism]
        self.backward = passes == "BOTH"
        shape = (int(batch), int(heads), int(tokens), int(dim))
        self.arrays = [torch.randn(shape).requires_grad_(self.backward) for _ in range(3)]
        self.dout = torch.randn(shape)
        n = int(tokens)
        self.hidden = torch.ones(n, n, dtype=torch.bool).triu(1) if mask == "CAUSAL" else None
        self.peak = self.memory()

    def step(self):
        for array in self.arrays:
            array.grad = None
        out = self.mechanism(*self.arrays, self.hidden)
        if self.backward:
            out.backward(self.dout)

    def memory(self):
        """Most resident memory during a step beyond what was resident before it."""
        ctypes.CDLL("libc.so.6").malloc_trim(0)  # What earlier cases freed does not count as resident.
        with open("/proc/self/clear_refs", "w", encoding="ascii") as clear:
            clear.write("5")  # The high-water mark starts again.
        before = status_bytes("VmRSS")
        self.step()
        return status_bytes("VmHWM") - before


def main():
    warm = Problem("softmax", 1, 1, 64, 32, "FULL", 1, "BOTH")  # Libraries allocate their own buffers on first use.
    warm.step()
    kept, problem = None, None
    for line in sys.stdin:
        words = line.split()
        case, limit = words[1:8] + words[9:], float(words[8])
        if case != kept:
            problem, kept = None, None  # The memory of the case before goes back first.
            problem, kept = Problem(*case), case
        times, computed, start = [], [], time.perf_counter()
        while not times or time.perf_counter() - start < limit:
            begun, before = time.perf_counter(), time.process_time()
            problem.step()
            times.append(time.perf_counter() - begun)
            computed.append(time.process_time() - before)
        times.sort()
        print(json.dumps({"seconds": times[len(times) // 2], "least_seconds": times[0],
                          "processor_seconds": statistics.median(computed),
                          "least_processor_seconds": min(computed), "peak_bytes": problem.peak,
                          "version": "PyTorch " + torch.__version__}), flush=True)


main()
