#!/usr/bin/env bash
# results.json says where it comes from, its digest is that of its canonical JSON, and attest report --bibtex cites it.
#   provenance.sh ATTEST
set -euo pipefail
attest=$1
source "$(dirname "$0")/expect.sh"

"$attest" check boosting/eq-a.12 --budget quick --no-mutants --no-measure --out out > said || true
digest=$(python3 - <<'PYTHON'
import hashlib, json, re, sys
record = json.load(open("out/results.json"))
suite = record["suite"]
for key in ("commit", "compiler", "processor", "version"):
    if not suite.get(key): sys.exit(f"suite.{key} is missing")
if not re.fullmatch(r"unknown|[0-9a-f]{40}(-dirty)?", suite["commit"]): sys.exit(f"no commit: {suite['commit']}")
stated = suite.pop("digest")
text = json.dumps(record, sort_keys=True, separators=(",", ":"))
if hashlib.sha256(text.encode()).hexdigest() != stated: sys.exit("the digest is not that of the record")
print(stated)
PYTHON
) || fail "$digest"
"$attest" report out --bibtex > entry.bib
grep -qF "SHA-256 of the record $digest" entry.bib || fail "the entry does not name the record: $(cat entry.bib)"
[ "$(grep -o '{' entry.bib | wc -l)" -eq "$(grep -o '}' entry.bib | wc -l)" ] || fail "braces of the entry do not match"
mkdir empty
got=0
"$attest" report empty --bibtex 2> said || got=$?
[ "$got" -eq 3 ] || [ "$got" -eq 2 ] || fail "a folder without a record ends with $got"
[ "$(wc -l < said)" -eq 1 ] || fail "more than one sentence: $(cat said)"
