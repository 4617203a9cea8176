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
