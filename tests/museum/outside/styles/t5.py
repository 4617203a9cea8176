# judge: --torch --set masked_nan=spreads
import torch
from torch import nn


def t5(query_states, key_states, value_states, position_bias=None, mask=None):
    """T5's: no scale of its own (it is in the weights of the projection), a bias added to the scores."""
    scores = torch.matmul(query_states, key_states.transpose(3, 2))
    if position_bias is not None:
        scores = scores + position_bias[None]
    if mask is None:
        attn_weights = nn.functional.softmax(scores.float() if scores.dtype != torch.float64 else scores, dim=-1).type_as(scores)
        return torch.matmul(attn_weights, value_states)
    keep = mask if mask.dtype == torch.bool else mask != float("-inf")
    if mask.dtype != torch.bool:
        scores = scores + mask.masked_fill(~keep, 0)
    scores = scores.masked_fill(~keep, torch.finfo(scores.dtype).min)
    attn_weights = nn.functional.softmax(scores.float() if scores.dtype != torch.float64 else scores, dim=-1).type_as(scores)
    attn_weights = attn_weights.masked_fill(~keep, 0)
    return torch.matmul(attn_weights, value_states)


def attention(q, k, v, *, bias=None, mask=None):
    return t5(q * q.shape[-1] ** -0.5, k, v, position_bias=bias, mask=mask)
