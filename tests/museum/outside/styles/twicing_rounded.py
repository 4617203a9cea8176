# judge: --as twicing --torch --set masked_nan=spreads
import torch


def attention(q, k, v, *, causal=False):
    """(2A - A A) V with the square of A formed, and arrays stored in the type between the steps."""
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    r = lambda x: x.to(q.dtype).to(kind)
    s = r(q.to(kind) @ k.to(kind).transpose(-1, -2) / q.shape[-1] ** 0.5)
    hidden = torch.ones(s.shape[-2:], dtype=torch.bool).triu(1 if causal else s.shape[-1])
    A = r(s.masked_fill(hidden, torch.finfo(q.dtype).min).softmax(-1).masked_fill(hidden, 0))
    return (r(2 * A - r(A @ A)) @ v.to(kind)).to(q.dtype)
