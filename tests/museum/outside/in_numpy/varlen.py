# judge: --set masked_nan=spreads
"""Packed sequences by a loop over the segments."""
import numpy as np


def one(q, k, v, causal, scale, do):
    n, m = len(q), len(k)
    s = q @ k.T * scale
    see = np.tri(n, m, m - n, dtype=bool) if causal else np.ones((n, m), bool)
    live = see.any(1)
    s = np.where(see, s, -np.inf)
    top = np.where(live, s.max(1, initial=-np.inf), 0)[:, None]
    p = np.exp(s - top)
    l = p.sum(1, keepdims=True)
    p = p / np.where(l == 0, 1, l)
    o = p @ v
    with np.errstate(divide="ignore"):
        lse = (top + np.log(l))[:, 0]
    if do is None:
        return o, lse, None
    ds = np.where(see, p * (do @ v.T - (do * o).sum(1, keepdims=True)), 0) * scale
    return o, lse, (ds @ k, ds.T @ q, p.T @ do)


def attention(q, k, v, *, cu_seqlens=None, cu_seqlens_k=None, causal=False, scale=None, dout=None):
    t = np.float64 if q.dtype == np.float64 else np.float32
    B, H, N, D = q.shape
    Hk, M = k.shape[1:3]
    cq = np.array([0, N]) if cu_seqlens is None else np.asarray(cu_seqlens)
    ck = (np.array([0, M]) if cu_seqlens is None else cq) if cu_seqlens_k is None else np.asarray(cu_seqlens_k)
    sc = t(D ** -0.5 if scale is None else scale)
    out, lse = np.zeros((B, H, N, v.shape[3]), t), np.full((B, H, N), -np.inf, t)
    dq, dk, dv = np.zeros(q.shape, t), np.zeros(k.shape, t), np.zeros(v.shape, t)
    for b in range(B):
        for h in range(H):
            kv = h // (H // Hk)
            for a in range(len(cq) - 1):
                i, j = slice(cq[a], cq[a + 1]), slice(ck[a], ck[a + 1])
                if i.start == i.stop or j.start == j.stop:
                    continue
                do = None if dout is None else dout[b, h, i].astype(t)
                o, e, grads = one(q[b, h, i].astype(t), k[b, kv, j].astype(t), v[b, kv, j].astype(t), causal, sc, do)
                out[b, h, i], lse[b, h, i] = o, e
                if grads:
                    dq[b, h, i] = grads[0]
                    dk[b, kv, j] += grads[1]
                    dv[b, kv, j] += grads[2]
    res = dict(out=out.astype(q.dtype), lse=lse)
    if dout is not None:
        res.update(dq=dq.astype(q.dtype), dk=dk.astype(q.dtype), dv=dv.astype(q.dtype))
    return res
