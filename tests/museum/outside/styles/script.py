# judge: --torch --set masked_nan=spreads
"""A function of TorchScript, whose signature is its schema."""
import torch


@torch.jit.script
def attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, causal: bool = False):
    q2, k2, v2 = q, k, v
    if q.dtype != torch.float64:
        q2, k2, v2 = q.float(), k.float(), v.float()
    s = torch.matmul(q2, k2.transpose(-1, -2)) / float(q.size(-1)) ** 0.5
    if causal:
        hidden = torch.ones(s.size(-2), s.size(-1), dtype=torch.bool).triu(1 + s.size(-1) - s.size(-2))
        s = s.masked_fill(hidden, -1e30)
        return torch.matmul(s.softmax(-1).masked_fill(hidden, 0.0), v2).to(q.dtype)
    return torch.matmul(s.softmax(-1), v2).to(q.dtype)
