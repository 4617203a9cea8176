#!/usr/bin/env python3
"""How the cost of every attention mechanism grows: exponents of time and memory, measured beside those of its formula.

cost_laws.py [MECHANISM ...] [--bench build/bin/bench_attention] [--results tests/benchmarks/results]
Forward and backward on one thread, by the time the processor spent. For tokens N, features D and heads H in turn, over
four sizes that double, the slope of log cost against log size with its 95 percent interval, beside the slope of the
operations (time) or of inputs and results (memory) that are counted over the same sizes. A measured exponent whose whole
interval lies more than 0.1 above its formula's is a DEFECT; smaller ones mean that a constant part weighs. One that is
known: the backward pass of attention sums the gradients of keys and values in one part for every 512 queries, up to
16 parts for all heads together, so that its memory grows like N^2 until there are as many, at N = 4096 here. Threads:
the processor's time for 1 and 2 threads, which only waiting and handing out would raise.
"""
import argparse
import json
import math
import pathlib
import statistics
import sys

import measuring

HERE = pathlib.Path(__file__).resolve().parent
# All that `attest list --attention` names but conv2d, whose grid depends on the number of tokens.
MECHANISMS = ("softmax", "twicing", "alibi", "bilateral", "independent-positions", "kernel-regression", "attention-bn",
              "attention-bn-simplified", "attention-sh", "attention-bn-sh", "conv1d", "linear", "linear-twicing",
              "linear-bn", "linear-sh", "linear-bn-sh", "sparse", "sparse-bn", "sparse-sh", "sparse-bn-sh", "linformer",
              "linformer-alibi", "nystromformer", "nystromformer-alibi", "graph-diffusion", "neutreno", "featscale",
              "elliptical")
SIZES = {"N": (512, 1024, 2048, 4096), "D": (16, 32, 64, 128), "H": (1, 2, 4, 8)}
BASE = {"N": 1024, "D": 32, "H": 2}
STUDENT_TWO_DEGREES = 4.303  # 97.5 percent
MARGIN = 0.1


def slope(sizes, costs):
    """The slope of log cost against log size by least squares, and half of its 95 percent interval."""
    x, y = [math.log(s) for s in sizes], [math.log(max(c, 1.0e-12)) for c in costs]
    mean_x, mean_y = statistics.mean(x), statistics.mean(y)
    spread = sum((a - mean_x) ** 2 for a in x)
    found = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / spread
    errors = sum((b - mean_y - found * (a - mean_x)) ** 2 for a, b in zip(x, y))
    return found, STUDENT_TWO_DEGREES * math.sqrt(errors / (len(x) - 2) / spread)


def ask(bench, mechanism, sizes, threads=1):
    settings = " factors=2" if mechanism.endswith("-sh") else ""
    return bench.ask(f"run {mechanism} 1 {sizes['H']} {sizes['N']} {sizes['D']} FULL {threads} 0.2 BOTH{settings}")


def law(bench, mechanism, letter):
    """What was measured and what is counted for one letter: time and memory."""
    runs = [ask(bench, mechanism, {**BASE, letter: size}) for size in SIZES[letter]]
    counted = [run["product_flops"] + run["other_flops"] for run in runs]
    result = {}
    for what, found, formula in (("time", [run["least_processor_seconds"] for run in runs], counted),
                                 ("memory", [run["peak_bytes"] for run in runs], [run["bytes"] for run in runs])):
        exponent, half = slope(SIZES[letter], found)
        expected = slope(SIZES[letter], formula)[0]
        result[what] = {"exponent": round(exponent, 3), "half_width": round(half, 3), "formula": round(expected, 3),
                        "sizes": list(SIZES[letter]), "found": found,
                        "defect": exponent - half > expected + MARGIN}
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mechanisms", nargs="*", default=MECHANISMS)
    parser.add_argument("--bench", default=str(HERE.parents[1] / "build/bin/bench_attention"))
    parser.add_argument("--results", default=str(HERE / "results"))
    arguments = parser.parse_args()
    bench = measuring.Program([arguments.bench])
    load = measuring.OtherLoad([bench])
    lines, found, defects = [], {}, 0
    for mechanism in arguments.mechanisms:
        found[mechanism] = {}
        for letter in SIZES:
            laws = found[mechanism][letter] = law(bench, mechanism, letter)
            words = []
            for what, one in laws.items():
                defects += one["defect"]
                words.append(f"{what} {letter}^{one['exponent']:.2f} +- {one['half_width']:.2f} "
                             f"(formula {one['formula']:.2f}){' DEFECT' if one['defect'] else ''}")
            lines.append(f"{mechanism:24}" + "   ".join(f"{word:50}" for word in words).rstrip())
            print(lines[-1], flush=True)
        one, two = (ask(bench, mechanism, {**BASE, "N": 4096}, threads)["processor_seconds"] for threads in (1, 2))
        found[mechanism]["two threads"] = two / one
        lines.append(f"{mechanism:24}two threads take {two / one:.2f} times the processor's time of one at N = 4096")
        print(lines[-1], flush=True)
    other = load.ask()
    record = {**measuring.machine(), "command": "tests/benchmarks/cost_laws.py", "clock": "least_processor_seconds",
              "other_load": round(other, 2), "laws": found}
    folder = pathlib.Path(arguments.results)
    (folder / "cost-laws.json").write_text(json.dumps(record) + "\n", encoding="utf-8")
    head = [f"# {record['processor']}, one thread, processor time, {record['date']}, other load {other:.2f}",
            f"# forward and backward, float; base: N = {BASE['N']}, D = {BASE['D']}, H = {BASE['H']}"]
    measuring.write_table(folder / "cost-laws.txt", "# tests/benchmarks/cost_laws.py", lines, head)
    print(f"{defects} defects")
    return 1 if defects else 0


if __name__ == "__main__":
    sys.exit(main())
