# judge:
import numpy as np


def attention(q, k, v, *, window=None, scale=None, dout=None):
    """Sliding window by chunks of queries: each chunk meets the slice of keys that it can see, never all."""
    b, h, nq, d = q.shape
    nk = k.shape[2]
    if k.shape[1] != h:
        raise NotImplementedError
    acc = np.float64 if q.dtype == np.float64 else np.float32
    before, after = (-1, -1) if window is None else window
    scale = acc(d ** -0.5 if scale is None else scale)
    chunk = 64
    out = np.zeros((b, h, nq, v.shape[3]), q.dtype)
    if dout is not None:
        dq = np.zeros(q.shape, q.dtype)
        dk, dv = np.zeros(k.shape, acc), np.zeros(v.shape, acc)
    for lo in range(0, nq, chunk):
        hi = min(lo + chunk, nq)
        own = np.arange(lo, hi) + nk - nq
        first = 0 if before < 0 else min(max(own[0] - before, 0), nk)
        last = nk if after < 0 else max(min(own[-1] + after + 1, nk), 0)
        if first >= last:
            continue
        j = np.arange(first, last)[None]
        see = np.ones((hi - lo, last - first), bool)
        if before >= 0:
            see &= j >= own[:, None] - before
        if after >= 0:
            see &= j <= own[:, None] + after
        qc = q[:, :, lo:hi].astype(acc)
        kc, vc = k[:, :, first:last].astype(acc), v[:, :, first:last].astype(acc)
        if not see.all():
            # What some query of the chunk does not see may hold anything: by where, key by key.
            kc_ok, vc_ok = np.isfinite(kc).all(-1), np.isfinite(vc).all(-1)
        else:
            kc_ok = vc_ok = None
        with np.errstate(all="ignore"):
            x = np.where(see, qc @ np.swapaxes(kc, -1, -2) * scale, -np.inf)
            m = x.max(-1, keepdims=True)
            m = np.where(np.isneginf(m), 0, m)
            p = np.where(see, np.exp(x - m), 0)
            s = p.sum(-1, keepdims=True)
            p = np.where(see, p / np.where(s == 0, 1, s), 0)
        if vc_ok is not None and not (kc_ok.all() and vc_ok.all()):
            out[:, :, lo:hi] = _rows(p, vc, see)
        else:
            out[:, :, lo:hi] = p @ vc
        if dout is not None:
            g = dout[:, :, lo:hi].astype(acc)
            with np.errstate(all="ignore"):
                dp = np.where(see, g @ np.swapaxes(vc, -1, -2), 0)
                ds = p * (dp - (p * dp).sum(-1, keepdims=True)) * scale
                ds = np.where(see, ds, 0)
            clean_k = kc if kc_ok is None or kc_ok.all() else None
            dq[:, :, lo:hi] = ds @ kc if clean_k is not None else _rows(ds, kc, see)
            dk[:, :, first:last] += _product(np.swapaxes(ds, -1, -2), qc, see.T)
            dv[:, :, first:last] += _product(np.swapaxes(p, -1, -2), g, see.T)
    if dout is None:
        return out
    return {"out": out, "dq": dq, "dk": dk.astype(k.dtype), "dv": dv.astype(v.dtype)}


def _product(p, values, see):
    return p @ values if see.all() or np.isfinite(values).all() else _rows(p, values, see)


def _rows(p, values, see):
    """p @ values where hidden values may be NaN: a query takes the rows it sees."""
    out = np.zeros(p.shape[:-1] + values.shape[-1:], p.dtype)
    for i in range(p.shape[-2]):
        js = np.nonzero(see[i])[0]
        if len(js):
            out[..., i, :] = (p[..., i, js][..., None, :] @ values[..., js, :])[..., 0, :]
    return out
