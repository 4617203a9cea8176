#!/usr/bin/env python3
"""Attention beside the multiply-add peak of the processor and eager PyTorch: tables, and what they were made of.

compare_attention.py [PART ...] [--threads 2] [--seconds 3] [--anyway] [--processor-time] [--onnx FOLDER]
                     [--bench build/bin/bench_attention] [--python /usr/bin/python3] [--results tests/benchmarks/results]
Parts: short (what training uses), long, longest, causal, twicing, large (logits that need double), memory, mechanisms,
and forward, beside ONNX Runtime: `npm install --ignore-scripts onnxruntime-node` in FOLDER, and peers/
attention_onnx_model.py FOLDER 2. Each part writes results/attention-PART.json and .txt, with machine, date and the load
that was not its own, and takes its turn as measuring.py says. Exit code 1 when a goal is missed, 3 when the machine was
busy. --processor-time: one thread each, and the time that the processor spent on it, the least of the steps of each turn;
other load then moves caches alone, so that it is said and not refused. Floors and the peak, which are the best of all
attempts, are then held against the least of all turns; ratios to others are medians of turns either way.

`of peak` counts matrix products alone: 7 of N x N x D forward and backward for softmax, 12 for twicing, half under a
causal mask; the peak is the best of several attempts right before and after every measurement. Memory is the growth of
the resident set during one forward and backward pass, results and gradients included. The floor of a mechanism is the
larger of its operations' time and its bytes' (inputs, outputs and gradients once, at the rate of a copy). They share the
units that compute, so that times add up: multiply-adds at the peak, exponentials at the rate of the tiles' own loop over
numbers in the nearest cache (they are some twenty instructions each, and bind where there are few features), all others
at half of the peak; in double where the mechanism computes in double, at half of the rate (of Linformer the projection
of keys and values, forward). Operations are those that `attest list --attention` counts. Beside a peer stands how many
times as fast what runs at this floor would be: where that is below the goal, these operations at these rates miss it.
"""
import argparse
import json
import pathlib
import statistics
import sys

import measuring

HERE = pathlib.Path(__file__).resolve().parent
SECONDS_OF_A_TURN = 0.1

# mechanism, batch, heads, tokens, features of a head, mask
PARTS = {
    "short": [("softmax", b, 4, n, d, "FULL") for n, b in ((64, 64), (128, 32), (256, 16), (512, 8)) for d in (32, 64)]
             + [("softmax", 12, 4, 64, 32, "CAUSAL")],
    "long": [("softmax", 1, 2, n, d, "FULL") for n in (1024, 4096) for d in (32, 64, 128)],
    "longest": [("softmax", 1, 2, 16384, d, "FULL") for d in (32, 64, 128)],
    "causal": [("softmax", 1, 2, n, d, "CAUSAL") for n in (1024, 4096) for d in (32, 64, 128)],
    "twicing": [("twicing", 1, 2, n, d, "FULL") for n in (1024, 4096) for d in (32, 64)],
    "forward": [("softmax", 1, 2, n, 64, "FULL") for n in (1024, 4096)],
    "large": [("softmax", 1, 2, 1024, d, "LARGE") for d in (32, 64, 128)],
    "memory": [(m, 1, 2, n, 32, "FULL") for m in ("softmax", "twicing") for n in (1024, 4096)],
    "mechanisms": [(m, 1, 2, 4096, d, "FULL") for d in (32, 64, 128) for m in (
        "softmax", "twicing", "linear", "linear-twicing", "linformer", "nystromformer", "sparse", "conv1d",
        "attention-bn", "attention-sh", "linear-bn", "graph-diffusion", "neutreno", "alibi")],
}
IN_DOUBLE = {"linear", "linear-twicing", "nystromformer", "conv1d", "attention-bn", "linear-bn"}
LINFORMER_RANK = 256
SETTINGS = {"attention-sh": "factors=1,2"}
PEAK_AT_LEAST = {"short": 0.6, "long": 0.7, "longest": 0.7, "causal": 0.7}
TIMES_TORCH_AT_LEAST = {"short": 2.5}
TIMES_ONNX_AT_LEAST = 1.5
PEERS = {"torch": "eager PyTorch", "onnx": "ONNX Runtime"}
CAUSAL_AT_MOST, TWICING_AT_MOST, FLOOR_AT_MOST, MEMORY_AT_MOST = 0.55, 1.8, 1.6, 0.1


def flops_in_double(case):
    """Of a mechanism that computes in float otherwise: they count twice."""
    mechanism, batch, heads, tokens, dim, _ = case
    return 2 * batch * heads * tokens * LINFORMER_RANK * 2 * dim if mechanism == "linformer" else 0


class Comparison:
    def __init__(self, arguments):
        self.arguments = arguments
        self.ours = measuring.Program([arguments.bench])
        self.torch = measuring.Program([arguments.python, HERE / "peers" / "attention_torch.py"])
        self.onnx = None
        if arguments.onnx:
            self.onnx = measuring.Program(["node", HERE / "peers" / "attention_onnx.js", arguments.onnx])
        self.load = measuring.OtherLoad([p for p in (self.ours, self.torch, self.onnx) if p])
        self.clock = "least_processor_seconds" if arguments.processor_time else "seconds"
        self.missed = self.busy = False

    def request(self, case, settings="", passes="BOTH"):
        words = " ".join(map(str, case))
        return f"run {words} {self.arguments.threads} {SECONDS_OF_A_TURN} {passes} {settings}".strip()

    def peak(self):
        return self.ours.ask(f"peak {self.arguments.threads}")["flops"]

    def measure(self, case, others, settings, passes):
        """Turns of us and `others`, {name: (program, request)}, and of the peak."""
        request = self.request(case, settings, passes)
        first = self.ours.ask(request)
        asked = {"peak": self.peak, "ours": lambda: self.ours.ask(request)[self.clock]}
        for name, (program, theirs) in others.items():
            program.ask(theirs)
            asked[name] = lambda program=program, theirs=theirs: program.ask(theirs)[self.clock]
        self.load.ask()
        found = measuring.take_turns(asked, "ours", others, self.arguments.seconds, self.load.programs)
        load = self.load.ask()
        peak = max(found["peak"])
        ours = (min if self.arguments.processor_time else statistics.median)(found["ours"])
        result = {"case": " ".join(map(str, case)), "rounds": len(found["ours"]), "other_load": round(load, 2),
                  "seconds": ours, "peak_flops": peak, "of_peak": first["product_flops"] / ours / peak,
                  "product_flops": first["product_flops"], "other_flops": first["other_flops"], "bytes": first["bytes"],
                  "exponentials": first["exponentials"], "peak_bytes": first["peak_bytes"]}
        for name in others:
            ratios = [b / a for a, b in zip(found["ours"], found[name])]
            middle, low, high = measuring.median_interval(ratios)
            result[name] = {"seconds": statistics.median(found[name]), "ratio": middle,
                            "interval": [low, high] if len(ratios) >= 6 else None}
        if load > measuring.OTHER_LOAD_AT_MOST and not (self.arguments.anyway or self.arguments.processor_time):
            self.busy = True
            print(f"{result['case']:34} other processes used {load:.2f} of a processor: no ratio (--anyway prints it)")
            return None
        return result

    def others_of(self, part, case):
        mechanism, batch, heads, tokens, dim, mask = case
        if part in ("short", "long", "memory"):
            return {"torch": (self.torch, self.request(case))}
        if part == "causal":
            return {"full": (self.ours, self.request((mechanism, batch, heads, tokens, dim, "FULL")))}
        if part == "forward":
            return {"onnx": (self.onnx, self.request(case, passes="FORWARD"))}
        if part == "twicing" or (part == "mechanisms" and mechanism != "softmax"):
            return {"softmax": (self.ours, self.request(("softmax", batch, heads, tokens, dim, mask)))}
        return {}

    def judge(self, part, case, result):
        """The words that follow a case's figures, and whether its goals are met."""
        words, met = [f"{1e3 * result['seconds']:9.2f} ms"], True
        self.find_floor(case, result)
        # What each goal asks for, and the seconds that would meet it.
        goals = result["goals"] = {}
        if part == "mechanisms":
            return self.judge_by_floor(case, result, words)
        if case[0] == "softmax" or part == "twicing":
            words.append(f"{result['of_peak']:4.0%} of peak")
        if part in PEAK_AT_LEAST:
            met = result["of_peak"] >= PEAK_AT_LEAST[part]
            words[-1] += f" (at least {PEAK_AT_LEAST[part]:.0%})"
            goals[f"{PEAK_AT_LEAST[part]:.0%} of peak"] = result["product_flops"] / result["peak_flops"] / PEAK_AT_LEAST[part]
        for name in ("torch", "onnx", "full", "softmax"):
            if name not in result:
                continue
            peer = result[name]
            is_peer = name in ("torch", "onnx")
            ratio = peer["ratio"] if is_peer else 1 / peer["ratio"]
            interval = peer["interval"]
            if interval and not is_peer:
                interval = [1 / interval[1], 1 / interval[0]]
            between = f" [{interval[0]:.3f}, {interval[1]:.3f}]" if interval else " (too few rounds for an interval)"
            if is_peer:
                least = TIMES_ONNX_AT_LEAST if name == "onnx" else TIMES_TORCH_AT_LEAST.get(part, 1)
                result["ratio_at_floor"] = ratio * result["seconds"] / result["floor_seconds"]
                words.append(f"{ratio:5.2f} times as fast as {PEERS[name]}{between} (at least {least}; "
                             f"{result['ratio_at_floor']:.2f} at the floor)")
                goals[f"{least} times {PEERS[name]}"] = result["seconds"] * ratio / least
                met = met and ratio >= least
            else:
                limit = CAUSAL_AT_MOST if name == "full" else TWICING_AT_MOST
                words.append(f"{ratio:.3f} of the time of {name}{between} (at most {limit})")
                goals[f"{limit} of {name}"] = result["seconds"] / ratio * limit
                met = met and ratio <= limit
        if part == "memory":
            theirs = self.torch.ask(self.request(case))["peak_bytes"]
            result["memory_ratio"] = result["peak_bytes"] / theirs
            words.append(f"{result['peak_bytes'] / 2**20:.1f} MiB, {result['memory_ratio']:.3f} of PyTorch's")
            met = met and result["memory_ratio"] <= MEMORY_AT_MOST
        return words, met

    def find_floor(self, case, result):
        """Sets floor_seconds, its parts, and as floor what most of it is."""
        in_double = case[0] in IN_DOUBLE
        result["copy_bytes_per_second"] = copy = self.ours.ask(f"copy {self.arguments.threads}")["bytes_per_second"]
        rate = self.ours.ask(f"exponentials {'double' if in_double else 'float'}")["per_second"] * self.arguments.threads
        times = 2 if in_double else 1
        others = result["other_flops"] - result["exponentials"]
        parts = {"products": times * (result["product_flops"] + flops_in_double(case)) / result["peak_flops"],
                 "other operations": times * 2 * others / result["peak_flops"],
                 "exponentials": result["exponentials"] / rate}
        operations, moved = sum(parts.values()), result["bytes"] / copy
        result["floor_seconds"] = max(operations, moved)
        result["floor"] = max(parts, key=parts.get) if operations > moved else "bytes"
        result["floor_parts"] = {**parts, "bytes": moved}

    def judge_by_floor(self, case, result, words):
        result["times_floor"] = result["seconds"] / result["floor_seconds"]
        result["goals"][f"{FLOOR_AT_MOST} of its floor"] = FLOOR_AT_MOST * result["floor_seconds"]
        if "softmax" in result:
            words.append(f"{1 / result['softmax']['ratio']:6.3f} of softmax")
        words.append(f"{result['times_floor']:6.2f} times its floor (most of it {result['floor']}"
                     f"{', in double' if case[0] in IN_DOUBLE else ''}; at most {FLOOR_AT_MOST})")
        return words, result["times_floor"] <= FLOOR_AT_MOST

    def run(self, part):
        results, lines = [], []
        if part == "forward" and self.onnx is None:
            print("forward: left out, --onnx FOLDER is not given")
            return
        for case in PARTS[part]:
            result = self.measure(case, self.others_of(part, case), SETTINGS.get(case[0], ""),
                                  "FORWARD" if part == "forward" else "BOTH")
            if result is None:
                continue
            words, result["met"] = self.judge(part, case, result)
            self.missed = self.missed or not result["met"]
            results.append(result)
            lines.append(f"{result['case']:34}" + "  ".join(words) + ("" if result["met"] else "  MISSED"))
            print(lines[-1], flush=True)
        if not results:
            return
        load = max(result["other_load"] for result in results)
        record = {**measuring.machine(), "command": f"tests/benchmarks/compare_attention.py {part}",
                  "threads": self.arguments.threads, "clock": self.clock, "other_load_at_most": load, "cases": results}
        if part == "forward":
            record["peer"] = self.onnx.ask(self.request(PARTS[part][0], passes="FORWARD"))["version"]
        if part in ("short", "long", "memory"):
            record["peer"] = self.torch.ask(self.request(("softmax", 1, 1, 64, 32, "FULL")))["version"]
        folder = pathlib.Path(self.arguments.results)
        (folder / f"attention-{part}.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
        clock = ", processor time" if self.arguments.processor_time else ""
        head = [f"# {record['processor']}, {record['threads']} threads{clock}, {record['date']}, other load at most {load:.2f}, "
                f"multiply-add peak {max(r['peak_flops'] for r in results) / 1e9:.0f} GFLOP/s",
                "# float; mechanism, sequences, heads, tokens, features of a head, mask; "
                + ("forward" if part == "forward" else "forward and backward")]
        measuring.write_table(folder / f"attention-{part}.txt", f"# {record['command']}", lines, head)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--bench", default=str(HERE.parents[1] / "build/bin/bench_attention"))
    parser.add_argument("--python", default="/usr/bin/python3")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=3)
    parser.add_argument("--anyway", action="store_true")
    parser.add_argument("--processor-time", action="store_true")
    parser.add_argument("--onnx")
    parser.add_argument("--results", default=str(HERE / "results"))
    arguments = parser.parse_args()
    for part in arguments.parts:
        if part not in PARTS:
            parser.error(f"there is no part '{part}'; the parts are {', '.join(PARTS)}")
    if arguments.processor_time:
        arguments.threads = 1
    measuring.pin(arguments.threads)
    comparison = Comparison(arguments)
    for part in arguments.parts or PARTS:
        comparison.run(part)
    print("the machine was busy" if comparison.busy else "a goal is missed" if comparison.missed else "every goal is met")
    return 3 if comparison.busy else 1 if comparison.missed else 0


if __name__ == "__main__":
    sys.exit(main())
