# judge: --torch --set masked_nan=spreads
"""BERT's layer: an extended mask added to the scores, as a module's method."""
import math
import torch
from torch import nn


class BertSelfAttention(nn.Module):
    def get_extended_attention_mask(self, mask, dtype):
        if mask.dim() == 2:
            mask = mask[None, None]
        if mask.dtype == torch.bool:
            extended = torch.zeros(mask.shape, dtype=dtype)
            return extended.masked_fill(~mask, float("-inf"))
        return mask.to(dtype)

    def forward(self, query_layer, key_layer, value_layer, attention_mask=None):
        attention_scores = torch.matmul(query_layer, key_layer.transpose(-1, -2))
        attention_scores = attention_scores / math.sqrt(query_layer.size(-1))
        if attention_mask is None:
            return torch.matmul(attention_scores.softmax(dim=-1), value_layer)
        extended = self.get_extended_attention_mask(attention_mask, attention_scores.dtype)
        hidden = extended == float("-inf")
        attention_scores = attention_scores + extended.masked_fill(hidden, 0.0)
        attention_scores = attention_scores.masked_fill(hidden, torch.finfo(attention_scores.dtype).min)
        attention_probs = nn.functional.softmax(attention_scores, dim=-1)
        attention_probs = attention_probs.masked_fill(hidden, 0.0)
        return torch.matmul(attention_probs, value_layer)


_layer = BertSelfAttention()


def attention(q, k, v, *, mask=None):
    return _layer(q, k, v, mask)
