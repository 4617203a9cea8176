"""Fifteen implementations in PyTorch with one bug each."""
import math
import torch
import right_torch
from common_torch import wide, positions, band, added, softmax, INF


def _heads(q, k, v):
    g = q.shape[1] // k.shape[1]
    return wide(q), wide(k).repeat_interleave(g, 1), wide(v).repeat_interleave(g, 1)


def normaliser_detached_in_torch(q, k, v, *, mask=None, causal=False, scale=None):
    dtype = q.dtype
    q, k, v = _heads(q, k, v)
    p, j, _ = positions(q, k)
    x = q @ k.transpose(-1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale)
    more, seen = added(mask, None, None, p, j, x)
    x = x + more
    visible = band(p, j, causal, None)
    visible = (visible if seen is None else visible & seen).expand(x.shape) & ~(x.detach() == -INF)
    x = x.masked_fill(~visible, torch.finfo(x.dtype).min)
    m = x.amax(-1, keepdim=True).detach()
    e = (x - m).exp() * visible
    total = e.sum(-1, keepdim=True).detach()
    return (e / total.masked_fill(total == 0, 1) @ v).to(dtype)


def saved_weights_dropped_in_place(q, k, v, *, mask=None, causal=False, scale=None, window=None, softcap=0, bias=None,
                                   dropout_mask=None):
    return right_torch.by_function(q, k, v, mask, causal, scale, window, softcap, bias, dropout_mask, "in place")


def dk_groups_transposed(q, k, v, *, mask=None, causal=False, scale=None, window=None, softcap=0, bias=None, dropout_mask=None):
    return right_torch.by_function(q, k, v, mask, causal, scale, window, softcap, bias, dropout_mask, "groups")


def cap_missing_in_backward(q, k, v, *, mask=None, causal=False, scale=None, window=None, softcap=0, bias=None, dropout_mask=None):
    return right_torch.by_function(q, k, v, mask, causal, scale, window, softcap, bias, dropout_mask, "cap")


def causal_from_top_left(q, k, v, *, causal=False, scale=None):
    dtype = q.dtype
    q, k, v = _heads(q, k, v)
    x = q @ k.transpose(-1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale)
    seen = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool)
    if causal:
        seen = seen.tril()
    w, lse = softmax(x, seen.expand(x.shape))
    return {'out': (w @ v).to(dtype), 'lse': lse}


def heads_tiled(q, k, v, *, mask=None, causal=False, scale=None):
    g = q.shape[1] // k.shape[1]
    return right_torch.dense(q, k.repeat(1, g, 1, 1), v.repeat(1, g, 1, 1), mask=mask, causal=causal, scale=scale)


def softmax_over_heads_of_one_query(q, k, v, *, causal=False, scale=None):
    if q.shape[2] != 1:
        return right_torch.dense(q, k, v, causal=causal, scale=scale)
    dtype = q.dtype
    q, k, v = _heads(q, k, v)
    x = torch.einsum('bhd,bhjd->bhj', q[:, :, 0], k) * (q.shape[-1] ** -0.5 if scale is None else scale)
    w = x.softmax(dim=1)
    out = torch.einsum('bhj,bhjd->bhd', w, v)[:, :, None]
    return {'out': out.to(dtype), 'lse': torch.logsumexp(x, -1)[:, :, None]}


def mask_added_before_softcap(q, k, v, *, mask=None, causal=False, scale=None, softcap=0):
    dtype = q.dtype
    q, k, v = _heads(q, k, v)
    p, j, _ = positions(q, k)
    x = q @ k.transpose(-1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale)
    visible = band(p, j, causal, None)
    if mask is not None:
        if mask.dtype == torch.bool:
            visible = visible & mask
        else:
            x = x + mask.to(x.dtype)
            visible = visible & (mask > -INF)
            x = x.masked_fill(mask == -INF, 0)
    if softcap:
        x = softcap * torch.tanh(x / softcap)
    w, lse = softmax(x, visible.expand(x.shape))
    return {'out': (w @ v).to(dtype), 'lse': lse}


def products_in_float16_before_scale(q, k, v, *, mask=None, causal=False, scale=None, bias=None):
    dtype = q.dtype
    q, k, v = _heads(q, k, v)
    p, j, _ = positions(q, k)
    x = (q @ k.transpose(-1, -2)).to(dtype).to(q.dtype) * (q.shape[-1] ** -0.5 if scale is None else scale)
    more, seen = added(mask, bias, None, p, j, x)
    visible = band(p, j, causal, None)
    visible = (visible if seen is None else visible & seen).expand(x.shape)
    w, lse = softmax(x + more, visible)
    return {'out': (w @ v).to(dtype), 'lse': lse}


def chunk_sums_in_16_bits(q, k, v, *, causal=False, scale=None):
    """Online softmax over chunks of 8 keys."""
    dtype = q.dtype
    narrow = lambda y: y.to(dtype).to(y.dtype)
    q, k, v = _heads(q, k, v)
    p, j, _ = positions(q, k)
    x = q @ k.transpose(-1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale)
    visible = band(p, j, causal, None).expand(x.shape)
    x = x.masked_fill(~visible, torch.finfo(x.dtype).min)
    m = x.amax(-1, keepdim=True).detach()
    e = (x - m).exp() * visible
    acc, total = 0, 0
    for c in range(0, k.shape[2], 8):
        acc = narrow(acc + e[..., c:c + 8] @ v[:, :, c:c + 8])
        total = narrow(total + e[..., c:c + 8].sum(-1, keepdim=True))
    return (acc / total.masked_fill(total == 0, 1)).to(dtype)


def empty_rows_repaired_too_late(q, k, v, *, mask=None, causal=False, scale=None):
    dtype = q.dtype
    q, k, v = _heads(q, k, v)
    p, j, _ = positions(q, k)
    x = q @ k.transpose(-1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale)
    more, seen = added(mask, None, None, p, j, x)
    visible = band(p, j, causal, None)
    visible = (visible if seen is None else visible & seen).expand(x.shape)
    hidden = torch.zeros(x.shape, dtype=x.dtype).masked_fill(~visible, -INF)
    w = torch.nan_to_num((x + more + hidden).softmax(-1))
    return (w @ v).to(dtype)


def merge_by_first_lse(q, k, v, *, mask=None, causal=False, scale=None, window=None):
    return right_torch.merged(q, k, v, mask, causal, scale, window, "weights of the first chunk")["out"]


def offset_of_first_query_block_alone(q, k, v, *, causal=False, scale=None):
    dtype = q.dtype
    q, k, v = _heads(q, k, v)
    nq, nk = q.shape[2], k.shape[2]
    outs = []
    offset = nk - nq
    for i in range(0, nq, 64):
        x = q[:, :, i:i + 64] @ k.transpose(-1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale)
        p = torch.arange(min(64, nq - i)) + offset
        outs.append(softmax(x, band(p, torch.arange(nk), causal, None).expand(x.shape))[0] @ v)
        offset = i + 64
    return torch.cat(outs, 2).to(dtype)


def slopes_as_if_power_of_two(q, k, v, *, mask=None, causal=False, scale=None):
    return right_torch.alibi(q, k, v, mask=mask, causal=causal, scale=scale,
                             slopes=lambda H: [2.0 ** (-8.0 * h / H) for h in range(1, H + 1)])


def window_counts_last_key_again(q, k, v, *, causal=False, scale=None, window=None):
    if window is None or min(window) < 0:
        return right_torch.dense(q, k, v, causal=causal, scale=scale, window=window)
    dtype = q.dtype
    q, k, v = _heads(q, k, v)
    nq, nk = q.shape[2], k.shape[2]
    left, right = window[0], 0 if causal else window[1]
    left, right = min(left, nq + nk), min(right, nq + nk)
    at = torch.arange(nq)[:, None] + nk - nq + torch.arange(-left, right + 1)[None]
    seen = (at >= 0) & (at <= nk)
    at = at.clamp(0, nk - 1)
    kk, vv = k[:, :, at], v[:, :, at]
    x = (q[:, :, :, None] * kk).sum(-1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    w, lse = softmax(x, seen.expand(x.shape))
    return {'out': (w[..., None] * vv).sum(3).to(dtype), 'lse': lse}
