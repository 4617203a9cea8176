# judge: --torch --set masked_nan=spreads
import torch


def attention(q, k, v, *, causal=False, scale=None):
    """Numerator and denominator by one product with [V, 1]."""
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    s = q.to(kind) @ k.to(kind).transpose(-2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    see = torch.ones(s.shape[-2:], dtype=torch.bool).tril(s.shape[-1] - s.shape[-2] if causal else s.shape[-1])
    s = s.masked_fill(~see, torch.finfo(kind).min)
    e = torch.exp(s - s.detach().amax(-1, keepdim=True)) * see
    V1 = torch.cat([v.to(kind), torch.ones_like(v[..., :1], dtype=kind)], -1)
    y = e @ V1
    z = y[..., -1:]
    return (y[..., :-1] / z.masked_fill(z == 0, 1)).to(q.dtype)
