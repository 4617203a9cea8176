# judge: --set masked_nan=spreads
"""Base-2 exponentials with log2(e) folded into the scale; backward from the saved base-2 lse."""
import math

import numpy as np

LOG2E = math.log2(math.e)
LN2 = math.log(2.0)


def attention(q, k, v, *, causal=False, scale=None, dout=None, dlse=None):
    kind = q.dtype
    t = np.float64 if kind == np.float64 else np.float32
    B, H, N, D = q.shape
    Hk, M = k.shape[1:3]
    sc = D ** -0.5 if scale is None else scale
    qf, kf, vf = q.astype(t), k.astype(t).repeat(H // Hk, axis=1), v.astype(t).repeat(H // Hk, axis=1)
    s2 = (qf * t(sc * LOG2E)) @ kf.transpose(0, 1, 3, 2)
    if causal:
        s2 = np.where(np.tri(N, M, M - N, dtype=bool), s2, t(-np.inf))
    m2 = s2.max(-1, keepdims=True)
    m2 = np.where(m2 == -np.inf, t(0), m2)
    p = np.exp2(s2 - m2)
    l = p.sum(-1, keepdims=True)
    dead = l == 0
    p /= np.where(dead, t(1), l)
    out = p @ vf
    with np.errstate(divide="ignore"):
        lse2 = m2 + np.log2(l)
    res = {"out": out.astype(kind), "lse": (lse2 * t(LN2))[..., 0]}
    if dout is None:
        return res
    do = dout.astype(t)
    delta = (do * out).sum(-1, keepdims=True)
    if dlse is not None:
        delta = delta - np.where(dead, t(0), dlse.astype(t)[..., None])
    ds = p * (do @ vf.transpose(0, 1, 3, 2) - delta)
    if causal:
        ds = np.where(np.tri(N, M, M - N, dtype=bool), ds, t(0))
    dq = ds @ kf * t(sc)
    dk = ds.transpose(0, 1, 3, 2) @ qf * t(sc)
    dv = p.transpose(0, 1, 3, 2) @ do
    fold = lambda x: x.reshape(B, Hk, H // Hk, M, -1).sum(2) if H != Hk else x
    res.update(dq=dq.astype(kind), dk=fold(dk).astype(kind), dv=fold(dv).astype(kind))
    return res
