#!/usr/bin/env bash
# Every witness of a run is confirmed by `attest replay` alone: in ball arithmetic, or for a stochastic statement by
# fresh draws; evidence that is not a single point, boxes that leave no room for an existence, by `attest verify`.
# Usage: replay_all.sh ATTEST_PROGRAM RUN, the folder of a run (judged_ledger.sh)
set -euo pipefail
attest=$1 run=$2
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
replayed=0
for witness in "$run"/witnesses/*.json; do
  if "$attest" replay "$witness" --seed 20260229 >reply 2>&1; then
    grep -qx confirmed reply
  else
    grep -q 'not a single point' reply || { echo "$witness:"; cat reply; exit 1; }
    "$attest" verify "$witness" >reply 2>&1 || { echo "$witness:"; cat reply; exit 1; }
  fi
  replayed=$((replayed + 1))
done
refuted=$(grep -c '^   "verdict": "refuted"' "$run/results.json")
echo "$replayed witnesses confirmed, $refuted statements refuted"
# An inequation that one typed: its witness says "!=", which records keep as the equality that is denied.
"$attest" try 'forall x in R: x^2 != 4' --evidence unequal.json >/dev/null || [ $? = 1 ]
"$attest" replay unequal.json >reply 2>&1 || { echo 'the witness of an inequation is not confirmed'; cat reply; exit 1; }
[ "$replayed" -ge "$refuted" ]
