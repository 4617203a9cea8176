# judge: --as linear-twicing --torch
import torch


def attention(q, k, v, *, causal=False, eps=1e-6):
    """A (2V - AV) without forming A, but for the causal case."""
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    phi = lambda x: torch.where(x > 0, x + 1, torch.exp(x.clamp(max=0)))
    Q, K, V = phi(q.to(kind)), phi(k.to(kind)), v.to(kind)
    if causal:
        if q.shape[2] > 2048:
            raise NotImplementedError
        A = torch.tril(Q @ K.transpose(-1, -2))
        A = A / (A.sum(-1, keepdim=True) + eps)
        AV = A @ V
        return (AV + A @ (V - AV)).to(q.dtype)
    z = 1 / (Q @ K.sum(2).unsqueeze(-1) + eps)
    apply = lambda X: z * (Q @ (K.transpose(-1, -2) @ X))
    AV = apply(V)
    return (AV + apply(V - AV)).to(q.dtype)
