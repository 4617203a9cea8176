# judge: --as attention-bn --torch --set masked_nan=spreads
import torch


def attention(q, k, v, *, beta=1.0, eps=1e-5, mask=None):
    """The scaling and the mean folded into the queries; what does not depend on the key falls out of the softmax."""
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    Q, K, V = q.to(kind), k.to(kind), v.to(kind)
    if torch.is_tensor(beta):
        beta = beta.to(kind).reshape(-1, 1, 1)
    var, mu = torch.var_mean(K, 2, unbiased=False, keepdim=True)
    s = ((Q - beta * mu) / ((var + eps) * q.shape[-1] ** 0.5)) @ (K - mu).transpose(-1, -2)
    see = torch.ones(s.shape[-2:], dtype=torch.bool) if mask is None else mask
    if see.dtype != torch.bool:
        raise NotImplementedError
    s = s.masked_fill(~see, torch.finfo(kind).min)
    return (s.softmax(-1).masked_fill(~see, 0) @ V).to(q.dtype)
