# judge: --torch --set masked_nan=spreads
"""nanoGPT: always causal, no grouping, everything in the input's type."""
import math

import torch
import torch.nn.functional as F


def attention(q, k, v, *, causal=True):
    assert causal and q.size(1) == k.size(1)
    T, S = q.size(-2), k.size(-2)
    att = (q * (1.0 / math.sqrt(q.size(-1)))) @ k.transpose(-2, -1)
    keep = torch.tril(torch.ones(T, S, device=q.device), diagonal=S - T) == 1
    empty = ~keep.any(-1, keepdim=True)
    att = att.masked_fill(~keep, float("-inf")).masked_fill(empty, 0.0)
    att = F.softmax(att, dim=-1).masked_fill(empty, 0.0)
    return att @ v
