#!/usr/bin/env python3
"""Attention under its roofs: every measured case beside the rates that the processor was measured at, and what of each
goal that is missed they forbid.

roofline.py [--results tests/benchmarks/results]: reads attention-*.json of compare_attention.py there, writes
roofline.txt, and roofline.svg by gnuplot. Cases of different clocks or numbers of threads have roofs of their own.

A case stands at its multiply-adds per byte of inputs, outputs and gradients. The two common roofs are the peak of
multiply-adds and the rate of a copy. Below them each case has its own: its products at the peak, and after one another
its exponentials and other operations at their measured rates, which share the units that compute, or its bytes where
they take longer (`compare_attention.py` has the rates). A goal above that roof is met by no program that does these
operations at these rates; of one below it the roof explains nothing.
"""
import argparse
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
# One for each part of compare_attention.py: Okabe's and Ito's, and a grey.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#f0e442", "#a0a0a0")


def measured(folder):
    """{part: record} of the parts whose cases have roofs."""
    found = {}
    for path in sorted(folder.glob("attention-*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        record["cases"] = [case for case in record["cases"] if "floor_parts" in case]
        if record["cases"]:
            found[path.stem.removeprefix("attention-")] = record
    if not found:
        raise SystemExit(f"{folder} has no case with its roof; make them by tests/benchmarks/compare_attention.py")
    return found


def intensity(case):
    return case["product_flops"] / case["bytes"]


def rate(case, seconds="seconds"):
    """GFLOP/s of products, at the roof of the case for "floor_seconds"."""
    return case["product_flops"] / case[seconds] / 1e9


def shares(case):
    """What the roof of a case is made of."""
    if case["floor"] == "bytes":
        return "bytes"
    operations = {what: seconds for what, seconds in case["floor_parts"].items() if what != "bytes"}
    whole = sum(operations.values())
    return ", ".join(f"{what} {seconds / whole:.0%}" for what, seconds in operations.items() if seconds > 0.005 * whole)


def threads_of(record):
    return f"{record['threads']} thread{'s' if record['threads'] > 1 else ''}"


def table(parts):
    lines, met, above, below = [], 0, 0, 0
    for part, record in parts.items():
        cases = record["cases"]
        clock = ", processor time" if record["clock"] != "seconds" else ""
        lines += ["", f"# {part}: {record['processor']}, {threads_of(record)}{clock}, {record['date']}, other load at most "
                      f"{record['other_load_at_most']:.2f}; peak {max(c['peak_flops'] for c in cases) / 1e9:.0f} GFLOP/s, "
                      f"copy {max(c['copy_bytes_per_second'] for c in cases) / 1e9:.1f} GB/s"]
        for case in cases:
            lines.append(f"{case['case']:34}{intensity(case):8.1f} FLOP/byte{rate(case):8.1f} GFLOP/s, "
                         f"{case['floor_seconds'] / case['seconds']:4.0%} of its roof ({shares(case)})")
            for goal, seconds in case["goals"].items():
                if case["seconds"] <= seconds:
                    met += 1
                    continue
                share = case["floor_seconds"] / seconds
                above, below = above + (share > 1), below + (share <= 1)
                lines.append(f"{'':34}missed: {goal}, which is {share:.2f} of the roof: "
                             f"{'above' if share > 1 else 'below'} the roof")
    head = ["# tests/benchmarks/roofline.py",
            f"# goals: {met} met; missed: {above} above the roof, {below} below the roof"]
    return "\n".join(head + lines) + "\n"


def figure(parts, to):
    """Cases as dots, their roofs as crosses above them, the common roofs as lines."""
    blocks, plots = [], []
    cases = [case for record in parts.values() for case in record["cases"]]
    for threads in sorted({threads_of(record) for record in parts.values()}):
        alike = [case for record in parts.values() if threads_of(record) == threads for case in record["cases"]]
        peak = max(case["peak_flops"] for case in alike) / 1e9
        copy = max(case["copy_bytes_per_second"] for case in alike) / 1e9
        plots.append(f"({copy} * x < {peak} ? {copy} * x : {peak}) with lines lc rgb '#808080' lw 2 title 'peak and copy, {threads}'")
    for number, (part, record) in enumerate(parts.items()):
        name, colour = f"$part_{part}", COLOURS[number]
        rows = [f"{intensity(c):.6g} {rate(c):.6g} {rate(c, 'floor_seconds'):.6g}" for c in record["cases"]]
        blocks.append(f"{name} << END\n" + "\n".join(rows) + "\nEND\n")
        plots.append(f"{name} using 1:2:(0):($3-$2) with vectors nohead lc rgb '{colour}' notitle")
        plots.append(f"{name} using 1:3 with points pt 2 ps 0.6 lc rgb '{colour}' notitle")
        plots.append(f"{name} using 1:2 with points pt 7 ps 0.7 lc rgb '{colour}' title '{part}'")
    script = "".join(blocks) + f"""
set terminal svg size 900,600 background '#ffffff' font 'sans,14'
set output '{to}'
set logscale xy
set xrange [{min(map(intensity, cases)) / 2}:{max(map(intensity, cases)) * 2}]
set yrange [{min(map(rate, cases)) / 1.5}:{max(case["peak_flops"] for case in cases) / 1e9 * 1.5}]
set xlabel 'multiply-adds and additions of products per byte of inputs, outputs and gradients'
set ylabel 'GFLOP/s of products (dot: measured; cross: roof of the case)'
set key outside right
set grid
plot {", ".join(plots)}
"""
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=pathlib.Path, default=HERE / "results")
    folder = parser.parse_args().results
    parts = measured(folder)
    text = table(parts)
    (folder / "roofline.txt").write_text(text, encoding="utf-8")
    figure(parts, folder / "roofline.svg")
    print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
