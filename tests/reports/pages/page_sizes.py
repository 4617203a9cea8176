#!/usr/bin/env python3
"""Holds the pages of a record of the whole ledger to what a telephone opens at once, and each statement to its share.

Usage: page_sizes.py RUN, the folder of a run (tests/cli/judged_ledger.sh). Formulas are not set there: a browser sets
those near its window alone. What a page costs without a statement (fonts, KaTeX, style) is not the statements'.
"""
import html.parser
import pathlib
import sys

MOST_BYTES = 3_000_000
MOST_NODES = 60_000
# Of one statement, on the average of its paper's page, with its share of the drawings below. A paper of more than
# MOST_BYTES / MOST_BYTES_A_STATEMENT statements takes a second page, or less for each.
MOST_BYTES_A_STATEMENT = 8_200
MOST_NODES_A_STATEMENT = 155


class Page(html.parser.HTMLParser):
    """How many elements a page has, how many statements, and how many bytes are its own fonts, scripts and style."""

    def __init__(self, text):
        super().__init__()
        self.nodes = self.statements = 0
        self.feed(text)
        begin, end = text.index("<main"), text.index("</main>")
        self.content = len(text[begin:end].encode())
        self.bytes = len(text.encode())

    def handle_starttag(self, tag, attributes):
        self.nodes += 1
        self.statements += tag == "details" and dict(attributes).get("class", "").startswith("claim ")


def complaints(name, page):
    if page.bytes > MOST_BYTES:
        yield f"{name} has {page.bytes} bytes, more than {MOST_BYTES}"
    if page.nodes > MOST_NODES:
        yield f"{name} has {page.nodes} nodes, more than {MOST_NODES}"
    if page.statements:
        for what, total, most in (("bytes", page.content, MOST_BYTES_A_STATEMENT), ("nodes", page.nodes, MOST_NODES_A_STATEMENT)):
            if total / page.statements > most:
                yield f"{name} has {total / page.statements:.0f} {what} per statement, more than {most}"


def self_test():
    page = Page("<html><main><details class=\"claim x\"><p>a</p></details></main></html>")
    assert (page.nodes, page.statements) == (4, 1), (page.nodes, page.statements)
    assert not list(complaints("p", page))
    page.nodes, page.content = MOST_NODES + 1, MOST_BYTES_A_STATEMENT + 1
    assert len(list(complaints("p", page))) == 3


def main():
    self_test()
    pages = sorted(pathlib.Path(sys.argv[1]).glob("report*.html"))
    found = [] if pages else ["there are no pages"]
    for path in pages:
        page = Page(path.read_text(encoding="utf-8"))
        each = (f", {page.statements} statements of {page.content // page.statements} bytes and "
                f"{page.nodes // page.statements} nodes" if page.statements else "")
        print(f"{path.name}: {page.bytes} bytes, {page.nodes} nodes{each}")
        found += complaints(path.name, page)
    for sentence in found:
        print("FAILED:", sentence)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
