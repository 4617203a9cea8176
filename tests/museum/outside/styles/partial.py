# judge: --torch --set masked_nan=spreads
"""functools.partial behind a decorator, whose signature functools.wraps tells."""
import functools
import torch


def _attention(q, k, v, *, upcast, causal=False, scale=None):
    kind = torch.float64 if q.dtype == torch.float64 or not upcast else torch.float32
    s = q.to(kind) @ k.to(kind).transpose(-1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale)
    see = torch.ones(s.shape[-2:], dtype=torch.bool).tril(s.shape[-1] - s.shape[-2] if causal else s.shape[-1])
    s = s.masked_fill(~see, torch.finfo(kind).min)
    return ((s.softmax(-1) * see) @ v.to(kind)).to(q.dtype)


def logged(f):
    calls = []

    @functools.wraps(f)
    def inner(*args, **kwargs):
        calls.append(len(args))
        return f(*args, **kwargs)

    return inner


attention = logged(functools.partial(_attention, upcast=True))
attention.__wrapped__ = functools.partial(_attention, upcast=True)
