"""Mechanisms over pooled, projected or chosen keys, each right but for one fault that a switch turns on; `*_right` is without it."""
import os
import sys

import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from steps_in_torch import finish, guard, up, weights  # noqa: E402

torch.set_num_threads(1)


# attention-sh: the last pooling window ---------------------------------------------------------------------------------
def _factors(factors, heads):
    if isinstance(factors, str):
        factors = [int(x) for x in factors.split(",")]
    if isinstance(factors, (int, float)):
        factors = [factors]
    factors = [int(x) for x in factors]
    return factors * heads if len(factors) == 1 else factors


def _pooled(x, s, floor, full):
    n, d = x.shape[1], x.shape[2]
    whole, rest = n // s, n % s
    parts = [x[:, :whole * s].reshape(x.shape[0], whole, s, d).mean(2)] if whole else []
    if rest and not floor:
        # fault: the remainder is padded with zeros and divided by the whole window
        parts.append(x[:, whole * s:].sum(1, keepdim=True) / (s if full else rest))
    return torch.cat(parts, 1)


def _scaled_heads(q, k, v, factors, remainder, *, full):
    q0 = q
    q, k, v = up(q), up(k), up(v)
    factors = _factors(factors, q.shape[1])
    if len(factors) != q.shape[1] or (remainder == "floor" and max(factors) > k.shape[2]):
        raise NotImplementedError("a factor for each head, a key for each")
    out = []
    for h, s in enumerate(factors):
        kp, vp = (_pooled(x[:, h], s, remainder == "floor", full) for x in (k, v))
        out.append((q[:, h] @ kp.transpose(-1, -2) * q.shape[-1] ** -0.5).softmax(-1) @ vp)
    return finish(torch.stack(out, 1), None, q0)


def scaled_heads_right(q, k, v, *, factors, remainder="ceil"):
    return _scaled_heads(q, k, v, factors, remainder, full=False)


def scaled_heads_full_window(q, k, v, *, factors, remainder="ceil"):
    return _scaled_heads(q, k, v, factors, remainder, full=True)


# nystromformer: the start of the pseudo-inverse -----------------------------------------------------------------------------
# mlpen/Nystromformer issue 3: the maximum runs over the batch and the heads. The documentation has that as another
# convention (maximum=batch); the function does not take the option, so its definition is maximum=own.
def _nystrom(q, k, v, landmarks, iterations, *, batch):
    q0 = q
    q, k, v = up(q), up(k), up(v)
    m = 64 if landmarks is None else int(landmarks)
    nq, nk, d = q.shape[2], k.shape[2], q.shape[3]
    if m >= nk and m >= nq:
        return finish((q @ k.transpose(-1, -2) * d ** -0.5).softmax(-1) @ v, None, q0)
    if nq % m or nk % m:
        raise NotImplementedError("lengths that landmarks do not divide")
    q, k = q * d ** -0.25, k * d ** -0.25
    lq = q.reshape(*q.shape[:2], m, nq // m, d).mean(3)
    lk = k.reshape(*k.shape[:2], m, nk // m, d).mean(3)
    left, middle, right = ((a @ b.transpose(-1, -2)).softmax(-1) for a, b in ((q, lk), (lq, lk), (lq, k)))
    columns = middle.sum(-2)
    c = columns.max() if batch else columns.amax(-1)[..., None, None]
    z, one = middle.transpose(-1, -2) / c, torch.eye(m, dtype=q.dtype)
    for _ in range(iterations):
        kz = middle @ z
        z = 0.25 * z @ (13 * one - kz @ (15 * one - kz @ (7 * one - kz)))
    return finish(left @ z @ (right @ v), None, q0)


def nystrom_right(q, k, v, *, landmarks=None, iterations=6):
    return _nystrom(q, k, v, landmarks, iterations, batch=False)


def nystrom_batch_maximum(q, k, v, *, landmarks=None, iterations=6):
    return _nystrom(q, k, v, landmarks, iterations, batch=True)


# linformer: padded values -----------------------------------------------------------------------------------------------
def _linformer(q, k, v, e, f, key_lengths, *, values_kept):
    q0 = q
    q, k, v, e, f = up(q), up(k), up(v), up(e), up(f)
    if key_lengths is not None:
        pad = (torch.arange(k.shape[2])[None, :] >= key_lengths.to(torch.int64)[:, None])[:, None, :, None]
        k = k.masked_fill(pad, 0)
        # fault: in softmax attention hiding the key is enough, here F mixes the padded values into all
        v = v if values_kept else v.masked_fill(pad, 0)
    k, v = e.transpose(-1, -2) @ k, f.transpose(-1, -2) @ v
    return finish((q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5).softmax(-1) @ v, None, q0)


def linformer_right(q, k, v, *, E, F, key_lengths=None):
    return _linformer(q, k, v, E, F, key_lengths, values_kept=False)


def linformer_padded_values(q, k, v, *, E, F, key_lengths=None):
    return _linformer(q, k, v, E, F, key_lengths, values_kept=True)


# sparse: gathered keys, as many as the first query has ---------------------------------------------------------------------
def _sparse(q, k, v, mask, *, of_first):
    if mask is None or mask.dtype != torch.bool or mask.dim() != 2:
        raise NotImplementedError("a boolean mask [N_q][N_k]")
    q0 = q
    q, k, v = up(q), up(k), up(v)
    k, v, rows = guard(k, v, mask[None, None])
    count = mask.sum(-1)
    # fault: the width of the gathered table is that of the first row, as it would do for a pattern with equal rows
    width = int(count[0]) if of_first else int(count.max())
    width = max(width, 1)
    if q.shape[0] * q.shape[1] * q.shape[2] * max(width, int(count.max())) * max(q.shape[3], v.shape[3]) > 2 ** 26:
        raise NotImplementedError("a table too large for memory")
    # where each row sees: first what is seen, in order, then anything
    index = torch.argsort((~mask).to(torch.int64) * mask.shape[1] + torch.arange(mask.shape[1]), dim=-1)[:, :width]
    valid = torch.arange(width)[None, :] < count[:, None]
    kg, vg = k[:, :, index], v[:, :, index]                       # [B][H][N_q][width][D]
    logits = (q[:, :, :, None, :] * kg).sum(-1) * q.shape[-1] ** -0.5
    w = weights(logits, valid[None, None])
    return finish((w[..., None] * vg).sum(-2), rows, q0)


def sparse_right(q, k, v, *, mask=None):
    return _sparse(q, k, v, mask, of_first=False)


def sparse_width_of_first_row(q, k, v, *, mask=None):
    return _sparse(q, k, v, mask, of_first=True)
