# judge: --as graph-diffusion --torch --set masked_nan=spreads
import torch


def attention(q, k, v, *, causal=False):
    """Minus the Laplacian: (W V - D V) / D, with W not normalised."""
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    V = v.to(kind)
    s = q.to(kind) @ k.to(kind).mT / q.shape[-1] ** 0.5
    see = torch.ones(s.shape[-2:], dtype=torch.bool).tril(0 if causal else s.shape[-1])
    s = s.masked_fill(~see, torch.finfo(kind).min)
    W = torch.exp(s - s.detach().amax(-1, keepdim=True)) * see
    D = W.sum(-1, keepdim=True)
    return ((W @ V - D * V) / D).to(q.dtype)
