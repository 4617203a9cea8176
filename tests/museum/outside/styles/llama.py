# judge: --torch --set masked_nan=spreads
"""LLaMA: repeated key heads, a softmax in float32 or wider that is cast back; causal unless told otherwise."""
import math
import torch
from torch import nn


def repeat_kv(hidden_states, n_rep):
    batch, num_key_value_heads, slen, head_dim = hidden_states.shape
    if n_rep == 1:
        return hidden_states
    hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
    return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)


def attention(q, k, v, *, causal=True, mask=None):
    key_states = repeat_kv(k, q.shape[1] // k.shape[1])
    value_states = repeat_kv(v, q.shape[1] // v.shape[1])
    q_len, kv_len = q.shape[2], k.shape[2]
    attn_weights = torch.matmul(q, key_states.transpose(2, 3)) / math.sqrt(q.shape[-1])
    allowed = torch.ones(1, 1, q_len, kv_len, dtype=torch.bool)
    if causal:
        cache_position = torch.arange(kv_len - q_len, kv_len)
        allowed = allowed & (torch.arange(kv_len)[None, :] <= cache_position[:, None])
    if mask is not None:
        if mask.dtype == torch.bool:
            allowed = allowed & mask
        else:
            allowed = allowed & (mask > float("-inf"))
            attn_weights = attn_weights + mask.masked_fill(mask == float("-inf"), 0)
    attn_weights = attn_weights.masked_fill(~allowed, torch.finfo(attn_weights.dtype).min)
    dtype = torch.float64 if q.dtype == torch.float64 else torch.float32
    attn_weights = nn.functional.softmax(attn_weights, dim=-1, dtype=dtype).to(q.dtype)
    attn_weights = attn_weights * allowed
    return torch.matmul(attn_weights, value_states)
