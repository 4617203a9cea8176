# judge:
"""Plain loops over batch, head and query; every query touches only the keys that it sees."""
import numpy as np


def attention(q, k, v, *, mask=None, causal=False, window=(-1, -1), scale=None):
    B, H, Nq, D = q.shape
    Hk, Nk, Dv = k.shape[1], k.shape[2], v.shape[3]
    work = np.float64 if q.dtype == np.float64 else np.float32
    if scale is None:
        scale = 1.0 / np.sqrt(D)
    before, after = window
    out = np.zeros((B, H, Nq, Dv), q.dtype)
    for b in range(B):
        for h in range(H):
            K = k[b, h * Hk // H].astype(work)
            V = v[b, h * Hk // H].astype(work)
            M = None
            if mask is not None:
                M = mask if mask.ndim == 2 else mask[b, h if mask.shape[1] > 1 else 0]
            for i in range(Nq):
                own = i + Nk - Nq
                lo = 0 if before < 0 else max(0, own - before)
                hi = Nk if after < 0 else min(Nk, own + after + 1)
                if causal:
                    hi = min(hi, own + 1)
                if hi <= lo:
                    continue
                keys = np.arange(lo, hi)
                if M is not None:
                    row = M[i, lo:hi]
                    keys = keys[row] if row.dtype == bool else keys[row > -np.inf]
                if len(keys) == 0:
                    continue
                s = K[keys] @ q[b, h, i].astype(work) * work(scale)
                if M is not None and M.dtype != bool:
                    s = s + M[i, keys].astype(work)
                e = np.exp(s - s.max())
                out[b, h, i] = (e @ V[keys]) / e.sum()
    return out
