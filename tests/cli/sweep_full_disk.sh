#!/usr/bin/env bash
# A full disk ends a sweep with one sentence and status 3, keeps what was finished, and --resume ends in the same bytes.
# Usage: sweep_full_disk.sh ATTEST_PROGRAM KILL_LIBRARY
set -uo pipefail
attest=$1 library=$2
work=$(mktemp -d); trap 'umount "$work/disk" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
cat >sweep.toml <<'SPEC'
quantity = "grc_ratio"
[axes]
L = {from = 0.1, to = 2, points = 30}
t = {from = 0.1, to = 1, points = 30}
SPEC
"$attest" sweep sweep.toml --out whole >/dev/null || exit 1
fail() { echo "$*"; cat error; exit 1; }
failed() { # failed CODE: status 3 and one sentence
  [ "$1" = 3 ] || fail "exit $1 instead of 3"
  [ "$(wc -l <error)" = 1 ] && grep -q 'run.db\|points' error || fail 'not one sentence that names the file'
}
same() { for file in points.csv points.json; do cmp "whole/$file" "$1/$file" || exit 1; done; }

# The file may not grow.
(ulimit -f 100; "$attest" sweep sweep.toml --out limited >/dev/null 2>error); failed $?
"$attest" sweep sweep.toml --out limited --resume >/dev/null || exit 1
same limited
# The disk says that it is full, at the first write, in the middle, and again when resumed.
resume=()
for at in 1 9 40 2 25; do
  LD_PRELOAD=$library FULL_AT_WRITE=$at "$attest" sweep sweep.toml --out full "${resume[@]}" >/dev/null 2>error; failed $?
  resume=(--resume)
done
"$attest" sweep sweep.toml --out full --resume >/dev/null || exit 1
same full
# A real full disk, where this user may mount one.
mkdir disk
if mount -t tmpfs -o size=160k tmpfs disk 2>/dev/null; then
  "$attest" sweep sweep.toml --out disk/run >/dev/null 2>error; failed $?
  mount -o remount,size=8m disk
  "$attest" sweep sweep.toml --out disk/run --resume >/dev/null || exit 1
  same disk/run
else
  echo 'a real small disk is left out: mounting is not allowed here'
fi
