#!/usr/bin/env bash
# A sweep that is killed again and again ends in the same bytes as one that was not: kills come at a random moment, inside
# a random write to the database when half of it is on the disk, or while it answers a disk that has become full; and now
# and then the disk is full and nobody kills it.
# Usage: sweep_kills.sh ATTEST_PROGRAM KILL_LIBRARY [KILLS [SEED]]
set -uo pipefail
attest=$1 library=$2 kills=${3:-24}
RANDOM=${4:-1}
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
cat >sweep.toml <<'SPEC'
quantity = "softmax_perturbation"
samples = 30
[axes]
scale = [0.5, 1, 2]
N = {from = 10, to = 2000, points = 40, scale = "log"}
SPEC
start=$(date +%s%N)
"$attest" sweep sweep.toml --threads 2 --out whole >/dev/null || exit 1
took=$((($(date +%s%N) - start) / 1000000))
done_kills=0 rounds=0 timed=0 in_write=0 on_full_disk=0 full_disk=0
# A round is a sweep from nothing, killed until it ends by itself.
while [ "$done_kills" -lt "$kills" ]; do
  rounds=$((rounds + 1)); resume=()
  rm -rf killed
  while :; do
    choice=$((RANDOM % 8))
    if [ $choice -lt 2 ]; then
      # Full from a random write on; in half of the cases killed at one of the next writes besides, if there is one.
      at=$((1 + RANDOM % 60)) kill_at=-1
      [ $choice = 0 ] || kill_at=$((at + 1 + RANDOM % 3))
      (FULL_AT_WRITE=$at KILL_AT_WRITE=$kill_at LD_PRELOAD=$library "$attest" sweep sweep.toml --threads 2 --out killed "${resume[@]}"; exit $?) >/dev/null 2>error
      code=$?; kind=on_full_disk
      if [ $code = 3 ]; then full_disk=$((full_disk + 1)); resume=(--resume); continue; fi
    elif [ $choice -lt 5 ]; then
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
echo "$done_kills kills ($timed timed, $in_write inside a write, $on_full_disk on a full disk) and $full_disk full disks in $rounds rounds, every end the same bytes"
