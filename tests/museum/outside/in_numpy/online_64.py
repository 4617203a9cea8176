# judge: --set masked_nan=spreads
"""FlashAttention forward in NumPy: key blocks of 64, running maximum and denominator."""
import numpy as np

BLOCK = 64


def attention(q, k, v, *, causal=False, scale=None):
    B, H, Nq, D = q.shape
    Nk = k.shape[2]
    wide = np.float64 if q.dtype == np.float64 else np.float32
    scale = wide(D ** -0.5 if scale is None else scale)
    g = H // k.shape[1]
    Q = q.astype(wide)
    m = np.full((B, H, Nq, 1), -np.inf, wide)
    l = np.zeros((B, H, Nq, 1), wide)
    acc = np.zeros((B, H, Nq, v.shape[3]), wide)
    rows = np.arange(Nq)[:, None] + (Nk - Nq)
    for j in range(0, Nk, BLOCK):
        kb = np.repeat(k[:, :, j:j + BLOCK].astype(wide), g, 1)
        vb = np.repeat(v[:, :, j:j + BLOCK].astype(wide), g, 1)
        s = Q @ kb.swapaxes(-1, -2) * scale
        if causal:
            s = np.where(np.arange(j, j + kb.shape[2]) <= rows, s, -np.inf)
        m_new = np.maximum(m, s.max(-1, keepdims=True))
        safe = np.where(np.isneginf(m_new), 0, m_new)
        p = np.exp(s - safe)
        corr = np.exp(m - safe)
        l = l * corr + p.sum(-1, keepdims=True)
        acc = acc * corr + p @ vb
        m = m_new
    with np.errstate(divide="ignore"):
        lse = m + np.log(l)
    l[l == 0] = 1
    return {"out": (acc / l).astype(q.dtype), "lse": lse[..., 0]}
