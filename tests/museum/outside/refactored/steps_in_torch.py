"""What the implementations of this folder share; nothing here is faulty."""
import math

import torch


def up(x):
    """16-bit arrays are computed in float32, wider ones as they are."""
    return x.float() if x.dtype in (torch.float16, torch.bfloat16) else x


def visible(q, k, *, causal=False, mask=None, key_lengths=None, window=None, bottom_right=True):
    """Booleans that broadcast to [B][H][N_q][N_k]: which query sees which key."""
    nq, nk = q.shape[2], k.shape[2]
    i = torch.arange(nq)[:, None] + (nk - nq if bottom_right else 0)
    j = torch.arange(nk)[None, :]
    seen = torch.ones(1, 1, nq, nk, dtype=torch.bool)
    if causal:
        seen = seen & (j <= i)
    if window is not None:
        before, after = (window, window) if isinstance(window, (int, float)) else (int(window[0]), int(window[1]))
        if before >= 0:
            seen = seen & (j >= i - before)
        if after >= 0:
            seen = seen & (j <= i + after)
    if mask is not None:
        m = mask if mask.dtype == torch.bool else ~torch.isneginf(mask)
        seen = seen & (m if m.dim() == 4 else m[None, None])
    if key_lengths is not None:
        seen = seen & (j < key_lengths.to(torch.int64)[:, None, None, None])
    return seen


def guard(k, v, seen):
    """Takes what is not a number out of keys and values, and says which queries should have noticed."""
    bad = ~(torch.isfinite(k).all(-1) & torch.isfinite(v).all(-1))
    if not bool(bad.any()):
        return k, v, None
    rows = (seen & bad[:, :, None, :]).any(-1, keepdim=True)
    return k.masked_fill(bad[..., None], 0), v.masked_fill(bad[..., None], 0), rows


def finish(out, rows, like):
    if rows is not None:
        out = out.masked_fill(rows, math.nan)
    return out.to(like.dtype)


def weights(logits, seen):
    """Row by row softmax over what is seen; a row that sees nothing is 0, its gradient too."""
    seen = seen.expand(logits.shape)
    some = seen.any(-1, keepdim=True)
    logits = logits.masked_fill(~seen & some, -math.inf).masked_fill(~some, 0)
    return logits.softmax(-1).masked_fill(~seen, 0)


def grouped(k, v, heads):
    """Grouped heads: query head h reads key head h // group."""
    group = heads // k.shape[1]
    return (k, v) if group == 1 else (k.repeat_interleave(group, 1), v.repeat_interleave(group, 1))


def per_head(x, like):
    """A number, or one for each head, that multiplies [B][H][N][D]."""
    if isinstance(x, torch.Tensor):
        x = x.to(like.dtype)
        return x.view(1, -1, 1, 1) if x.dim() == 1 else x
    return float(x)


def prepared(q, k, v, **visibility):
    """What most begin with: q, k and v in the type of the sums, with a key head for each query head and without what is
    not a number, who sees what, and the queries that should notice."""
    q, k, v = up(q), up(k), up(v)
    k, v = grouped(k, v, q.shape[1])
    seen = visible(q, k, **visibility)
    k, v, rows = guard(k, v, seen)
    return q, k, v, seen, rows
