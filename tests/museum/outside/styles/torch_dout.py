# judge: --torch --set masked_nan=spreads
import torch


def attention(q, k, v, *, causal=False, dout=None, dlse=None):
    """Gradients by hand where dout is given; dK and dV over blocks of queries, added in float32."""
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    g = q.shape[1] // k.shape[1]
    with torch.no_grad():
        Q, K, V = q.to(kind), k.to(kind).repeat_interleave(g, 1), v.to(kind).repeat_interleave(g, 1)
        nq, nk, scale = q.shape[2], k.shape[2], q.shape[-1] ** -0.5
        outs, lses, dqs = [], [], []
        dK, dV = torch.zeros_like(K), torch.zeros_like(V)
        for lo in range(0, nq, 512):
            x = Q[:, :, lo : lo + 512]
            s = x @ K.mT * scale
            if causal:
                hidden = torch.arange(nk)[None] > torch.arange(lo, lo + x.shape[2])[:, None] + nk - nq
                s = s.masked_fill(hidden, -torch.inf)
            lse = s.logsumexp(-1, keepdim=True)
            p = torch.exp(s - lse.masked_fill(lse == -torch.inf, 0))
            o = p @ V
            outs.append(o)
            lses.append(lse[..., 0])
            if dout is None:
                continue
            G = dout[:, :, lo : lo + 512].to(kind)
            delta = (G * o).sum(-1, keepdim=True)
            if dlse is not None:
                delta = delta - dlse[:, :, lo : lo + 512, None].to(kind).masked_fill(lse == -torch.inf, 0)
            ds = p * (G @ V.mT - delta) * scale
            if causal:
                ds = ds.masked_fill(hidden, 0)
            dqs.append(ds @ K)
            dK += ds.mT @ x
            dV += p.mT @ G
        r = {"out": torch.cat(outs, 2).to(q.dtype), "lse": torch.cat(lses, 2)}
        if dout is not None:
            fold = lambda y: y.reshape(y.shape[0], -1, g, nk, y.shape[-1]).sum(2)
            r.update(dq=torch.cat(dqs, 2).to(q.dtype), dk=fold(dK).to(k.dtype), dv=fold(dV).to(v.dtype))
        return r
