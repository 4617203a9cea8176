# judge: --set masked_nan=spreads
import functools
from concurrent.futures import ThreadPoolExecutor
import numpy as np

_pool = ThreadPoolExecutor(3)


@functools.lru_cache(maxsize=None)
def _hidden(nq, nk, shift):
    m = np.tri(nq, nk, shift, dtype=bool)
    m.setflags(write=False)
    return ~m


def attention(q, k, v, *, causal=False, alignment="bottom_right"):
    """Heads in threads, masks cached by shape, results in Fortran order, lse in float64."""
    b, h, nq, d = q.shape
    nk = k.shape[2]
    g = h // k.shape[1]
    kind = np.float64 if q.dtype == np.float64 else np.float32
    out = np.zeros((b, h, nq, v.shape[3]), q.dtype, order="F")
    lse = np.zeros((b, h, nq), np.float64, order="F")
    hidden = _hidden(nq, nk, nk - nq if alignment == "bottom_right" else 0) if causal else None

    def head(s, a):
        x = q[s, a].astype(kind) @ k[s, a // g].astype(kind).T * kind(d**-0.5)
        if hidden is not None:
            x = np.where(hidden, -np.inf, x)
        m = x.max(-1, keepdims=True)
        m[np.isneginf(m)] = 0
        e = np.exp(x - m)
        z = e.sum(-1, keepdims=True)
        with np.errstate(divide="ignore"):
            lse[s, a] = (m + np.log(z))[:, 0]
        z[z == 0] = 1
        out[s, a] = (e / z) @ v[s, a // g].astype(kind)

    list(_pool.map(lambda t: head(*t), [(s, a) for s in range(b) for a in range(h)]))
    return {"out": out, "lse": lse}
