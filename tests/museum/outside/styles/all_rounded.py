# judge: --torch --set masked_nan=spreads
import torch


class R(torch.autograd.Function):
    """Stores an array in the type, and its gradient too."""

    @staticmethod
    def forward(ctx, x, dtype):
        ctx.dtype = dtype
        return x.to(dtype).to(x.dtype)

    @staticmethod
    def backward(ctx, g):
        return g.to(ctx.dtype).to(g.dtype), None


def attention(q, k, v, *, causal=False):
    """Eager attention in the type as a GPU has it: sums in float32, every array between the steps in the type, gradients too."""
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    r = lambda x: R.apply(x, q.dtype)
    s = r(q.to(kind) @ k.to(kind).transpose(-1, -2))
    s = r(s * q.shape[-1] ** -0.5)
    see = torch.ones(s.shape[-2:], dtype=torch.bool).tril(s.shape[-1] - s.shape[-2] if causal else s.shape[-1])
    s = s.masked_fill(~see, torch.finfo(q.dtype).min)
    p = r(s.softmax(-1).masked_fill(~see, 0))
    return (p @ v.to(kind)).to(q.dtype)
