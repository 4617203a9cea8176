# judge: --set layout=bnhd
import numpy as np


def attention(q, k, v, *, mask=None, dout=None):
    """[B, N, H, D]; a returned view that is not contiguous; hidden keys may hold NaN: they are zeroed when nobody sees them, and
    otherwise queries go one by one."""
    kind = np.float64 if q.dtype == np.float64 else np.float32
    Q, K, V = (np.moveaxis(x, 2, 1).astype(kind) for x in (q, k, v))
    if K.shape[1] != Q.shape[1] or dout is not None and mask is not None:
        raise NotImplementedError
    b, h, nq, d = Q.shape
    nk = K.shape[2]
    scale = kind(1 / np.sqrt(d))
    if mask is None:
        x = Q @ K.swapaxes(-1, -2) * scale
        p = np.exp(x - x.max(-1, keepdims=True))
        p /= p.sum(-1, keepdims=True)
        out = (p @ V).astype(q.dtype)
        if dout is None:
            return np.moveaxis(out, 1, 2)
        G = np.moveaxis(dout, 2, 1).astype(kind)
        dp = G @ V.swapaxes(-1, -2)
        ds = p * (dp - (p * dp).sum(-1, keepdims=True)) * scale
        back = lambda x, y: np.moveaxis(x, 1, 2).astype(y.dtype)
        return {"out": np.moveaxis(out, 1, 2), "dq": back(ds @ K, q), "dk": back(ds.swapaxes(-1, -2) @ Q, k), "dv": back(p.swapaxes(-1, -2) @ G, v)}
    if mask.dtype != bool:
        raise NotImplementedError
    out = np.zeros((b, h, nq, V.shape[-1]), q.dtype)
    full = np.broadcast_to(mask, (b, h, nq, nk))
    for s in range(b):
        for a in range(h):
            for i in range(nq):
                js = np.nonzero(full[s, a, i])[0]
                if len(js) == 0:
                    continue
                x = K[s, a, js] @ Q[s, a, i] * scale
                p = np.exp(x - x.max())
                out[s, a, i] = (p / p.sum()) @ V[s, a, js]
    return np.moveaxis(out, 1, 2)
