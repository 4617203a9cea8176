#!/usr/bin/env bash
# A sweep that is killed again and again ends in the same bytes as one that was not: half of the kills come at a random
# moment, the other half inside a random write to the database, when half of it is on the disk.
# Usage: sweep_kills.sh ATTEST_PROGRAM KILL_LIBRARY [KILLS [SEED]]
set -uo pipefail
attest=$1 library=$2 kills=${3:-24}
RANDOM=${4:-1}
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cat >sweep.toml <<'SPEC'
quantity = "softmax_perturbation"
budget = 30
[axes]
scale = [0.5, 1, 2]
N = {from = 10, to = 2000, points = 40, scale = "log"}
SPEC
start=$(date +%s%N)
"$attest" sweep sweep.toml --threads 2 --out whole >/dev/null || exit 1
took=$((($(date +%s%N) - start) / 1000000))
done_kills=0 rounds=0 timed=0 in_write=0
# A round is a sweep from nothing, killed until it ends by itself.
while [ "$done_kills" -lt "$kills" ]; do
  rounds=$((rounds + 1)); resume=()
  rm -rf killed
  while :; do
    if [ $((RANDOM % 2)) = 0 ]; then
      # Writes of this round so far grow with its points: early and late ones are hit.
      at=$((1 + RANDOM % 60))
      # The subshell keeps the shell's own remark on the kill out of the log.
      (LD_PRELOAD=$library KILL_AT_WRITE=$at "$attest" sweep sweep.toml --threads 2 --out killed "${resume[@]}"; exit $?) >/dev/null 2>error
      code=$?; kind=in_write
    else
      "$attest" sweep sweep.toml --threads 2 --out killed "${resume[@]}" >/dev/null 2>error &
      child=$!
      sleep "$(printf '0.%03d' $((1 + RANDOM % (took + 20))))"
      kill -KILL $child 2>/dev/null
      wait $child 2>/dev/null; code=$?; kind=timed
    fi
    resume=(--resume)
    [ $code = 137 ] || break
    done_kills=$((done_kills + 1)); eval "$kind=\$(($kind + 1))"
    # After so many kills the round may end.
    [ "$done_kills" -lt "$kills" ] || { "$attest" sweep sweep.toml --out killed --resume >/dev/null 2>error; code=$?; break; }
  done
  [ $code = 0 ] || { echo "exit $code after $done_kills kills:"; cat error; exit 1; }
  for file in points.csv points.json; do
    cmp "whole/$file" "killed/$file" || { echo "round $rounds differs"; exit 1; }
  done
done
echo "$done_kills kills ($timed timed, $in_write inside a write) in $rounds rounds, every end the same bytes"
