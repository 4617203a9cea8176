# judge: --torch --set masked_nan=spreads --dtype float32 --dtype bfloat16
"""Llama (Hugging Face, eager): repeat_kv, additive causal mask of finfo.min, softmax in float32 and back in the type of q.

Products in float32, for bfloat16 matmul of this PyTorch sums in bfloat16 on some shapes. Rows that the mask empties are zeroed."""
import math

import torch
from torch import nn


def repeat_kv(hidden_states: torch.Tensor, n_rep: int) -> torch.Tensor:
    batch, num_key_value_heads, slen, head_dim = hidden_states.shape
    if n_rep == 1:
        return hidden_states
    hidden_states = hidden_states[:, :, None, :, :].expand(batch, num_key_value_heads, n_rep, slen, head_dim)
    return hidden_states.reshape(batch, num_key_value_heads * n_rep, slen, head_dim)


def make_causal_mask(q_len, kv_len, device):
    cond = torch.arange(kv_len, device=device)
    return cond[None, :] <= (torch.arange(q_len, device=device) + kv_len - q_len)[:, None]


def attention(query, key, value, *, causal=False, mask=None):
    dtype, head_dim = query.dtype, query.shape[-1]
    key = repeat_kv(key, query.shape[1] // key.shape[1])
    value = repeat_kv(value, query.shape[1] // value.shape[1])
    q_len, kv_len = query.shape[-2], key.shape[-2]
    keep = torch.ones(1, 1, q_len, kv_len, dtype=torch.bool)
    extra = None
    if causal:
        keep = keep & make_causal_mask(q_len, kv_len, query.device)
    if mask is not None:
        if mask.dtype == torch.bool:
            keep = keep & mask
        else:
            extra = mask.float()
            keep = keep & (extra != -math.inf)
    attn_weights = torch.matmul(query.float(), key.float().transpose(2, 3)) / math.sqrt(head_dim)
    if extra is not None:
        attn_weights = attn_weights + extra
    attn_weights = torch.where(keep, attn_weights, torch.tensor(torch.finfo(torch.float32).min))
    attn_weights = nn.functional.softmax(attn_weights, dim=-1, dtype=torch.float32).to(dtype)
    attn_output = torch.matmul(attn_weights.float(), value.float())
    return (attn_output * keep.any(-1, keepdim=True)).to(dtype)
