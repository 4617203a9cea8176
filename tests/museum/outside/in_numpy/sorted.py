# judge: --set masked_nan=spreads
"""NumPy; keys of every query sorted by logit, small weights summed first by cumsum, undone by the inverse permutation in the
gradient. Sinks and ALiBi."""
import numpy as np


def attention(q, k, v, *, causal=False, sinks=None, alibi_slopes=None, scale=None, dout=None, dlse=None):
    kind, f = q.dtype, np.float64
    B, H, N, D = q.shape
    G, M = k.shape[1:3]
    Q, K, V = q.astype(f), np.repeat(k.astype(f), H // G, 1), np.repeat(v.astype(f), H // G, 1)
    c = D**-0.5 if scale is None else scale
    s = np.einsum("bhid,bhjd->bhij", Q, K, optimize=True) * c
    i, j = np.ogrid[:N, :M]
    i = i + M - N
    if alibi_slopes is not None:
        s = s - alibi_slopes.astype(f)[None, :, None, None] * np.abs(i - j)
    seen = (j <= i) if causal else (j <= M + 0 * i)
    s = np.where(seen, s, -np.inf)
    order = np.argsort(s, -1, kind="stable")
    back = np.argsort(order, -1, kind="stable")
    t = np.take_along_axis(s, order, -1)
    top = t[..., -1:]
    if sinks is not None:
        sink = sinks.astype(f)[None, :, None, None]
        top = np.maximum(top, sink)
    base = np.where(np.isneginf(top), 0, top)
    e = np.exp(t - base)
    z = np.cumsum(e, -1)[..., -1:]
    if sinks is not None:
        z = z + np.exp(sink - base)
    with np.errstate(divide="ignore"):
        lse = (base + np.log(z))[..., 0]
    p = np.take_along_axis(e / np.where(z > 0, z, 1), back, -1)
    out = np.einsum("bhij,bhje->bhie", p, V, optimize=True)
    r = {"out": out.astype(kind), "lse": lse.astype(np.float32 if kind != np.float64 else f)}
    if dout is not None:
        g = dout.astype(f)
        u = np.einsum("bhie,bhje->bhij", g, V, optimize=True)
        if dlse is not None:
            u = u + np.where(np.isfinite(lse), dlse, 0).astype(f)[..., None]
        centre = np.einsum("bhie,bhie->bhi", g, out)[..., None]
        ds = p * (u - centre) * c
        r["dq"] = (ds @ K).astype(kind)
        r["dk"] = (ds.swapaxes(-1, -2) @ Q).reshape(B, G, -1, M, D).sum(2).astype(kind)
        r["dv"] = (p.swapaxes(-1, -2) @ g).reshape(B, G, -1, M, V.shape[-1]).sum(2).astype(kind)
    return r
