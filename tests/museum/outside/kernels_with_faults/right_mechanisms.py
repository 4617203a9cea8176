"""Other mechanisms, right."""
import torch
from common_torch import wide, band, softmax, added


def phi(x):
    return torch.where(x > 0, x + 1, x.clamp(max=0).exp())


def linear(q, k, v, *, causal=False, eps=1e-6):
    return linear_in_chunks(q, k, v, causal, eps)


def linear_in_chunks(q, k, v, causal, eps, fault=None):
    dtype, n = q.dtype, q.shape[2]
    if causal and n != k.shape[2]:
        raise NotImplementedError
    q, k, v = phi(wide(q)), phi(wide(k)), wide(v)
    if not causal:
        return (q @ (k.transpose(-1, -2) @ v) / (q @ k.sum(2)[..., None] + eps)).to(dtype)
    state = torch.zeros(q.shape[:2] + (q.shape[3], v.shape[3]), dtype=q.dtype)
    z = torch.zeros(q.shape[:2] + (q.shape[3], 1), dtype=q.dtype)
    outs = []
    for c in range(0, n, 32):
        Q, K, V = q[:, :, c:c + 32], k[:, :, c:c + 32], v[:, :, c:c + 32]
        A = (Q @ K.transpose(-1, -2)).tril()
        below = A.sum(-1, keepdim=True)
        if fault == "whole chunk in the denominator":
            below = Q @ K.sum(2)[..., None]
        outs.append((A @ V + Q @ state) / (below + Q @ z + eps))
        state = state + K.transpose(-1, -2) @ V
        z = z + K.sum(2)[..., None]
    return torch.cat(outs, 2).to(dtype)


def weights(q, k, causal=False, scale=None, window=None, softcap=0, bias=None, mask=None):
    x = q @ k.transpose(-1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale)
    if softcap:
        x = softcap * torch.tanh(x / softcap)
    j = torch.arange(k.shape[2])
    more, seen = added(mask, bias, None, j, j, x)
    visible = band(torch.arange(q.shape[2]) + k.shape[2] - q.shape[2], j, causal, window)
    if seen is not None:
        visible = visible & seen
    return softmax(x + more, visible.expand(x.shape))[0]


def twicing(q, k, v, *, causal=False, scale=None, window=None, softcap=0, bias=None, mask=None):
    dtype = q.dtype
    q, k, v = wide(q), wide(k), wide(v)
    A = weights(q, k, causal, scale, window, softcap, bias, mask)
    once = A @ v
    return (once + A @ (v - once)).to(dtype)


def graph_diffusion(q, k, v, *, causal=False, scale=None, softcap=0):
    dtype = q.dtype
    q, k, v = wide(q), wide(k), wide(v)
    return (weights(q, k, causal, scale, None, softcap) @ v - v).to(dtype)


def per_head(x):
    return wide(x).view(-1, 1, 1) if torch.is_tensor(x) and x.dim() == 1 else wide(x) if torch.is_tensor(x) else x


def neutreno(q, k, v, *, v0=None, lambda_=0.6, causal=False, scale=None):
    dtype = q.dtype
    q, k, v = wide(q), wide(k), wide(v)
    out = weights(q, k, causal, scale) @ v
    if v0 is not None:
        out = out + per_head(lambda_) * (wide(v0) - v)
    return out.to(dtype)


def attention_bn(q, k, v, *, beta=1.0, eps=1e-5):
    dtype = q.dtype
    q, k, v = wide(q), wide(k), wide(v)
    mu = k.mean(2, keepdim=True)
    s = (((k - mu) ** 2).mean(2, keepdim=True) + eps).sqrt()
    b = per_head(beta)
    return (weights((q - b * mu) / s, (k - b * mu) / s) @ v).to(dtype)


def kernel_regression(q, k, v, *, bandwidth=None, kernel='gaussian', causal=False):
    dtype = q.dtype
    if q.shape[2] * k.shape[2] * q.shape[3] > 2 ** 25 or causal and q.shape[2] != k.shape[2]:
        raise NotImplementedError
    q, k, v = wide(q), wide(k), wide(v)
    sigma = q.shape[-1] ** 0.25 if bandwidth is None else per_head(bandwidth)
    if kernel == 'dot':
        x = q @ k.transpose(-1, -2) / (sigma * sigma)
    else:
        x = -((q[:, :, :, None] - k[:, :, None]) ** 2).sum(-1) / (2 * sigma * sigma)
    seen = band(torch.arange(q.shape[2]), torch.arange(k.shape[2]), causal, None).expand(x.shape)
    return (softmax(x, seen)[0] @ v).to(dtype)


def elliptical(q, k, v, *, v_previous=None, normalise='max', delta=1.0, gradient='through'):
    return in_metric(q, k, v, v_previous, normalise, delta, gradient, lambda m: m.amax(-1, keepdim=True))


def in_metric(q, k, v, v_previous, normalise, delta, gradient, largest):
    dtype = q.dtype
    q, k, v = wide(q), wide(k), wide(v)
    if v_previous is not None:
        m = (v - wide(v_previous)).abs().mean(2, keepdim=True) / delta
        if gradient == 'stop':
            m = m.detach()
        if normalise == 'max':
            m = m / largest(m)
        elif normalise == 'mean':
            m = m / m.mean(-1, keepdim=True)
        q = q * m
    return (weights(q, k) @ v).to(dtype)


def pool(x, factor, remainder):
    n = x.shape[1]
    whole = n // factor * factor
    parts = []
    if whole:
        parts.append(x[:, :whole].reshape(x.shape[0], n // factor, factor, x.shape[2]).mean(2))
    if remainder == 'ceil' and whole < n:
        parts.append(x[:, whole:].mean(1, keepdim=True))
    if not parts:
        raise NotImplementedError
    return torch.cat(parts, 1)


def attention_sh(q, k, v, *, factors, remainder='ceil', pool=pool):
    dtype, H = q.dtype, q.shape[1]
    factors = [int(factors)] if not hasattr(factors, '__len__') else [int(f) for f in factors]
    if len(factors) == 1:
        factors = factors * H
    q, k, v = wide(q), wide(k), wide(v)
    outs = []
    for h, f in enumerate(factors):
        K, V = pool(k[:, h], f, remainder), pool(v[:, h], f, remainder)
        outs.append((q[:, h] @ K.transpose(-1, -2) * q.shape[-1] ** -0.5).softmax(-1) @ V)
    return torch.stack(outs, 1).to(dtype)
