# judge: --limit 60
"""NumPy with long double inside, keys one after another (an online softmax vectorised over queries); hidden keys never enter."""
import numpy as np

X = np.longdouble


def attention(q, k, v, *, causal=False, window=None, softcap=0.0, dout=None):
    t = q.dtype
    B, H, N, D = q.shape
    G, M, E = k.shape[1], k.shape[2], v.shape[3]
    q_, k_, v_ = q.astype(X), np.repeat(k, H // G, axis=1).astype(X), np.repeat(v, H // G, axis=1).astype(X)
    scale = 1 / np.sqrt(X(D))
    first, last = np.zeros(N, int), np.full(N, M)
    at = np.arange(N) + M - N
    if causal:
        last = np.minimum(last, at + 1)
    if window is not None:
        if window[0] >= 0:
            first = np.maximum(first, at - window[0])
        if window[1] >= 0:
            last = np.minimum(last, at + window[1] + 1)

    def rows(j):
        return np.flatnonzero((first <= j) & (j < last))

    def logits(r, j):
        s = (q_[:, :, r] * k_[:, :, j : j + 1]).sum(-1) * scale
        if not softcap:
            return s, X(1)
        th = np.tanh(s / X(softcap))
        return X(softcap) * th, 1 - th * th

    top, z, o = np.full((B, H, N), -X(np.inf)), np.zeros((B, H, N), X), np.zeros((B, H, N, E), X)
    for j in range(M):
        r = rows(j)
        if not r.size:
            continue
        s, _ = logits(r, j)
        new = np.maximum(top[:, :, r], s)
        f, w = np.exp(top[:, :, r] - new), np.exp(s - new)
        z[:, :, r] = z[:, :, r] * f + w
        o[:, :, r] = o[:, :, r] * f[..., None] + w[..., None] * v_[:, :, j : j + 1]
        top[:, :, r] = new
    some = z > 0
    safe = np.where(some, z, 1)
    o /= safe[..., None]
    lse = np.where(some, np.where(some, top, 0) + np.log(safe), -X(np.inf))
    res = {"out": o.astype(t), "lse": lse.astype(np.float64 if t == np.float64 else np.float32)}
    if dout is not None:
        g = dout.astype(X)
        delta = (g * o).sum(-1)
        dq, dk, dv = np.zeros_like(q_), np.zeros((B, H, M, D), X), np.zeros((B, H, M, E), X)
        for j in range(M):
            r = rows(j)
            if not r.size:
                continue
            s, slope = logits(r, j)
            p = np.exp(s - lse[:, :, r])
            dv[:, :, j] = (p[..., None] * g[:, :, r]).sum(2)
            ds = p * ((g[:, :, r] * v_[:, :, j : j + 1]).sum(-1) - delta[:, :, r]) * slope * scale
            dq[:, :, r] += ds[..., None] * k_[:, :, j : j + 1]
            dk[:, :, j] = (ds[..., None] * q_[:, :, r]).sum(2)
        join = lambda x: x.reshape(B, G, H // G, M, -1).sum(2).astype(t)
        res.update(dq=dq.astype(t), dk=join(dk), dv=join(dv))
    return res
