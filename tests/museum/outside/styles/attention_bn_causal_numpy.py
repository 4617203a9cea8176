# judge: --as attention-bn
import numpy as np


def attention(q, k, v, *, causal=True, eps=1e-5, dout=None):
    """Causal attention-BN with prefix statistics, forward and backward by hand in extended precision (longdouble)."""
    if not causal:
        raise NotImplementedError
    L = np.longdouble
    b, h, nq, d = q.shape
    nk = k.shape[2]
    if nq * nk * d > 20000:
        raise NotImplementedError
    Q, K, V = q.astype(L), k.astype(L), v.astype(L)
    root = np.sqrt(L(d))
    out = np.zeros((b, h, nq, v.shape[3]), L)
    dq, dk, dv = np.zeros(q.shape, L), np.zeros(k.shape, L), np.zeros(v.shape, L)
    for i in range(nq):
        n = min(i + 1, nk)
        x, y = K[:, :, :n], V[:, :, :n]
        mu = x.mean(2, keepdims=True)
        c = x - mu
        var = (c * c).mean(2, keepdims=True)
        w = 1 / (var + L(eps))
        a = Q[:, :, i : i + 1] - mu
        s = (a * w * c).sum(-1) / root
        p = np.exp(s - s.max(-1, keepdims=True))
        p /= p.sum(-1, keepdims=True)
        out[:, :, i] = (p[..., None] * y).sum(2)
        if dout is None:
            continue
        g = dout[:, :, i : i + 1].astype(L)
        dp = (g * y).sum(-1)
        # p (dp - sum p dp) without cancellation: sum over the others of p_l (dp_j - dp_l)
        ds = p * (p[..., None, :] * (dp[..., :, None] - dp[..., None, :])).sum(-1) / root
        D = ds[..., None]
        dv[:, :, :n] += p[..., None] * g
        dq[:, :, i] += (D * w * c).sum(2)
        dmu_a = -(D * w * c).sum(2, keepdims=True)
        dc = D * a * w
        dw = (D * a * c).sum(2, keepdims=True)
        dvar = -dw * w * w
        dc = dc + dvar * 2 * c / n
        dk[:, :, :n] += dc - dc.mean(2, keepdims=True) + dmu_a / n
    r = {"out": out.astype(q.dtype)}
    if dout is not None:
        r.update(dq=dq.astype(q.dtype), dk=dk.astype(k.dtype), dv=dv.astype(v.dtype))
    return r
