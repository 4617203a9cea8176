# judge: --as alibi --set masked_nan=spreads
"""NumPy; slopes by the published recipe, distances from the bottom right."""
import math

import numpy as np


def get_slopes(n):
    def power_of_2(n):
        start = 2 ** (-(2 ** -(math.log2(n) - 3)))
        return [start * start**i for i in range(n)]

    if math.log2(n).is_integer():
        return power_of_2(n)
    closest = 2 ** math.floor(math.log2(n))
    return power_of_2(closest) + get_slopes(2 * closest)[0::2][: n - closest]


def attention(q, k, v, *, causal=False, scale=None, key_lengths=None, dout=None):
    b, h, n, d = q.shape
    g, m = k.shape[1], k.shape[2]
    f = np.float64
    c = 1 / math.sqrt(d) if scale is None else scale
    hidden = np.zeros((b, 1, n, m), bool)
    k, v, kinds = k.astype(f), v.astype(f), (q.dtype, k.dtype, v.dtype)
    if key_lengths is not None:
        pad = np.arange(m)[None] >= np.asarray(key_lengths).reshape(-1, 1)
        hidden = hidden | pad[:, None, None]
        k, v = np.where(pad[:, None, :, None], 0, k), np.where(pad[:, None, :, None], 0, v)
    away = np.arange(n)[:, None] + (m - n) - np.arange(m)[None]
    if causal:
        hidden = hidden | (away < 0)
    kk, vv = np.repeat(k, h // g, 1), np.repeat(v, h // g, 1)
    s = q.astype(f) @ kk.swapaxes(2, 3) * c - np.array(get_slopes(h))[:, None, None] * np.abs(away)
    s = np.where(hidden, -np.inf, s)
    top = s.max(-1, keepdims=True)
    p = np.exp(s - np.where(np.isinf(top), 0, top))
    z = p.sum(-1, keepdims=True)
    p = p / np.where(z == 0, 1, z)
    out = p @ vv
    r = {"out": out.astype(kinds[0])}
    if dout is not None:
        y = dout.astype(f)
        u = y @ vv.swapaxes(2, 3)
        ds = c * p * (u - (p * u).sum(-1, keepdims=True))
        r["dq"] = (ds @ kk).astype(kinds[0])
        r["dk"] = (ds.swapaxes(2, 3) @ q.astype(f)).reshape(b, g, -1, m, d).sum(2).astype(kinds[1])
        r["dv"] = (p.swapaxes(2, 3) @ y).reshape(b, g, -1, m, v.shape[-1]).sum(2).astype(kinds[2])
    return r
