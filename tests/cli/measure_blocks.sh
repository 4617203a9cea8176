#!/usr/bin/env bash
# attest measure --blocks: a summary that check --training and results --add read, and what it refuses.
# Usage: measure_blocks.sh ATTEST_PROGRAM
set -uo pipefail
attest=$1
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
