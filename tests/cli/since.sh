#!/usr/bin/env bash
# attest check --since: what changed against an earlier record, and exit code 1 for the worse. Usage: since.sh ATTEST_PROGRAM
set -uo pipefail
attest=$1
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
fail() { echo "$*"; cat stdout; failures=$((failures + 1)); }

ask() { "$attest" check boosting/eq-2.3 boosting/eq-2.4 --budget quick "$@" >stdout 2>stderr; }
ask --out before || fail 'the first run'
[ ! -s stderr ] || fail 'progress where nobody watches'
ask --out same --since before || fail 'the same again'
grep -q 'nothing changed' stdout || fail 'the same run has changed'

# Of a record that holds more, what this run did not judge is not missing.
python3 - <<'EOF'
import copy, json
record = json.load(open("before/results.json"))
more = copy.deepcopy(record["claims"][0]); more["id"] = "boosting/another"
record["claims"].append(more)
json.dump(record, open("more.json", "w"))
# What is supported now was certified in the record before: for the worse.
for claim in record["claims"]:
    if claim["id"] == "boosting/eq-2.4": claim["verdict"] = "certified"
json.dump(record, open("better.json", "w"))
EOF
ask --out more --since more.json || fail 'a record that holds more'
ask --out worse --since better.json; [ $? = 1 ] || fail 'a weaker verdict'
grep -q 'boosting/eq-2.4 .*certified .*supported .*worse' stdout || fail 'the change is not printed'

# Two parts of one name, here of two trainings, are each compared with their own.
ask probdr/blocks-part-from-classes --out parts
ask probdr/blocks-part-from-classes --out parts-again --since parts || fail 'parts of one name'
grep -q 'nothing changed' stdout || fail 'parts of one name have changed'
exit $((failures > 0))
