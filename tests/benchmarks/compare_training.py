#!/usr/bin/env python3
"""A training step of nanoGPT's CPU configuration beside eager PyTorch, in one run on an idle machine.

compare_training.py [--bench build/bin/bench_training] [--python /usr/bin/python3] [--rounds 5] [--steps 60] [--json FILE]
Both are linked against the BLAS that the system's libblas.so.3 names. They take turns; a figure is the median of the
rounds' median steps. Wants tiny Shakespeare below ATTEST_DATA.
"""
import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
AT_LEAST = 1.3  # how many times faster than eager PyTorch


def run(command):
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", default=str(ROOT / "build/bin/bench_training"))
    parser.add_argument("--python", default="/usr/bin/python3")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--json")
    arguments = parser.parse_args()
    text = pathlib.Path(os.environ.get("ATTEST_DATA", "/usr/share/datasets")) / "tinyshakespeare/input.txt"
    if not text.exists():
        sys.exit(f"compare_training.py: {text} is not there: set ATTEST_DATA to the folder of tinyshakespeare")

    mine, theirs = [], []
    for _ in range(arguments.rounds):
        mine.append(run([arguments.bench, str(ROOT / "simulations/experiments/standard/nanogpt-cpu.toml"),
                         str(arguments.steps)]))
        theirs.append(run([arguments.python, str(HERE / "peers" / "training_torch.py"), str(text),
                           str(arguments.steps)]))
    result = {"milliseconds": statistics.median(r["milliseconds"] for r in mine),
              "torch_milliseconds": statistics.median(r["milliseconds"] for r in theirs),
              "processor_milliseconds": statistics.median(r["processor_milliseconds"] for r in mine),
              "torch_processor_milliseconds": statistics.median(r["processor_milliseconds"] for r in theirs),
              "threads": mine[0]["threads"], "torch_threads": theirs[0]["threads"], "torch": theirs[0]["torch"],
              "blas": os.path.realpath("/usr/lib/x86_64-linux-gnu/libblas.so.3"), "machine": platform.processor()}
    result["speedup"] = result["torch_milliseconds"] / result["milliseconds"]
    print(f"step: {result['milliseconds']:.1f} ms, eager PyTorch {result['torch']}: "
          f"{result['torch_milliseconds']:.1f} ms, {result['speedup']:.2f} times as fast (wanted: {AT_LEAST}); "
          f"processor time {result['processor_milliseconds']:.1f} and {result['torch_processor_milliseconds']:.1f} ms")
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0 if result["speedup"] >= AT_LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
