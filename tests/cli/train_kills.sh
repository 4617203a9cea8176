#!/usr/bin/env bash
# A training that is killed inside random writes, of its checkpoints, weights and database, with half of the bytes on the
# disk, or whose disk becomes full, ends in the same weights, bit for bit, as one that was not.
# Usage: train_kills.sh ATTEST_PROGRAM KILL_LIBRARY [KILLS [SEED]]
set -uo pipefail
attest=$1 library=$2 kills=${3:-8}
RANDOM=${4:-1}
source "$(dirname "$0")/training.sh"
text 60 >text.txt
{ small_model; cat <<'TOML'; } >spec.toml
steps = 24
batch = 4
accumulate = 2
evaluate_every = 6
patience = 20
checkpoint_every = 2
[[variant]]
name = "softmax"
TOML
stop() { fail "$*"; cat error; exit 1; }
same() { cmp whole/checkpoints/softmax-seed-1.safetensors "$1/checkpoints/softmax-seed-1.safetensors" || exit 1; }
train() { "$attest" train spec.toml --threads 1 "$@" >/dev/null 2>error; }
train --out whole || stop 'a small training failed'

done_kills=0 rounds=0
while [ "$done_kills" -lt "$kills" ]; do
  rounds=$((rounds + 1)); resume=()
  rm -rf killed
  while [ "$done_kills" -lt "$kills" ]; do
    (WATCH_WRITE=1 KILL_AT_WRITE=$((1 + RANDOM % 60)) LD_PRELOAD=$library train --out killed "${resume[@]}"; exit $?) 2>/dev/null
    code=$?; resume=(--resume)
    [ $code = 137 ] || break
    done_kills=$((done_kills + 1))
  done
  if [ $code = 137 ]; then train --out killed --resume; code=$?; fi
  [ $code = 0 ] || stop "exit $code after $done_kills kills:"
  same killed
done

# The disk says that it is full: status 3, one sentence that names the file, and nothing lost.
for at in 4 30; do
  rm -rf full
  WATCH_WRITE=1 FULL_AT_WRITE=$at LD_PRELOAD=$library train --out full
  code=$?
  [ $code = 3 ] || stop "exit $code on a full disk instead of 3"
  grep 'attest train' error >sentence
  [ "$(wc -l <sentence)" = 1 ] && grep -q 'full/' sentence || stop 'not one sentence that names the file'
  train --out full --resume || stop 'it could not be resumed'
  same full
done
echo "$done_kills kills inside a write in $rounds rounds, and two full disks: every end the same weights"
