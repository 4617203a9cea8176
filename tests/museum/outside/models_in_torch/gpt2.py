# judge: --torch --set causal=always --set masked_nan=spreads
"""GPT-2: no option at all, always causal, torch.where with the least number."""
import torch


def attention(query, key, value):
    kind = query.dtype
    if kind is not torch.float64:
        query, key, value = query.to(torch.float32), key.to(torch.float32), value.to(torch.float32)
    if key.size(1) < query.size(1):
        key, value = (torch.repeat_interleave(x, query.size(1) // x.size(1), dim=1) for x in (key, value))
    attn_weights = torch.matmul(query, key.transpose(-1, -2))
    attn_weights = attn_weights / torch.full([], value.new_tensor(query.size(-1)).item() ** 0.5, dtype=attn_weights.dtype)
    query_length, key_length = query.size(-2), key.size(-2)
    causal_mask = torch.tril(torch.ones((query_length, key_length), dtype=torch.bool), key_length - query_length).view(1, 1, query_length, key_length)
    mask_value = torch.full([], torch.finfo(attn_weights.dtype).min, dtype=attn_weights.dtype)
    attn_weights = torch.where(causal_mask, attn_weights, mask_value)
    attn_weights = torch.nn.functional.softmax(attn_weights, dim=-1)
    empty = max(0, query_length - key_length)  # the first queries see nothing
    attn_output = torch.matmul(attn_weights, value)
    if empty:
        attn_output = torch.cat([torch.zeros_like(attn_output[:, :, :empty]), attn_output[:, :, empty:]], dim=2)
    return attn_output.to(kind)
