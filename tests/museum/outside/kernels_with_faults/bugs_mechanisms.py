"""Fifteen implementations of other mechanisms with one bug each."""
import torch
import right_mechanisms as right
from right_mechanisms import phi, weights, per_head
from common_torch import wide, band, softmax


def linear_chunk_whole_in_denominator(q, k, v, *, causal=False, eps=1e-6):
    return right.linear_in_chunks(q, k, v, causal, eps, "whole chunk in the denominator")


def linear_epsilon_as_least(q, k, v, *, causal=False, eps=1e-6):
    dtype, n = q.dtype, q.shape[2]
    if causal and n != k.shape[2]:
        raise NotImplementedError
    q, k, v = phi(wide(q)), phi(wide(k)), wide(v)
    if not causal:
        return (q @ (k.transpose(-1, -2) @ v) / (q @ k.sum(2)[..., None]).clamp(min=eps)).to(dtype)
    A = (q @ k.transpose(-1, -2)).tril()
    return (A @ v / A.sum(-1, keepdim=True).clamp(min=eps)).to(dtype)


def linear_exp_overflows_in_where(q, k, v, *, causal=False, eps=1e-6):
    dtype, n = q.dtype, q.shape[2]
    if causal and n != k.shape[2]:
        raise NotImplementedError
    feature = lambda x: torch.where(x > 0, x + 1, x.exp())
    q, k, v = feature(wide(q)), feature(wide(k)), wide(v)
    if not causal:
        return (q @ (k.transpose(-1, -2) @ v) / (q @ k.sum(2)[..., None] + eps)).to(dtype)
    A = (q @ k.transpose(-1, -2)).tril()
    return (A @ v / (A.sum(-1, keepdim=True) + eps)).to(dtype)


def twicing_residual_detached(q, k, v, *, causal=False, scale=None, window=None, softcap=0, bias=None, mask=None):
    dtype = q.dtype
    q, k, v = wide(q), wide(k), wide(v)
    A = weights(q, k, causal, scale, window, softcap, bias, mask)
    once = A @ v
    return (once + A @ (v - once).detach()).to(dtype)


def twicing_second_pass_without_softcap(q, k, v, *, causal=False, scale=None, window=None, softcap=0, bias=None, mask=None):
    dtype = q.dtype
    q, k, v = wide(q), wide(k), wide(v)
    once = weights(q, k, causal, scale, window, softcap, bias, mask) @ v
    return (once + weights(q, k, causal, scale, window, 0, bias, mask) @ (v - once)).to(dtype)


def diffusion_identity_detached(q, k, v, *, causal=False, scale=None, softcap=0):
    dtype = q.dtype
    q, k, v = wide(q), wide(k), wide(v)
    return (weights(q, k, causal, scale, None, softcap) @ v - v.detach()).to(dtype)


def neutreno_lambda_fixed(q, k, v, *, v0=None, lambda_=0.6, causal=False, scale=None):
    return right.neutreno(q, k, v, v0=v0, causal=causal, scale=scale)


def neutreno_absent_v0_as_zeros(q, k, v, *, v0=None, lambda_=0.6, causal=False, scale=None):
    if v0 is None:
        v0 = torch.zeros_like(v)
    return right.neutreno(q, k, v, v0=v0, lambda_=lambda_, causal=causal, scale=scale)


def bn_variance_unbiased(q, k, v, *, beta=1.0, eps=1e-5):
    dtype = q.dtype
    q, k, v = wide(q), wide(k), wide(v)
    n = k.shape[2]
    mu = k.mean(2, keepdim=True)
    s = (((k - mu) ** 2).sum(2, keepdim=True) / max(n - 1, 1) + eps).sqrt()
    b = per_head(beta)
    return (weights((q - b * mu) / s, (k - b * mu) / s) @ v).to(dtype)


def bn_epsilon_on_deviation(q, k, v, *, beta=1.0, eps=1e-5):
    dtype = q.dtype
    q, k, v = wide(q), wide(k), wide(v)
    mu = k.mean(2, keepdim=True)
    var = ((k - mu) ** 2).mean(2, keepdim=True)
    s = var.clamp(min=torch.finfo(var.dtype).tiny).sqrt() + eps
    b = per_head(beta)
    return (weights((q - b * mu) / s, (k - b * mu) / s) @ v).to(dtype)


def bandwidth_from_value_width(q, k, v, *, bandwidth=None, kernel='gaussian', causal=False):
    bandwidth = v.shape[-1] ** 0.25 if bandwidth is None else bandwidth
    return right.kernel_regression(q, k, v, bandwidth=bandwidth, kernel=kernel, causal=causal)


def distance_by_square_root(q, k, v, *, bandwidth=None, kernel='gaussian', causal=False):
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


def elliptical_maximum_detached(q, k, v, *, v_previous=None, normalise='max', delta=1.0, gradient='through'):
    return right.in_metric(q, k, v, v_previous, normalise, delta, gradient, lambda m: m.amax(-1, keepdim=True).detach())


def elliptical_maximum_over_heads(q, k, v, *, v_previous=None, normalise='max', delta=1.0, gradient='through'):
    return right.in_metric(q, k, v, v_previous, normalise, delta, gradient, lambda m: m.amax((1, 3), keepdim=True))


def _pool(x, factor, remainder):
    n = x.shape[1]
    if remainder == 'ceil' and n % factor:
        x = torch.nn.functional.pad(x, (0, 0, 0, factor - n % factor))
        n = x.shape[1]
    if n < factor:
        raise NotImplementedError
    return x[:, :n // factor * factor].reshape(x.shape[0], n // factor, factor, x.shape[2]).mean(2)


def pooled_remainder_over_whole_factor(q, k, v, *, factors, remainder='ceil'):
    return right.attention_sh(q, k, v, factors=factors, remainder=remainder, pool=_pool)
