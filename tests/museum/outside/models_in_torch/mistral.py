# judge: --torch --set masked_nan=spreads
"""Mistral: always causal, sliding_window a count of keys (its own among them), as its cache rotates; upcast attention."""
import torch


def attention(q, k, v, *, causal=True, window=None):
    if not causal:
        raise NotImplementedError("a decoder")
    if window is not None and not isinstance(window, int):
        raise TypeError("sliding_window is a number of tokens")
    groups = q.size(1) // k.size(1)
    wide = torch.promote_types(q.dtype, torch.float32)
    k, v = (x.to(wide).repeat_interleave(groups, dim=1) for x in (k, v))
    tgt, src = q.size(2), k.size(2)
    full = torch.full((tgt, src), 1)
    tensor = torch.tril(full, diagonal=src - tgt)
    if window is not None:
        tensor = torch.triu(tensor, diagonal=src - tgt - window + 1)
    visible = tensor.bool()
    scores = torch.matmul(q.to(wide), k.transpose(2, 3)) * q.size(-1) ** -0.5
    scores = scores.masked_fill(~visible, torch.finfo(wide).min)
    probs = torch.softmax(scores, dim=-1).masked_fill(~visible, 0)
    return torch.matmul(probs, v).to(q.dtype)
