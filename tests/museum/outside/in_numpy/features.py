# judge: --set masked_nan=spreads --set alignment=top_left
"""NumPy in float32 (float64 for float64), blocked over features: logits grow by 16 features at a time, results are made by as many.
Causal masks start at the top left."""
import numpy as np

F = 16


def attention(q, k, v, *, causal=False, bias=None, dropout_mask=None, dout=None):
    T = np.dtype("f8") if q.dtype == np.float64 else np.dtype("f4")
    per = q.shape[1] // k.shape[1]
    kk, vv = np.repeat(k, per, axis=1), np.repeat(v, per, axis=1)
    d, e = q.shape[-1], v.shape[-1]
    blocks = lambda n: [slice(x, min(n, x + F)) for x in range(0, n, F)]
    s = np.zeros(q.shape[:3] + (k.shape[2],), T)
    for c in blocks(d):
        s += q[..., c].astype(T) @ kk[..., c].astype(T).swapaxes(-1, -2)
    s *= T.type(d) ** T.type(-0.5)
    off = np.zeros(s.shape[-2:], bool)
    if causal:
        off = np.triu(np.ones(s.shape[-2:], bool), 1)
    if bias is not None:
        off = off | np.isneginf(bias)
        s += np.where(np.isneginf(bias), 0, bias).astype(T)
    off = np.broadcast_to(off, s.shape)
    s[off] = -np.inf
    top = s.max(-1, keepdims=True)
    top[np.isneginf(top)] = 0
    p = np.exp(s - top)
    z = p.sum(-1, keepdims=True)
    z[z == 0] = 1
    p /= z
    pd = p if dropout_mask is None else p * dropout_mask.astype(T)
    out = np.empty(q.shape[:3] + (e,), q.dtype)
    for c in blocks(e):
        out[..., c] = pd @ vv[..., c].astype(T)
    if dout is None:
        return out
    dp = np.zeros_like(s)
    for c in blocks(e):
        dp += dout[..., c].astype(T) @ vv[..., c].astype(T).swapaxes(-1, -2)
    if dropout_mask is not None:
        dp *= dropout_mask.astype(T)
    ds = p * (dp - (p * dp).sum(-1, keepdims=True)) * T.type(d) ** T.type(-0.5)
    dq, dk, dv = np.empty_like(q), np.empty_like(k), np.empty_like(v)
    fold = lambda x: x.reshape(k.shape[0], k.shape[1], per, k.shape[2], -1).sum(2)
    for c in blocks(d):
        dq[..., c] = ds @ kk[..., c].astype(T)
        dk[..., c] = fold(ds.swapaxes(-1, -2) @ q[..., c].astype(T))
    for c in blocks(e):
        dv[..., c] = fold(pd.swapaxes(-1, -2) @ dout[..., c].astype(T))
    return {"out": out, "dq": dq, "dk": dk, "dv": dv}
