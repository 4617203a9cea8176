# judge: --torch --set masked_nan=spreads
"""Rabe and Staats: chunks of queries and keys, each key chunk under torch.utils.checkpoint, merged at the end."""
import torch
from torch.utils.checkpoint import checkpoint

Q_CHUNK, K_CHUNK = 128, 100


def summarize(q, k, v, hide):
    s = torch.einsum("...qd,...kd->...qk", q, k).masked_fill(hide, float("-inf"))
    m = s.amax(-1, keepdim=True).detach()
    m = m.masked_fill(m == float("-inf"), -1e30)
    e = torch.exp(s - m)
    return torch.einsum("...qk,...kf->...qf", e, v), e.sum(-1, keepdim=True), m


def attention(q, k, v, *, causal=False, scale=None):
    dt = q.dtype
    up = torch.float64 if dt == torch.float64 else torch.float32
    g = q.shape[1] // k.shape[1]
    qs = q.to(up) * (q.shape[-1] ** -0.5 if scale is None else scale)
    ks, vs = k.to(up).repeat_interleave(g, 1), v.to(up).repeat_interleave(g, 1)
    N, M = q.shape[2], k.shape[2]
    rows = []
    for a in range(0, N, Q_CHUNK):
        qc = qs[:, :, a:a + Q_CHUNK]
        vals, sums, tops = [], [], []
        for b in range(0, M, K_CHUNK):
            kc = ks[:, :, b:b + K_CHUNK]
            i = torch.arange(a, a + qc.shape[2], device=q.device)[:, None] + M - N
            j = torch.arange(b, b + kc.shape[2], device=q.device)[None]
            hide = (j > i) if causal else torch.zeros(1, 1, dtype=torch.bool, device=q.device)
            x, y, z = checkpoint(summarize, qc, kc, vs[:, :, b:b + K_CHUNK], hide, use_reentrant=False)
            vals.append(x), sums.append(y), tops.append(z)
        top = torch.stack(tops).amax(0)
        f = [torch.exp(t - top) for t in tops]
        den = sum(y * w for y, w in zip(sums, f))
        num = sum(x * w for x, w in zip(vals, f))
        rows.append(num / torch.where(den == 0, 1.0, den))
    return torch.cat(rows, 2).to(dt)
