# judge: --as twicing --torch --set masked_nan=spreads
"""Twicing as a module would write it: smooth, take the residual, smooth it again."""
import torch


def attention(q, k, v, *, causal=False, scale=None, window=None, softcap=0.0, bias=None, mask=None, key_lengths=None):
    t = q.dtype if q.dtype == torch.float64 else torch.float32
    n = q.shape[2]
    scores = q.to(t) @ k.to(t).transpose(-1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale)
    if softcap:
        scores = softcap * torch.tanh(scores / softcap)
    seen = torch.ones(1, 1, n, n, dtype=torch.bool)
    i, j = torch.arange(n)[:, None], torch.arange(n)[None]
    if causal:
        seen = seen & (j <= i)
    if window is not None:
        left, right = window if isinstance(window, (tuple, list)) else (window, window)
        if left >= 0:
            seen = seen & (j >= i - left)
        if right >= 0:
            seen = seen & (j <= i + right)
    if bias is not None:
        seen = seen & ~torch.isneginf(bias)
        scores = scores + torch.where(torch.isneginf(bias), torch.zeros_like(bias), bias).to(t)
    if mask is not None:
        seen = seen & mask
    if key_lengths is not None:
        real = torch.arange(n)[None] < torch.as_tensor(key_lengths)[:, None]
        seen = seen & real[:, None, None]
        v = v.masked_fill(~real[:, None, :, None], 0)
    A = scores.masked_fill(~seen, torch.finfo(t).min).softmax(-1) * seen
    smooth = A @ v.to(t)
    return (smooth + A @ (v.to(t) - smooth)).to(q.dtype)
