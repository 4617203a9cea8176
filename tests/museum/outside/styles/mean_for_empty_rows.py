# judge: --torch --set masked_nan=spreads --set empty_rows=any
import torch


def attention(q, k, v, *, causal=False, mask=None):
    """Hidden logits become the least number of the type; a row without keys gets the mean of the values."""
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    s = q.to(kind) @ k.to(kind).transpose(-1, -2) / q.shape[-1] ** 0.5
    low = torch.finfo(kind).min
    if causal:
        s = s.masked_fill(torch.ones(s.shape[-2:], dtype=torch.bool).triu(1 + s.shape[-1] - s.shape[-2]), low)
    if mask is not None:
        if mask.dtype != torch.bool:
            raise NotImplementedError
        s = s.masked_fill(~mask, low)
    return (s.softmax(-1) @ v.to(kind)).to(q.dtype)
