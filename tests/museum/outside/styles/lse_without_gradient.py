# judge: --torch --set masked_nan=spreads
# known: gradient of lse ignored
import torch


class FlashAttnFunc(torch.autograd.Function):
    """As flash-attn: the lse is returned beside out and marked as not differentiable; delta from the stored out."""

    @staticmethod
    def forward(ctx, q, k, v, causal, scale):
        kind = torch.float64 if q.dtype == torch.float64 else torch.float32
        s = q.to(kind) @ k.to(kind).transpose(-1, -2) * scale
        hidden = None
        if causal:
            hidden = torch.ones(s.shape[-2:], dtype=torch.bool).triu(1 + s.shape[-1] - s.shape[-2])
            s = s.masked_fill(hidden, -torch.inf)
        lse = torch.logsumexp(s, -1)
        p = torch.exp(s - lse.masked_fill(torch.isneginf(lse), 0)[..., None])
        out = (p @ v.to(kind)).to(q.dtype)
        ctx.save_for_backward(q, k, v, out, lse)
        ctx.hidden, ctx.scale = hidden, scale
        ctx.mark_non_differentiable(lse)
        return out, lse

    @staticmethod
    def backward(ctx, dout, *ignored):
        q, k, v, out, lse = ctx.saved_tensors
        kind = torch.float64 if q.dtype == torch.float64 else torch.float32
        Q, K, V, G = (x.to(kind) for x in (q, k, v, dout))
        s = Q @ K.transpose(-1, -2) * ctx.scale
        if ctx.hidden is not None:
            s = s.masked_fill(ctx.hidden, -torch.inf)
        p = torch.exp(s - lse.masked_fill(torch.isneginf(lse), 0)[..., None])
        delta = (G * out.to(kind)).sum(-1, keepdim=True)
        ds = p * (G @ V.transpose(-1, -2) - delta) * ctx.scale
        if ctx.hidden is not None:
            ds = ds.masked_fill(ctx.hidden, 0)
        return (ds @ K).to(q.dtype), (ds.transpose(-1, -2) @ Q).to(k.dtype), (p.transpose(-1, -2) @ G).to(v.dtype), None, None


def attention(q, k, v, *, causal=False, scale=None):
    if k.shape[1] != q.shape[1]:
        raise NotImplementedError
    out, lse = FlashAttnFunc.apply(q, k, v, causal, q.shape[-1] ** -0.5 if scale is None else scale)
    return {"out": out, "lse": lse}
