# judge: --torch --set masked_nan=spreads --set causal=always
import torch


def attention(q, k, v, *, alibi_slopes=None):
    """BLOOM's ALiBi: slope times the position of the key is added; what a row shares falls out of the softmax. Causal."""
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    nq, nk = q.shape[2], k.shape[2]
    if k.shape[1] != q.shape[1]:
        raise NotImplementedError
    s = q.to(kind) @ k.to(kind).mT / q.shape[-1] ** 0.5
    if alibi_slopes is not None:
        s = s + alibi_slopes.to(kind)[:, None, None] * torch.arange(1 - nk, 1, dtype=kind)
    hidden = torch.ones(nq, nk, dtype=torch.bool).triu(1 + nk - nq)
    s = s.masked_fill(hidden, torch.finfo(kind).min)
    return (s.softmax(-1).masked_fill(hidden, 0) @ v.to(kind)).to(q.dtype)
