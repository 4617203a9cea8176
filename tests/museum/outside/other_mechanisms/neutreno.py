# judge: --as neutreno --torch --set masked_nan=spreads
"""NeuTRENO: A V + 0.6 (V0 - V)."""
import torch


def attention(q, k, v, v0, *, causal=False):
    dt = q.dtype
    c = torch.float64 if dt == torch.float64 else torch.float32
    q, k, v, v0 = (x.to(c) for x in (q, k, v, v0))
    s = q @ k.mT / q.shape[-1] ** 0.5
    if causal:
        s = s + torch.full(s.shape[-2:], float("-inf"), device=s.device, dtype=c).triu(1)
    return (torch.softmax(s, -1) @ v + 0.6 * (v0 - v)).to(dt)
