# judge: --torch --set layout=bnhd --set masked_nan=spreads
import math
import torch
from torch.utils.checkpoint import checkpoint


def _query_chunk(query, key, value, keep, key_chunk):
    """Rabe & Staats: each chunk of keys gives (sum of exp * v, sum of exp, max); then one merge. Layout [b, n, h, d]."""
    query = query / math.sqrt(query.shape[-1])

    def summarize(query, key, value, keep):
        w = torch.einsum("bqhd,bkhd->bqhk", query, key)
        if keep is not None:
            w = w.masked_fill(~keep, torch.finfo(w.dtype).min)
        top = w.detach().amax(-1, keepdim=True)
        e = torch.exp(w - top)
        if keep is not None:
            e = e.masked_fill(~keep, 0)
        return torch.einsum("bvhf,bqhv->bqhf", value, e), e.sum(-1), top[..., 0]

    chunks = []
    for lo in range(0, key.shape[1], key_chunk):
        part = None if keep is None else keep[..., lo : lo + key_chunk]
        args = (query, key[:, lo : lo + key_chunk], value[:, lo : lo + key_chunk], part)
        chunks.append(checkpoint(summarize, *args) if any(a.requires_grad for a in args[:3]) else summarize(*args))
    values, weights, tops = (torch.stack(x) for x in zip(*chunks))
    top = tops.amax(0, keepdim=True)
    diff = torch.exp(tops - top)
    values = (values * diff[..., None]).sum(0)
    weights = (weights * diff).sum(0)[..., None]
    return values / weights.masked_fill(weights == 0, 1)


def attention(q, k, v, *, mask=None):
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    if k.shape[2] != q.shape[2]:
        raise NotImplementedError("grouped heads")
    if mask is not None and mask.dtype != torch.bool:
        raise NotImplementedError("additive masks")
    keep = None
    if mask is not None:
        keep = mask[None, :, None, :] if mask.dim() == 2 else mask.permute(0, 2, 1, 3)
    Q, K, V = q.to(kind), k.to(kind), v.to(kind)
    out = []
    for lo in range(0, q.shape[1], 1024):
        part = None if keep is None else keep[:, lo : lo + 1024]
        out.append(_query_chunk(Q[:, lo : lo + 1024], K, V, part, 4096))
    return torch.cat(out, 1).to(q.dtype)
