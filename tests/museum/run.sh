#!/usr/bin/env bash
# `attest judge` over a sample of the museum with targets of every kind; skips where NumPy is not installed.
# Usage: run.sh ATTEST_PROGRAM
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=/usr/bin/python3
"$python" -c "import numpy" 2>/dev/null || { echo "skipped: $python has no NumPy"; exit 77; }
OMP_NUM_THREADS=1 exec "$python" -B "$here/run.py" "$1" --quick
