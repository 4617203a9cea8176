#!/usr/bin/env bash
# Ctrl-C: exit 130, and what was finished is saved and readable. Usage: interrupt.sh ATTEST_PROGRAM
set -uo pipefail
attest=$1
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
# A background job of a script ignores SIGINT; SIGTERM takes the same path.
"$attest" check --budget deep --threads 1 --no-measure --out out >stdout 2>stderr &
child=$!
sleep 3
kill -TERM "$child"
wait "$child"; code=$?
[ "$code" = 130 ] || { echo "exit $code instead of 130"; cat stderr; exit 1; }
for file in out/results.json out/junit.xml out/report.html; do [ -s "$file" ] || { echo "no $file"; exit 1; }; done
grep -q '"interrupted": true' out/results.json

# A sweep ends likewise, between two points; what it finished is in its table, and --resume goes on.
cat >sweep.toml <<'SPEC'
quantity = "softmax_lipschitz"
samples = 200
[axes]
scale = {from = 0.1, to = 4, points = 400}
N = [20000]
SPEC
"$attest" sweep sweep.toml --threads 1 --out swept >stdout 2>stderr &
child=$!
sleep 2
kill -TERM "$child"
wait "$child"; code=$?
[ "$code" = 130 ] || { echo "exit $code instead of 130"; cat stderr; exit 1; }
rows=$(wc -l <swept/points.csv)
[ "$rows" -gt 1 ] && [ "$rows" -lt 401 ] || { echo "$rows lines in points.csv"; exit 1; }
grep -q -- '--resume' stderr
