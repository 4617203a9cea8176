# judge: --as twicing --torch --set masked_nan=spreads
"""Twicing: A V + A (V - A V)."""
import torch


def attention(q, k, v, *, causal=False, mask=None):
    dt = q.dtype
    f = torch.float64 if dt == torch.float64 else torch.float32
    g = q.shape[1] // k.shape[1]
    q, k, v = q.to(f), k.to(f).repeat_interleave(g, 1), v.to(f).repeat_interleave(g, 1)
    s = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
    seen = torch.ones(s.shape[-2:], dtype=torch.bool, device=s.device)
    if causal:
        seen = seen.tril()
    if mask is not None:
        if mask.dtype == torch.bool:
            seen = seen & mask
        else:
            seen = seen & (mask > -torch.inf)
            s = s + mask.to(f).masked_fill(mask == -torch.inf, 0)
    a = s.masked_fill(~seen, torch.finfo(f).min).softmax(-1) * seen
    once = a @ v
    return (once + a @ (v - once)).to(dt)
