#!/usr/bin/env bash
# A sweep gives the same bytes for 1, 2 and 7 threads, for 1, 2 and 3 ranks, and for two shards merged.
# Usage: sweep_same_bits.sh ATTEST_PROGRAM
set -euo pipefail
attest=$1
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work"
cat >sweep.toml <<'SPEC'
quantity = "softmax_perturbation"
samples = 40
[axes]
scale = [0.5, 4]
N = {from = 10, to = 3000, points = 9, scale = "log"}
[[figure]]
x = "N"
y = ["mean", "limit"]
by = "scale"
power_law = "mean"
y_scale = "log"
SPEC
same() { # same DIR: its exports are those of the first run
  for file in points.csv points.json; do cmp "reference/$file" "$1/$file"; done
}
"$attest" sweep sweep.toml --threads 1 --out reference >/dev/null
[ "$(wc -l <reference/points.csv)" = 19 ]
for threads in 2 7; do "$attest" sweep sweep.toml --threads $threads --out "threads$threads" >/dev/null; same "threads$threads"; done
"$attest" sweep sweep.toml --shard 1/2 --out shard1 >/dev/null
"$attest" sweep sweep.toml --shard 2/2 --out shard2 >/dev/null
"$attest" sweep sweep.toml --merge shard1 shard2 --out merged >said
grep -q '18 of them taken' said; same merged
"$attest" sweep sweep.toml --seed 2 --out other >/dev/null
! cmp -s reference/points.csv other/points.csv || { echo 'the seed changes nothing'; exit 1; }
if command -v mpirun >/dev/null && grep -q 'component  MPI: found' <<<"$("$attest" info)"; then
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
  for ranks in 1 2 3; do mpirun -n $ranks "$attest" sweep sweep.toml --out "ranks$ranks" >/dev/null; same "ranks$ranks"; done
else
  echo 'ranks left out: no MPI'
fi
