# judge: --as attention-bn --torch --set masked_nan=spreads
import torch


def attention(q, k, v, *, beta=1.0, eps=1e-5, mask=None, key_lengths=None):
    """Statistics over the real keys of one sequence and head. No causal: refused."""
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    Q, K, V = q.to(kind), k.to(kind), v.to(kind)
    if torch.is_tensor(beta):
        beta = beta.to(kind).reshape(-1, 1, 1)
    nk = k.shape[2]
    see = torch.ones(q.shape[2], nk, dtype=torch.bool) if mask is None else mask
    if see.dtype != torch.bool:
        raise NotImplementedError
    if key_lengths is None:
        mu = K.mean(2, keepdim=True)
        var = K.var(2, unbiased=False, keepdim=True)
    else:
        real = (torch.arange(nk)[None] < key_lengths[:, None])[:, None, :, None]
        count = key_lengths.to(kind).clamp(min=1)[:, None, None, None]
        K = K.masked_fill(~real, 0)
        mu = K.sum(2, keepdim=True) / count
        var = ((K - mu) ** 2).masked_fill(~real, 0).sum(2, keepdim=True) / count
        see = see & real.transpose(-1, -2)
        V = V.masked_fill(~real, 0)
    inv = torch.rsqrt(var + eps)
    logits = ((Q - beta * mu) * inv) @ ((K - beta * mu) * inv).transpose(-1, -2) / q.shape[-1] ** 0.5
    logits = logits.masked_fill(~see, torch.finfo(kind).min)
    return (logits.softmax(-1).masked_fill(~see, 0) @ V).to(q.dtype)
