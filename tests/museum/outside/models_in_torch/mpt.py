# judge: --torch --set masked_nan=spreads
"""MPT: full ALiBi bias built from two aranges, baddbmm over batch*heads, causal or prefix by a boolean mask."""
import torch


def build_alibi_bias(slopes, s_q, s_k, dtype):
    alibi_bias = torch.arange(1 - s_k, 1, dtype=torch.int32).view(1, 1, 1, s_k)
    alibi_bias = alibi_bias - torch.arange(1 - s_q, 1, dtype=torch.int32).view(1, 1, s_q, 1)
    alibi_bias = alibi_bias.abs().mul(-1).to(dtype)
    return alibi_bias * slopes.to(dtype).view(1, -1, 1, 1)


def attention(q, k, v, *, causal=False, scale=None, alibi_slopes=None):
    dtype = q.dtype
    work = torch.float64 if dtype is torch.float64 else torch.float32
    q, k, v = q.to(work), k.to(work), v.to(work)
    if k.shape[1] != q.shape[1]:
        k = k.repeat_interleave(q.shape[1] // k.shape[1], 1)
        v = v.repeat_interleave(q.shape[1] // v.shape[1], 1)
    b, h, s_q, d = q.shape
    s_k = k.shape[2]
    attn_bias = torch.zeros(b, h, s_q, s_k, dtype=work)
    if alibi_slopes is not None:
        attn_bias = attn_bias + build_alibi_bias(alibi_slopes, s_q, s_k, work)
    attn_weight = torch.baddbmm(
        attn_bias.reshape(b * h, s_q, s_k),
        q.reshape(b * h, s_q, d),
        k.reshape(b * h, s_k, d).transpose(1, 2),
        beta=1.0,
        alpha=d**-0.5 if scale is None else scale,
    ).view(b, h, s_q, s_k)
    if causal:
        causal_mask = attn_weight.new_ones(s_q, s_k, dtype=torch.bool).tril(diagonal=s_k - s_q).logical_not()
        attn_weight = attn_weight.masked_fill(causal_mask, torch.finfo(work).min)
        attn_weight = torch.softmax(attn_weight, dim=-1).masked_fill(causal_mask, 0.0)
    else:
        attn_weight = torch.softmax(attn_weight, dim=-1)
    return attn_weight.matmul(v).to(dtype)
