# judge: --torch --set masked_nan=spreads
"""Weights as exp(s - logsumexp(s))."""
import torch


def attention(q, k, v, *, causal=False, scale=None, bias=None):
    x = q.dtype
    up = (lambda t: t.float()) if x in (torch.float16, torch.bfloat16) else (lambda t: t)
    r = q.shape[1] // k.shape[1]
    kk = up(k).repeat_interleave(r, 1)
    vv = up(v).repeat_interleave(r, 1)
    s = torch.einsum("bhnd,bhmd->bhnm", up(q), kk)
    s = s * (scale if scale is not None else q.shape[-1] ** -0.5)
    if bias is not None:
        s = s + up(bias)
    if causal:
        n, m = s.shape[-2:]
        s = s.masked_fill(torch.ones(n, m, device=s.device).triu(m - n + 1).bool(), -torch.inf)
    lse = torch.logsumexp(s, -1)
    base = torch.where(lse == -torch.inf, torch.zeros_like(lse), lse)
    w = torch.exp(s - base.unsqueeze(-1))
    return dict(out=torch.einsum("bhnm,bhmd->bhnd", w, vv).to(x), lse=lse)
