# judge: --as neutreno --set masked_nan=spreads
"""NumPy, gradients by hand; lambda left at 0.6, the first layer's values constant to q, k and v."""
import numpy as np

LAMBDA = 0.6


def attention(q, k, v, *, v0=None, causal=False, mask=None, dout=None):
    kinds = q.dtype, k.dtype, v.dtype
    Q, K, V = (x.astype(np.longdouble if q.dtype == np.float64 else np.float64) for x in (q, k, v))
    n = q.shape[2]
    seen = np.ones((n, n), bool) if mask is None else mask
    if causal:
        seen = np.tril(seen)
    s = np.where(seen, Q @ K.swapaxes(-1, -2) / np.sqrt(Q.dtype.type(Q.shape[-1])), -np.inf)
    top = s.max(-1, keepdims=True)
    w = np.exp(s - np.where(np.isinf(top), 0, top))
    z = w.sum(-1, keepdims=True)
    A = w / np.where(z > 0, z, 1)
    smooth = A @ V
    out = smooth if v0 is None else smooth + LAMBDA * (v0.astype(Q.dtype) - V)
    r = {"out": out.astype(kinds[0])}
    if dout is not None:
        g = dout.astype(Q.dtype)
        u = g @ V.swapaxes(-1, -2)
        ds = A * (u - (A * u).sum(-1, keepdims=True)) / np.sqrt(Q.dtype.type(Q.shape[-1]))
        r["dq"] = (ds @ K).astype(kinds[0])
        r["dk"] = (ds.swapaxes(-1, -2) @ Q).astype(kinds[1])
        r["dv"] = (A.swapaxes(-1, -2) @ g - (0 if v0 is None else LAMBDA * g)).astype(kinds[2])
    return r
