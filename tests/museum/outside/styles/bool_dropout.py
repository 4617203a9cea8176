# judge: --torch --set masked_nan=spreads
"""Dropout masks of booleans or of factors; without one it draws its own."""
import torch


def attention(q, k, v, *, dropout_mask=None, dropout_p=0.0, bias=None, scale=None):
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    s = q.to(kind) @ k.to(kind).mT * (q.shape[-1] ** -0.5 if scale is None else scale)
    if bias is not None:
        s = s + bias.to(kind)
    p = s.softmax(-1)
    if dropout_mask is None and dropout_p:
        dropout_mask = torch.rand_like(p) >= dropout_p
    if dropout_mask is not None:
        p = p * dropout_mask / (1 - dropout_p) if dropout_mask.dtype == torch.bool else p * dropout_mask.to(kind)
    return (p @ v.to(kind)).to(q.dtype)
