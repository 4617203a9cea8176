# judge: --set masked_nan=spreads
import numpy as np

BQ, BK = 64, 128


def _see(i0, i1, j0, j1, shift, causal, window):
    i = np.arange(i0, i1)[:, None] + shift
    j = np.arange(j0, j1)[None]
    m = np.ones((i1 - i0, j1 - j0), bool)
    if causal:
        m &= j <= i
    if window is not None:
        before, after = window
        if before >= 0:
            m &= j >= i - before
        if after >= 0:
            m &= j <= i + after
    return m


def attention(q, k, v, *, causal=False, alignment="bottom_right", scale=None, window=None, dout=None, dlse=None):
    """FlashAttention-2: tiles, online softmax, lse; backward from lse and delta, in tiles."""
    kind = np.float64 if q.dtype == np.float64 else np.float32
    b, h, nq, d = q.shape
    g = h // k.shape[1]
    nk = k.shape[2]
    scale = kind(d ** -0.5 if scale is None else scale)
    shift = nk - nq if alignment == "bottom_right" else 0
    Q = q.astype(kind)
    K, V = np.repeat(k, g, 1).astype(kind), np.repeat(v, g, 1).astype(kind)
    O = np.zeros((b, h, nq, V.shape[3]), kind)
    L = np.full((b, h, nq), -np.inf, kind)
    with np.errstate(all="ignore"):
        for i0 in range(0, nq, BQ):
            i1 = min(i0 + BQ, nq)
            m = np.full((b, h, i1 - i0, 1), -np.inf, kind)
            l = np.zeros_like(m)
            acc = np.zeros((b, h, i1 - i0, V.shape[3]), kind)
            for j0 in range(0, nk, BK):
                j1 = min(j0 + BK, nk)
                see = _see(i0, i1, j0, j1, shift, causal, window)
                if not see.any():
                    continue
                s = np.where(see, Q[:, :, i0:i1] @ K[:, :, j0:j1].swapaxes(-1, -2) * scale, -np.inf)
                new = np.maximum(m, s.max(-1, keepdims=True))
                safe = np.where(np.isneginf(new), 0, new)
                p = np.exp(s - safe)
                keep = np.exp(m - safe)
                l = l * keep + p.sum(-1, keepdims=True)
                acc = acc * keep + p @ V[:, :, j0:j1]
                m = new
            O[:, :, i0:i1] = np.where(l == 0, 0, acc / np.where(l == 0, 1, l))
            L[:, :, i0:i1] = np.where(l == 0, -np.inf, m + np.log(np.where(l == 0, 1, l)))[..., 0]
        out = O.astype(q.dtype)
        lse = L
        if dout is None:
            return {"out": out, "lse": lse}
        G = dout.astype(kind)
        delta = (O * G).sum(-1)
        if dlse is not None:
            delta = delta - np.where(np.isneginf(L), 0, dlse.astype(kind))
        dQ = np.zeros_like(Q)
        dK, dV = np.zeros_like(K), np.zeros_like(V)
        Ls = np.where(np.isneginf(L), 0, L)[..., None]
        for j0 in range(0, nk, BK):
            j1 = min(j0 + BK, nk)
            for i0 in range(0, nq, BQ):
                i1 = min(i0 + BQ, nq)
                see = _see(i0, i1, j0, j1, shift, causal, window)
                if not see.any():
                    continue
                s = Q[:, :, i0:i1] @ K[:, :, j0:j1].swapaxes(-1, -2) * scale
                p = np.where(see, np.exp(np.where(see, s - Ls[:, :, i0:i1], 0)), 0)
                dV[:, :, j0:j1] += p.swapaxes(-1, -2) @ G[:, :, i0:i1]
                dp = G[:, :, i0:i1] @ V[:, :, j0:j1].swapaxes(-1, -2)
                ds = np.where(see, p * (dp - delta[:, :, i0:i1, None]), 0) * scale
                dQ[:, :, i0:i1] += ds @ K[:, :, j0:j1]
                dK[:, :, j0:j1] += ds.swapaxes(-1, -2) @ Q[:, :, i0:i1]
        fold = lambda x: x.reshape(b, h // g, g, nk, -1).sum(2)
        return {"out": out, "lse": lse, "dq": dQ.astype(q.dtype), "dk": fold(dK).astype(k.dtype), "dv": fold(dV).astype(v.dtype)}
