#!/usr/bin/env bash
# Judges the whole ledger once, for the tests that read what such a run leaves. Usage: judged_ledger.sh ATTEST_PROGRAM OUT
set -euo pipefail
rm -rf "$2"
"$1" check --budget quick --no-mutants --no-measure --threads 2 --out "$2" >/dev/null 2>&1
