#!/usr/bin/env bash
# The same evidence, witnesses and verdicts on a second run and for 1 and 2 threads.
# Usage: same_bits.sh ATTEST_PROGRAM RUN, the folder of a run of 2 threads (judged_ledger.sh)
set -euo pipefail
attest=$1 run=$2
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
grep -q '"threads": 2' "$run/results.json"
"$attest" check --budget quick --no-mutants --no-measure --threads 1 --out "$work/again" >/dev/null 2>&1
# Times, thread counts and dates are all that may differ.
without_times() { grep -vE '^ *"(seconds|started|threads|digest)":' "$1/results.json"; }
without_times "$run" >"$work/first.json"
without_times "$work/again" >"$work/second.json"
cmp "$work/first.json" "$work/second.json"
[ "$(wc -l <"$work/first.json")" -gt 100 ]
