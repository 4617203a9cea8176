# judge: --set masked_nan=spreads
import numpy as np


def attention(q, k, v, *, mask=None, causal=False, alignment="bottom_right", scale=None, window=None, softcap=None, bias=None,
              alibi_slopes=None, sinks=None, cu_seqlens=None, cu_seqlens_k=None, dropout_mask=None, dout=None, dlse=None):
    """Every option at once, forward and backward."""
    kind = np.float64 if q.dtype == np.float64 else np.float32
    b, h, nq, d = q.shape
    g, nk = h // k.shape[1], k.shape[2]
    Q, K, V = q.astype(kind), np.repeat(k, g, 1).astype(kind), np.repeat(v, g, 1).astype(kind)
    scale = kind(d ** -0.5 if scale is None else scale)
    i, j = np.arange(nq)[:, None], np.arange(nk)[None]
    own, see = i + (nk - nq if alignment == "bottom_right" else 0), np.ones((nq, nk), bool)
    if cu_seqlens is not None:
        cq = np.asarray(cu_seqlens).astype(int)
        ck = cq if cu_seqlens_k is None else np.asarray(cu_seqlens_k).astype(int)
        sq = np.searchsorted(cq[1:], np.arange(nq), side="right")
        sk = np.searchsorted(ck[1:], np.arange(nk), side="right")
        see = sq[:, None] == sk[None]
        own = i + ((ck[1:] - cq[1:]) if alignment == "bottom_right" else (ck[:-1] - cq[:-1]))[sq][:, None]
    if causal:
        see = see & (j <= own)
    if window is not None:
        before, after = window
        if before >= 0:
            see = see & (j >= own - before)
        if after >= 0:
            see = see & (j <= own + after)
    with np.errstate(all="ignore"):
        x = Q @ K.swapaxes(-1, -2) * scale
        slope = kind(1)
        if softcap:
            t = np.tanh(x / kind(softcap))
            x, slope = kind(softcap) * t, 1 - t * t
        if bias is not None:
            x = x + bias.astype(kind)
        if alibi_slopes is not None:
            x = x - alibi_slopes.astype(kind)[:, None, None] * np.abs(own - j).astype(kind)
        if mask is not None:
            if mask.dtype == bool:
                see = see & mask
            else:
                see = see & ~np.isneginf(mask)
                x = x + np.where(np.isneginf(mask), 0, mask).astype(kind)
        x = np.where(see, x, -np.inf)
        m = x.max(-1, keepdims=True)
        if sinks is not None:
            sink = sinks.astype(kind)[:, None, None]
            m = np.maximum(m, sink)
        m = np.where(np.isneginf(m), 0, m)
        e = np.exp(x - m)
        z = e.sum(-1, keepdims=True)
        if sinks is not None:
            z = z + np.exp(sink - m)
        lse = (m + np.log(z))[..., 0]
        p = e / np.where(z == 0, 1, z)
        f = kind(1) if dropout_mask is None else dropout_mask.astype(kind)
        w = p * f
        out = w @ V
        r = {"out": out.astype(q.dtype), "lse": lse}
        if dout is None:
            return r
        G = dout.astype(kind)
        dp = G @ V.swapaxes(-1, -2) * f
        delta = (p * np.where(see, dp, 0)).sum(-1, keepdims=True)
        if dlse is not None:
            delta = delta - np.where(np.isneginf(lse), 0, dlse.astype(kind))[..., None]
        dx = np.where(see, p * (dp - delta), 0)
        ds = dx * slope * scale
        fold = lambda y: y.reshape(b, h // g, g, nk, -1).sum(2)
        r["dq"] = (ds @ K).astype(q.dtype)
        r["dk"] = fold(ds.swapaxes(-1, -2) @ Q).astype(k.dtype)
        r["dv"] = fold(w.swapaxes(-1, -2) @ G).astype(v.dtype)
        return r
