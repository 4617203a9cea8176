#!/usr/bin/env python3
"""The colours of figures, in the light and the dark palette: far apart for everybody, and visible on their ground.

Usage: palette_test.py ROOT. Distances in CIELAB (D65), as seen with full sight and as protanopes and deuteranopes see
(Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color vision deficiency", IEEE TVCG 15
(2009), severity 1).
"""
import itertools
import math
import pathlib
import re
import sys

LEAST_DISTANCE = 20  # a just noticeable difference is 2.3
LEAST_CONTRAST = 3  # WCAG 2, graphical objects
SIGHTS = {
    "full sight": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
}
TO_XYZ = ((0.4124564, 0.3575761, 0.1804375), (0.2126729, 0.7151522, 0.0721750), (0.0193339, 0.1191920, 0.9503041))
WHITE = (0.95047, 1.0, 1.08883)


def times(matrix, vector):
    return [sum(a * b for a, b in zip(row, vector)) for row in matrix]


def linear(colour):
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    return [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]


def lab(light):
    f = [v ** (1 / 3) if v > 216 / 24389 else (24389 / 27 * v + 16) / 116
         for v in (x / w for x, w in zip(times(TO_XYZ, light), WHITE))]
    return 116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])


def contrast(a, b):
    first, second = (times(TO_XYZ, linear(c))[1] + 0.05 for c in (a, b))
    return max(first, second) / min(first, second)


def main():
    root = pathlib.Path(sys.argv[1])
    printed = re.findall(r'\{"(#[0-9a-f]{6})", "var\(--series-\d+\)"', (root / "reports/figures/palette.hpp").read_text())
    css = (root / "reports/html/style.css").read_text()
    grounds = re.findall(r"--paper: (#[0-9a-f]{6}|#fff);", css)
    series = re.findall(r"--series-\d+: (#[0-9a-f]{6});", css)
    palettes = [series[i:i + 10] for i in range(0, len(series), 10)]
    failures = []
    if len(printed) != 10 or palettes[0] != printed or palettes[2] != printed or len(palettes) != 3:
        failures.append("palette.hpp and the three palettes of style.css do not agree")
    for name, palette, ground in zip(("light", "dark", "print"), palettes, grounds):
        ground = "#ffffff" if ground == "#fff" else ground
        for colour in palette:
            if contrast(colour, ground) < LEAST_CONTRAST:
                failures.append(f"{name}: {colour} has a contrast of {contrast(colour, ground):.2f} with {ground}")
        for sight, matrix in SIGHTS.items():
            seen = {c: lab([min(1, max(0, v)) for v in times(matrix, linear(c))]) for c in palette}
            distances = {pair: math.dist(seen[pair[0]], seen[pair[1]]) for pair in itertools.combinations(palette, 2)}
            pair = min(distances, key=distances.get)
            print(f"{name}, {sight}: the closest of {len(palette)} are {pair[0]} and {pair[1]}, {distances[pair]:.1f} apart")
            if distances[pair] < LEAST_DISTANCE:
                failures.append(f"{name}, {sight}: {pair[0]} and {pair[1]} are {distances[pair]:.1f} apart")
    for sentence in failures:
        print("FAILED:", sentence)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
