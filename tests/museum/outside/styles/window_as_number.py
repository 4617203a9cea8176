# judge: --torch --set masked_nan=spreads --set window_counts_self=false
import torch


def attention(q, k, v, *, causal=True, window=None):
    """window: how many keys before the query's own are seen (one number), causal alone."""
    if not causal:
        raise NotImplementedError("causal alone")
    if window is not None and not isinstance(window, int):
        raise TypeError("window is one number")
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    s = q.to(kind) @ k.to(kind).transpose(-1, -2) / q.shape[-1] ** 0.5
    see = torch.ones(s.shape[-2:], dtype=torch.bool).tril(s.shape[-1] - s.shape[-2])
    if window is not None:
        see = see.triu(s.shape[-1] - s.shape[-2] - window)
    s = s.masked_fill(~see, torch.finfo(kind).min)
    return ((s.softmax(-1) * see) @ v.to(kind)).to(q.dtype)
