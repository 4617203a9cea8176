# judge: --torch --set masked_nan=spreads
import torch


def attention(q, k, v, *, causal=False, cu_seqlens=None, cu_seqlens_k=None, scale=None):
    """Packed sequences by a loop over cu_seqlens; each one aligned at its own bottom right."""
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    if k.shape[1] != q.shape[1]:
        raise NotImplementedError
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    ends = [0, q.shape[2]] if cu_seqlens is None else cu_seqlens.tolist()
    ends_k = cu_seqlens_k.tolist() if cu_seqlens_k is not None else ([0, k.shape[2]] if cu_seqlens is None else ends)
    parts = []
    for a, b, c, d in zip(ends[:-1], ends[1:], ends_k[:-1], ends_k[1:]):
        x, y, z = q[:, :, a:b].to(kind), k[:, :, c:d].to(kind), v[:, :, c:d].to(kind)
        s = x @ y.transpose(-1, -2) * scale
        if d > c:
            if causal:
                hidden = ~torch.ones(b - a, d - c, dtype=torch.bool).tril((d - c) - (b - a))
                p = s.masked_fill(hidden, torch.finfo(kind).min).softmax(-1).masked_fill(hidden, 0)
            else:
                p = s.softmax(-1)
        else:
            p = s
        parts.append(p @ z)
    return torch.cat(parts, 2).to(q.dtype)
