# judge: --torch --set masked_nan=spreads
"""Dropout with the factors given, on the weights, after the softmax."""
import torch


def attention(q, k, v, *, causal=False, dropout_mask=None):
    acc = torch.float64 if q.dtype is torch.float64 else torch.float32
    G = q.shape[1] // k.shape[1]
    a = q.to(acc) / q.shape[-1] ** 0.5 @ k.to(acc).repeat_interleave(G, 1).transpose(-1, -2)
    if causal:
        N, M = a.shape[-2:]
        hide = ~torch.tril(torch.ones(N, M, dtype=torch.bool, device=a.device), M - N)
        a = a.masked_fill(hide, torch.finfo(acc).min).softmax(-1).masked_fill(hide, 0)
    else:
        a = a.softmax(-1)
    if dropout_mask is not None:
        a = a * dropout_mask.to(acc)
    return (a @ v.to(acc).repeat_interleave(G, 1)).to(q.dtype)
