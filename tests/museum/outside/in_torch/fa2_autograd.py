# judge: --torch --set masked_nan=spreads
"""torch.autograd.Function in the way of FlashAttention-2: tiles, saved lse, delta = rowsum(dout * out)."""
import torch

BM, BN = 64, 32


def _wide(x):
    return x if x.dtype == torch.float64 else x.float()


class Flash(torch.autograd.Function):
    @staticmethod
    def tile(qt, kt, i0, j0, shift, scale, causal, softcap):
        s = torch.matmul(qt, kt.transpose(-1, -2)) * scale
        t = None
        if softcap:
            t = torch.tanh(s / softcap)
            s = softcap * t
        if causal:
            i = torch.arange(i0, i0 + qt.shape[-2], device=qt.device)[:, None] + shift
            j = torch.arange(j0, j0 + kt.shape[-2], device=qt.device)[None]
            s = s.masked_fill(j > i, float("-inf"))
        return s, t

    @staticmethod
    def forward(ctx, q, k, v, scale, causal, softcap):
        B, H, N, D = q.shape
        M, g = k.shape[2], H // k.shape[1]
        Q, K, V = _wide(q), _wide(k).repeat_interleave(g, 1), _wide(v).repeat_interleave(g, 1)
        out = Q.new_zeros(B, H, N, v.shape[3])
        lse = Q.new_full((B, H, N), float("-inf"))
        for i0 in range(0, N, BM):
            qt = Q[:, :, i0:i0 + BM]
            m = qt.new_full(qt.shape[:3], float("-inf"))
            l = torch.zeros_like(m)
            acc = qt.new_zeros(*qt.shape[:3], v.shape[3])
            for j0 in range(0, M, BN):
                if causal and j0 > i0 + qt.shape[2] - 1 + M - N:
                    break
                s, _ = Flash.tile(qt, K[:, :, j0:j0 + BN], i0, j0, M - N, scale, causal, softcap)
                mn = torch.maximum(m, s.amax(-1))
                ref = mn.masked_fill(mn == float("-inf"), 0.0)
                p = torch.exp(s - ref[..., None])
                a = torch.exp(m - ref)
                l = l * a + p.sum(-1)
                acc = acc * a[..., None] + p @ V[:, :, j0:j0 + BN]
                m = mn
            out[:, :, i0:i0 + BM] = acc / l.masked_fill(l == 0, 1.0)[..., None]
            lse[:, :, i0:i0 + BM] = m + torch.log(l)
        out = out.to(q.dtype)
        ctx.save_for_backward(q, k, v, out, lse)
        ctx.args = (scale, causal, softcap)
        return out, lse

    @staticmethod
    def backward(ctx, dout, dlse):
        q, k, v, out, lse = ctx.saved_tensors
        scale, causal, softcap = ctx.args
        B, H, N, D = q.shape
        Hk, M = k.shape[1:3]
        g = H // Hk
        Q, K, V = _wide(q), _wide(k).repeat_interleave(g, 1), _wide(v).repeat_interleave(g, 1)
        dO = _wide(dout)
        delta = (dO * _wide(out)).sum(-1)
        if dlse is not None:
            delta = delta - _wide(dlse)
        dQ, dK, dV = torch.zeros_like(Q), torch.zeros_like(K), torch.zeros_like(V)
        ref = lse.masked_fill(lse == float("-inf"), 0.0)
        for j0 in range(0, M, BN):
            kt, vt = K[:, :, j0:j0 + BN], V[:, :, j0:j0 + BN]
            for i0 in range(0, N, BM):
                qt, ot = Q[:, :, i0:i0 + BM], dO[:, :, i0:i0 + BM]
                if causal and j0 > i0 + qt.shape[2] - 1 + M - N:
                    continue
                s, t = Flash.tile(qt, kt, i0, j0, M - N, scale, causal, softcap)
                p = torch.exp(s - ref[:, :, i0:i0 + BM, None])
                dV[:, :, j0:j0 + BN] += p.transpose(-1, -2) @ ot
                ds = p * (ot @ vt.transpose(-1, -2) - delta[:, :, i0:i0 + BM, None])
                if t is not None:
                    ds = ds * (1 - t * t)
                if causal:
                    ds = ds.masked_fill(s == float("-inf"), 0.0)
                dQ[:, :, i0:i0 + BM] += ds @ kt * scale
                dK[:, :, j0:j0 + BN] += ds.transpose(-1, -2) @ qt * scale
        dK = dK.reshape(B, Hk, g, M, D).sum(2)
        dV = dV.reshape(B, Hk, g, M, -1).sum(2)
        return dQ.to(q.dtype), dK.to(k.dtype), dV.to(v.dtype), None, None, None


def attention(q, k, v, *, causal=False, scale=None, softcap=None):
    scale = q.shape[-1] ** -0.5 if scale is None else float(scale)
    out, lse = Flash.apply(q, k, v, scale, bool(causal), float(softcap or 0.0))
    return {"out": out, "lse": lse}
