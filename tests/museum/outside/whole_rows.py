# known: a masked key or value reaches the gradients
"""Attention in NumPy by whole rows, a block of queries at a time, forward and backward. Right, but NaN in a query reaches the
gradients of keys that the query does not see."""
import numpy as np

from tiled import product


def attention(q, k, v, *, mask=None, causal=False, alignment="bottom_right", scale=None, window=None, softcap=None,
              bias=None, alibi_slopes=None, sinks=None, cu_seqlens=None, cu_seqlens_k=None, dropout_mask=None,
              dout=None, dlse=None):
    B, H, Nq, D = q.shape
    Hk, Nk, Dv = k.shape[1], k.shape[2], v.shape[3]
    t = np.float64 if q.dtype in (np.float32, np.float64) else np.float32
    narrow = q.dtype if q.dtype in (np.float32, np.float64) else np.float32
    scale = D ** -0.5 if scale is None else float(scale)
    full = (B, H, Nq, Nk)
    mask = None if mask is None else np.broadcast_to(mask, full)
    bias = None if bias is None else np.broadcast_to(bias, full)
    drop = None if dropout_mask is None else np.broadcast_to(dropout_mask, full)
    backward = dout is not None or dlse is not None
    out = np.zeros((B, H, Nq, Dv), t)
    lse = np.full((B, H, Nq), -np.inf, t)
    dq, dk, dv = (np.zeros(x.shape, t) for x in (q, k, v)) if backward else (None,) * 3
    segments = [(0, Nq, 0, Nk)]
    if cu_seqlens is not None:
        cq = [int(c) for c in cu_seqlens]
        ck = cq if cu_seqlens_k is None else [int(c) for c in cu_seqlens_k]
        segments = list(zip(cq[:-1], cq[1:], ck[:-1], ck[1:]))
    with np.errstate(all="ignore"):
        for b in range(B):
            for h in range(H):
                g = h // (H // Hk)
                for qs, qe, ks, ke in segments:
                    if ke == ks:
                        continue
                    K = np.ascontiguousarray(k[b, g, ks:ke], dtype=t)
                    V = np.ascontiguousarray(v[b, g, ks:ke], dtype=t)
                    offset = 0 if alignment == "top_left" else (ke - ks) - (qe - qs)
                    step = max(1, min(qe - qs, (1 << 22) // (ke - ks)))
                    for i0 in range(qs, qe, step):
                        i1 = min(qe, i0 + step)
                        at = (b, h, slice(i0, i1), slice(ks, ke))
                        Q = np.ascontiguousarray(q[b, h, i0:i1], dtype=t)
                        own = np.arange(i0 - qs, i1 - qs)[:, None] + offset
                        j = np.arange(ke - ks)[None, :]
                        seen = np.ones((i1 - i0, ke - ks), bool)
                        s = Q @ K.T * scale
                        inner = 1.0
                        if softcap:
                            th = np.tanh(s / softcap)
                            s, inner = softcap * th, 1 - th * th
                        if bias is not None:
                            s = s + bias[at].astype(t)
                            seen &= bias[at] != -np.inf
                        if alibi_slopes is not None:
                            s = s - t(alibi_slopes[h]) * np.abs(own - j)
                        if mask is not None and mask.dtype != bool:
                            s = s + mask[at].astype(t)
                        if mask is not None:
                            seen &= mask[at] if mask.dtype == bool else mask[at] != -np.inf
                        if causal:
                            seen &= j <= own
                        if window is not None:
                            before, after = window
                            if before >= 0:
                                seen &= j >= own - before
                            if after >= 0:
                                seen &= j <= own + after
                        s = np.where(seen, s, -np.inf)
                        m = s.max(axis=1, keepdims=True)
                        if sinks is not None:
                            m = np.maximum(m, t(sinks[h]))
                        any_seen = seen.any(axis=1, keepdims=True)
                        m = np.where(any_seen, m, 0)
                        p = np.where(seen, np.exp(s - m), 0)
                        l = p.sum(axis=1, keepdims=True)
                        if sinks is not None:
                            l = l + np.exp(t(sinks[h]) - m)
                        l = np.where(any_seen, l, 1)
                        p = p / l
                        w = p if drop is None else p * drop[at].astype(t)
                        out[b, h, i0:i1] = product(w, seen, V)
                        lse[b, h, i0:i1] = np.where(any_seen, m + np.log(l), -np.inf)[:, 0]
                        if not backward:
                            continue
                        ds = np.zeros_like(p)
                        if dout is not None:
                            dO = np.ascontiguousarray(dout[b, h, i0:i1], dtype=t)
                            dp = dO @ V.T
                            if drop is not None:
                                dp = dp * drop[at].astype(t)
                            ds = dp - (dO * out[b, h, i0:i1]).sum(axis=1, keepdims=True)
                            dv[b, g, ks:ke] += product(w.T, seen.T, dO)
                        if dlse is not None:
                            ds = ds + np.asarray(dlse[b, h, i0:i1], dtype=t)[:, None]
                        ds = np.where(seen, p * ds * inner * scale, 0)
                        dq[b, h, i0:i1] = product(ds, seen, K)
                        dk[b, g, ks:ke] += product(ds.T, seen.T, Q)
        answer = {"out": out.astype(q.dtype), "lse": lse.astype(narrow)}
        if backward:
            answer.update(dq=dq.astype(q.dtype), dk=dk.astype(q.dtype), dv=dv.astype(q.dtype))
    return answer
