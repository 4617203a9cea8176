# judge: --as linear --torch --set masked_nan=spreads
"""Linear attention through running sums (causal: query i sees keys 0..i) or one sum of outer products."""
import torch
import torch.nn.functional as F


def attention(q, k, v, *, causal=False, eps=1e-6, key_lengths=None):
    t = q.dtype if q.dtype == torch.float64 else torch.float32
    if key_lengths is not None:
        pad = (torch.arange(k.shape[2])[None] >= torch.as_tensor(key_lengths)[:, None])[:, None, :, None]
        k, v = k.masked_fill(pad, 0), v.masked_fill(pad, 0)
    fq, fk, x = F.elu(q.to(t)) + 1, F.elu(k.to(t)) + 1, v.to(t)
    if key_lengths is not None:
        fk = fk.masked_fill(pad, 0)
    if not causal:
        kv = torch.einsum("bhjd,bhje->bhde", fk, x)
        z = torch.einsum("bhid,bhd->bhi", fq, fk.sum(2)) + eps
        return (torch.einsum("bhid,bhde->bhie", fq, kv) / z[..., None]).to(q.dtype)
    outs = []
    state = x.new_zeros(*k.shape[:2], k.shape[3], v.shape[3])
    norm = x.new_zeros(*k.shape[:2], k.shape[3])
    for at in range(0, q.shape[2], 32):  # chunks: the sum so far, and a triangle
        a = fq[:, :, at : at + 32]
        b, y = fk[:, :, at : at + 32], x[:, :, at : at + 32]
        w = (a @ b.transpose(-1, -2)).tril()
        num = w @ y + a @ state
        den = w.sum(-1) + (a @ norm[..., None])[..., 0] + eps
        outs.append(num / den[..., None])
        state = state + b.transpose(-1, -2) @ y
        norm = norm + b.sum(2)
    return torch.cat(outs, 2).to(q.dtype)
