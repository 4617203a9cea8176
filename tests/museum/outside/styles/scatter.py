# judge: --torch
import torch


def attention(q, k, v, *, mask=None, causal=False):
    """Edges, as graph networks do it: gather, scatter max, scatter sum."""
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    b, h, nq, d = q.shape
    nk = k.shape[2]
    if k.shape[1] != h or nq * nk > 2**16 or (mask is not None and (mask.dim() != 2 or mask.dtype != torch.bool)):
        raise NotImplementedError
    see = torch.ones(nq, nk, dtype=torch.bool) if mask is None else mask
    if causal:
        see = see.tril(nk - nq)
    i, j = see.nonzero(as_tuple=True)
    Q, K, V = q.to(kind), k.to(kind), v.to(kind)
    s = (Q[:, :, i] * K[:, :, j]).sum(-1) * d**-0.5
    index = i.expand(b, h, -1)
    top = torch.full((b, h, nq), -torch.inf, dtype=kind).scatter_reduce(2, index, s.detach(), "amax")
    e = torch.exp(s - top[:, :, i])
    z = torch.zeros(b, h, nq, dtype=kind).index_add(2, i, e)
    w = e / z[:, :, i]
    out = torch.zeros(b, h, nq, v.shape[-1], dtype=kind).index_add(2, i, w[..., None] * V[:, :, j])
    return out.to(q.dtype)
