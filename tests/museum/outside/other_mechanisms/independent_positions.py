# judge: --as independent-positions --torch --set masked_nan=spreads
"""Untied positions (as TUPE): both dot products at once, on concatenated features."""
import torch


def attention(q, k, v, *, p, hq, hk, bias=None, causal=False):
    w = torch.float64 if q.dtype == torch.float64 else torch.float32
    pq, pk = (torch.einsum("nc,hdc->hnd", p.to(w), x.to(w)).expand(q.shape[0], -1, -1, -1) for x in (hq, hk))
    a, b = torch.cat([q.to(w), pq], -1), torch.cat([k.to(w), pk], -1)
    logits = a @ b.transpose(-1, -2) / (2 * q.shape[-1]) ** 0.5
    off = torch.ones(logits.shape[-2:], dtype=torch.bool).triu(1) if causal else torch.zeros(logits.shape[-2:], dtype=torch.bool)
    if bias is not None:
        off = off | torch.isneginf(bias)
        logits = logits + bias.masked_fill(torch.isneginf(bias), 0).to(w)
    weights = logits.masked_fill(off, torch.finfo(w).min).softmax(-1).masked_fill(off, 0)
    return (weights @ v.to(w)).to(q.dtype)
