#!/usr/bin/env bash
# The same evidence, witnesses and verdicts for 1 and 2 threads and on a second run. Usage: same_bits.sh ATTEST_PROGRAM
set -euo pipefail
attest=$1
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
for run in '1 first' '2 second' '1 third'; do
  set -- $run
  "$attest" check --budget quick --no-mutants --no-measure --threads "$1" --out "$2" >/dev/null 2>&1
  # Times, thread counts and dates are all that may differ.
  grep -vE '^ *"(seconds|started|threads|digest)":' "$2/results.json" >"$2.json"
done
cmp first.json second.json
cmp first.json third.json
[ "$(wc -l <first.json)" -gt 100 ]
