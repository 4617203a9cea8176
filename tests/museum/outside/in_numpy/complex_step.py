# judge: --set masked_nan=spreads
"""NumPy; <dout, out> is the derivative of log sum exp(s + t u) at t = 0 with u = dout V^T, so the gradient of the logits is that of
a derivative: taken by a complex step of log-sum-exp's gradient, which is exact to rounding."""
import numpy as np

STEP = 1e-120


def softmax(s, seen):
    top = np.where(seen, s.real, -np.inf).max(-1, keepdims=True, initial=-np.inf)
    top = np.where(np.isfinite(top), top, 0)
    e = np.where(seen, np.exp(np.where(seen, s - top, 0)), 0)
    z = e.sum(-1, keepdims=True)
    z = np.where(seen.any(-1, keepdims=True), z, 1)
    return e / z, (top + np.log(z.real))[..., 0]


def attention(q, k, v, *, causal=False, alignment="bottom_right", scale=None, dout=None):
    dtype, (B, H, N, D), (_, G, M, _) = q.dtype, q.shape, k.shape
    scale = 1 / np.sqrt(D) if scale is None else scale
    Q, K, V = (x.astype(np.float64) for x in (q, k, v))
    K, V = np.repeat(K, H // G, 1), np.repeat(V, H // G, 1)
    seen = np.tri(N, M, M if not causal else 0 if alignment == "top_left" else M - N, dtype=bool)
    s = scale * np.matmul(Q, K.transpose(0, 1, 3, 2))
    p, lse = softmax(s, np.broadcast_to(seen, s.shape))
    lse = np.where(seen.any(-1), lse, -np.inf)
    out = np.matmul(p, V)
    answer = dict(out=out.astype(dtype), lse=lse if dtype == np.float64 else lse.astype(np.float32))
    if dout is not None:
        g = dout.astype(np.float64)
        u = np.matmul(g, V.transpose(0, 1, 3, 2))
        moved, _ = softmax(s + 1j * STEP * np.where(seen, u, 0), np.broadcast_to(seen, s.shape))
        ds = scale * moved.imag / STEP
        fold = lambda x: x.reshape(B, G, H // G, M, -1).sum(2)
        answer["dq"] = np.matmul(ds, K).astype(dtype)
        answer["dk"] = fold(np.matmul(ds.transpose(0, 1, 3, 2), Q)).astype(dtype)
        answer["dv"] = fold(np.matmul(p.transpose(0, 1, 3, 2), g)).astype(dtype)
    return answer
