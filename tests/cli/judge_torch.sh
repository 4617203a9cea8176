#!/usr/bin/env bash
# attest judge of functions of PyTorch: the printed wrappers, callables of other kinds, the README's first kernel.
# Usage: judge_torch.sh ATTEST_PROGRAM SOURCE_FOLDER
set -uo pipefail
# shellcheck source=judging.sh
source "$(dirname "$0")/judging.sh"
"$python" -c 'import torch' 2>/dev/null || { echo "skipped: $python has no PyTorch"; exit 77; }

# On processors without AVX-512 PyTorch 1 sums bfloat16 in bfloat16, and is held to that.
ones=$("$python" -c 'import torch; a = torch.ones(16, 1024).bfloat16(); print(int((a @ a.T.contiguous())[0, 0].item()))')
sums=(--accumulate float32); [ "$ones" = 1024 ] || sums=(--accumulate input)
types=(--dtype float64 --dtype bfloat16)
"$attest" judge --emit-cases all "${types[@]}" >/dev/null || complain 'no cases were written'
"$attest" judge --emit-wrapper torch >wrapped.py
"$python" all/answer.py wrapped.py:attention --torch >stdout 2>stderr || complain 'the cases could not be answered'
expect 0 'dq ' recorded:all "${types[@]}" --set masked_nan=spreads "${sums[@]}"
expect 0 'bfloat16' recorded:all "${types[@]}" --set masked_nan=spreads "${sums[@]}"

# Every wrapper for Python as it is printed, by the command in its own first line; what Debian lacks has stand-ins.
for kind in torch jax triton; do
  "$attest" judge --emit-wrapper $kind >this_file.py
  read -ra words <<<"$(sed -n '1s/# attest judge //p' this_file.py)"
  PYTHONPATH=$2/tests/cli/judge_stand_ins expect 0 'no finding' "${words[@]}" "${sums[@]}"
  grep -q 'one entry of dk, float32' stdout || complain "the wrapper for $kind: no gradients were judged"
done

# Functions of PyTorch that are not plain ones, and one that autograd may only go back through as a whole.
cat >styles.py <<'END'
import torch
from torch.utils.checkpoint import checkpoint


def attend(q, k, v, causal: bool = False):
    seen = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool).tril(k.shape[2] - q.shape[2] if causal else k.shape[2])
    logits = (q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5).masked_fill(~seen, -1e300)
    return (logits.softmax(-1) * seen) @ v


class Module(torch.nn.Module):
    def forward(self, q, k, v, *, causal=False):
        return attend(q, k, v, causal)


module, script = Module(), torch.jit.script(attend)


def in_parts(q, k, v, *, causal=False):
    return checkpoint(attend, q, k, v, causal)


@torch.no_grad()
def inference(q, k, v, *, causal=False):
    return attend(q, k, v, causal)
END
of_torch=(--torch --set masked_nan=spreads --dtype float64)
for function in module script in_parts; do
  expect 0 'one entry of dk, float64' python:styles:$function "${of_torch[@]}"
  grep -q 'causal: the target does not take it' stdout && complain "$function: its causal is not seen"
done
expect 0 'dout: the target does not take it' python:styles:inference "${of_torch[@]}" --options causal

# The README's five lines and its one command.
awk '/^## Judging your own kernel/{on=1} on && /^```python$/{inside=1; next} /^```$/{inside=0} inside' "$2/README.md" >mine.py
command=$(grep -m 1 '^attest judge python:mine.py' "$2/README.md")
"$attest" ${command#attest } --python "$python" >stdout 2>stderr || complain "the README's wrapper: $command"
exit $((failures > 0))
