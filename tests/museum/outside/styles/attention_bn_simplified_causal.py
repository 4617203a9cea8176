# judge: --as attention-bn-simplified --torch --set masked_nan=spreads
import torch


def attention(q, k, v, *, beta=1.0, causal=False):
    """softmax((q - beta mu)(k - beta mu)); causal with prefix means."""
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    Q, K, V = q.to(kind), k.to(kind), v.to(kind)
    if torch.is_tensor(beta):
        beta = beta.to(kind).reshape(-1, 1, 1)
    nq, nk = q.shape[2], k.shape[2]
    if causal:
        n = torch.arange(1, nk + 1, dtype=kind)[:, None]
        mu = (K.cumsum(2) / n)[:, :, torch.arange(nq).clamp(max=nk - 1)]
        c = Q - beta * mu
        s = (c @ K.mT - (c * (beta * mu)).sum(-1, keepdim=True)) / q.shape[-1] ** 0.5
        hidden = torch.ones(nq, nk, dtype=torch.bool).triu(1)
        s = s.masked_fill(hidden, torch.finfo(kind).min)
        return (s.softmax(-1).masked_fill(hidden, 0) @ V).to(q.dtype)
    mu = beta * K.mean(2, keepdim=True)
    return ((((Q - mu) @ (K - mu).mT) / q.shape[-1] ** 0.5).softmax(-1) @ V).to(q.dtype)
