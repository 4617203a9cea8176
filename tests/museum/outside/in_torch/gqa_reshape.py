# judge: --torch --set masked_nan=spreads
"""Grouped heads without repeating: queries as (B, H_kv, G, N, D)."""
import torch


def attention(q, k, v, *, causal=False, mask=None, scale=None):
    B, H, N, D = q.shape
    Hk, M = k.shape[1], k.shape[2]
    G = H // Hk
    half = q.dtype in (torch.float16, torch.bfloat16)
    qq, kk, vv = (t.float() if half else t for t in (q, k, v))
    qq = qq.reshape(B, Hk, G, N, D)
    s = torch.einsum("bkgnd,bkmd->bkgnm", qq, kk) * (D ** -0.5 if scale is None else scale)
    ok = torch.ones(N, M, dtype=torch.bool, device=q.device)
    if causal:
        ok = ok.tril(M - N)
    ok = ok.expand(B, H, N, M)
    if mask is not None:
        if mask.dtype == torch.bool:
            ok = ok & mask
        else:
            mm = mask.to(s.dtype).expand(B, H, N, M) if mask.ndim == 4 else mask.to(s.dtype).expand(B, H, N, M)
            ok = ok & ~torch.isneginf(mm)
            s = s + mm.masked_fill(torch.isneginf(mm), 0).reshape(B, Hk, G, N, M)
    ok = ok.reshape(B, Hk, G, N, M)
    s = s.masked_fill(~ok, torch.finfo(s.dtype).min)
    p = torch.softmax(s, -1) * ok
    return torch.einsum("bkgnm,bkmd->bkgnd", p, vv).reshape(B, H, N, -1).to(q.dtype)
