# judge: --as linformer --set masked_nan=spreads
"""NumPy; the arithmetic in float64, gradients of q, k, v by hand. E and F of all heads or of each."""
import numpy as np


def attention(q, k, v, *, E, F, key_lengths=None, dout=None):
    f = np.float64
    Q, K, V, E, F = (np.asarray(x).astype(f) for x in (q, k, v, E, F))
    pad = np.zeros((k.shape[0], 1, k.shape[2], 1), bool)
    if key_lengths is not None:
        pad = (np.arange(k.shape[2])[None] >= np.asarray(key_lengths).reshape(-1, 1))[:, None, :, None]
        K, V = np.where(pad, 0, K), np.where(pad, 0, V)
    Et, Ft = np.swapaxes(E, -1, -2), np.swapaxes(F, -1, -2)
    few, vals = Et @ K, Ft @ V
    s = Q @ few.swapaxes(2, 3) / np.sqrt(Q.shape[-1])
    p = np.exp(s - s.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)
    out = p @ vals
    r = {"out": out.astype(q.dtype)}
    if dout is not None:
        g = dout.astype(f)
        dvals = p.swapaxes(2, 3) @ g
        u = g @ vals.swapaxes(2, 3)
        ds = p * (u - (g * out).sum(-1, keepdims=True)) / np.sqrt(Q.shape[-1])
        r["dq"] = (ds @ few).astype(q.dtype)
        r["dk"] = np.where(pad, 0, E @ (ds.swapaxes(2, 3) @ Q)).astype(k.dtype)
        r["dv"] = np.where(pad, 0, F @ dvals).astype(v.dtype)
    return r
