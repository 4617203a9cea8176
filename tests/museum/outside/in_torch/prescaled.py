# judge: --torch --set masked_nan=spreads
"""Both factors carry the square root of the scale, as PyTorch's math backend has it."""
import math

import torch


def attention(q, k, v, *, scale=None, causal=False):
    dt = q.dtype
    compute = torch.float64 if dt == torch.float64 else torch.float32
    if scale is None:
        scale = 1 / math.sqrt(q.size(-1))
    root = math.sqrt(abs(scale))
    qs = q.to(compute) * math.copysign(root, scale)
    ks = k.to(compute) * root
    b, h, n, d = q.shape
    hk, m = k.shape[1:3]
    ks = ks.unsqueeze(2).expand(b, hk, h // hk, m, d).reshape(b, h, m, d)
    vs = v.to(compute).unsqueeze(2).expand(b, hk, h // hk, m, v.size(-1)).reshape(b, h, m, -1)
    logits = qs.matmul(ks.transpose(-2, -1))
    if causal:
        pos = torch.arange(n, device=q.device) + (m - n)
        seen = pos[:, None] >= torch.arange(m, device=q.device)[None, :]
        alive = seen.any(dim=1, keepdim=True)
        logits = torch.where(seen | ~alive, logits, torch.full_like(logits, -math.inf))
        probs = torch.softmax(logits, -1)
        probs = torch.where(alive, probs, torch.zeros_like(probs))
    else:
        probs = torch.softmax(logits, -1)
    return probs.matmul(vs).to(dt)
