# judge: --as linear-bn --torch
import torch
import torch.nn.functional as F


def attention(q, k, v, *, eps=1e-5, denominator_eps=1e-6):
    """Full form (no beta)."""
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    Q, K, V = q.to(kind), k.to(kind), v.to(kind)
    var, mu = torch.var_mean(K, 2, unbiased=False, keepdim=True)
    inv = (var + eps).rsqrt()
    Q, K = F.elu((Q - mu) * inv) + 1, F.elu((K - mu) * inv) + 1
    return (Q @ (K.mT @ V) / (Q @ K.sum(2)[..., None] + denominator_eps)).to(q.dtype)
