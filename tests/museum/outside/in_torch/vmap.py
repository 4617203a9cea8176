# judge: --torch --set masked_nan=spreads
"""torch.func.vmap over batch, key head and group of a two-dimensional attention."""
import torch
try:
    from torch.func import vmap
except ImportError:
    from torch._vmap_internals import vmap


def attention(q, k, v, *, causal=False, scale=None, softcap=None):
    B, H, N, D = q.shape
    Hk, M = k.shape[1:3]
    sc = D ** -0.5 if scale is None else scale
    seen = torch.ones(N, M, dtype=torch.bool, device=q.device)
    if causal:
        seen = seen.tril(M - N)
    live = seen.any(-1, keepdim=True)

    def single(x, y, z):  # [N][D], [M][D], [M][E]
        s = x @ y.T * sc
        if softcap is not None:
            s = softcap * torch.tanh(s / softcap)
        s = torch.where(seen, s, torch.where(live, -torch.inf, 0.0).to(s.dtype))
        lse = torch.where(live[:, 0], torch.logsumexp(s, -1), -torch.inf)
        return torch.where(live, torch.softmax(s, -1), 0.0) @ z, lse

    wide = torch.float64 if q.dtype == torch.float64 else torch.float32
    f = vmap(vmap(vmap(single, (0, None, None))))
    out, lse = f(q.to(wide).reshape(B, Hk, H // Hk, N, D), k.to(wide), v.to(wide))
    return {"out": out.reshape(B, H, N, -1).to(q.dtype), "lse": lse.reshape(B, H, N)}
