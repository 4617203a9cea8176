# judge: --as linear --torch --set masked_nan=spreads
"""Linear attention (elu + 1, no scale, 1e-6 in the denominator); keys summed first where nothing is hidden, else by the masked product."""
import torch


def phi(x):  # elu(x) + 1, without cancellation where x is far below 0
    return torch.where(x > 0, x + 1, x.clamp(max=0).exp())


def attention(q, k, v, *, causal=False, mask=None, eps=1e-6):
    return by_features(q, k, v, phi, causal, mask, eps)


def by_features(q, k, v, phi, causal, mask, eps):
    dt = q.dtype
    f = torch.float64 if dt == torch.float64 else torch.float32
    g = q.shape[1] // k.shape[1]
    fq, fk = phi(q.to(f)), phi(k.to(f).repeat_interleave(g, 1))
    vv = v.to(f).repeat_interleave(g, 1)
    if not causal and mask is None:
        kv = torch.einsum("bhmd,bhme->bhde", fk, vv)
        z = torch.einsum("bhnd,bhd->bhn", fq, fk.sum(2)) + eps
        return (torch.einsum("bhnd,bhde->bhne", fq, kv) / z[..., None]).to(dt)
    w = fq @ fk.transpose(-1, -2)
    n, m = w.shape[-2:]
    seen = torch.ones(n, m, dtype=torch.bool, device=q.device)
    if causal:
        seen = seen.tril(m - n)
    if mask is not None:
        if mask.dtype != torch.bool:
            raise NotImplementedError("boolean masks only")
        seen = seen & mask
    w = w.masked_fill(~seen, 0.0)
    return ((w @ vv) / (w.sum(-1, keepdim=True) + eps)).to(dt)
