# judge: --as sparse --torch --set masked_nan=spreads
import torch


def attention(q, k, v, *, mask=None):
    """A given pattern, query by query: gather the keys that each query sees."""
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    if mask is None:
        raise NotImplementedError("patterns of its own")
    if mask.dim() != 2 or mask.dtype != torch.bool or mask.numel() > 2**20:
        raise NotImplementedError
    most = max(int(mask.sum(-1).max()), 1)
    order = torch.argsort((~mask).to(torch.int8), dim=-1, stable=True)[:, :most]
    live = torch.gather(mask, 1, order)
    K, V = k.to(kind)[:, :, order], v.to(kind)[:, :, order]
    s = (q.to(kind)[:, :, :, None] * K).sum(-1) * q.shape[-1] ** -0.5
    s = s.masked_fill(~live, torch.finfo(kind).min)
    p = s.softmax(-1).masked_fill(~live, 0)
    return (p[..., None] * V).sum(-2).to(q.dtype)
