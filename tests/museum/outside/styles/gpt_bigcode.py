# judge: --torch --set masked_nan=spreads
import torch


class SelfAttention:
    """A callable object with a signature of its own; multi-query by folding the heads into the queries; exp by log_softmax."""

    def __call__(self, q, k, v, *, causal=False, scale=None):
        kind = torch.float64 if q.dtype == torch.float64 else torch.float32
        b, h, nq, d = q.shape
        hk, nk = k.shape[1:3]
        g = h // hk
        x = q.to(kind).reshape(b, hk, g * nq, d)
        s = (x @ k.to(kind).transpose(-1, -2)).reshape(b, hk, g, nq, nk) * (d**-0.5 if scale is None else scale)
        see = torch.ones(nq, nk, dtype=torch.bool).tril(nk - nq if causal else nk)
        p = s.masked_fill(~see, torch.finfo(kind).min).log_softmax(-1).exp() * see
        return (p.reshape(b, hk, g * nq, nk) @ v.to(kind)).reshape(b, h, nq, -1).to(q.dtype)


attention = SelfAttention()
