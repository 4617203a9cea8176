# judge: --torch --set masked_nan=spreads
"""T5: relative position bias added to the scores and, as there, the mask folded into the bias once."""
import torch
from torch import nn


def attention(q, k, v, *, bias=None, mask=None, scale=None):
    f = q.dtype if q.dtype == torch.float64 else torch.float32
    if k.shape[1] != q.shape[1]:
        k, v = (x.to(f).repeat_interleave(q.shape[1] // x.shape[1], 1) for x in (k, v))
    scores = torch.matmul(q.to(f), k.to(f).transpose(3, 2)) * (q.shape[-1] ** -0.5 if scale is None else scale)
    position_bias = torch.zeros(1, 1, q.shape[2], k.shape[2], dtype=f)
    if bias is not None:
        position_bias = position_bias + bias.to(f).unsqueeze(0)
    if mask is not None:
        position_bias = position_bias + (torch.zeros(mask.shape, dtype=f).masked_fill(~mask, -torch.inf) if mask.dtype == torch.bool else mask.to(f))
    dead = position_bias == -torch.inf
    scores = torch.where(dead, torch.full((), -1e30, dtype=f), scores + position_bias)
    attn_weights = nn.functional.softmax(scores, dim=-1)
    attn_weights = attn_weights * dead.logical_not()
    return torch.matmul(attn_weights, v.to(f)).type_as(q)
