#!/usr/bin/env python3
"""What on_device.sh measured, as tables: device_table.py DIR, the folder of its logs.

Ratios are Attest over its peer on the same device in the same call: above 1 Attest is faster.
"""
import json
import pathlib
import re
import sys


def lines_of(folder, name):
    path = folder / f"{name}.log"
    if not path.exists():
        return []
    found = (line.strip() for line in path.read_text(encoding="utf-8", errors="replace").splitlines())
    return [json.loads(line) for line in found if line.startswith("{")]


def attention(folder):
    own = [one for one in lines_of(folder, "bench-attention") if one["attention"] == "bfloat16"]
    peers = {(one["attention"], one["tokens"], one["features"], one["causal"]): one
             for one in lines_of(folder, "attention") if "forward_seconds" in one}
    if not own:
        return
    print("\nAttention in bfloat16, TFLOP/s of matrix products (forward 4 N^2 D, backward 10 N^2 D a head, half of it"
          "\nunder a causal mask), and the ratio to PyTorch's kernels: flash (FlashAttention-2), the same with"
          "\ngradients that repeat to the bit, as Attest's do, cuDNN's, and eager.\n")
    print(f"{'pass':9}{'tokens':>7}{'features':>9}{'causal':>8}{'Attest':>9}{'flash':>8}{'repeats':>9}{'cuDNN':>8}{'eager':>8}")
    for direction in ("forward", "backward"):
        for one in (one for one in own if not one["with"]):
            row = f"{direction:9}{one['tokens']:7}{one['features']:9}{'yes' if one['causal'] else 'no':>8}"
            row += f"{1e-12 * one[direction + '_flops']:9.1f}"
            for kind, width in (("flash", 8), ("flash repeatable", 9), ("cudnn", 8), ("eager", 8)):
                peer = peers.get((kind, one["tokens"], one["features"], one["causal"]))
                ratio = f"{peer[direction + '_seconds'] / one[direction + '_seconds']:.2f}" if peer else "-"
                row += f"{ratio:>{width}}"
            print(row)
    print("\nSoftmax in bfloat16 with ALiBi or with dropout of 0.2, under a causal mask, beside eager PyTorch:\n")
    for one in (one for one in own if one["with"]):
        peer = peers.get((one["with"], one["tokens"], one["features"], one["causal"]))
        ratios = ", ".join(f"{direction} {1e-12 * one[direction + '_flops']:.1f} TFLOP/s"
                           + (f", ratio {peer[direction + '_seconds'] / one[direction + '_seconds']:.2f}" if peer else "")
                           for direction in ("forward", "backward"))
        print(f"{one['with']}, {one['tokens']} tokens, {one['features']} features: {ratios}")
    print()
    for one in lines_of(folder, "bench-attention"):
        if one["attention"] != "bfloat16":
            print(f"{one['attention']}, {one['tokens']} tokens, {one['features']} features: forward "
                  f"{1e-12 * one['forward_flops']:.1f}, backward {1e-12 * one['backward_flops']:.1f} TFLOP/s")


def ceilings(folder):
    for one in lines_of(folder, "attention"):
        if one.get("case") == "copy":
            print(f"\nPyTorch on the same device: copy {1e-12 * one['bytes_per_second']:.2f} TB/s", end="")
        elif "case" in one:
            print(f", {one['case']} {1e-12 * one['flops']:.0f} TFLOP/s", end="")
    print()


def sweeps(folder):
    found = lines_of(folder, "bench-sweeps")
    if not found:
        return
    print("\nSweeps: whole calls, what the processor does with the device's sums included. Ratio: elements per second"
          "\nover those of all threads of the machine's processor.\n")
    print(f"{'sweep':54}{'elements':>12}{'seconds':>9}{'per second':>12}{'ratio':>7}")
    processors = {one["sweep"]: one for one in found if "processor_threads" in one}
    for one in found:
        if "processor_threads" not in one:
            peer = processors.get(one["sweep"])
            print(f"{one['sweep']:54}{one['elements']:12}{one['seconds']:9.4f}{one['elements_per_second']:12.3g}"
                  + (f"{peer['ratio']:7.1f}" if peer else ""))


def profile(folder):
    path = folder / "profile.log"
    if not path.exists():
        return
    kernels, order, now = {}, [], None
    wanted = {"Duration": "time", "Compute (SM) Throughput": "compute", "L1/TEX Cache Throughput": "L1, shared memory",
              "L2 Cache Throughput": "L2", "DRAM Throughput": "memory"}
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        head = re.match(r"^  (?:void )?(\S.*?)\(.*\(\d+, \d+, \d+\)x\(", line)
        if head:
            now = re.sub(r"\w+::", "", head.group(1)).replace("__nv_bfloat16", "bfloat16")
            if now not in kernels:
                order.append(now)
            kernels[now] = {}  # the last launch
            continue
        fields = line.split()
        for key, name in wanted.items():
            if now and line.strip().startswith(key + " "):
                kernels[now][name] = float(fields[-1].replace(",", "")) if name != "time" else " ".join(fields[-2:])
    if not order:
        return
    print("\nKernels by Nsight Compute: the share of its limit that each part of a multiprocessor or of the memory reaches;"
          "\nthe largest is the binding one.\n")
    print(f"{'kernel':62}{'compute':>8}{'L1':>6}{'L2':>6}{'DRAM':>6}  binding")
    for name in order:
        shares = {part: share for part, share in kernels[name].items() if part != "time"}
        if not shares:
            continue
        binding = max(shares, key=shares.get)
        print(f"{name:62}" + "".join(f"{shares.get(part, 0):{width}.0f}" for part, width in
                                     (("compute", 8), ("L1, shared memory", 6), ("L2", 6), ("memory", 6)))
              + f"  {shares[binding]:.0f} % of {binding}")


def training(folder):
    for precision in ("float32", "bfloat16"):
        own, peer = lines_of(folder, f"training-{precision}"), lines_of(folder, f"training-torch-{precision}")
        if own and peer:
            print(f"\nA training step of nanoGPT's full configuration in {precision}: {own[-1]['milliseconds']:.1f} ms, eager "
                  f"PyTorch {peer[-1]['milliseconds']:.1f} ms, ratio {peer[-1]['milliseconds'] / own[-1]['milliseconds']:.2f}")
    if single := lines_of(folder, "training-launches"):
        print(f"The same in bfloat16 with a launch for every kernel in place of one for all: {single[-1]['milliseconds']:.1f} ms")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    summary = folder / "summary.txt"
    if summary.exists():
        print(summary.read_text(encoding="utf-8"), end="")
    ceilings(folder)
    attention(folder)
    sweeps(folder)
    profile(folder)
    training(folder)


main()
