# judge: --torch --set masked_nan=spreads
"""Einsum over grouped heads, weights left unnormalised until the end; returns lse too."""
from torch import einsum, finfo, float32, float64, ones, where, zeros, log, exp, tensor, inf


def attention(q, k, v, *, causal=False, alignment="bottom_right", scale=None, mask=None):
    b, h, i, d = q.shape
    g, j = k.shape[1], k.shape[2]
    t = q.dtype if q.dtype == float64 else float32
    qg = q.to(t).reshape(b, g, h // g, i, d)
    sim = einsum("bgrid,bgjd->bgrij", qg, k.to(t)) * (d**-0.5 if scale is None else scale)
    seen = ones(i, j).tril(0 if alignment == "top_left" else j - i).bool() if causal else ones(i, j).bool()
    if mask is not None:
        if mask.is_floating_point():
            wide = mask.to(t).expand(b, h, i, j).reshape(b, g, h // g, i, j) if mask.dim() == 4 else mask.to(t)
            sim = sim + wide
            seen = seen & (wide != -inf)
        else:
            seen = seen & (mask.expand(b, h, i, j).reshape(b, g, h // g, i, j) if mask.dim() == 4 else mask)
    seen = seen.expand_as(sim)
    sim = where(seen, sim, tensor(finfo(t).min, dtype=t))
    top = sim.amax(-1, keepdim=True).detach()
    w = where(seen, exp(sim - top), zeros((), dtype=t))
    total = w.sum(-1, keepdim=True)
    nothing = total == 0
    total = where(nothing, ones((), dtype=t), total)
    out = einsum("bgrij,bgje->bgrie", w, v.to(t)) / total
    lse = where(nothing, tensor(-inf, dtype=t), log(total) + top)
    return {"out": out.reshape(b, h, i, -1).to(q.dtype), "lse": lse.reshape(b, h, i)}
