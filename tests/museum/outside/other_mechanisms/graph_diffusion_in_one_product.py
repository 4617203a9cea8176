# judge: --as graph-diffusion --torch --set masked_nan=spreads
"""The weights with 1 taken from the diagonal, times the values: one product."""
import torch


def attention(q, k, v, *, causal=False, scale=None, mask=None):
    t = torch.promote_types(q.dtype, torch.float32)
    n = q.shape[2]
    seen = torch.ones(n, n, dtype=torch.bool)
    if causal:
        seen = seen.tril()
    if mask is not None:
        seen = seen & mask
    s = torch.einsum("bhid,bhjd->bhij", q.to(t), k.to(t)) * (q.shape[-1] ** -0.5 if scale is None else scale)
    A = s.masked_fill(~seen, torch.finfo(t).min).softmax(-1).masked_fill(~seen, 0)
    return torch.einsum("bhij,bhje->bhie", A - torch.eye(n, dtype=t), v.to(t)).to(q.dtype)
