#!/usr/bin/env bash
# The README's `./attest check`, with the quick budget (its default budget is for people): the whole ledger with its
# near-misses and the measurements on real input, judged once for the tests that read what such a run leaves.
# Usage: judged_ledger.sh ATTEST_PROGRAM OUT
set -euo pipefail
rm -rf "$2"
"$1" check --budget quick --threads 2 --out "$2" >"$2.log" 2>&1 || { tail -n 20 "$2.log"; exit 1; }
