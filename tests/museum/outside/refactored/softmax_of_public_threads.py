"""Plain softmax attention in NumPy and PyTorch, each right but for one fault of a kind that threads of public projects
report. `*_right` is the implementation without it."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))


def _prepared(q, k, v):
    """In the type of the sums, with a key head for each query head."""
    if q.dtype != np.float64:
        q, k, v = (x.astype(np.float32) for x in (q, k, v))
    group = q.shape[1] // k.shape[1]
    return q, np.repeat(k, group, 1), np.repeat(v, group, 1)


def _band(queries, keys, causal, window, offset):
    """Which query sees which key."""
    past = np.arange(keys)[None] - np.arange(queries)[:, None] - offset
    seen = past <= 0 if causal else np.ones((queries, keys), bool)
    before, after = (-1, -1) if window is None else window
    if before >= 0:
        seen = seen & (past >= -before)
    if after >= 0:
        seen = seen & (past <= after)
    return seen


def _part(logits, seen, v):
    """Largest logit, sum of exponentials and weighted values of some keys."""
    logits = np.where(seen, logits, -np.inf)
    top = logits.max(-1, keepdims=True, initial=-np.inf)
    weights = np.where(seen, np.exp(logits - np.where(np.isinf(top), 0, top)), 0)
    return top, weights.sum(-1, keepdims=True), weights @ v


def _merged(parts):
    """The softmax over all parts: out and lse."""
    top = np.maximum.reduce([part[0] for part in parts])
    level = np.where(np.isinf(top), 0, top)
    total = sum(part[1] * np.exp(part[0] - level) for part in parts)
    mixed = sum(part[2] * np.exp(part[0] - level) for part in parts)
    with np.errstate(divide="ignore"):
        lse = np.where(total == 0, -np.inf, level + np.log(total))
    return mixed / np.where(total == 0, 1, total), lse[..., 0]


# 1. attention sinks beside keys in splits -----------------------------------------------------------------------------------
def _sink(q, k, v, sinks, *, every_split):
    dtype = q.dtype
    q, k, v = _prepared(q, k, v)
    parts = []
    for start in range(0, k.shape[2], 128):
        cut = slice(start, start + 128)
        parts.append(_part(q @ np.swapaxes(k[:, :, cut], 2, 3) * q.shape[-1] ** -0.5, True, v[:, :, cut]))
        if sinks is not None and (every_split or start == 0):  # fault: each split begins with the sink in its sum
            level = np.broadcast_to(sinks.astype(q.dtype)[None, :, None, None], parts[-1][0].shape)
            parts.append((level, np.ones_like(level), np.zeros_like(parts[-1][2])))
    out, lse = _merged(parts)
    return {"out": out.astype(dtype), "lse": lse}


def sink_right(q, k, v, *, sinks=None):
    return _sink(q, k, v, sinks, every_split=False)


def sink_in_every_split(q, k, v, *, sinks=None):
    return _sink(q, k, v, sinks, every_split=True)


# 2. which tiles of keys a tile of queries walks ---------------------------------------------------------------------------
def _tiled(q, k, v, causal, window, alignment, *, rounded_up, tile=16):
    dtype = q.dtype
    q, k, v = _prepared(q, k, v)
    queries, keys = q.shape[2], k.shape[2]
    offset = 0 if alignment == "top_left" else keys - queries
    seen = _band(queries, keys, causal, window, offset)
    out = np.zeros((*q.shape[:3], v.shape[3]), q.dtype)
    lse = np.full(q.shape[:3], -np.inf, q.dtype)
    for i in range(0, queries, tile):
        rows = slice(i, i + tile)
        start = 0
        if causal and window is not None and window[0] >= 0:
            start = max(0, i + offset - window[0])
            # fault: where whole tiles of queries stand before the first key, the start is rounded up to a tile
            up = rounded_up and queries >= keys + tile
            start = (start + tile - 1 if up else start) // tile * tile
        parts = [_part(q[:, :, rows] @ np.swapaxes(k[:, :, j:j + tile], 2, 3) * q.shape[-1] ** -0.5,
                       seen[rows, j:j + tile], v[:, :, j:j + tile]) for j in range(start, keys, tile)]
        if parts:
            out[:, :, rows], lse[:, :, rows] = _merged(parts)
    return {"out": out.astype(dtype), "lse": lse}


def tiled_right(q, k, v, *, causal=False, window=None, alignment="bottom_right"):
    return _tiled(q, k, v, causal, window, alignment, rounded_up=False)


def window_without_a_tile(q, k, v, *, causal=False, window=None, alignment="bottom_right"):
    return _tiled(q, k, v, causal, window, alignment, rounded_up=True)


# 3. a bias made from slopes -------------------------------------------------------------------------------------------------
_BIASES = {}


def _slopes(q, k, v, alibi_slopes, causal, *, kept):
    import torch
    from steps_in_torch import finish, prepared, weights
    q0 = q
    q, k, v, seen, rows = prepared(q, k, v, causal=causal)
    logits = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
    if alibi_slopes is not None:
        key = tuple(logits.shape[1:]), logits.dtype
        if not kept or key not in _BIASES:  # fault: the slopes are not part of the key
            at = torch.arange(q.shape[2])[:, None] + k.shape[2] - q.shape[2]
            distances = (at - torch.arange(k.shape[2])).abs().to(logits.dtype)
            _BIASES[key] = alibi_slopes.to(logits.dtype)[:, None, None] * distances
        logits = logits - _BIASES[key]
    return finish(weights(logits, seen) @ v, rows, q0)


def slopes_right(q, k, v, *, alibi_slopes=None, causal=False):
    return _slopes(q, k, v, alibi_slopes, causal, kept=False)


def alibi_kept_by_shape(q, k, v, *, alibi_slopes=None, causal=False):
    return _slopes(q, k, v, alibi_slopes, causal, kept=True)


# 4. distances under a causal mask -------------------------------------------------------------------------------------------
def _distances(q, k, v, alibi_slopes, causal, *, by_column):
    dtype = q.dtype
    q, k, v = _prepared(q, k, v)
    queries, keys = q.shape[2], k.shape[2]
    logits = q @ np.swapaxes(k, 2, 3) * q.shape[-1] ** -0.5
    if alibi_slopes is not None:
        past = np.arange(keys)[None] - np.arange(queries)[:, None] - (keys - queries)
        # fault: slope * j, which differs by one number a row, so that out is right and lse is not
        term = np.broadcast_to(np.arange(keys)[None], past.shape) if causal and by_column else -np.abs(past)
        logits = logits + alibi_slopes.astype(q.dtype)[:, None, None] * term.astype(q.dtype)
    out, lse = _merged([_part(logits, _band(queries, keys, causal, None, keys - queries), v)])
    return {"out": out.astype(dtype), "lse": lse}


def distances_right(q, k, v, *, alibi_slopes=None, causal=False):
    return _distances(q, k, v, alibi_slopes, causal, by_column=False)


def alibi_by_column(q, k, v, *, alibi_slopes=None, causal=False):
    return _distances(q, k, v, alibi_slopes, causal, by_column=True)


# 5. one query over many keys ------------------------------------------------------------------------------------------------
def _decode(q, k, v, causal, *, whole_blocks_alone, block=64):
    dtype = q.dtype
    q, k, v = _prepared(q, k, v)
    queries, keys = q.shape[2], k.shape[2]
    seen = _band(queries, keys, causal, None, keys - queries)
    if queries == 1 and keys > block:
        end = keys // block * block if whole_blocks_alone else keys  # fault: keys after the last whole block
        blocks = [slice(j, min(j + block, end)) for j in range(0, end, block)]
    else:
        blocks = [slice(0, keys)]
    out, lse = _merged([_part(q @ np.swapaxes(k[:, :, cut], 2, 3) * q.shape[-1] ** -0.5, seen[:, cut], v[:, :, cut])
                        for cut in blocks])
    return {"out": out.astype(dtype), "lse": lse}


def decode_right(q, k, v, *, causal=False):
    return _decode(q, k, v, causal, whole_blocks_alone=False)


def decode_drops_the_remainder(q, k, v, *, causal=False):
    return _decode(q, k, v, causal, whole_blocks_alone=True)
