# judge: --set masked_nan=spreads
"""Attention does not mind the order of keys: they are visited in a fixed random order (positions travel along)."""
import numpy as np


def attention(q, k, v, *, causal=False, scale=None):
    M, N = k.shape[2], q.shape[2]
    order = np.random.RandomState(1234).permutation(M)
    wide = np.result_type(q.dtype, np.float32)
    K = np.ascontiguousarray(k[:, :, order]).astype(wide)
    V = np.ascontiguousarray(v[:, :, order]).astype(wide)
    r = q.shape[1] // k.shape[1]
    K, V = np.repeat(K, r, 1), np.repeat(V, r, 1)
    logits = np.matmul(q.astype(wide), K.swapaxes(2, 3))
    logits *= wide.type(scale if scale is not None else 1 / np.sqrt(q.shape[3]))
    if causal:
        later = order[None] > np.arange(N)[:, None] + M - N
        logits[..., later] = -np.inf
    peak = logits.max(-1, keepdims=True)
    np.copyto(peak, 0, where=np.isneginf(peak))
    weights = np.exp(logits - peak)
    norm = weights.sum(-1, keepdims=True)
    result = np.matmul(weights, V)
    np.divide(result, norm, out=result, where=norm != 0)
    with np.errstate(divide="ignore"):
        lse = np.log(norm)[..., 0] + peak[..., 0]
    return dict(out=result.astype(q.dtype), lse=lse)
