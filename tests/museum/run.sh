#!/usr/bin/env bash
# `attest judge` over one bug of each class and over right implementations; skips where NumPy is not installed.
# Usage: run.sh ATTEST_PROGRAM [LIBRARIES]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=/usr/bin/python3
"$python" -c "import numpy" 2>/dev/null || { echo "skipped: $python has no NumPy"; exit 77; }
OMP_NUM_THREADS=1 exec "$python" -B "$here/run.py" "$1" --quick ${2:+--libraries "$2"}
