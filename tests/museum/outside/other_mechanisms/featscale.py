# judge: --as featscale --torch --set masked_nan=spreads
"""FeatScale: mean over the tokens (the constant mode) and the rest of the output weighted by s and t."""
import torch


def attention(q, k, v, *, s, t, bias=None):
    w = torch.float64 if q.dtype == torch.float64 else torch.float32
    logits = (q.to(w) / q.shape[-1] ** 0.5) @ k.to(w).mT
    if bias is not None:
        logits = logits + bias.to(w)
        void = torch.isneginf(bias).all(-1, keepdim=True)
        x = torch.softmax(logits.masked_fill(void, 0), -1).masked_fill(void, 0) @ v.to(w)
    else:
        x = torch.softmax(logits, -1) @ v.to(w)
    low = x.mean(2, keepdim=True)
    return (x + s.to(w).unsqueeze(1) * low + t.to(w).unsqueeze(1) * (x - low)).to(q.dtype)
