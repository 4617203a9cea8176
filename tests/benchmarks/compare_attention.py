#!/usr/bin/env python3
"""Attention beside eager PyTorch, in one run on an idle machine: a table, and JSON when asked for.

compare_attention.py [--bench build/bin/bench_attention] [--python /usr/bin/python3] [--rounds 3] [--json FILE]
The two programs take turns; a figure is the median of the rounds.

Memory is the growth of the resident set during one forward and backward pass: everything beyond the inputs, so also the
output and the gradients of q, k and v (4 N x 64 floats, the same on both sides); "beyond" leaves those out on both sides.
What ours needs besides them: two numbers a query; partial sums of the keys' gradients, a copy for every 512 queries and
at most 16 / H for H heads; for twicing three more arrays of the values' size; and for the tiles a constant a thread,
140 KiB with heads of 32. Judged are both ratios, from 1024 tokens: at 256 the results alone are 9 percent of what eager
PyTorch takes, and the constant of two threads as much again.
"""
import argparse
import json
import pathlib
import platform
import statistics
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
LENGTHS = (256, 1024, 4096)
MECHANISMS = ("softmax", "twicing")
AT_LEAST = {256: 1.0, 1024: 2.0, 4096: 3.0}  # how many times faster than eager PyTorch
MEMORY_AT_MOST, TWICING_AT_MOST = 0.1, 2.1
MEMORY_JUDGED_FROM = 1024
WIDTH, FLOAT_BYTES = 64, 4  # two heads of 32


def ours(bench, name):
    output = subprocess.run([bench, f"--benchmark_filter=^{name}/real_time$", "--benchmark_format=json"],
                            check=True, capture_output=True, text=True).stdout
    run = json.loads(output)["benchmarks"][0]
    return {"seconds": run["real_time"] / 1000, "flops": run["flops"], "peak_bytes": run.get("peak_bytes")}


def peer(python, mechanism, n):
    command = [python, str(HERE / "peers" / "attention_torch.py"), mechanism, str(n)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def median(runs, key):
    return statistics.median(run[key] for run in runs)


def compare(arguments, mechanism, n):
    rounds = [(ours(arguments.bench, f"{mechanism}/{n}"), peer(arguments.python, mechanism, n))
              for _ in range(arguments.rounds)]
    mine, theirs = zip(*rounds)
    case = {"mechanism": mechanism, "tokens": n,
            "seconds": median(mine, "seconds"), "torch_seconds": median(theirs, "seconds"),
            "peak_bytes": median(mine, "peak_bytes"), "torch_peak_bytes": median(theirs, "peak_bytes"),
            "flops": median(mine, "flops"), "torch": theirs[0]["torch"], "threads": theirs[0]["threads"]}
    case["speedup"] = case["torch_seconds"] / case["seconds"]
    case["memory_ratio"] = case["peak_bytes"] / case["torch_peak_bytes"]
    results = 4 * n * WIDTH * FLOAT_BYTES  # the output and the gradients of q, k and v
    case["memory_ratio_beyond_results"] = (case["peak_bytes"] - results) / (case["torch_peak_bytes"] - results)
    return case


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", default=str(HERE.parents[1] / "build/bin/bench_attention"))
    parser.add_argument("--python", default="/usr/bin/python3")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json")
    arguments = parser.parse_args()

    peak = ours(arguments.bench, "fma/2")["flops"]
    print(f"multiply-add peak of two threads: {peak / 1e9:.0f} GFLOP/s")
    print(f"{'mechanism':10}{'tokens':>7}{'ms':>9}{'torch ms':>10}{'speedup':>9}{'goal':>6}"
          f"{'MiB':>8}{'torch MiB':>11}{'memory':>8}{'beyond':>8}{'of peak':>9}")
    cases, met = [], True
    for n in LENGTHS:
        for mechanism in MECHANISMS:
            case = compare(arguments, mechanism, n)
            cases.append(case)
            met = met and case["speedup"] >= AT_LEAST[n]
            memory = max(case["memory_ratio"], case["memory_ratio_beyond_results"])
            met = met and (n < MEMORY_JUDGED_FROM or memory <= MEMORY_AT_MOST)
            print(f"{mechanism:10}{n:7}{1e3 * case['seconds']:9.2f}{1e3 * case['torch_seconds']:10.2f}"
                  f"{case['speedup']:8.2f}x{AT_LEAST[n]:5.0f}x{case['peak_bytes'] / 2**20:8.1f}"
                  f"{case['torch_peak_bytes'] / 2**20:11.1f}{case['memory_ratio']:8.3f}"
                  f"{case['memory_ratio_beyond_results']:8.3f}{case['flops'] / peak:8.0%}",
                  flush=True)
    for n in LENGTHS:
        softmax, twicing = (next(c for c in cases if (c["mechanism"], c["tokens"]) == (m, n)) for m in MECHANISMS)
        ratio = twicing["seconds"] / softmax["seconds"]
        met = met and ratio <= TWICING_AT_MOST
        print(f"twicing over softmax at {n}: {ratio:.2f} (at most {TWICING_AT_MOST})")
    print("every goal is met" if met else "a goal is missed")
    if arguments.json:
        record = {"machine": platform.processor() or platform.machine(), "peak_flops": peak, "cases": cases}
        pathlib.Path(arguments.json).write_text(json.dumps(record, indent=1) + "\n")


main()
