"""Mechanisms other than softmax over all keys, each right but for one fault that a switch turns on; `*_right` is without it."""
import math
import os
import sys

import torch

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from steps_in_torch import finish, guard, per_head, prepared, up, visible, weights  # noqa: E402

torch.set_num_threads(1)


# linear: key padding ------------------------------------------------------------------------------------------------
def _phi(x):
    # elu + 1 without the cancellation of (exp(x) - 1) + 1 where x is negative
    return torch.where(x >= 0, x + 1, x.clamp(max=0).exp())


def _linear(q, k, v, key_lengths, eps, *, zeroed_before_map):
    q0 = q
    q, k, v, seen, rows = prepared(q, k, v, key_lengths=key_lengths)
    fq = _phi(q)
    if key_lengths is None:
        fk = _phi(k)
    else:
        real = (torch.arange(k.shape[2])[None, :] < key_lengths.to(torch.int64)[:, None])[:, None, :, None]
        v = v.masked_fill(~real, 0)
        # fault: padded keys become 0 before the feature map, and elu(0) + 1 is 1
        fk = _phi(k.masked_fill(~real, 0)) if zeroed_before_map else _phi(k).masked_fill(~real, 0)
    state = fk.transpose(-1, -2) @ v
    norm = (fq * fk.sum(2, keepdim=True)).sum(-1, keepdim=True) + eps
    return finish(fq @ state / norm, rows, q0)


def linear_right(q, k, v, *, key_lengths=None, eps=1e-6):
    return _linear(q, k, v, key_lengths, eps, zeroed_before_map=False)


def linear_padding_counts(q, k, v, *, key_lengths=None, eps=1e-6):
    return _linear(q, k, v, key_lengths, eps, zeroed_before_map=True)


# linear-twicing: second pass forgets the mask -----------------------------------------------------------------------
def _linear_pass(fq, fk, x, eps, causal, rows=64):
    if not causal:
        return fq @ (fk.transpose(-1, -2) @ x) / ((fq * fk.sum(2, keepdim=True)).sum(-1, keepdim=True) + eps)
    state = torch.zeros(*fq.shape[:2], fq.shape[3], x.shape[3], dtype=x.dtype)
    total = torch.zeros(*fq.shape[:2], 1, fq.shape[3], dtype=x.dtype)
    parts = []
    for s in range(0, fq.shape[2], rows):
        a, b, c = fq[:, :, s:s + rows], fk[:, :, s:s + rows], x[:, :, s:s + rows]
        within = (a @ b.transpose(-1, -2)).tril()
        norm = within.sum(-1, keepdim=True) + (a * total).sum(-1, keepdim=True) + eps
        parts.append((within @ c + a @ state) / norm)
        state = state + b.transpose(-1, -2) @ c
        total = total + b.sum(2, keepdim=True)
    return torch.cat(parts, 2)


def _linear_twicing(q, k, v, causal, eps, *, second_sees_all):
    if q.shape[2] != k.shape[2]:
        raise NotImplementedError("as many queries as keys")
    q0 = q
    q, k, v = up(q), up(k), up(v)
    k, v, rows = guard(k, v, visible(q, k, causal=causal))
    fq, fk = _phi(q), _phi(k)
    first = _linear_pass(fq, fk, v, eps, causal)
    # fault: the helper's default is bidirectional and the second call does not say otherwise
    second = _linear_pass(fq, fk, v - first, eps, False if second_sees_all else causal)
    return finish(first + second, rows, q0)


def linear_twicing_right(q, k, v, *, causal=False, eps=1e-6):
    return _linear_twicing(q, k, v, causal, eps, second_sees_all=False)


def linear_twicing_second_pass_leaks(q, k, v, *, causal=False, eps=1e-6):
    return _linear_twicing(q, k, v, causal, eps, second_sees_all=True)


# twicing: the second pass runs before the first is complete -----------------------------------------------------------
def _twicing(q, k, v, causal, mask, scale, *, fused_loop, rows=64):
    q0 = q
    q, k, v = up(q), up(k), up(v)
    n = q.shape[2]
    seen = visible(q, k, causal=causal, mask=mask).expand(q.shape[0], q.shape[1], n, n)
    k, v, bad = guard(k, v, seen)
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    a = [weights(q[:, :, s:s + rows] @ k.transpose(-1, -2) * scale, seen[:, :, s:s + rows]) for s in range(0, n, rows)]
    out = []
    if fused_loop:
        # fault: one loop over blocks of queries does both products; what later blocks will write is still 0
        smooth = torch.zeros_like(v)
        for b, s in enumerate(range(0, n, rows)):
            smooth = torch.cat([smooth[:, :, :s], a[b] @ v, smooth[:, :, s + rows:]], 2)
            residual = v - smooth
            out.append(smooth[:, :, s:s + rows] + a[b] @ residual)
    else:
        smooth = torch.cat([x @ v for x in a], 2)
        for b, s in enumerate(range(0, n, rows)):
            out.append(smooth[:, :, s:s + rows] + a[b] @ (v - smooth))
    if bad is not None:  # the residual of a bad row reaches who sees that row
        bad = bad.expand(-1, q.shape[1], -1, -1)
        bad = bad | (seen & bad.transpose(-1, -2)).any(-1, keepdim=True)
    return finish(torch.cat(out, 2), bad, q0)


def twicing_right(q, k, v, *, causal=False, mask=None, scale=None):
    return _twicing(q, k, v, causal, mask, scale, fused_loop=False)


def twicing_fused_loop(q, k, v, *, causal=False, mask=None, scale=None):
    return _twicing(q, k, v, causal, mask, scale, fused_loop=True)


# alibi: slopes of a number of heads that is not a power of two ----------------------------------------------------------
# The fault is that of ml-explore/mlx pull request 3071 (fixed there).
def _slopes(heads, *, one_sequence):
    def geometric(n):
        return [2.0 ** (-8.0 * (h + 1) / n) for h in range(n)]
    if one_sequence:
        return geometric(heads)
    n = 2 ** int(math.floor(math.log2(heads)))
    return geometric(n) + geometric(2 * n)[0::2][:heads - n]


def _alibi(q, k, v, causal, mask, *, one_sequence):
    q0 = q
    q, k, v, seen, rows = prepared(q, k, v, causal=causal, mask=mask)
    m = torch.tensor(_slopes(q.shape[1], one_sequence=one_sequence), dtype=q.dtype)
    far = (torch.arange(q.shape[2])[:, None] + k.shape[2] - q.shape[2] - torch.arange(k.shape[2])[None, :]).abs()
    logits = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5 - m[:, None, None] * far.to(q.dtype)
    return finish(weights(logits, seen) @ v, rows, q0)


def alibi_right(q, k, v, *, causal=False, mask=None):
    return _alibi(q, k, v, causal, mask, one_sequence=False)


def alibi_one_sequence(q, k, v, *, causal=False, mask=None):
    return _alibi(q, k, v, causal, mask, one_sequence=True)


# bilateral: one bandwidth given ----------------------------------------------------------------------------------------
def _bilateral(q, k, v, qp, kp, causal, mask, h_p2, h_y2, *, follows):
    q0 = q
    q, k, v, qp, kp = up(q), up(k), up(v), up(qp), up(kp)
    if causal and q.shape[2] != k.shape[2]:
        raise NotImplementedError("causal with other lengths")
    seen = visible(q, k, causal=causal, mask=mask)
    k, v, rows = guard(k, v, seen)
    default = q.shape[-1] ** 0.5
    hp = default if h_p2 is None else per_head(h_p2, q)
    # fault: after a clean-up the second bandwidth falls back to the first instead of to sqrt(D)
    hy = (hp if follows else default) if h_y2 is None else per_head(h_y2, q)
    logits = (qp @ kp.transpose(-1, -2)) / hp + (q @ k.transpose(-1, -2)) / hy
    return finish(weights(logits, seen) @ v, rows, q0)


def bilateral_right(q, k, v, *, qp, kp, causal=False, mask=None, h_p2=None, h_y2=None):
    return _bilateral(q, k, v, qp, kp, causal, mask, h_p2, h_y2, follows=False)


def bilateral_bandwidth_follows(q, k, v, *, qp, kp, causal=False, mask=None, h_p2=None, h_y2=None):
    return _bilateral(q, k, v, qp, kp, causal, mask, h_p2, h_y2, follows=True)


# kernel regression: exp without subtracting the largest exponent ---------------------------------------------------------
def _regression(q, k, v, mask, bandwidth, *, plain):
    q0 = q
    q, k, v, seen, rows = prepared(q, k, v, mask=mask)
    sigma = q.shape[-1] ** 0.25 if bandwidth is None else per_head(bandwidth, q)
    half = 0.5 / (sigma * sigma)
    if plain:
        d2 = (q * q).sum(-1, keepdim=True) + (k * k).sum(-1)[:, :, None, :] - 2 * (q @ k.transpose(-1, -2))
        # fault: every weight of a query far from all keys underflows, and the guard of the division makes the row 0
        w = torch.exp(-d2.clamp(min=0) * half).masked_fill(~seen, 0)
        w = w / w.sum(-1, keepdim=True).clamp(min=torch.finfo(w.dtype).tiny)
    else:
        # |q|^2 is the same for all keys of a row
        w = weights((2 * (q @ k.transpose(-1, -2)) - (k * k).sum(-1)[:, :, None, :]) * half, seen)
    return finish(w @ v, rows, q0)


def regression_right(q, k, v, *, mask=None, bandwidth=None):
    return _regression(q, k, v, mask, bandwidth, plain=False)


def regression_underflows(q, k, v, *, mask=None, bandwidth=None):
    return _regression(q, k, v, mask, bandwidth, plain=True)


# attention-bn-simplified: statistics over the batch ----------------------------------------------------------------------
def _recentred(q, k, v, beta, *, batch):
    q0 = q
    q, k, v = up(q), up(k), up(v)
    # fault: as in a batch normalisation the mean runs over the sequences of the batch too
    mu = k.mean((0, 2), keepdim=True) if batch else k.mean(2, keepdim=True)
    b = per_head(beta, q)
    logits = (q - b * mu) @ (k - b * mu).transpose(-1, -2) * q.shape[-1] ** -0.5
    return finish(logits.softmax(-1) @ v, None, q0)


def recentred_right(q, k, v, *, beta=1.0):
    return _recentred(q, k, v, beta, batch=False)


def recentred_over_batch(q, k, v, *, beta=1.0):
    return _recentred(q, k, v, beta, batch=True)


# graph diffusion: a window with two different sides ----------------------------------------------------------------------
def _diffusion(q, k, v, causal, window, scale, *, symmetric):
    q0 = q
    q, k, v = up(q), up(k), up(v)
    if window is not None and not isinstance(window, (int, float)) and symmetric:
        # fault: the band is |i - j| <= left, the number of keys after the query is dropped
        window = (int(window[0]), int(window[0]))
    seen = visible(q, k, causal=causal, window=window)
    k, v, rows = guard(k, v, seen)
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    return finish(weights(q @ k.transpose(-1, -2) * scale, seen) @ v - v, rows, q0)


def diffusion_right(q, k, v, *, causal=False, window=None, scale=None):
    return _diffusion(q, k, v, causal, window, scale, symmetric=False)


def diffusion_symmetric_window(q, k, v, *, causal=False, window=None, scale=None):
    return _diffusion(q, k, v, causal, window, scale, symmetric=True)


# neutreno: writes into the caller's array ------------------------------------------------------------------------------
def _neutreno(q, k, v, v0, causal, lam, *, in_place):
    if v0 is None:
        difference = None
    elif in_place and not v0.requires_grad:
        # fault: saves an array where autograd does not need v0, but v0 belongs to the first layer
        difference = up(v0).sub_(up(v))
    else:
        difference = up(v0) - up(v)
    q0 = q
    q, k, v, seen, rows = prepared(q, k, v, causal=causal)
    out = weights(q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5, seen) @ v
    if difference is not None:
        out = out + per_head(lam, q) * difference
    return finish(out, rows, q0)


def neutreno_right(q, k, v, *, v0=None, causal=False, lambda_=0.6):
    return _neutreno(q, k, v, v0, causal, lambda_, in_place=False)


def neutreno_in_place(q, k, v, *, v0=None, causal=False, lambda_=0.6):
    return _neutreno(q, k, v, v0, causal, lambda_, in_place=True)


# elliptical: the metric is cut off from the values -----------------------------------------------------------------------
def _elliptical(q, k, v, v_previous, mask, *, detached):
    q0 = q
    q, k, v = up(q), up(k), up(v)
    seen = visible(q, k, mask=mask)
    if v_previous is not None:
        m = (v - up(v_previous)).abs().mean(2, keepdim=True)
        m = m / m.amax(-1, keepdim=True)
        q = q * (m.detach() if detached else m)  # fault: dv lacks what comes through the metric
    k, v, rows = guard(k, v, seen)
    return finish(weights(q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5, seen) @ v, rows, q0)


def elliptical_right(q, k, v, *, v_previous=None, mask=None):
    return _elliptical(q, k, v, v_previous, mask, detached=False)


def elliptical_detached(q, k, v, *, v_previous=None, mask=None):
    return _elliptical(q, k, v, v_previous, mask, detached=True)
