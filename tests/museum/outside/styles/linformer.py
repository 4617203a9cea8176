# judge: --as linformer
"""Projected keys and values, backward by hand."""
import numpy as np


def attention(q, k, v, E, F, *, dout=None):
    kind = np.float64 if q.dtype == np.float64 else np.float32
    Q, K, V, E, F = (x.astype(kind) for x in (q, k, v, E, F))
    KE = np.matmul(np.swapaxes(E, -1, -2), K)
    VF = np.matmul(np.swapaxes(F, -1, -2), V)
    scale = kind(q.shape[-1] ** -0.5)
    x = np.matmul(Q, np.swapaxes(KE, -1, -2)) * scale
    p = np.exp(x - x.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)
    out = np.matmul(p, VF).astype(q.dtype)
    if dout is None:
        return out
    G = dout.astype(kind)
    dp = np.matmul(G, np.swapaxes(VF, -1, -2))
    dx = p * (dp - (p * dp).sum(-1, keepdims=True)) * scale
    dKE = np.matmul(np.swapaxes(dx, -1, -2), Q)
    dVF = np.matmul(np.swapaxes(p, -1, -2), G)
    return {"out": out, "dq": np.matmul(dx, KE).astype(q.dtype), "dk": np.matmul(E, dKE).astype(k.dtype), "dv": np.matmul(F, dVF).astype(v.dtype)}
