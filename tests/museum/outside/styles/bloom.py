# judge: --torch --set masked_nan=spreads
import torch


def attention(q, k, v, *, causal=True, alibi_slopes=None, scale=None):
    """BLOOM: ALiBi enters baddbmm."""
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    b, h, nq, d = q.shape
    nk = k.shape[2]
    if k.shape[1] != h:
        raise NotImplementedError
    scale = d**-0.5 if scale is None else scale
    own = torch.arange(nq)[:, None] + nk - nq
    distance = (own - torch.arange(nk)[None]).abs().to(kind)
    alibi = torch.zeros(h, nq, nk, dtype=kind) if alibi_slopes is None else -alibi_slopes.to(kind)[:, None, None] * distance
    s = torch.baddbmm(alibi.repeat(b, 1, 1), q.to(kind).reshape(b * h, nq, d), k.to(kind).reshape(b * h, nk, d).transpose(1, 2), beta=1, alpha=scale)
    s = s.view(b, h, nq, nk)
    if causal:
        hidden = torch.arange(nk)[None] > own
        s = torch.masked_fill(s, hidden, torch.finfo(kind).min)
        p = torch.softmax(s, -1).masked_fill(hidden, 0)
    else:
        p = torch.softmax(s, -1)
    return (p @ v.to(kind)).to(q.dtype)
