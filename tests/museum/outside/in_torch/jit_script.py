# judge: --torch --set masked_nan=spreads
"""TorchScript."""
import math
from typing import Optional

import torch


@torch.jit.script
def _attend(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, causal: bool, scale: Optional[float], cap: Optional[float]):
    kind = q.dtype
    if kind != torch.float64:
        q, k, v = q.float(), k.float(), v.float()
    rep = q.size(1) // k.size(1)
    if rep != 1:
        k = torch.repeat_interleave(k, rep, dim=1)
        v = torch.repeat_interleave(v, rep, dim=1)
    if scale is None:
        factor = 1.0 / math.sqrt(float(q.size(3)))
    else:
        factor = scale
    x = torch.matmul(q, k.transpose(2, 3)) * factor
    if cap is not None:
        x = torch.tanh(x / cap) * cap
    if causal:
        i = torch.arange(q.size(2), device=q.device).unsqueeze(1) + (k.size(2) - q.size(2))
        j = torch.arange(k.size(2), device=q.device).unsqueeze(0)
        hide = j > i
        x = x.masked_fill(hide, -1e30 if kind != torch.float64 else -1e300)
        w = torch.softmax(x, dim=-1).masked_fill(hide, 0.0)
    else:
        w = torch.softmax(x, dim=-1)
    return torch.matmul(w, v).to(kind)


def attention(q, k, v, *, causal=False, scale=None, softcap=None):
    return _attend(q, k, v, bool(causal), None if scale is None else float(scale), None if softcap is None else float(softcap))
