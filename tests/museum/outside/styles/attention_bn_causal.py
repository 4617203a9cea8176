# judge: --as attention-bn --torch --set masked_nan=spreads
import torch


def attention(q, k, v, *, beta=1.0, eps=1e-5, causal=False):
    """Causal by prefix statistics of keys 0..i, query by query."""
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    Q, K, V = q.to(kind), k.to(kind), v.to(kind)
    if torch.is_tensor(beta):
        beta = beta.to(kind).reshape(-1, 1, 1)
    if not causal:
        mu = K.mean(2, keepdim=True)
        inv = (K.var(2, unbiased=False, keepdim=True) + eps) ** -0.5
        s = ((Q - beta * mu) * inv) @ ((K - beta * mu) * inv).transpose(-1, -2) / q.shape[-1] ** 0.5
        return (s.softmax(-1) @ V).to(q.dtype)
    if q.shape[2] > 200:
        raise NotImplementedError
    rows = []
    for i in range(q.shape[2]):
        n = min(i + 1, k.shape[2])
        x = K[:, :, :n]
        mu = x.mean(2, keepdim=True)
        inv = ((x - mu).pow(2).mean(2, keepdim=True) + eps) ** -0.5
        s = (((Q[:, :, i : i + 1] - beta * mu) * inv) * ((x - beta * mu) * inv)).sum(-1) / q.shape[-1] ** 0.5
        rows.append((s.softmax(-1)[..., None] * V[:, :, :n]).sum(2, keepdim=True))
    return torch.cat(rows, 2).to(q.dtype)
