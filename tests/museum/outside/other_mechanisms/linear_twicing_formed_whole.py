# judge: --as linear-twicing --set masked_nan=spreads
"""NumPy with gradients by hand; weights phi(q) phi(k)^T over their row sums, formed whole."""
import numpy as np


def phi(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def slope(x):
    return np.where(x > 0, 1, np.exp(np.minimum(x, 0)))


def attention(q, k, v, *, causal=False, eps=1e-6, dout=None):
    Q, K, V = (x.astype(np.float64) for x in (q, k, v))
    a, b = phi(Q), phi(K)
    n = q.shape[2]
    keep = np.tri(n, dtype=bool) if causal else np.ones((n, n), bool)
    W = np.where(keep, a @ b.swapaxes(2, 3), 0)
    z = W.sum(-1, keepdims=True) + eps
    A = W / z
    first = A @ V
    rest = V - first
    out = first + A @ rest
    r = {"out": out.astype(q.dtype)}
    if dout is not None:
        g = dout.astype(np.float64)
        At = A.swapaxes(2, 3)
        # out = 2 A V - A (A V)
        back = At @ g
        dV = 2 * back - At @ back
        dA = g @ (2 * V - first).swapaxes(2, 3) - back @ V.swapaxes(2, 3)
        dW = np.where(keep, (dA - (dA * A).sum(-1, keepdims=True)) / z, 0)
        r["dq"] = ((dW @ b) * slope(Q)).astype(q.dtype)
        r["dk"] = ((dW.swapaxes(2, 3) @ a) * slope(K)).astype(k.dtype)
        r["dv"] = dV.astype(v.dtype)
    return r
