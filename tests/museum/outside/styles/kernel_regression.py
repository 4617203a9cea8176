# judge: --as kernel-regression
import numpy as np


def attention(q, k, v, *, bandwidth=None, kernel="gaussian", key_lengths=None, dout=None):
    """Nadaraya-Watson with a Gaussian kernel, distances written out, sequence by sequence."""
    kind = np.float64 if q.dtype == np.float64 else np.float32
    b, h, nq, d = q.shape
    nk = k.shape[2]
    sigma = np.broadcast_to(np.asarray(d**0.25 if bandwidth is None else bandwidth, np.float64), (h,))
    out = np.zeros((b, h, nq, v.shape[3]), q.dtype)
    dq, dk, dv = np.zeros_like(q), np.zeros_like(k), np.zeros_like(v)
    if nq * nk * d > 2**26:
        raise NotImplementedError
    for s in range(b):
        n = nk if key_lengths is None else int(key_lengths[s])
        if n == 0:
            continue
        for a in range(h):
            Q, K, V = q[s, a].astype(kind), k[s, a, :n].astype(kind), v[s, a, :n].astype(kind)
            c = kind(0.5 / sigma[a] ** 2)
            if kernel == "gaussian":
                diff = Q[:, None] - K[None]
                x = -(diff * diff).sum(-1) * c
            else:
                x = Q @ K.T * (2 * c)
            p = np.exp(x - x.max(-1, keepdims=True))
            p /= p.sum(-1, keepdims=True)
            out[s, a] = p @ V
            if dout is not None:
                G = dout[s, a].astype(kind)
                dp = G @ V.T
                dx = p * (dp - (p * dp).sum(-1, keepdims=True))
                if kernel == "gaussian":
                    w = dx[..., None] * diff * (2 * c)
                    dq[s, a], dk[s, a, :n] = -w.sum(1), w.sum(0)
                else:
                    dq[s, a], dk[s, a, :n] = dx @ K * (2 * c), dx.T @ Q * (2 * c)
                dv[s, a, :n] = p.T @ G
    return out if dout is None else {"out": out, "dq": dq, "dk": dk, "dv": dv}
