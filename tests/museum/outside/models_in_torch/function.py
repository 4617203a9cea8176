# judge: --torch --set masked_nan=spreads
"""A torch.autograd.Function with its own backward, which saves the logits' lse alone; differentiable out and lse."""
import torch


def hidden_keys(q, k, causal, window):
    i = torch.arange(q.shape[2])[:, None] + k.shape[2] - q.shape[2]
    j = torch.arange(k.shape[2])[None]
    h = torch.zeros(q.shape[2], k.shape[2], dtype=torch.bool)
    if causal:
        h = h | (j > i)
    if window is not None:
        if window[0] != -1:
            h = h | (i - j > window[0])
        if window[1] != -1:
            h = h | (j - i > window[1])
    return h


class Attend(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v, scale, hidden):
        s = (q @ k.transpose(-1, -2) * scale).masked_fill_(hidden, -torch.inf)
        lse = s.logsumexp(-1)
        p = (s - lse.unsqueeze(-1)).exp_().masked_fill_(hidden, 0)
        out = p @ v
        ctx.save_for_backward(q, k, v, out, lse)
        ctx.scale, ctx.hidden = scale, hidden
        return out, lse

    @staticmethod
    def backward(ctx, dout, dlse):
        q, k, v, out, lse = ctx.saved_tensors
        s = q @ k.transpose(-1, -2) * ctx.scale
        p = (s - lse.unsqueeze(-1)).exp().masked_fill(ctx.hidden, 0)
        dv = p.transpose(-1, -2) @ dout
        dp = dout @ v.transpose(-1, -2)
        ds = p * (dp - (dout * out).sum(-1, keepdim=True) + dlse.unsqueeze(-1)) * ctx.scale
        ds = ds.masked_fill(ctx.hidden, 0)
        return ds @ k, ds.transpose(-1, -2) @ q, dv, None, None


def attention(q, k, v, *, causal=False, window=None, scale=None):
    kind = q.dtype
    wide = torch.float64 if kind == torch.float64 else torch.float32
    r = q.shape[1] // k.shape[1]
    k, v = (x.to(wide).repeat_interleave(r, 1) for x in (k, v))
    out, lse = Attend.apply(q.to(wide), k, v, q.shape[-1] ** -0.5 if scale is None else float(scale), hidden_keys(q, k, causal, window))
    return {"out": out.to(kind), "lse": lse}
