# judge: --torch --set masked_nan=spreads
"""BLOOM: batch and heads fused, baddbmm with the alibi as its first operand."""
import torch


def attention(q, k, v, *, alibi_slopes=None, causal=False, alignment="bottom_right"):
    b, h, n, d = q.shape
    m = k.shape[2]
    dtype = q.dtype
    c = torch.float64 if dtype == torch.float64 else torch.float32
    r = h // k.shape[1]
    q3 = q.to(c).reshape(b * h, n, d)
    k3 = k.to(c).repeat_interleave(r, 1).reshape(b * h, m, d)
    v3 = v.to(c).repeat_interleave(r, 1).reshape(b * h, m, -1)
    off = m - n if alignment == "bottom_right" else 0
    dist = torch.arange(m, device=q.device)[None] - (torch.arange(n, device=q.device)[:, None] + off)
    if alibi_slopes is None:
        bias = q3.new_zeros(b * h, n, m)
    else:
        bias = (-alibi_slopes.to(c)[:, None, None] * dist.abs().to(c)).repeat(b, 1, 1)
    s = torch.baddbmm(bias, q3, k3.transpose(1, 2), beta=1.0, alpha=d ** -0.5)
    if causal:
        s = s.masked_fill(dist > 0, torch.finfo(c).min)
        p = torch.softmax(s, -1) * (dist <= 0)
    else:
        p = torch.softmax(s, -1)
    return torch.bmm(p, v3).reshape(b, h, n, -1).to(dtype)
