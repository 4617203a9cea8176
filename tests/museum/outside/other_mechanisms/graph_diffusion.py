# judge: --as graph-diffusion --torch --set masked_nan=spreads
"""Graph diffusion: (A - I) V, by PyTorch's own attention."""
import torch
import torch.nn.functional as F


def attention(q, k, v, *, causal=False):
    dt = q.dtype
    if dt != torch.float64:
        q, k, v = q.float(), k.float(), v.float()
    g = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
    if hasattr(F, "scaled_dot_product_attention"):
        av = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
    else:
        av = F._scaled_dot_product_attention(q, k, v, None, 0.0, False, causal)[0]
    return (av - v).to(dt)
