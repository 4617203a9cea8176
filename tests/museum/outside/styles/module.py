# judge: --torch --set masked_nan=spreads
"""An object of torch.nn.Module: the signature is that of forward."""
import torch
from torch import nn


class Attention(nn.Module):
    def forward(self, q, k, v, *, causal=False):
        kind = torch.float64 if q.dtype == torch.float64 else torch.float32
        s = q.to(kind) @ k.to(kind).transpose(-1, -2) / q.shape[-1] ** 0.5
        hidden = torch.ones(s.shape[-2:], dtype=torch.bool).triu(1 + s.shape[-1] - s.shape[-2] if causal else s.shape[-1])
        s = s.masked_fill(hidden, torch.finfo(kind).min)
        return (s.softmax(-1).masked_fill(hidden, 0) @ v.to(kind)).to(q.dtype)


attention = Attention()
