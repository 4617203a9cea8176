# judge: --torch --set masked_nan=spreads
"""Mistral: the window is one number, the count of keys up to the query's own; always with causal."""
import torch


def attention(q, k, v, *, causal=True, window=None):
    if window is not None and not isinstance(window, int):
        raise TypeError("window is a number of keys")
    n, m = q.shape[2], k.shape[2]
    t = torch.float64 if q.dtype == torch.float64 else torch.float32
    g = q.shape[1] // k.shape[1]
    i = torch.arange(m - n, m, device=q.device)[:, None]
    j = torch.arange(m, device=q.device)[None, :]
    see = (j <= i) if causal else torch.ones(n, m, dtype=torch.bool, device=q.device)
    if window is not None:
        see = see & (j > i - window) & (j <= i)
    s = (q.to(t) @ k.to(t).repeat_interleave(g, 1).transpose(-1, -2)) / q.shape[3] ** 0.5
    s = s.masked_fill(~see, torch.finfo(t).min)
    return ((s.softmax(-1) * see) @ v.to(t).repeat_interleave(g, 1)).to(q.dtype)
