#!/usr/bin/env bash
# attest measure --blocks: a summary that check --training and results --add read, and what it refuses; the file of --json.
# Usage: measure_blocks.sh ATTEST_PROGRAM
set -uo pipefail
attest=$1
license=$(cd "$(dirname "$0")/../.." && pwd)/LICENSE
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
refused() {  # refused CODE WORDS ARGUMENTS...
  local code=$1 words=$2; shift 2
  "$attest" measure "$@" >said 2>&1; local got=$?
  [ "$got" = "$code" ] && grep -qF -- "$words" said || { echo "measure $* exits $got, not $code with '$words':"; cat said; exit 1; }
}
refused 2 'name it with --data' --blocks out
refused 2 '--runs 1: give two or more' --data fashion-mnist --blocks out --runs 1
refused 2 '--runs requires --blocks' --runs 3
echo 'some words' >text
refused 2 'takes grey images with labels, and text is none' --data text --blocks out
if ! grep -q '^fashion-mnist .*(there)' <<<"$("$attest" data list)"; then echo 'skipped: fashion-mnist is not on this machine'; exit 77; fi
"$attest" measure --data fashion-mnist --blocks out --runs 5 >said || { echo 'the runs failed'; exit 1; }
grep -q '^blocks of A - I: .*purity' said || { echo 'no means are printed'; cat said; exit 1; }
mkdir results
(cd results && "$attest" results . --add ../out >/dev/null) || { echo 'results --add refuses the summary'; exit 1; }
[ -s results/clusters-fashion-mnist.json ] && grep -q 'Untrained blocks and the classes of images' results/README.md || { echo 'the result is not on its page'; exit 1; }
"$attest" check probdr/blocks-less-pure --training out/summary.json --no-measure --out checked >said 2>&1
grep -q 'out/summary.json' checked/results.json || { echo 'check does not read the summary'; cat said; exit 1; }

# The file of --json is what the README and --help say of it.
"$attest" measure --data "$license" --budget quick --json measured.json >/dev/null || { echo 'nothing measured'; exit 1; }
"$attest" measure --help >help
python3 - <<'END' || { echo 'measured.json is not as documented'; exit 1; }
import json
help = " ".join(open("help").read().split())
for measurement in json.load(open("measured.json")):
    assert set(measurement) == {"id", "title", "text", "tables", "figures", "quantities"}, set(measurement)
    for table in measurement["tables"]:
        assert set(table) == {"caption", "columns", "rows"} and all(len(row) == len(table["columns"]) for row in table["rows"])
    for figure in measurement["figures"]:
        assert set(figure) - {"heat"} == {"name", "title", "caption", "x", "y", "series", "references"}, set(figure)
    for quantity in measurement["quantities"]:
        assert set(quantity) == {"name", "where", "estimate", "interval", "level", "units"} and len(quantity["interval"]) == 2
for words in ("{id, title, text, tables, figures, quantities}", "{name, where, estimate, interval, level, units}"):
    assert words in help, words
END
