# judge: --torch --set masked_nan=spreads
import torch
import torch.nn.functional as F


def attention(q, k, v, *, causal=False, dropout_p=0.0):
    """Draws its own dropout, as a training loop does."""
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    s = q.to(kind) @ k.to(kind).transpose(-1, -2) * q.shape[-1] ** -0.5
    if causal:
        hidden = torch.ones(s.shape[-2:], dtype=torch.bool).triu(1 + s.shape[-1] - s.shape[-2])
        p = s.masked_fill(hidden, torch.finfo(kind).min).softmax(-1).masked_fill(hidden, 0)
    else:
        p = s.softmax(-1)
    return (F.dropout(p, dropout_p, training=True) @ v.to(kind)).to(q.dtype)
