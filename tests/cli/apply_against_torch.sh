#!/usr/bin/env bash
# Softmax and twicing attention beside PyTorch's autograd of the textbook formulas; skips where PyTorch is not
# installed. Usage: apply_against_torch.sh ATTEST_PROGRAM
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=/usr/bin/python3
command -v "$python" >/dev/null || { echo "skipped: $python is not installed"; exit 77; }
exec "$python" -B "$here/apply_against_torch.py" "$1"
