# judge: --torch --set masked_nan=spreads
"""Hugging Face's eager attention: 16-bit matmuls, an additive causal mask, the softmax in float32, weights cast back."""
import torch
from torch import nn


def repeat_kv(hidden_states, n_rep):
    batch, heads, slen, head_dim = hidden_states.shape
    if n_rep == 1:
        return hidden_states
    return hidden_states[:, :, None].expand(batch, heads, n_rep, slen, head_dim).reshape(batch, heads * n_rep, slen, head_dim)


def attention(q, k, v, *, causal=False):
    key, value = repeat_kv(k, q.shape[1] // k.shape[1]), repeat_kv(v, q.shape[1] // v.shape[1])
    scaling = q.shape[-1] ** -0.5
    weights = torch.matmul(q * scaling, key.transpose(2, 3))
    n, m = weights.shape[-2:]
    soft = torch.float64 if q.dtype == torch.float64 else torch.float32
    if causal:
        hidden = torch.triu(torch.ones(n, m, dtype=torch.bool, device=q.device), m - n + 1)
        weights = weights.masked_fill(hidden, torch.finfo(weights.dtype).min)
        weights = nn.functional.softmax(weights, dim=-1, dtype=soft).masked_fill(hidden, 0.0).to(q.dtype)
    else:
        weights = nn.functional.softmax(weights, dim=-1, dtype=soft).to(q.dtype)
    return torch.matmul(weights, value).contiguous()
