# judge: --set masked_nan=spreads
"""Arrays kept in the input's type between the steps (logits aside), float32 sums: how a float16 kernel would do it."""
import numpy as np


def mm(a, b):
    if a.dtype == np.float64:
        return a @ b
    return a.astype(np.float32) @ b.astype(np.float32)


def attention(q, k, v, *, causal=False, mask=None):
    low = q.dtype
    g = q.shape[1] // k.shape[1]
    n, m = q.shape[2], k.shape[2]
    out = np.empty(q.shape[:3] + v.shape[3:], low)
    vis = np.tri(n, m, m - n, dtype=bool) if causal else np.ones((n, m), bool)
    for b in range(q.shape[0]):
        for h in range(q.shape[1]):
            s = mm(q[b, h], k[b, h // g].T) / np.sqrt(q.shape[3]).astype(np.promote_types(low, np.float32))
            see = vis
            if mask is not None:
                mk = mask if mask.ndim == 2 else mask[b, h % mask.shape[1]]
                if mk.dtype == bool:
                    see = see & mk
                else:
                    see = see & ~np.isneginf(mk)
                    s = s + np.where(np.isneginf(mk), 0, mk).astype(s.dtype)
            s[~see] = -np.inf
            top = s.max(1, keepdims=True)
            top[np.isneginf(top)] = 0
            e = np.exp(s - top)
            den = e.sum(1, keepdims=True)
            den[den == 0] = 1
            out[b, h] = mm((e / den).astype(low), v[b, h // g]).astype(low)
    return out
