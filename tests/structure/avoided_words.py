"""The words to avoid in CONTRIBUTING.md, and where what people read has them."""
import re

# Everything that people read; sources in C++, CUDA, Python and scripts for their comments and sentences.
SUFFIXES = (".attest", ".cmake", ".cpp", ".css", ".cu", ".cuh", ".h", ".hpp", ".js", ".md", ".py", ".sh", ".toml", ".yml")
# Between two words: they may stand on two lines, of a comment or of a text in quotes.
GAP = r"(?:\s|//+|\"|\*|#)+"
# NOUN stands for any word but a comparative: "no smaller than" is English, and so is "there is no".
NOUN = r"(?!(?:more|less|longer|smaller|larger|faster|slower|later|earlier|better|worse|further)\b)\w+"
THERE = re.compile(r"\bthere" + GAP + "$", re.I)


def table(root):
    """[(pattern, word, replacement)] of the section 'Words'; empty where it has no table."""
    _, _, section = (root / "CONTRIBUTING.md").read_text().partition("## Words")
    rows = re.findall(r"^\| `([^`]+)` \| `?([^|`]+)`? \|", section.split("\n## ")[0], flags=re.M)
    return [(re.compile(r"(?<![\w-])" + re.escape(word).replace("NOUN", NOUN).replace(r"\ ", GAP) + r"(?![\w-])", re.I),
             word, instead.strip()) for word, instead in rows]


def files(root, rooms):
    below = [p for folder in rooms + ("guide", "packaging", ".cmake", ".github") for p in (root / folder).rglob("*")
             if p.suffix in SUFFIXES or p.name == "CMakeLists.txt"]
    # The rules' own tests hold the words, and a page that is written from sealed records keeps theirs.
    return sorted(p for p in below if p.parent != root / "tests" / "structure" and p != root / "simulations/results/README.md") + [
        root / "README.md", root / "attest", root / "CMakeLists.txt"]


def found_below(root, rooms):
    """(path, line, word, replacement) of each breach in the rooms and beside them; a sentence alone where no word is known."""
    rows = table(root)
    if not rows:
        yield None, 0, "", "CONTRIBUTING.md: the section 'Words' has no table"
    for path in files(root, rooms):
        text = path.read_text()
        if path.suffix == ".attest":  # labels are the papers' and the records'
            text = re.sub(r"(?m)^  label .*", "", text)
        for pattern, word, instead in rows:
            for found in pattern.finditer(text):
                if not THERE.search(text[max(0, found.start() - 80):found.start()]):
                    yield path, text.count("\n", 0, found.start()) + 1, word, instead
