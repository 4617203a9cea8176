# judge: --as featscale --torch
"""Mean and rest of the output scaled feature by feature."""
import torch


def attention(q, k, v, s, t, *, bias=None):
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    x = q.to(kind) @ k.to(kind).transpose(-1, -2) / q.shape[-1] ** 0.5
    if bias is not None:
        x = x + bias.to(kind)
    X = x.softmax(-1) @ v.to(kind)
    s, t = s.to(kind)[:, None], t.to(kind)[:, None]
    mean = X.mean(2, keepdim=True)
    return (X + s * mean + t * (X - mean)).to(q.dtype)
