# judge: --torch --set masked_nan=spreads
"""torch.nn.functional.multi_head_attention_forward's core: batch and heads flattened, query scaled first, -inf mask by baddbmm."""
import math

import torch
from torch.nn.functional import dropout, softmax


def _scaled_dot_product_attention(q, k, v, attn_mask=None, dropout_p=0.0):
    E = q.size(-1)
    q = q / math.sqrt(E)
    if attn_mask is not None:
        attn = torch.baddbmm(attn_mask, q, k.transpose(-2, -1))
    else:
        attn = torch.bmm(q, k.transpose(-2, -1))
    attn = softmax(attn, dim=-1)
    if dropout_p > 0.0:
        attn = dropout(attn, p=dropout_p)
    return torch.bmm(attn, v), attn


def attention(query, key, value, *, mask=None):
    bsz, num_heads, tgt_len, _ = query.shape
    src_len, kind = key.shape[2], query.dtype
    wide = kind if kind in (torch.float32, torch.float64) else torch.float32
    rep = num_heads // key.shape[1]
    if rep != 1:
        key, value = key.to(wide).repeat_interleave(rep, 1), value.to(wide).repeat_interleave(rep, 1)
    q = query.to(wide).contiguous().view(bsz * num_heads, tgt_len, -1)
    k = key.to(wide).contiguous().view(bsz * num_heads, src_len, -1)
    v = value.to(wide).contiguous().view(bsz * num_heads, src_len, -1)
    attn_mask = empty = None
    if mask is not None:
        if mask.dtype == torch.bool:
            attn_mask = torch.zeros(mask.shape, dtype=wide).masked_fill_(mask.logical_not(), float("-inf"))
        else:
            attn_mask = mask.to(wide)
        attn_mask = attn_mask.expand(bsz, num_heads, tgt_len, src_len)
        empty = attn_mask.eq(float("-inf")).all(-1, keepdim=True)
        attn_mask = attn_mask.masked_fill(empty, 0.0).reshape(bsz * num_heads, tgt_len, src_len)
    attn_output, _ = _scaled_dot_product_attention(q, k, v, attn_mask)
    attn_output = attn_output.view(bsz, num_heads, tgt_len, -1)
    if empty is not None:
        attn_output = attn_output.masked_fill(empty, 0.0)
    return attn_output.to(kind)
