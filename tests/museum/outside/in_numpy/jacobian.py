# judge: --limit 60
"""NumPy, row by row over the seen keys alone; the gradient through the whole Jacobian diag(p) - p p^T of every row's softmax."""
import numpy as np


def attention(q, k, v, *, causal=False, mask=None, scale=None, dout=None):
    kind = q.dtype
    wide = np.float64
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    b, h, n, d = q.shape
    m, group = k.shape[2], h // k.shape[1]
    out = np.zeros((b, h, n, v.shape[-1]))
    lse = np.full((b, h, n), -np.inf)
    dq, dk, dv = (np.zeros(x.shape) for x in (q, k, v))
    mask_of = None if mask is None else np.broadcast_to(mask, (b, h, n, m))
    for x in np.ndindex(b, h):
        y = x[0], x[1] // group
        for i in range(n):
            last = min(m, max(0, i + m - n + 1)) if causal else m
            keys = np.arange(last)
            added = 0.0
            if mask_of is not None:
                row = mask_of[x][i, :last]
                keys = keys[row] if row.dtype == bool else keys[row != -np.inf]
                added = 0.0 if row.dtype == bool else row[keys].astype(wide)
            if not keys.size:
                continue
            K, V, r = k[y][keys].astype(wide), v[y][keys].astype(wide), q[x][i].astype(wide)
            s = K @ r * scale + added
            top = s.max()
            e = np.exp(s - top)
            p = e / e.sum()
            out[x][i] = p @ V
            lse[x][i] = top + np.log(e.sum())
            if dout is None:
                continue
            g = dout[x][i].astype(wide)
            if keys.size <= 512:
                J = np.diag(p) - np.outer(p, p)
                ds = J @ (V @ g)
            else:  # the same product without the matrix
                u = V @ g
                ds = p * (u - p @ u)
            dq[x][i] = scale * (ds @ K)
            dk[y][keys] += scale * np.outer(ds, r)
            dv[y][keys] += np.outer(p, g)
    result = {"out": out.astype(kind), "lse": lse.astype(np.promote_types(kind, np.float32))}
    if dout is not None:
        result.update(dq=dq.astype(kind), dk=dk.astype(kind), dv=dv.astype(kind))
    return result
