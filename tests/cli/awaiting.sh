#!/usr/bin/env bash
# simulations/experiments/awaiting.toml names every statement on record as undecided, and no other: none is left without
# a price or a word on what it lacks. Usage: awaiting.sh ATTEST_PROGRAM SOURCE_DIRECTORY
set -uo pipefail
attest=$1 source=$2
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
"$attest" list --verdict undecided --json >"$work/list.json" || { echo 'the list failed'; exit 1; }
grep -o '"id": *"[^"]*"' "$work/list.json" | sed 's/.*: *"//; s/"//' | sort >"$work/undecided"
sed -n 's/^id = "\(.*\)"$/\1/p' "$source/simulations/experiments/awaiting.toml" | sort >"$work/named"
[ -s "$work/undecided" ] || { echo 'no statement is undecided: the list is read wrongly, or awaiting.toml has no further use'; exit 1; }
diff "$work/undecided" "$work/named" || { echo 'awaiting.toml (>) and the record (<) differ'; exit 1; }
