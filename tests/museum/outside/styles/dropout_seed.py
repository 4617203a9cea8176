# judge: --set masked_nan=spreads
import numpy as np


def attention(q, k, v, *, dropout_mask=None, dropout_rate=0.0, seed=0, dout=None):
    """A mask of booleans, or one drawn from a counter-based generator by the seed, redrawn in the backward pass."""
    kind = np.float64 if q.dtype == np.float64 else np.float32
    Q, K, V = q.astype(kind), k.astype(kind), v.astype(kind)
    scale = kind(q.shape[-1] ** -0.5)
    x = Q @ K.swapaxes(-1, -2) * scale
    p = np.exp(x - x.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)
    if dropout_mask is not None:
        f = dropout_mask / kind(1 - dropout_rate) if dropout_mask.dtype == bool else dropout_mask
    elif dropout_rate:
        f = (np.random.Generator(np.random.Philox(int(seed))).random(p.shape) >= dropout_rate) / kind(1 - dropout_rate)
    else:
        f = np.ones((), kind)
    f = np.asarray(f, kind)
    w = p * f
    out = (w @ V).astype(q.dtype)
    if dout is None:
        return out
    G = dout.astype(kind)
    dp = G @ V.swapaxes(-1, -2) * f
    ds = p * (dp - (p * dp).sum(-1, keepdims=True)) * scale
    return dict(out=out, dq=(ds @ K).astype(q.dtype), dk=(ds.swapaxes(-1, -2) @ Q).astype(k.dtype), dv=(w.swapaxes(-1, -2) @ G).astype(v.dtype))
