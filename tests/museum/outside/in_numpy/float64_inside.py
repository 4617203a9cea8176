# judge:
"""Everything in double, whatever comes in; rows that hidden non-finite numbers could spoil are done key by key."""
import numpy as np


def attention(q, k, v, *, mask=None, causal=False, alignment="bottom_right", scale=None, window=None, softcap=None,
              bias=None, alibi_slopes=None, dropout_mask=None, dout=None, dlse=None):
    kind = q.dtype
    lse_kind = np.float64 if kind == np.float64 else np.float32
    B, H, N, D = q.shape
    Hk, M, E = k.shape[1], k.shape[2], v.shape[3]
    g = H // Hk
    scale = 1 / np.sqrt(D) if scale is None else float(scale)
    shift = M - N if alignment == "bottom_right" else 0
    rel = np.arange(M)[None] - np.arange(N)[:, None] - shift
    band = np.ones((N, M), bool)
    if causal:
        band &= rel <= 0
    if window is not None:
        if window[0] >= 0:
            band &= rel >= -window[0]
        if window[1] >= 0:
            band &= rel <= window[1]
    out = np.zeros((B, H, N, E))
    lse = np.full((B, H, N), -np.inf)
    dq, dk, dv = np.zeros((B, H, N, D)), np.zeros((B, Hk, M, D)), np.zeros((B, Hk, M, E))
    for b in range(B):
        for h in range(H):
            Q, K, V = (x.astype(np.float64) for x in (q[b, h], k[b, h // g], v[b, h // g]))
            seen, add = band, 0.0
            if mask is not None:
                mk = np.broadcast_to(mask, (B, H, N, M))[b, h]
                if mk.dtype == bool:
                    seen = seen & mk
                else:
                    seen = seen & (mk > -np.inf)
                    add = np.where(mk > -np.inf, mk, 0).astype(np.float64)
            if bias is not None:
                add = add + bias[h].astype(np.float64)
            if alibi_slopes is not None:
                add = add - float(alibi_slopes[h]) * np.abs(rel)
            drop = 1.0 if dropout_mask is None else dropout_mask[b, h].astype(np.float64)
            rows = np.flatnonzero(seen.any(1))
            cols = np.flatnonzero(seen.any(0))
            # drop what nobody sees; if something not finite is left, go row by row
            if all(np.isfinite(x).all() for x in (Q[rows], K[cols], V[cols])):
                parts = [rows]
            else:
                parts = [rows[n:n + 1] for n in range(len(rows))]
            for r in parts:
                if len(r) == 0:
                    continue
                c = np.flatnonzero(seen[r].any(0))
                vis = seen[np.ix_(r, c)]
                x = Q[r] @ K[c].T * scale
                slope = 1.0
                if softcap is not None:
                    t = np.tanh(x / softcap)
                    x, slope = softcap * t, 1 - t * t
                if not np.isscalar(add):
                    x = x + add[np.ix_(r, c)]
                x = np.where(vis, x, -np.inf)
                top = x.max(1, keepdims=True)
                p = np.exp(x - top)
                total = p.sum(1, keepdims=True)
                p /= total
                f = drop if np.isscalar(drop) else drop[np.ix_(r, c)]
                o = (p * f) @ V[c]
                out[b, h, r] = o
                lse[b, h, r] = (top + np.log(total))[:, 0]
                if dout is not None:
                    do = dout[b, h, r].astype(np.float64)
                    delta = (do * o).sum(1, keepdims=True)
                    if dlse is not None:
                        delta = delta - dlse[b, h, r].astype(np.float64)[:, None]
                    ds = p * (f * (do @ V[c].T) - delta) * slope * scale
                    dq[b, h, r] = ds @ K[c]
                    dk[b, h // g, c] += ds.T @ Q[r]
                    dv[b, h // g, c] += (p * f).T @ do
    result = dict(out=out.astype(kind), lse=lse.astype(lse_kind))
    if dout is not None:
        result.update(dq=dq.astype(kind), dk=dk.astype(kind), dv=dv.astype(kind))
    return result
