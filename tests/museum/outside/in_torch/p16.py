# judge: --torch --set masked_nan=spreads
"""Like a tensor-core kernel: P is rounded to the type of V before PV, sums stay in float32."""
import torch


def dot(a, b):
    """16-bit factors, float32 sums."""
    return a @ b if a.dtype == torch.float64 else a.float() @ b.float()


def attention(q, k, v, *, causal=False, scale=None):
    group = q.shape[1] // k.shape[1]
    if group > 1:
        k = k[:, :, None].expand(-1, -1, group, -1, -1).flatten(1, 2)
        v = v[:, :, None].expand(-1, -1, group, -1, -1).flatten(1, 2)
    n, m = q.shape[2], k.shape[2]
    s = dot(q, k.transpose(2, 3)) * (q.shape[3] ** -0.5 if scale is None else scale)
    dead = torch.zeros(n, 1, dtype=torch.bool, device=q.device)
    if causal:
        hide = torch.ones(n, m, dtype=torch.bool, device=q.device).triu(1 + m - n)
        dead = hide.all(-1, keepdim=True)
        s = s.masked_fill(hide & ~dead, float("-inf")).masked_fill(dead, 0.0)
    top = s.detach().amax(-1, keepdim=True)
    e = torch.exp(s - top)
    total = e.sum(-1, keepdim=True)
    o = dot(e.to(v.dtype), v) / total
    lse = (top + total.log()).masked_fill(dead, float("-inf")).squeeze(-1)
    return {"out": o.masked_fill(dead, 0.0).to(q.dtype), "lse": lse}
