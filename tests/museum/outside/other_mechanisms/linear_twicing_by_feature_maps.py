# judge: --as linear-twicing --set masked_nan=spreads
"""Linear twicing, 2 A V - A (A V), with A held only through the feature maps; A by mask when causal. Hand-written gradients."""
import numpy as np


def feature(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def slope(x):
    return np.where(x > 0, 1, np.exp(np.minimum(x, 0))).astype(x.dtype)


def attention(q, k, v, *, causal=False, dout=None):
    t = np.promote_types(q.dtype, np.float32)
    g = q.shape[1] // k.shape[1]
    Q, K, V = q.astype(t), np.repeat(k, g, 1).astype(t), np.repeat(v, g, 1).astype(t)
    a, b = feature(Q).astype(t), feature(K).astype(t)
    T = lambda x: x.swapaxes(-1, -2)
    W = a @ T(b)
    if causal:
        see = np.tri(*W.shape[-2:], dtype=bool)
        W = np.where(see, W, t.type(0))
    z = W.sum(-1, keepdims=True) + t.type(1e-6)
    A = W / z
    R = V - A @ V
    out = A @ V + A @ R
    if dout is None:
        return out.astype(q.dtype)
    # out = 2 A V - A A V:  dA = 2 G V' - G (A V)' - (A' G) V'
    G = dout.astype(t)
    dV = 2 * T(A) @ G - T(A) @ (T(A) @ G)
    dA = 2 * G @ T(V) - G @ T(A @ V) - (T(A) @ G) @ T(V)
    dW = (dA - (dA * A).sum(-1, keepdims=True)) / z
    if causal:
        dW = np.where(see, dW, t.type(0))
    dQ = dW @ b * slope(Q)
    dK = T(dW) @ a * slope(K)
    B, Hk, M = k.shape[:3]
    fold = lambda x: x.reshape(B, Hk, g, M, -1).sum(2).astype(q.dtype)
    return dict(out=out.astype(q.dtype), dq=dQ.astype(q.dtype), dk=fold(dK), dv=fold(dV))
