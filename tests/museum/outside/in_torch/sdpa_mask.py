# judge: --torch --set masked_nan=spreads
"""torch.nn.functional.scaled_dot_product_attention with a boolean or additive attn_mask and enable_gqa."""
import torch
import torch.nn.functional as F

if hasattr(F, "scaled_dot_product_attention"):
    def sdpa(q, k, v, attn_mask, scale):
        return F.scaled_dot_product_attention(q, k, v, attn_mask=attn_mask, scale=scale, enable_gqa=q.shape[1] != k.shape[1])
else:  # PyTorch 1.13
    def sdpa(q, k, v, attn_mask, scale):
        g = q.shape[1] // k.shape[1]
        if scale is not None:
            q = q * (scale * q.shape[-1] ** 0.5)
        return F._scaled_dot_product_attention(q, k.repeat_interleave(g, 1), v.repeat_interleave(g, 1), attn_mask)[0]


def attention(q, k, v, *, mask=None, causal=False, scale=None):
    nq, nk = q.shape[-2], k.shape[-2]
    dead = None
    if mask is not None and mask.dtype != torch.bool:
        if causal:
            hide = torch.ones(nq, nk, dtype=torch.bool, device=q.device).triu(nk - nq + 1)
            mask = mask.masked_fill(hide, float("-inf"))
        dead = (mask == float("-inf")).all(-1, keepdim=True)
        mask = mask.masked_fill(dead, 0.0).to(q.dtype)
    elif mask is not None or causal:
        seen = torch.ones(nq, nk, dtype=torch.bool, device=q.device)
        if causal:
            seen = seen.tril(nk - nq)
        if mask is not None:
            seen = seen & mask
        dead = ~seen.any(-1, keepdim=True)
        mask = seen | dead  # an empty row attends to all and is zeroed below
    out = sdpa(q, k, v, mask, scale)
    return out if dead is None else out.masked_fill(dead, 0.0)
