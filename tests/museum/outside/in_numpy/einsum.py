# judge: --set masked_nan=spreads
"""Textbook NumPy: two einsums and a softmax between them."""
import numpy as np


def attention(q, k, v, *, mask=None, causal=False, scale=None):
    dtype = q.dtype
    acc = np.promote_types(dtype, np.float32)
    q, k, v = (x.astype(acc) for x in (q, k, v))
    group = q.shape[1] // k.shape[1]
    k, v = np.repeat(k, group, axis=1), np.repeat(v, group, axis=1)
    nq, nk, d = q.shape[2], k.shape[2], q.shape[3]
    s = np.einsum("bhid,bhjd->bhij", q, k) * acc.type(d ** -0.5 if scale is None else scale)
    seen = np.ones((nq, nk), dtype=bool)
    if causal:
        seen = np.tril(seen, nk - nq)
    if mask is not None:
        if mask.dtype == bool:
            seen = seen & mask
        else:
            seen = seen & (mask != -np.inf)
            s = s + mask.astype(acc)
    s = np.where(seen, s, -np.inf)
    m = s.max(axis=-1, keepdims=True)
    m = np.where(m == -np.inf, 0, m)
    p = np.exp(s - m)
    total = p.sum(axis=-1, keepdims=True)
    p = p / np.where(total == 0, 1, total)
    return np.einsum("bhij,bhjd->bhid", p, v).astype(dtype)
