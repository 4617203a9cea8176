# judge: --set masked_nan=spreads
"""Tiled on both sides, keys visited from the last to the first, tiles outside the band skipped."""
import numpy as np

BQ, BK = 32, 48


def attention(q, k, v, *, causal=False, window=None, softcap=None):
    B, H, Nq, D = q.shape
    Hk, Nk, Dv = k.shape[1], k.shape[2], v.shape[3]
    f = np.result_type(q.dtype, np.float32)
    before, after = (-1, -1) if window is None else window
    if causal:
        after = 0 if after < 0 else min(after, 0)
    shift = Nk - Nq
    out = np.zeros((B, H, Nq, Dv), q.dtype)
    lse = np.full((B, H, Nq), -np.inf, f)
    for b in range(B):
        for h in range(H):
            kh, vh = k[b, h // (H // Hk)], v[b, h // (H // Hk)]
            for i0 in range(0, Nq, BQ):
                i1 = min(i0 + BQ, Nq)
                qt = q[b, h, i0:i1].astype(f) * f.type(1 / np.sqrt(D))
                first = 0 if before < 0 else max(0, i0 + shift - before)
                last = Nk if after < 0 else min(Nk, i1 - 1 + shift + after + 1)
                mx = np.full(i1 - i0, -np.inf, f)
                den = np.zeros(i1 - i0, f)
                num = np.zeros((i1 - i0, Dv), f)
                own = np.arange(i0, i1)[:, None] + shift
                for j1 in range(last, first, -BK):
                    j0 = max(first, j1 - BK)
                    s = qt @ kh[j0:j1].astype(f).T
                    if softcap:
                        s = f.type(softcap) * np.tanh(s / f.type(softcap))
                    j = np.arange(j0, j1)[None]
                    hide = np.zeros(s.shape, bool)
                    if before >= 0:
                        hide |= j < own - before
                    if after >= 0:
                        hide |= j > own + after
                    s[hide] = -np.inf
                    new = np.maximum(mx, s.max(1))
                    ref = np.where(new == -np.inf, 0, new)
                    p = np.exp(s - ref[:, None])
                    a = np.exp(mx - ref)
                    den = den * a + p.sum(1)
                    num = num * a[:, None] + p @ vh[j0:j1].astype(f)
                    mx = new
                ok = ~(den == 0)
                out[b, h, i0:i1][ok] = (num[ok] / den[ok, None]).astype(q.dtype)
                lse[b, h, i0:i1][ok] = mx[ok] + np.log(den[ok])
    return dict(out=out, lse=lse)
