# judge: --torch --set masked_nan=spreads
import torch


def softmax(s, see):
    s = s.masked_fill(~see, torch.finfo(s.dtype).min)
    e = torch.exp(s - s.max(dim=-1, keepdim=True)[0]) * see
    z = e.sum(dim=-1, keepdim=True)
    return e / z.masked_fill(z == 0, 1)


def attention(q, k, v, *, causal=False, scale=None):
    """The softmax written out, differentiated as it stands (through the maximum too)."""
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    s = q.to(kind) @ k.to(kind).transpose(-2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    see = torch.ones(s.shape[-2:], dtype=torch.bool).tril(s.shape[-1] - s.shape[-2] if causal else s.shape[-1])
    return (softmax(s, see) @ v.to(kind)).to(q.dtype)
