#!/usr/bin/env bash
# Ranks that are interrupted: SIGUSR1 to mpirun ends in code 130, Ctrl-C in mpirun's own code 1; both ways the journal
# resumes to the bytes of an uninterrupted run. Usage: sweep_ranks_interrupt.sh ATTEST_PROGRAM
set -uo pipefail
attest=$1
if ! command -v mpirun >/dev/null || ! grep -q 'component  MPI: found' <<<"$("$attest" info)"; then
  echo 'left out: no MPI'
  exit 0
fi
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
cat >sweep.toml <<'SPEC'
quantity = "softmax_lipschitz"
samples = 30
[axes]
scale = {from = 0.1, to = 4, points = 300}
N = [20000]
SPEC
"$attest" sweep sweep.toml --out reference >/dev/null || exit 1
# interrupted SIGNAL CODE DIRECTORY
interrupted() {
  # A script's background jobs ignore SIGINT; Python puts the default back before it becomes mpirun.
  python3 -c 'import os, signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); signal.signal(signal.SIGINT, signal.SIG_DFL); os.execvp(sys.argv[1], sys.argv[1:])' \
    mpirun -n 2 "$attest" sweep sweep.toml --threads 1 --out "$3" >stdout 2>stderr &
  local child=$!
  for _ in $(seq 200); do [ -s "$3/run.db" ] && break; sleep 0.05; done
  sleep 1
  kill "-$1" "$child"
  wait "$child"; local code=$?
  [ "$code" = "$2" ] || { echo "SIG$1: exit $code instead of $2"; cat stdout stderr; exit 1; }
  mpirun -n 2 "$attest" sweep sweep.toml --threads 1 --out "$3" --resume >stdout || exit 1
  for file in points.csv points.json; do cmp "reference/$file" "$3/$file" || exit 1; done
}
interrupted USR1 130 asked
grep -q 'taken from earlier runs' stdout || { echo 'nothing was kept'; exit 1; }
interrupted INT 1 broken
