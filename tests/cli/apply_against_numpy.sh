#!/usr/bin/env bash
# `attest apply` against an implementation in NumPy that shares nothing with it. Usage: apply_against_numpy.sh ATTEST_PROGRAM
set -euo pipefail
if ! /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
  echo 'skipped: NumPy is not installed (python3-numpy)'
  exit 77
fi
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cd "$work"
/usr/bin/python3 -B "$here/apply_against_numpy.py" "$1"
