# judge: --set causal=always
import numpy as np


class RollingBufferCache:
    """A ring of the last `window` keys and values (Mistral 7B, Section 2)."""

    def __init__(self, batch, heads, window, d, dv, dtype):
        self.k = np.zeros((batch, heads, window, d), dtype)
        self.v = np.zeros((batch, heads, window, dv), dtype)
        self.window, self.seen = window, 0

    def update(self, k, v):
        slot = self.seen % self.window
        self.k[:, :, slot], self.v[:, :, slot] = k, v
        self.seen += 1

    def view(self):
        n = min(self.seen, self.window)
        return self.k[:, :, :n], self.v[:, :, :n]


def attention(q, k, v, *, window=None):
    """One query at a time; window is the number of keys, the query's own among them."""
    nq, nk = q.shape[2], k.shape[2]
    if k.shape[1] != q.shape[1] or nq > 4096 or nk > 4096:
        raise NotImplementedError
    if window is not None and (isinstance(window, (tuple, list)) or window < 1):
        raise TypeError("window is one number")
    acc = np.float64 if q.dtype == np.float64 else np.float32
    cache = RollingBufferCache(k.shape[0], k.shape[1], nk if window is None else min(int(window), nk), k.shape[3], v.shape[3], acc)
    out = np.zeros(q.shape[:3] + (v.shape[3],), q.dtype)
    for j in range(max(nk - nq, 0)):
        cache.update(k[:, :, j], v[:, :, j])
    for i in range(max(nq - nk, 0), nq):
        j = i + nk - nq
        cache.update(k[:, :, j], v[:, :, j])
        keys, values = cache.view()
        x = (keys * q[:, :, i, None, :].astype(acc)).sum(-1) / acc(np.sqrt(q.shape[3]))
        p = np.exp(x - x.max(-1, keepdims=True))
        p /= p.sum(-1, keepdims=True)
        out[:, :, i] = (p[..., None] * values).sum(-2)
    return out
