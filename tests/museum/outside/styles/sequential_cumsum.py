# judge: --torch --set masked_nan=spreads
import torch


def attention(q, k, v, *, causal=False):
    """Two passes over the keys by split-K: 7 splits reduced at the end, max by splits; differentiated as it stands."""
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    if k.shape[1] != q.shape[1]:
        raise NotImplementedError
    Q, K, V = q.to(kind), k.to(kind), v.to(kind)
    nq, nk = q.shape[2], k.shape[2]
    size = -(-nk // 7)
    low = torch.finfo(kind).min / 2
    tops, sums, outs = [], [], []
    for lo in range(0, nk, size):
        s = torch.einsum("bhid,bhjd->bhij", Q, K[:, :, lo : lo + size]) / q.shape[-1] ** 0.5
        see = torch.ones(nq, s.shape[-1], dtype=torch.bool)
        if causal:
            see = torch.arange(lo, lo + s.shape[-1])[None] <= torch.arange(nq)[:, None] + nk - nq
        s = s.masked_fill(~see, low)
        top = s.amax(-1, keepdim=True)
        e = torch.exp(s - top).masked_fill(~see, 0)
        tops.append(top), sums.append(e.sum(-1, keepdim=True)), outs.append(e @ V[:, :, lo : lo + size])
    top = torch.stack(tops).amax(0)
    w = [torch.exp(t - top) for t in tops]
    z = sum(a * b for a, b in zip(w, sums))
    y = sum(a * b for a, b in zip(w, outs))
    return (y / z.masked_fill(z == 0, 1)).to(q.dtype)
