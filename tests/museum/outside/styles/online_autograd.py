# judge: --torch --set masked_nan=spreads
import torch


def attention(q, k, v, *, causal=False, alignment="bottom_right"):
    """Online softmax over blocks of keys, differentiated as it stands; lse too."""
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    g = q.shape[1] // k.shape[1]
    Q, K, V = q.to(kind) * q.shape[-1] ** -0.5, k.to(kind).repeat_interleave(g, 1), v.to(kind).repeat_interleave(g, 1)
    nq, nk = Q.shape[2], K.shape[2]
    low = torch.finfo(kind).min / 4
    m = torch.full(Q.shape[:3] + (1,), low, dtype=kind)
    l = torch.zeros_like(m)
    acc = torch.zeros(Q.shape[:3] + (V.shape[-1],), dtype=kind)
    own = torch.arange(nq)[:, None] + (nk - nq if alignment == "bottom_right" else 0)
    for lo in range(0, nk, 256):
        s = Q @ K[:, :, lo : lo + 256].transpose(-1, -2)
        if causal:
            hidden = torch.arange(lo, min(lo + 256, nk))[None] > own
            s = s.masked_fill(hidden, low)
        new = torch.maximum(m, s.detach().amax(-1, keepdim=True))
        p = torch.exp(s - new)
        if causal:
            p = p.masked_fill(hidden, 0)
        keep = torch.exp(m - new)
        l = l * keep + p.sum(-1, keepdim=True)
        acc = acc * keep + p @ V[:, :, lo : lo + 256]
        m = new
    empty = l == 0
    z = l.masked_fill(empty, 1)
    lse = (m + torch.log(z)).masked_fill(empty, -torch.inf)[..., 0]
    return {"out": (acc / z).to(q.dtype), "lse": lse}
