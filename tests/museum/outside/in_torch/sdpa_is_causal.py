# judge: --torch --set masked_nan=spreads
"""SDPA: is_causal where the problem is square, a lower-right mask where it is not; heads repeated; 16 bits raised."""
import torch
import torch.nn.functional as F


def sdpa(q, k, v, attn_mask=None, is_causal=False):
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(q, k, v, attn_mask=attn_mask, is_causal=is_causal)
    return F._scaled_dot_product_attention(q, k, v, attn_mask, 0.0, False, is_causal)[0]


def attention(q, k, v, *, causal=False):
    dtype = q.dtype
    if dtype in (torch.float16, torch.bfloat16):
        q, k, v = q.float(), k.float(), v.float()
    rep = q.size(1) // k.size(1)
    if rep > 1:
        k = k.repeat_interleave(rep, dim=1)
        v = v.repeat_interleave(rep, dim=1)
    L, S = q.size(2), k.size(2)
    if not causal or L == 1:
        return sdpa(q, k, v).to(dtype)
    if L == S:
        return sdpa(q, k, v, is_causal=True).to(dtype)
    skip = max(0, L - S)  # leading queries that see nothing
    seen = torch.ones(L - skip, S, dtype=torch.bool, device=q.device).tril(S - (L - skip))
    out = sdpa(q[:, :, skip:], k, v, attn_mask=seen)
    return torch.cat([out.new_zeros(q.size(0), q.size(1), skip, v.size(3)), out], dim=2).to(dtype)
