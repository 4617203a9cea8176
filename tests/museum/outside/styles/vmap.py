# judge: --torch --set masked_nan=spreads
"""One head, mapped over heads and sequences by functorch."""
import torch
from functorch import vmap


def one(q, k, v, see):
    s = q @ k.t() * q.shape[-1] ** -0.5
    s = torch.where(see, s, torch.full_like(s, torch.finfo(s.dtype).min))
    return (torch.softmax(s, -1) * see) @ v


heads = vmap(vmap(one, (0, 0, 0, None)), (0, 0, 0, None))


def attention(q, k, v, *, causal=False, mask=None):
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    see = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool)
    if causal:
        see = see.tril(k.shape[2] - q.shape[2])
    if mask is not None:
        if mask.dim() != 2 or mask.dtype != torch.bool:
            raise NotImplementedError
        see = see & mask
    return heads(q.to(kind), k.to(kind), v.to(kind), see).to(q.dtype)
