# judge: --torch --set masked_nan=spreads --options causal
import torch


@torch.no_grad()
def attention(q, k, v, *, causal=True):
    """Inference alone: no graph."""
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    s = q.to(kind) @ k.to(kind).transpose(-1, -2) / q.shape[-1] ** 0.5
    if causal:
        hidden = torch.ones(s.shape[-2:], dtype=torch.bool).triu(1 + s.shape[-1] - s.shape[-2])
        s = s.masked_fill(hidden, torch.finfo(kind).min)
        return (s.softmax(-1).masked_fill(hidden, 0) @ v.to(kind)).to(q.dtype)
    return (s.softmax(-1) @ v.to(kind)).to(q.dtype)
