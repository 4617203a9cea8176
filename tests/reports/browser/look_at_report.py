#!/usr/bin/env python3
"""Looks at a report in a browser as a reader would: wide and narrow, light and dark, printed; filters, search, addresses.

Usage: look_at_report.py ATTEST RESULTS.json [PICTURES]. Exit 77 where no Chromium is installed. With PICTURES, a folder,
every look is kept there as PNG.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import chromium  # noqa: E402

# A page that opens at once on a telephone; page_sizes.py holds every record of the whole ledger to the same.
MOST_NODES = 60_000
MOST_BYTES = 3_000_000
LOOKS = (pathlib.Path(__file__).parent / "looks.js").read_text()
failures = []


def expect(holds, sentence):
    if not holds:
        failures.append(sentence)
        print("FAILED:", sentence)


def look_at(browser, page, pictures):
    expect(page.stat().st_size <= MOST_BYTES, f"{page.name} has {page.stat().st_size} bytes")
    for width, dark in ((1400, False), (390, False), (1400, True), (390, True)):
        browser.messages.clear()
        browser.open(page.as_uri(), width=width, dark=dark)
        # Some statements unfolded: what they hold is looked at, too.
        browser.evaluate("document.querySelectorAll('details.claim').forEach((d, i) => { d.open = i % 12 === 0; })")
        browser.settle()
        look = f"{page.name} at {width} pixels, {'dark' if dark else 'light'}"
        nodes = browser.evaluate("document.querySelectorAll('*').length")
        expect(nodes <= MOST_NODES, f"{look}: {nodes} nodes")
        for sentence in browser.evaluate(LOOKS):
            expect(False, f"{look}: {sentence}")
        expect(not browser.messages, f"{look}: the console says {browser.messages[:3]}")
        print(f"{look}: {nodes} nodes, {page.stat().st_size} bytes")
        if pictures:
            browser.picture(pictures / f"{page.stem}-{width}-{'dark' if dark else 'light'}.png")
    # What a sheet of A4 leaves between its margins, in CSS pixels.
    browser.open(page.as_uri(), width=672, media="print")
    browser.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    browser.settle()
    for sentence in browser.evaluate(LOOKS):
        expect(False, f"{page.name} printed: {sentence}")
    pdf = browser.printed()
    expect(pdf.startswith(b"%PDF"), f"{page.name} prints nothing")
    print(f"{page.name} prints {pdf.count(b'/Type /Page' + chr(10).encode())} pages")
    if pictures:
        (pictures / f"{page.stem}.pdf").write_bytes(pdf)


def shown(browser):
    return browser.evaluate("[...document.querySelectorAll('[data-item]')].filter(e => !e.hidden && "
                            "!e.closest('#findings')).map(e => e.id)")


def use(browser, folder):
    """Filters, search and addresses."""
    index = (folder / "report.html").as_uri()
    browser.open(index + "?verdict=refuted")
    verdicts = set(browser.evaluate("[...document.querySelectorAll('tr[data-item]:not([hidden])')].map(e => e.dataset.verdict)"))
    expect(verdicts == {"refuted"}, f"?verdict=refuted shows {verdicts}")
    total = browser.evaluate("document.querySelectorAll('tr[data-item]').length")
    browser.evaluate("""(() => { const form = document.querySelector('.filters');
        form.querySelector('[data-filter=verdict]').value = '';
        form.querySelector('[data-filter=q]').value = 'theorem 3.2';
        form.dispatchEvent(new Event('input')); })()""")
    labels = browser.evaluate("[...document.querySelectorAll('tr[data-item]:not([hidden]) .label')].map(e => e.textContent)")
    expect(labels and all("Thm 3.2" in label for label in labels), f"'theorem 3.2' finds {labels}")
    address = browser.evaluate("location.search")
    expect("q=theorem" in address and "verdict" not in address, f"the address after a search is {address}")
    browser.open(index + "?q=no-such-word-anywhere")
    expect(shown(browser) == [], "a word that is nowhere finds something")
    expect(browser.evaluate("[...document.querySelectorAll('.group')].every(g => g.hidden)"), "an empty group shows")
    browser.open(index)
    expect(len(shown(browser)) == total, "without a filter something is hidden")
    first = browser.evaluate("document.querySelector('tr[data-item]').id")
    browser.open(index + "#" + first)
    browser.settle()
    expect(browser.evaluate("location.pathname").rsplit("/", 1)[-1].startswith("report-paper-"),
           "the permanent address of a statement does not lead to its paper's page")
    expect(browser.evaluate("document.querySelector('details.claim:target').open"), "it is not unfolded there")
    browser.open((folder / "report-errata.html").as_uri() + "?finding=constant")
    findings = set(browser.evaluate("[...document.querySelectorAll('.erratum:not([hidden])')].map(e => e.dataset.finding)"))
    expect(findings == {"constant"}, f"?finding=constant shows {findings}")


def follow_the_graph(browser, folder):
    """The graph of a paper: every statement once, below what it rests on, by a link that leads to it."""
    record = json.loads((folder / "results.json").read_text())
    claims = {claim["id"]: claim for claim in record["claims"]}
    for page in sorted(folder.glob("report-paper-*.html")):
        browser.open(page.as_uri(), width=390)
        nodes = browser.evaluate("[...document.querySelectorAll('[data-node]')].map(n => n.dataset.node)")
        if not nodes:
            continue
        ids = [id for id in claims if browser.evaluate(f"!!document.getElementById({json.dumps(id)})")]
        expect(sorted(nodes) == sorted(ids), f"{page.name}: the graph has {len(nodes)} statements, the page {len(ids)}")
        expect(browser.evaluate("[...document.querySelectorAll('[data-node] a')].every(a => "
                                "document.getElementById(decodeURIComponent(a.hash.slice(1))))"),
               f"{page.name}: a statement of the graph leads nowhere")
        heights = browser.evaluate("Object.fromEntries([...document.querySelectorAll('ol [data-node]')].map(n => "
                                   "[n.dataset.node, n.getBoundingClientRect().top]))")
        for id in ids:
            for ground in claims[id]["depends_on"] + [claims[id]["amends"]]:
                if ground in ids:
                    expect(heights[ground] < heights[id], f"{page.name}: {id} stands above {ground}")
                    row = nodes.index(ground)
                    joined = browser.evaluate(f"!!document.querySelector('[data-node=\"{id}\"] "
                                              f"circle[data-lane-of=\"{row}\"]')")
                    expect(joined, f"{page.name}: no dot joins {id} to {ground}")
        # Words beside the lanes, letters large enough, lanes without a gap from row to row.
        for sentence in browser.evaluate("""[...document.querySelectorAll('ol.graph li')].flatMap(li => {
            const lanes = li.querySelector('.lanes').getBoundingClientRect(), row = li.getBoundingClientRect();
            const words = li.querySelector('a > span:last-child');
            return [[words.getBoundingClientRect().left < lanes.right, 'words on the lanes'],
                    [parseFloat(getComputedStyle(words).fontSize) < 14, 'small letters'],
                    [lanes.bottom < row.bottom, 'a gap in the lanes']]
                .filter(f => f[0]).map(f => li.dataset.node + ': ' + f[1]); }).slice(0, 5)"""):
            expect(False, f"{page.name}: {sentence}")
        # By keyboard: the link takes the focus, and its lines stay bright.
        lit = browser.evaluate("(() => { const dot = document.querySelector('ol.graph circle'); "
                               "dot.closest('li').querySelector('a').focus(); return dot.classList.contains('lit'); })()")
        expect(lit, f"{page.name}: the line to a statement in focus is not lit")


def main():
    if chromium.program() is None:
        print("skipped: Chromium is not installed")
        return 77
    attest, results = sys.argv[1:3]
    pictures = pathlib.Path(sys.argv[3]).resolve() if len(sys.argv) > 3 else None
    if pictures:
        pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="attest-looks-") as scratch:
        folder = pathlib.Path(scratch)
        shutil.copy(results, folder / "results.json")
        subprocess.run([attest, "report", str(folder)], check=True)
        browser = chromium.Browser()
        try:
            for page in sorted(folder.glob("report*.html")):
                look_at(browser, page, pictures)
            use(browser, folder)
            follow_the_graph(browser, folder)
        finally:
            browser.close()
    print("failed" if failures else "passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
