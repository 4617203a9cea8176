# judge: --torch --set masked_nan=spreads
import torch

LOG2E = 1.4426950408889634


class Kernel(torch.autograd.Function):
    """As GPU kernels in 16 bits: products summed in float32; P (not normalised), dS and out rounded to the type; exp2; delta from
    the stored out."""

    @staticmethod
    def forward(ctx, q, k, v, hidden, scale):
        kind = torch.float64 if q.dtype == torch.float64 else torch.float32
        r = lambda x: x.to(q.dtype).to(kind)
        s = q.to(kind) @ k.to(kind).transpose(-1, -2) * (scale * LOG2E)
        s = s.masked_fill(hidden, -torch.inf)
        m = s.amax(-1, keepdim=True)
        m = m.masked_fill(torch.isneginf(m), 0)
        p = torch.exp2(s - m)
        l = p.sum(-1, keepdim=True)
        out = ((r(p) @ v.to(kind)) / l.masked_fill(l == 0, 1)).to(q.dtype)
        lse = (m + torch.log2(l)) / LOG2E
        ctx.save_for_backward(q, k, v, out, m + torch.log2(l))
        ctx.hidden, ctx.scale = hidden, scale
        return out, lse[..., 0]

    @staticmethod
    def backward(ctx, dout, dlse):
        q, k, v, out, lse2 = ctx.saved_tensors
        kind = torch.float64 if q.dtype == torch.float64 else torch.float32
        r = lambda x: x.to(q.dtype).to(kind)
        Q, K, V, G = (x.to(kind) for x in (q, k, v, dout))
        s = (Q @ K.transpose(-1, -2) * (ctx.scale * LOG2E)).masked_fill(ctx.hidden, -torch.inf)
        p = torch.exp2(s - lse2.masked_fill(torch.isneginf(lse2), 0))
        delta = (G * out.to(kind)).sum(-1, keepdim=True)
        if dlse is not None:
            delta = delta - dlse.to(kind)[..., None].masked_fill(torch.isneginf(lse2), 0)
        ds = (p * (G @ V.transpose(-1, -2) - delta)).masked_fill(ctx.hidden, 0)
        ds = r(ds)
        dq, dk = ds @ K * ctx.scale, ds.transpose(-1, -2) @ Q * ctx.scale
        return dq.to(q.dtype), dk.to(k.dtype), (r(p).transpose(-1, -2) @ G).to(v.dtype), None, None


def attention(q, k, v, *, causal=False, scale=None):
    if k.shape[1] != q.shape[1]:
        raise NotImplementedError
    nq, nk = q.shape[2], k.shape[2]
    hidden = torch.ones(nq, nk, dtype=torch.bool).triu(1 + nk - nq) if causal else torch.zeros(nq, nk, dtype=torch.bool)
    out, lse = Kernel.apply(q, k, v, hidden, q.shape[-1] ** -0.5 if scale is None else scale)
    return {"out": out, "lse": lse.to(q.dtype)}
