# judge: --as bilateral --set masked_nan=spreads
import numpy as np


def attention(q, k, v, qp, kp, *, h_p2=None, h_y2=None, causal=False, mask=None, key_lengths=None, dout=None):
    """Two products added; backward by hand."""
    kind = np.float64 if q.dtype == np.float64 else np.float32
    Q, K, V, P, R = (x.astype(kind) for x in (q, k, v, qp, kp))
    d, nq, nk = q.shape[3], q.shape[2], k.shape[2]
    col = lambda x: kind(d**0.5) if x is None else np.asarray(x, kind).reshape(-1, 1, 1) if np.ndim(x) else kind(x)
    hp, hy = col(h_p2), col(h_y2)
    with np.errstate(all="ignore"):
        x = Q @ K.swapaxes(-1, -2) / hy + P @ R.swapaxes(-1, -2) / hp
        see = np.ones((nq, nk), bool)
        if causal:
            see = np.tri(nq, nk, dtype=bool)
        if mask is not None:
            if mask.dtype != bool:
                raise NotImplementedError
            see = see & mask
        if key_lengths is not None:
            see = see & (np.arange(nk) < np.asarray(key_lengths)[:, None, None, None])
        x = np.where(see, x, -np.inf)
        m = x.max(-1, keepdims=True)
        e = np.exp(x - np.where(np.isneginf(m), 0, m))
        z = e.sum(-1, keepdims=True)
        A = e / np.where(z == 0, 1, z)
        out = (A @ V).astype(q.dtype)
        if dout is None:
            return out
        G = dout.astype(kind)
        dA = G @ V.swapaxes(-1, -2)
        dx = np.where(see, A * (dA - (A * np.where(see, dA, 0)).sum(-1, keepdims=True)), 0) / hy
        return {"out": out, "dq": (dx @ K).astype(q.dtype), "dk": (dx.swapaxes(-1, -2) @ Q).astype(k.dtype), "dv": (A.swapaxes(-1, -2) @ G).astype(v.dtype)}
