#!/usr/bin/env python3
"""A training step of nanoGPT's CPU configuration beside eager PyTorch, in one run on an idle machine.

compare_training.py [--bench build/bin/bench_training] [--python /usr/bin/python3] [--rounds 5] [--steps 60] [--json FILE]
Both are linked against the BLAS that the system's libblas.so.3 names. OpenBLAS falls back to SSE3 kernels on processors
newer than itself, which attest train corrects and PyTorch does not: a second comparison gives PyTorch the same kernels.
They take turns; a figure is the median of the rounds' median steps. Wants tiny Shakespeare below ATTEST_DATA. What was
found is written to results/training.json beside this file, with machine, load and date; exit code 1 when it is too slow.
"""
import argparse
import datetime
import json
import os
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
AT_LEAST = 2  # how many times faster than eager PyTorch


def run(command, **variables):
    environment = {**os.environ, **variables}
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout)


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return os.uname().machine


def median(runs, key):
    return statistics.median(one[key] for one in runs)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bench", default=str(ROOT / "build/bin/bench_training"))
    parser.add_argument("--python", default="/usr/bin/python3")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--json", default=str(HERE / "results" / "training.json"))
    arguments = parser.parse_args()
    text = pathlib.Path(os.environ.get("ATTEST_DATA", "/usr/share/datasets")) / "tinyshakespeare/input.txt"
    if not text.exists():
        sys.exit(f"compare_training.py: {text} is not there: set ATTEST_DATA to the folder of tinyshakespeare")

    spec = str(ROOT / "simulations/experiments/standard/nanogpt-cpu.toml")
    peer = [arguments.python, str(HERE / "peers" / "training_torch.py"), str(text), str(arguments.steps)]
    mine, theirs, same_kernels = [], [], []
    load = os.getloadavg()  # before the rounds: what else the machine does
    for _ in range(arguments.rounds):
        mine.append(run([arguments.bench, spec, str(arguments.steps)]))
        theirs.append(run(peer))
        kernels = mine[-1]["blas_kernels"]
        same_kernels.append(run(peer, **({"OPENBLAS_CORETYPE": kernels} if kernels else {})))
    result = {"device": "cpu", "processor": processor(), "cores": os.cpu_count(),
              "date": datetime.date.today().isoformat(), "command": "tests/benchmarks/compare_training.py",
              "experiment": "simulations/experiments/standard/nanogpt-cpu.toml", "load": load, "rounds": arguments.rounds,
              "steps": arguments.steps, "milliseconds": median(mine, "milliseconds"),
              "processor_milliseconds": median(mine, "processor_milliseconds"), "threads": mine[0]["threads"],
              "blas": os.path.realpath("/usr/lib/x86_64-linux-gnu/libblas.so.3"),
              "blas_kernels": mine[0]["blas_kernels"], "torch": theirs[0]["torch"],
              "torch_threads": theirs[0]["threads"]}
    for name, runs in (("torch", theirs), ("torch_same_kernels", same_kernels)):
        result[f"{name}_milliseconds"] = median(runs, "milliseconds")
        result[f"{name}_processor_milliseconds"] = median(runs, "processor_milliseconds")
        result[f"{name}_speedup"] = result[f"{name}_milliseconds"] / result["milliseconds"]
    result["goal"] = AT_LEAST
    # Where OpenBLAS needs no help both peers are one program, and the difference is the machine's.
    result["met"] = min(result["torch_speedup"], result["torch_same_kernels_speedup"]) >= AT_LEAST
    print(f"a step takes {result['milliseconds']:.1f} ms on {result['threads']} threads, eager PyTorch {result['torch']} "
          f"{result['torch_milliseconds']:.1f} ms: {result['torch_speedup']:.2f} times as fast (wanted: {AT_LEAST})")
    print(f"PyTorch with our choice of BLAS kernels ({result['blas_kernels'] or 'the same'}): "
          f"{result['torch_same_kernels_milliseconds']:.1f} ms, {result['torch_same_kernels_speedup']:.2f} times")
    print(f"processor time of a step: {result['processor_milliseconds']:.1f} ms, PyTorch "
          f"{result['torch_processor_milliseconds']:.1f} and {result['torch_same_kernels_processor_milliseconds']:.1f} ms")
    pathlib.Path(arguments.json).write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0 if result["met"] else 1


if __name__ == "__main__":
    sys.exit(main())
