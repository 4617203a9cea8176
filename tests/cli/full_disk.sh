#!/usr/bin/env bash
# A full disk ends a verb with one sentence on standard error and exit code 3, leaves no half-written file, and costs
# nothing of what was computed: it is printed. Usage: full_disk.sh ATTEST_PROGRAM
set -uo pipefail
attest=$1
source_dir=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d); trap 'umount "$work/disk" 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir disk
mount -t tmpfs -o size=40k tmpfs disk 2>/dev/null || { echo 'skipped: mounting is not allowed here'; exit 77; }
dd if=/dev/zero of=disk/fill bs=1k count=40 2>/dev/null
failures=0
# full WORD ARGUMENT...: exit status 3, one line on standard error that names the disk, WORD printed, no file left.
full() {
  local word=$1; shift
  "$attest" "$@" >stdout 2>stderr; local got=$?
  local files; files=$(find disk -type f ! -name fill ! -name '*.db' ! -name cases.jsonl)
  if [ "$got" != 3 ] || [ "$(wc -l <stderr)" != 1 ] || ! grep -q 'disk/.*free some space' stderr || { [ -n "$word" ] && ! grep -qF -- "$word" stdout; } || [ -n "$files" ]; then
    printf 'attest %s: exit %s, left: %s\n' "$*" "$got" "$files"; cat stdout stderr; failures=$((failures + 1))
  fi
}
cat >bound.attest <<'END'
paper "Bounds"
claim half
  label Theorem 1
  says forall x in [0, 1]: x*(1 - x) <= 0.26
END
printf 'def kernel(q, k, v):\n    raise RuntimeError("none")\n' >kernel.py
full 'Every verdict is the one on record' check bound.attest --budget quick --out disk/run
full 'certified' try 'forall x in [0, 1]: x*(1 - x) <= 0.26' --budget quick --evidence disk/evidence.json
full 'certified' try '1 = 1' --json disk/try.json
full '' export --coq bound.attest --out disk/proofs
full '' new disk/draft.attest --from "$source_dir/tests/data/note.tex"
full '' compare --example disk/runs.csv
"$attest" compare --example runs.csv >/dev/null
full 'twicing better' compare runs.csv --json disk/compared.json
"$attest" apply softmax --example in.npz >/dev/null
full '' apply softmax --input in.npz --output disk/out.npz
full '' judge --emit-cases disk/cases --dtype float64 --options causal
if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
  full 'raises an error' judge python:kernel.py:kernel --python /usr/bin/python3 --dtype float64 --options causal --out disk/judge
fi
full 'Means over' measure --data "$source_dir/LICENSE" --budget quick --json disk/measured.json
exit $((failures > 0))
