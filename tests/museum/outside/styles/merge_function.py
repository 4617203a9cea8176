# judge: --torch --set masked_nan=spreads
import torch


def _half(q, k, v, see, scale):
    s = (q @ k.transpose(-1, -2)) * scale
    if see is not None:
        s = s.masked_fill(~see, -torch.inf)
    top = s.amax(-1, keepdim=True)
    top = top.masked_fill(top == -torch.inf, 0)
    e = torch.exp(s - top)
    total = e.sum(-1, keepdim=True)
    out = (e @ v) / total.masked_fill(total == 0, 1)
    return out, (top + torch.log(total))[..., 0]


class MergedAttention(torch.autograd.Function):
    """Two halves of the keys, each with its lse, merged as ring attention merges them; backward from the lse."""

    @staticmethod
    def forward(ctx, q, k, v, see, scale):
        kind = torch.float64 if q.dtype == torch.float64 else torch.float32
        Q, K, V = q.to(kind), k.to(kind), v.to(kind)
        half = (K.shape[2] + 1) // 2
        out, lse = _half(Q, K[:, :, :half], V[:, :, :half], None if see is None else see[..., :half], scale)
        if half < K.shape[2]:
            out2, lse2 = _half(Q, K[:, :, half:], V[:, :, half:], None if see is None else see[..., half:], scale)
            both = torch.logaddexp(lse, lse2)
            safe = both.masked_fill(both == -torch.inf, 0)
            out = out * torch.exp(lse - safe)[..., None] + out2 * torch.exp(lse2 - safe)[..., None]
            lse = both
        ctx.save_for_backward(q, k, v, out, lse)
        ctx.see, ctx.scale, ctx.kind = see, scale, kind
        return out.to(q.dtype), lse

    @staticmethod
    def backward(ctx, dout, dlse):
        q, k, v, out, lse = ctx.saved_tensors
        kind, see, scale = ctx.kind, ctx.see, ctx.scale
        Q, K, V, G = q.to(kind), k.to(kind), v.to(kind), dout.to(kind)
        none = lse == -torch.inf
        s = (Q @ K.transpose(-1, -2)) * scale - lse.masked_fill(none, 0)[..., None]
        if see is not None:
            s = s.masked_fill(~see, -torch.inf)
        p = torch.exp(s)
        delta = (G * out).sum(-1)
        if dlse is not None:
            delta = delta - dlse.to(kind).masked_fill(none, 0)
        ds = p * (G @ V.transpose(-1, -2) - delta[..., None]) * scale
        if see is not None:
            ds = ds.masked_fill(~see, 0)
        dq, dk, dv = ds @ K, ds.transpose(-1, -2) @ Q, p.transpose(-1, -2) @ G
        return dq.to(q.dtype), dk.to(k.dtype), dv.to(v.dtype), None, None


def attention(q, k, v, *, causal=False, alignment="bottom_right", mask=None, scale=None):
    if k.shape[1] != q.shape[1] or (mask is not None and mask.dtype != torch.bool):
        raise NotImplementedError
    nq, nk = q.shape[2], k.shape[2]
    see = mask
    if causal:
        tri = torch.ones(nq, nk, dtype=torch.bool).tril(nk - nq if alignment == "bottom_right" else 0)
        see = tri if see is None else see & tri
    out, lse = MergedAttention.apply(q, k, v, see, q.shape[-1] ** -0.5 if scale is None else scale)
    return {"out": out, "lse": lse}
