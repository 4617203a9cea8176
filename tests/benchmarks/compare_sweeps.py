#!/usr/bin/env python3
"""The sweeps' kernels beside NumPy, SciPy, PyTorch and libsvm, in one run on an idle machine: ratios, and JSON when asked.

compare_sweeps.py [--build build] [--python /usr/bin/python3] [--rounds 3] [--json FILE]
The programs take turns; a figure is the median of the rounds. A peer that is not installed is named and left out.
"""
import argparse
import datetime
import json
import os
import pathlib
import platform
import statistics
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
FLOOR_AT_MOST = 1.5
INTERVAL_AT_LEAST = 50


def processor():
    try:
        for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.machine()


def runs(command):
    """The JSON objects that a program prints, one per line; none when it cannot run."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()] if done.returncode == 0 else []


def median(found, key):
    return statistics.median(run[key] for run in found)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default=str(HERE.parents[1] / "build"))
    parser.add_argument("--python", default="/usr/bin/python3")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json")
    arguments = parser.parse_args()
    programs = pathlib.Path(arguments.build) / "bin"
    cases = []

    def ratio(what, ours, theirs, least):
        value = theirs / ours
        cases.append({"case": what, "ours": ours, "theirs": theirs, "ratio": value, "goal": least})
        print(f"{what:72}{ours:10.3f}{theirs:10.3f}{value:8.2f}x  goal {least}x", flush=True)

    print(f"{'':72}{'ours':>10}{'theirs':>10}{'ratio':>9}")
    for kind, peers in (("float64", (("numpy", 7), ("torch", 6))), ("float32", (("torch", 4),))):
        mine, theirs = [], {name: [] for name, _ in peers}
        for _ in range(arguments.rounds):
            mine += runs([programs / "bench_perturbation", kind, "10000"])
            for name, _ in peers:
                script = HERE / "peers" / f"perturbation_{name}.py"
                theirs[name] += runs([arguments.python, script] + ([kind] if name == "torch" else []) + ["10000"])
        for name, least in peers:
            if theirs[name]:
                ratio(f"softmax perturbation {kind}, ns an element, {name}", median(mine, "ns"),
                      median(theirs[name], "ns"), least)
            else:
                print(f"{name} is not installed")
        floor = median(mine, "floor_ns")
        times = median(mine, "ns") / floor
        cases.append({"case": f"floor of softmax perturbation {kind}", "ours": median(mine, "ns"), "floor": floor,
                      "times_the_floor": times, "at_most": FLOOR_AT_MOST})
        print(f"  floor of that arithmetic: {floor:.3f} ns; taken: {times:.2f} times as much  goal {FLOOR_AT_MOST}")

    # Both at 99.9 percent; ours also under any number of looks.
    ours, theirs = [], []
    for _ in range(arguments.rounds):
        ours.append(runs([programs / "bench_interval"]))
        theirs.append(runs([arguments.python, HERE / "peers" / "interval_numpy.py"]))
    if all(theirs):
        for mine, peer in zip(zip(*ours), zip(*theirs)):
            assert mine[0]["statement"] == peer[0]["statement"]
            far = ", extrapolated" if peer[0]["extrapolated"] else ""
            ratio(f"ms to 0.1 %: {mine[0]['statement']}{far}", 1e3 * median(mine, "seconds"), 1e3 * median(peer, "seconds"),
                  INTERVAL_AT_LEAST)
    else:
        print("numpy is not installed")

    for box in ("1", "10"):
        if not (programs / "bench_svr").exists():
            print("libsvm was not found when this was built")
            break
        found = [runs([programs / "bench_svr", "2000", box]) for _ in range(arguments.rounds)]
        for lines in zip(*found):
            ratio(f"SVR dual, N = 2000, C = {box}, libsvm's eps {lines[0]['libsvm_eps']}, seconds",
                  median(lines, "seconds"), median(lines, "libsvm_seconds"), 1)

    spectra, scipy = [], []
    for _ in range(arguments.rounds):
        spectra += runs([programs / "bench_spectrum"])
        scipy += runs([arguments.python, HERE / "peers" / "spectrum_scipy.py"])
    if scipy:
        ratio("20 eigenvalues of a 2000 x 2000 attention matrix, seconds", median(spectra, "seconds"),
              median(scipy, "seconds"), 1)
    else:
        print("SciPy is not installed")
    met = all(case["ratio"] >= case["goal"] if "goal" in case else case["times_the_floor"] <= case["at_most"]
              for case in cases)
    print("every goal is met" if met else "a goal is missed")
    if arguments.json:
        record = {"processor": processor(), "cores": os.cpu_count(), "date": datetime.date.today().isoformat(),
                  "command": "tests/benchmarks/compare_sweeps.py",
                  "load": os.getloadavg(), "met": met, "cases": cases}
        pathlib.Path(arguments.json).write_text(json.dumps(record, indent=1) + "\n")


main()
