# judge: --as kernel-regression --torch --set masked_nan=spreads
"""Nadaraya-Watson with differences formed, not norms: exact for close keys. bandwidth a number, one for all heads or one each."""
import torch


def attention(q, k, v, *, bandwidth=None, mask=None, key_lengths=None):
    t = q.dtype if q.dtype == torch.float64 else torch.float32
    if bandwidth is None:
        bandwidth = q.shape[-1] ** 0.25
    sigma = torch.as_tensor(bandwidth, dtype=t).reshape(-1, 1, 1)
    q_, k_ = q.to(t), k.to(t)
    gap = torch.cat([(x[..., None, :] - k_[:, :, None]).square().sum(-1) for x in q_.split(16, 2)], 2)
    seen = torch.ones(1, 1, q.shape[2], k.shape[2], dtype=torch.bool)
    if mask is not None:
        seen = seen & mask
    if key_lengths is not None:
        seen = seen & (torch.arange(k.shape[2])[None] < torch.as_tensor(key_lengths)[:, None])[:, None, None]
    logits = (-gap / (2 * sigma**2)).masked_fill(~seen, torch.finfo(t).min)
    return ((logits.softmax(-1) * seen) @ v.to(t)).to(q.dtype)
