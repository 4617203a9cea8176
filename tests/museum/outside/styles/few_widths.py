# judge: --torch --set masked_nan=spreads
"""As kernels for devices are: 16-bit types and three widths alone."""
import torch


def attention(q, k, v, *, causal=False, window=None, softcap=None, scale=None):
    if q.dtype not in (torch.float16, torch.bfloat16):
        raise NotImplementedError("only float16 and bfloat16")
    if q.shape[-1] not in (32, 64, 128) or v.shape[-1] != q.shape[-1]:
        raise NotImplementedError("head dim must be 32, 64 or 128")
    n, m = q.shape[2], k.shape[2]
    i, j = torch.arange(n)[:, None] + m - n, torch.arange(m)[None]
    seen = torch.ones(n, m, dtype=torch.bool)
    if causal:
        seen &= j <= i
    before, after = window or (-1, -1)
    if before >= 0:
        seen &= j >= i - before
    if after >= 0:
        seen &= j <= i + after
    group = q.shape[1] // k.shape[1]
    keys, values = (x.repeat_interleave(group, 1).float() for x in (k, v))
    logits = q.float() @ keys.transpose(-1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale)
    if softcap:
        logits = softcap * torch.tanh(logits / softcap)
    logits = logits.masked_fill(~seen, torch.finfo(torch.float32).min)
    return ((logits.softmax(-1) * seen) @ values).to(q.dtype)
