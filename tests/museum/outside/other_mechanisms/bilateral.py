# judge: --as bilateral --torch --set masked_nan=spreads
"""Bilateral attention, positional term kept apart and added."""
import torch


def attention(q, k, v, *, qp, kp, h_p2=None, h_y2=None, mask=None):
    w = torch.float64 if q.dtype == torch.float64 else torch.float32
    d = q.shape[-1]

    def inverse(x):
        return 1 / torch.as_tensor(d**0.5 if x is None else x, dtype=w).reshape(-1, 1, 1)

    near = qp.to(w) @ kp.to(w).transpose(-1, -2) * inverse(h_p2)
    like = q.to(w) @ k.to(w).transpose(-1, -2) * inverse(h_y2)
    logits = like + near
    if mask is None:
        return (logits.softmax(-1) @ v.to(w)).to(q.dtype)
    weights = logits.masked_fill(~mask, torch.finfo(w).min).softmax(-1) * mask
    return (weights @ v.to(w)).to(q.dtype)
