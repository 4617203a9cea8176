"""Plain softmax attention as modules and functions, each right but for one fault that a switch turns on.
`*_right` is the implementation without it."""
import math
import os
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from steps_in_torch import finish, grouped, guard, prepared, up, visible, weights  # noqa: E402

torch.set_num_threads(1)


# 1. the fused operation scales by itself ----------------------------------------------------------------------------------
def _fused(q, k, v, seen):
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(q, k, v, attn_mask=seen)
    return F._scaled_dot_product_attention(q, k, v, attn_mask=seen)[0]  # PyTorch 1.13


class FusedAttention(nn.Module):
    """Queries are multiplied with scale * sqrt(head_dim), because the operation divides by sqrt(head_dim)."""

    def __init__(self, qk_dim, v_dim, dim_of_values):
        super().__init__()
        # fault: head_dim is read off the values; the two were one number before the refactoring
        self.head_dim = v_dim if dim_of_values else qk_dim
        self.default = qk_dim ** -0.5

    def forward(self, q, k, v, causal, mask, scale):
        q0 = q
        q, k, v, seen, rows = prepared(q, k, v, causal=causal, mask=mask)
        q = q * ((self.default if scale is None else scale) * self.head_dim ** 0.5)
        some = seen.any(-1, keepdim=True)
        full = (q.shape[0], q.shape[1], q.shape[2], k.shape[2])
        out = _fused(q, k, v, (seen | ~some).expand(full)).masked_fill(~some, 0)
        return finish(out, rows, q0)


def _boolean(mask):
    if mask is not None and mask.dtype != torch.bool:
        raise NotImplementedError("boolean masks")


def fused_right(q, k, v, *, causal=False, mask=None, scale=None):
    _boolean(mask)
    return FusedAttention(q.shape[-1], v.shape[-1], False)(q, k, v, causal, mask, scale)


def fused_value_dim_scale(q, k, v, *, causal=False, mask=None, scale=None):
    _boolean(mask)
    return FusedAttention(q.shape[-1], v.shape[-1], True)(q, k, v, causal, mask, scale)


# 2. masks of a batch, tiled over the heads --------------------------------------------------------------------------------
# line/lighthouse pull request 77 and ArrowLuo/CLIP4Clip issue 22: repeat where repeat_interleave was meant.
class FlatHeads(nn.Module):
    """Batch and heads folded into one axis, as nn.MultiheadAttention does it."""

    def __init__(self, tiled):
        super().__init__()
        self.tiled = tiled

    def forward(self, q, k, v, mask, causal):
        b, h, nq, d = q.shape
        q0 = q
        q, k, v, seen, rows = prepared(q, k, v, causal=causal, mask=mask)
        nk = k.shape[2]
        if seen.shape[1] == 1 and seen.shape[0] == b:
            seen = seen[:, 0]
            seen = seen.repeat(h, 1, 1) if self.tiled else seen.repeat_interleave(h, 0)  # fault: [M0 M1 M0 M1]
        else:
            seen = seen.expand(b, h, nq, nk).reshape(b * h, nq, nk)
        flat = [x.reshape(b * h, x.shape[2], x.shape[3]) for x in (q, k, v)]
        logits = torch.bmm(flat[0], flat[1].transpose(1, 2)) * d ** -0.5
        out = torch.bmm(weights(logits, seen), flat[2]).reshape(b, h, nq, v.shape[3])
        return finish(out, rows, q0)


def flat_heads_right(q, k, v, *, mask=None, causal=False):
    _boolean(mask)
    return FlatHeads(False)(q, k, v, mask, causal)


def flat_heads_mask_tiled(q, k, v, *, mask=None, causal=False):
    _boolean(mask)
    return FlatHeads(True)(q, k, v, mask, causal)


# 3. hidden logits lowered by 10000 ------------------------------------------------------------------------------------------
# The convention of huggingface/transformers issue 3121; that real logits reach such sizes is
# TransformerLensOrg/TransformerLens pull request 319.
def _lowered(q, k, v, causal, mask, *, by_ten_thousand):
    q0 = q
    q, k, v, seen, rows = prepared(q, k, v, causal=causal, mask=mask)
    logits = torch.einsum("bhid,bhjd->bhij", q, k) * q.shape[-1] ** -0.5
    if by_ten_thousand:
        p = (logits + (~seen).to(logits.dtype) * -10000.0).softmax(-1)  # fault: a large hidden logit stays large
    else:
        p = logits.masked_fill(~seen, torch.finfo(logits.dtype).min).softmax(-1)
    return finish(torch.einsum("bhij,bhje->bhie", p * seen, v), rows, q0)


def lowered_right(q, k, v, *, causal=False, mask=None):
    _boolean(mask)
    return _lowered(q, k, v, causal, mask, by_ten_thousand=False)


def lowered_by_ten_thousand(q, k, v, *, causal=False, mask=None):
    _boolean(mask)
    return _lowered(q, k, v, causal, mask, by_ten_thousand=True)


# 4. a cache of masks ------------------------------------------------------------------------------------------------------
class CachedMask(nn.Module):
    def __init__(self, window_in_key):
        super().__init__()
        self.window_in_key = window_in_key
        self.masks = {}

    def forward(self, q, k, v, causal, window):
        q0 = q
        q, k, v = up(q), up(k), up(v)
        k, v = grouped(k, v, q.shape[1])
        key = (q.shape[2], k.shape[2], bool(causal))
        if self.window_in_key:  # fault without: the mask of another window is found again
            key += (None if window is None else tuple(window) if not isinstance(window, int) else (window, window),)
        if key not in self.masks:
            if len(self.masks) >= 256:
                self.masks.clear()
            self.masks[key] = visible(q, k, causal=causal, window=window)
        seen = self.masks[key]
        k, v, rows = guard(k, v, seen)
        return finish(weights(q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5, seen) @ v, rows, q0)


_CACHED_RIGHT, _CACHED = CachedMask(True), CachedMask(False)


def cached_right(q, k, v, *, causal=False, window=None):
    return _CACHED_RIGHT(q, k, v, causal, window)


def cached_mask_forgets_window(q, k, v, *, causal=False, window=None):
    return _CACHED(q, k, v, causal, window)


# 5. and 6. an online softmax over blocks of keys ---------------------------------------------------------------------------
def _online(q, k, v, causal, *, block, sum_detached=False, counted_twice=False, overlap=False):
    q0 = q
    q, k, v = up(q), up(k), up(v)
    k, v = grouped(k, v, q.shape[1])
    nk = k.shape[2]
    seen = visible(q, k, causal=causal).expand(1, 1, q.shape[2], nk)
    k, v, rows = guard(k, v, seen)
    top = q.new_full((*q.shape[:3], 1), -math.inf)
    total = q.new_zeros((*q.shape[:3], 1))
    acc = q.new_zeros((*q.shape[:3], v.shape[3]))
    for s in range(0, nk, block):
        start = s
        if overlap and nk > block and s + block > nk:
            start = nk - block                    # every block has the same shape; the last one reaches back
        cut = slice(start, min(start + block, nk))
        see = seen[..., cut]
        if start < s and not counted_twice:       # fault without: the keys start..s-1 have been counted already
            see = see & (torch.arange(start, cut.stop) >= s)
        x = (q @ k[:, :, cut].transpose(-1, -2) * q.shape[-1] ** -0.5).masked_fill(~see, -math.inf)
        with torch.no_grad():
            new = torch.maximum(top, x.amax(-1, keepdim=True))
            base = torch.where(torch.isneginf(new), torch.zeros_like(new), new)
            shrink = torch.exp(top - base)
        p = torch.exp(x - base).masked_fill(~see, 0)
        # fault: the running sum is taken for a statistic like the maximum and leaves the graph
        total = (total.detach() if sum_detached else total) * shrink + p.sum(-1, keepdim=True)
        acc = acc * shrink + p @ v[:, :, cut]
        top = new
    out = acc / torch.where(total > 0, total, torch.ones_like(total))
    return finish(out, rows, q0)


def online_right(q, k, v, *, causal=False):
    return _online(q, k, v, causal, block=64)


def online_sum_detached(q, k, v, *, causal=False):
    return _online(q, k, v, causal, block=64, sum_detached=True)


def overlap_right(q, k, v, *, causal=False):
    return _online(q, k, v, causal, block=128, overlap=True)


def overlap_counted_twice(q, k, v, *, causal=False):
    return _online(q, k, v, causal, block=128, overlap=True, counted_twice=True)


# 7. "computed in float32 for stability" -----------------------------------------------------------------------------------
def _stable(q, k, v, causal, mask, scale, *, always_float):
    q0 = q
    q, k, v, seen, rows = prepared(q, k, v, causal=causal, mask=mask)
    logits = q @ k.transpose(-1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale)
    wide = logits.float() if always_float else logits  # fault: widens 16 bits, and narrows 64
    return finish(weights(wide, seen).to(v.dtype) @ v, rows, q0)


def stable_right(q, k, v, *, causal=False, mask=None, scale=None):
    _boolean(mask)
    return _stable(q, k, v, causal, mask, scale, always_float=False)


def stable_narrows_doubles(q, k, v, *, causal=False, mask=None, scale=None):
    _boolean(mask)
    return _stable(q, k, v, causal, mask, scale, always_float=True)


# 8. packed sequences, one of them empty on one side ---------------------------------------------------------------------
def _segments(cu, n, *, assigned):
    starts = torch.zeros(n + 1, dtype=torch.int64)
    inner = cu[1:-1].to(torch.int64)
    if assigned:
        starts[inner] += 1     # fault: an index that occurs twice is added once
    else:
        starts.index_add_(0, inner, torch.ones_like(inner))
    return starts.cumsum(0)[:n]


def _packed(q, k, v, cu_q, cu_k, causal, *, assigned):
    q0 = q
    q, k, v = up(q), up(k), up(v)
    k, v = grouped(k, v, q.shape[1])
    nq, nk = q.shape[2], k.shape[2]
    if cu_q is None:
        seen = visible(q, k, causal=causal)
    else:
        cu_k = cu_q if cu_k is None else cu_k
        sq, sk = (_segments(c, n, assigned=assigned) for c, n in ((cu_q, nq), (cu_k, nk)))
        seen = sq[:, None] == sk[None, :]
        if causal:  # the last query of a sequence sees its last key
            i = torch.arange(nq) - cu_q.to(torch.int64)[sq + 1]
            j = torch.arange(nk) - cu_k.to(torch.int64)[sk + 1]
            seen = seen & (j[None, :] <= i[:, None])
        seen = seen[None, None]
    k, v, rows = guard(k, v, seen)
    return finish(weights(q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5, seen) @ v, rows, q0)


def packed_right(q, k, v, *, cu_seqlens=None, cu_seqlens_k=None, causal=False):
    return _packed(q, k, v, cu_seqlens, cu_seqlens_k, causal, assigned=False)


def packed_empty_sequence(q, k, v, *, cu_seqlens=None, cu_seqlens_k=None, causal=False):
    return _packed(q, k, v, cu_seqlens, cu_seqlens_k, causal, assigned=True)
