# judge: --as attention-bn-simplified --torch --set masked_nan=spreads
"""Keys' mean, weighted by beta, taken from queries and keys; padding left out of the mean."""
import torch


def attention(q, k, v, *, beta=1.0, key_lengths=None):
    t = q.dtype if q.dtype == torch.float64 else torch.float32
    Q, K, V = q.to(t), k.to(t), v.to(t)
    b, _, m, d = K.shape
    real = torch.ones(b, 1, m, 1, dtype=torch.bool)
    if key_lengths is not None:
        real = (torch.arange(m)[None] < torch.as_tensor(key_lengths)[:, None])[:, None, :, None]
        K, V = K.masked_fill(~real, 0), V.masked_fill(~real, 0)
    mean = K.sum(2, keepdim=True) / real.sum(2, keepdim=True).clamp(min=1)
    shift = torch.as_tensor(beta, dtype=t).reshape(-1, 1, 1) * mean
    seen = real.transpose(2, 3)
    logits = (Q - shift) @ (K - shift).transpose(2, 3) / d**0.5
    return ((logits.masked_fill(~seen, torch.finfo(t).min).softmax(-1) * seen) @ V).to(q.dtype)
