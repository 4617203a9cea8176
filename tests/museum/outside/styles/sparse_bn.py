# judge: --as sparse-bn --torch --set masked_nan=spreads
"""A pattern given as the mask; queries and keys standardised by all keys."""
import torch


def attention(q, k, v, *, mask=None, eps=1e-5):
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    if mask is None or mask.dtype != torch.bool:
        raise NotImplementedError("a pattern of its own")
    Q, K, V = q.to(kind), k.to(kind), v.to(kind)
    var, mu = torch.var_mean(K, 2, unbiased=False, keepdim=True)
    inv = (var + eps).rsqrt()
    s = ((Q - mu) * inv) @ ((K - mu) * inv).mT / q.shape[-1] ** 0.5
    s = s.masked_fill(~mask, torch.finfo(kind).min)
    return (s.softmax(-1).masked_fill(~mask, 0) @ V).to(q.dtype)
