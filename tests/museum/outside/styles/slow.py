# judge:
import math
import numpy as np


def attention(q, k, v, *, causal=False):
    """Loops in Python: right, slow."""
    b, h, nq, d = q.shape
    nk, e = k.shape[2], v.shape[3]
    if k.shape[1] != h:
        raise NotImplementedError
    out = np.zeros((b, h, nq, e), q.dtype)
    for s in range(b):
        for a in range(h):
            Q, K, V = (x[s, a].astype(np.float64).tolist() for x in (q, k, v))
            for i in range(nq):
                n = min(nk, i + nk - nq + 1) if causal else nk
                if n <= 0:
                    continue
                x = [sum(s * t for s, t in zip(Q[i], K[j])) / math.sqrt(d) for j in range(n)]
                m = max(x)
                w = [math.exp(y - m) for y in x]
                z = sum(w)
                out[s, a, i] = [sum(w[j] * V[j][c] for j in range(n)) / z for c in range(e)]
    return out
