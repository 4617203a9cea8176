# What the scripts about training share, sourced with the program's path in $attest: without LibTorch they are skipped;
# they work in a scratch directory, count failures and train on a text.
[ -x "$(dirname "$attest")/attest_train" ] || { echo 'skipped: this build has no LibTorch'; exit 77; }
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
fail() { echo "$*"; failures=$((failures + 1)); }
# text LINES: as many lines of words.
text() { for _ in $(seq "$1"); do echo 'the quick brown fox jumps over A lazy dog and over the next one'; done; }
# A small language model on that text; the settings of its training follow.
small_model() {
  cat <<'TOML'
[data]
name = "text.txt"
[model]
layers = 2
width = 16
heads = 2
context = 16
dropout = 0.1
[training]
TOML
}
