# judge: --torch --set masked_nan=spreads
import torch

BLOCK = 16


def attention(q, k, v, *, mask=None):
    """A layout of blocks of 16 x 16 from the mask; only blocks in which something is seen are multiplied."""
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    nq, nk = q.shape[2], k.shape[2]
    if mask is None:
        mask = torch.ones(nq, nk, dtype=torch.bool)
    if mask.dtype != torch.bool or mask.dim() != 2 or k.shape[1] != q.shape[1]:
        raise NotImplementedError
    scale = q.shape[-1] ** -0.5
    Q, K, V = q.to(kind), k.to(kind), v.to(kind)
    rows = []
    for lo in range(0, nq, BLOCK):
        m = mask[lo : lo + BLOCK]
        layout = [b for b in range(0, nk, BLOCK) if m[:, b : b + BLOCK].any()] or [0]
        cols = torch.cat([torch.arange(b, min(b + BLOCK, nk)) for b in layout])
        m = m[:, cols]
        kb, vb = K[:, :, cols], V[:, :, cols]
        qb = Q[:, :, lo : lo + BLOCK]
        live = m.any(0)[:, None]                      # keys that no query of the block sees do not count
        dead = ~m.any(1)[:, None]
        kb, vb = kb.masked_fill(~live, 0), vb.masked_fill(~live, 0)
        qb = qb.masked_fill(dead, 0)
        s = (qb @ kb.transpose(-1, -2)) * scale
        s = s.masked_fill(~m, torch.finfo(kind).min)
        p = s.softmax(-1).masked_fill(~m, 0)
        rows.append(p @ vb)
    return torch.cat(rows, 2).to(q.dtype)
