"""Fifteen implementations of other mechanisms with one bug each."""
import torch
import right_mechanisms as right
from right_mechanisms import phi, weights, per_head
from common_torch import wide, band, softmax


def m01(q, k, v, *, causal=False, eps=1e-6):
    return right.linear_in_chunks(q, k, v, causal, eps, "whole chunk in the denominator")


def m02(q, k, v, *, causal=False, eps=1e-6):
    dtype, n = q.dtype, q.shape[2]
    if causal and n != k.shape[2]:
        raise NotImplementedError
    q, k, v = phi(wide(q)), phi(wide(k)), wide(v)
    if not causal:
        return (q @ (k.transpose(-1, -2) @ v) / (q @ k.sum(2)[..., None]).clamp(min=eps)).to(dtype)
    A = (q @ k.transpose(-1, -2)).tril()
    return (A @ v / A.sum(-1, keepdim=True).clamp(min=eps)).to(dtype)


def m03(q, k, v, *, causal=False, eps=1e-6):
    dtype, n = q.dtype, q.shape[2]
    if causal and n != k.shape[2]:
        raise NotImplementedError
    feature = lambda x: torch.where(x > 0, x + 1, x.exp())
    q, k, v = feature(wide(q)), feature(wide(k)), wide(v)
    if not causal:
        return (q @ (k.transpose(-1, -2) @ v) / (q @ k.sum(2)[..., None] + eps)).to(dtype)
    A = (q @ k.transpose(-1, -2)).tril()
    return (A @ v / (A.sum(-1, keepdim=True) + eps)).to(dtype)


def m04(q, k, v, *, causal=False, scale=None, window=None, softcap=0, bias=None, mask=None):
    dtype = q.dtype
    q, k, v = wide(q), wide(k), wide(v)
    A = weights(q, k, causal, scale, window, softcap, bias, mask)
    once = A @ v
    return (once + A @ (v - once).detach()).to(dtype)


def m05(q, k, v, *, causal=False, scale=None, window=None, softcap=0, bias=None, mask=None):
    dtype = q.dtype
    q, k, v = wide(q), wide(k), wide(v)
    once = weights(q, k, causal, scale, window, softcap, bias, mask) @ v
    return (once + weights(q, k, causal, scale, window, 0, bias, mask) @ (v - once)).to(dtype)


def m06(q, k, v, *, causal=False, scale=None, softcap=0):
    dtype = q.dtype
    q, k, v = wide(q), wide(k), wide(v)
    return (weights(q, k, causal, scale, None, softcap) @ v - v.detach()).to(dtype)


def m07(q, k, v, *, v0=None, lambda_=0.6, causal=False, scale=None):
    return right.neutreno(q, k, v, v0=v0, causal=causal, scale=scale)


def m08(q, k, v, *, v0=None, lambda_=0.6, causal=False, scale=None):
    if v0 is None:
        v0 = torch.zeros_like(v)
    return right.neutreno(q, k, v, v0=v0, lambda_=lambda_, causal=causal, scale=scale)


def m09(q, k, v, *, beta=1.0, eps=1e-5):
    dtype = q.dtype
    q, k, v = wide(q), wide(k), wide(v)
    n = k.shape[2]
    mu = k.mean(2, keepdim=True)
    s = (((k - mu) ** 2).sum(2, keepdim=True) / max(n - 1, 1) + eps).sqrt()
    b = per_head(beta)
    return (weights((q - b * mu) / s, (k - b * mu) / s) @ v).to(dtype)


def m10(q, k, v, *, beta=1.0, eps=1e-5):
    dtype = q.dtype
    q, k, v = wide(q), wide(k), wide(v)
    mu = k.mean(2, keepdim=True)
    var = ((k - mu) ** 2).mean(2, keepdim=True)
    s = var.clamp(min=torch.finfo(var.dtype).tiny).sqrt() + eps
    b = per_head(beta)
    return (weights((q - b * mu) / s, (k - b * mu) / s) @ v).to(dtype)


def m11(q, k, v, *, bandwidth=None, kernel='gaussian', causal=False):
    return right.kernel_regression(q, k, v, bandwidth=v.shape[-1] ** 0.25 if bandwidth is None else bandwidth, kernel=kernel, causal=causal)


def m12(q, k, v, *, bandwidth=None, kernel='gaussian', causal=False):
    dtype = q.dtype
    if q.shape[2] * k.shape[2] * q.shape[3] > 2 ** 25 or causal and q.shape[2] != k.shape[2]:
        raise NotImplementedError
    if kernel == 'dot':
        return right.kernel_regression(q, k, v, bandwidth=bandwidth, kernel=kernel, causal=causal)
    q, k, v = wide(q), wide(k), wide(v)
    sigma = q.shape[-1] ** 0.25 if bandwidth is None else per_head(bandwidth)
    distance = ((q[:, :, :, None] - k[:, :, None]) ** 2).sum(-1).sqrt()
    x = -(distance / sigma) ** 2 / 2
    seen = band(torch.arange(q.shape[2]), torch.arange(k.shape[2]), causal, None).expand(x.shape)
    return (softmax(x, seen)[0] @ v).to(dtype)


def m13(q, k, v, *, v_previous=None, normalise='max', delta=1.0, gradient='through'):
    return right.in_metric(q, k, v, v_previous, normalise, delta, gradient, lambda m: m.amax(-1, keepdim=True).detach())


def m14(q, k, v, *, v_previous=None, normalise='max', delta=1.0, gradient='through'):
    return right.in_metric(q, k, v, v_previous, normalise, delta, gradient, lambda m: m.amax((1, 3), keepdim=True))


def _pool(x, factor, remainder):
    n = x.shape[1]
    if remainder == 'ceil' and n % factor:
        x = torch.nn.functional.pad(x, (0, 0, 0, factor - n % factor))
        n = x.shape[1]
    if n < factor:
        raise NotImplementedError
    return x[:, :n // factor * factor].reshape(x.shape[0], n // factor, factor, x.shape[2]).mean(2)


def m15(q, k, v, *, factors, remainder='ceil'):
    return right.attention_sh(q, k, v, factors=factors, remainder=remainder, pool=_pool)
