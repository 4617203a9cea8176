# judge: --as conv1d --torch --set masked_nan=spreads
"""Depthwise convolution along tokens by F.conv1d, groups for heads and batch folded with features; zero `same` padding."""
import torch
import torch.nn.functional as F


def convolve(x, w, class_token):
    if class_token:
        return torch.cat([x[:, :, :1], convolve(x[:, :, 1:], w, False)], 2)
    b, h, n, d = x.shape
    if n == 0:
        return x
    s = w.shape[-1]
    y = x.permute(0, 3, 1, 2).reshape(b * d, h, n)
    y = F.pad(y, ((s - 1) // 2, s // 2))
    return F.conv1d(y, w[:, None], groups=h).reshape(b, d, h, n).permute(0, 2, 3, 1)


def attention(q, k, v, *, wq, wk=None, shared=False, class_token=False, mask=None):
    t = q.dtype if q.dtype == torch.float64 else torch.float32
    a = wq.to(t)
    b = a if shared or wk is None else wk.to(t)
    logits = convolve(q.to(t), a, class_token) @ convolve(k.to(t), b, class_token).transpose(-1, -2) * q.shape[-1] ** -0.5
    seen = torch.ones(logits.shape[-2:], dtype=torch.bool) if mask is None else mask
    return ((logits.masked_fill(~seen, torch.finfo(t).min).softmax(-1) * seen) @ v.to(t)).to(q.dtype)
