# judge: --torch --set causal=always --set masked_nan=spreads
import torch
from torch import nn


class GPT2Attention(nn.Module):
    """reorder_and_upcast_attn of GPT-2: baddbmm in float32, a registered causal buffer."""

    def __init__(self, max_positions=2048):
        super().__init__()
        self.register_buffer("bias", torch.tril(torch.ones((max_positions, max_positions), dtype=torch.bool)))

    def forward(self, query, key, value, scale_factor):
        bsz, num_heads, q_seq_len, dk = query.size()
        _, _, k_seq_len, _ = key.size()
        if q_seq_len > k_seq_len or k_seq_len > self.bias.size(0):
            raise NotImplementedError("more queries than keys, or more keys than positions")
        dtype = query.dtype if query.dtype == torch.float64 else torch.float32
        attn_weights = torch.zeros(bsz * num_heads, q_seq_len, k_seq_len, dtype=dtype)
        q = query.to(dtype).reshape(-1, q_seq_len, dk)
        k = key.to(dtype).transpose(-1, -2).reshape(-1, dk, k_seq_len)
        attn_weights = torch.baddbmm(attn_weights, q, k, beta=1, alpha=scale_factor)
        attn_weights = attn_weights.reshape(bsz, num_heads, q_seq_len, k_seq_len)
        causal_mask = self.bias[k_seq_len - q_seq_len : k_seq_len, :k_seq_len]
        mask_value = torch.tensor(torch.finfo(attn_weights.dtype).min, dtype=attn_weights.dtype)
        attn_weights = torch.where(causal_mask, attn_weights, mask_value)
        attn_weights = nn.functional.softmax(attn_weights, dim=-1)
        return torch.matmul(attn_weights, value.to(dtype)).to(query.dtype)


_layer = GPT2Attention()


def attention(q, k, v, *, scale=None):
    if k.shape[1] != q.shape[1]:
        raise NotImplementedError("grouped heads")
    return _layer(q, k, v, q.shape[-1] ** -0.5 if scale is None else scale)
