#!/usr/bin/env python3
"""Figures as they are drawn, by the boxes of their texts in Chromium: none cut off, none on another; heat maps small; the
TikZ files compiled where LaTeX is installed.

Usage: look_at_figures.py ATTEST RESULTS.json. Exit 77 where Chromium or gnuplot is missing.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "browser")]
import chromium  # noqa: E402
import hard_figures  # noqa: E402

MOST_HEAT_BYTES = 200_000
# The boxes of all texts of a drawing, in its own pixels, and how wide and high that is.
BOXES = """(() => { const svg = ROOT, room = svg.getBoundingClientRect();
  return [room.width, room.height, [...svg.querySelectorAll('text')].filter(t => t.textContent.trim()).map(t => {
    const b = t.getBoundingClientRect();
    return [t.textContent, b.left - room.left, b.top - room.top, b.right - room.left, b.bottom - room.top]; })]; })()"""
failures = []


def expect(holds, sentence):
    if not holds:
        failures.append(sentence)
        print("FAILED:", sentence)


def look(name, boxes):
    width, height, texts = boxes
    expect(len(texts) >= 3, f"{name}: {len(texts)} texts")
    for text, left, top, right, bottom in texts:
        expect(left >= -1 and top >= -1 and right <= width + 1 and bottom <= height + 1,
               f"{name}: '{text}' is cut off: {left:.0f} to {right:.0f} of {width:.0f}, {top:.0f} to {bottom:.0f} of {height:.0f}")
    for i, (first, left, top, right, bottom) in enumerate(texts):
        for second, left2, top2, right2, bottom2 in texts[:i]:
            # Boxes are as high as the line; letters are not.
            over = min(right, right2) - max(left, left2) > 1 and min(bottom, bottom2) - max(top, top2) > 4
            expect(not over, f"{name}: '{first}' lies on '{second}'")


def draw(attest, folder, options):
    subprocess.run([attest, "report", str(folder), *options], check=True, stdout=subprocess.DEVNULL)


def compile_tikz(folder):
    if shutil.which("pdflatex") is None or not shutil.which("kpsewhich") or not subprocess.run(
            ["kpsewhich", "pgfplots.sty"], stdout=subprocess.PIPE).stdout:
        print("TikZ is not compiled: no LaTeX with pgfplots is installed")
        return
    names = sorted(p.name for p in folder.glob("*.tex"))
    (folder / "all.latex").write_text(
        "\\documentclass{article}\\usepackage{amsmath,pgfplots}\\pgfplotsset{compat=1.16}\\begin{document}\n"
        + "".join(f"\\input{{{name}}}\\clearpage\n" for name in names) + "\\end{document}\n")
    end = subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.latex"], cwd=folder,
                         stdout=subprocess.PIPE, text=True, errors="replace")
    expect(end.returncode == 0, "LaTeX stops: " + "\n".join(end.stdout.splitlines()[-25:]))
    print(f"{len(names)} TikZ files compiled")


def main():
    if chromium.program() is None or shutil.which("gnuplot") is None:
        print("skipped: Chromium or gnuplot is not installed")
        return 77
    attest, results = sys.argv[1:3]
    document = json.loads(pathlib.Path(results).read_text())
    document["measurements"] = [dict(id="hard", title="Hard figures", text="", tables=[], figures=hard_figures.FIGURES)]
    with tempfile.TemporaryDirectory(prefix="attest-figures-") as scratch:
        folder = pathlib.Path(scratch)
        (folder / "results.json").write_text(json.dumps(document))
        browser = chromium.Browser()
        try:
            for options in ([], ["--figure-size", "3.3x2.6", "--figure-font", "8"], ["--figure-size", "8", "--line-width", "2"]):
                draw(attest, folder, options)
                for file in sorted((folder / "figures").glob("*.svg")):
                    browser.open(file.as_uri(), width=1000)
                    look(f"{file.name} {' '.join(options)}", browser.evaluate(BOXES.replace("ROOT", "document.documentElement")))
                    size = file.stat().st_size
                    expect(size < MOST_HEAT_BYTES, f"{file.name} has {size} bytes")
            draw(attest, folder, [])
            # In the page the letters are the page's own.
            for width in (1400, 390):
                browser.open((folder / "report-real-input.html").as_uri(), width=width)
                for i, figure in enumerate(hard_figures.FIGURES):
                    look(f"{figure['name']} in the page at {width}",
                         browser.evaluate(BOXES.replace("ROOT", f"document.querySelectorAll('svg.plot')[{i}]")))
        finally:
            browser.close()
        expect(len(list((folder / "figures").glob("*.csv"))) >= len(hard_figures.FIGURES), "a CSV file is missing")
        compile_tikz(folder / "figures")
    print("failed" if failures else "passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
