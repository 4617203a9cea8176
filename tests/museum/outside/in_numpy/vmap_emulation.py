# judge: --set masked_nan=spreads
"""JAX manner: a function of one query, mapped over queries, heads and batch."""
import functools

import numpy as np


def vmap(f, axes):
    def mapped(*args):
        n = next(a.shape[0] for a, x in zip(args, axes) if x is not None)
        rows = [f(*(a if x is None else a[i] for a, x in zip(args, axes))) for i in range(n)]
        return tuple(np.stack(c) for c in zip(*rows))
    return mapped


def attend_one(query, position, keys, values, *, causal, scale):
    logits = keys @ query * scale
    visible = (np.arange(len(keys)) <= position) if causal else np.ones(len(keys), bool)
    logits = np.where(visible, logits, -np.inf)
    peak = np.max(logits)
    peak = np.where(np.isneginf(peak), 0, peak).astype(logits.dtype)
    unnormalised = np.exp(logits - peak)
    z = unnormalised.sum()
    with np.errstate(divide="ignore"):
        return unnormalised @ values / np.where(z == 0, 1, z).astype(z.dtype), peak + np.log(z)


def attention(q, k, v, *, causal=False, scale=None):
    t = np.float32 if q.dtype.itemsize < 8 else np.float64
    n, m = q.shape[2], k.shape[2]
    f = functools.partial(attend_one, causal=causal, scale=t(q.shape[3] ** -0.5 if scale is None else scale))
    over_queries = vmap(f, (0, 0, None, None))
    over_heads = vmap(over_queries, (0, None, 0, 0))
    over_batch = vmap(over_heads, (0, None, 0, 0))
    r = q.shape[1] // k.shape[1]
    out, lse = over_batch(q.astype(t), np.arange(n) + m - n, k.astype(t).repeat(r, 1), v.astype(t).repeat(r, 1))
    return {"out": out.astype(q.dtype), "lse": lse}
