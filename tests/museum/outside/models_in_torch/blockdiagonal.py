# judge: --torch --set masked_nan=spreads
"""xformers' BlockDiagonalMask: packed sequences, attended one by one. Tokens that no sequence holds give 0."""
import torch


def one(q, k, v, causal):
    n, m = q.shape[-2], k.shape[-2]
    if n == 0 or m == 0:
        return q @ k.transpose(-1, -2) @ v if m else q.new_zeros(*q.shape[:-1], v.shape[-1])
    s = (q * q.shape[-1] ** -0.5) @ k.transpose(-1, -2)
    if causal:
        first = min(max(0, n - m), n)  # rows before it see nothing
        block = s[..., first:, :]
        if first < n:
            block = block.masked_fill(torch.ones(n - first, m).triu(1 + m - (n - first)).bool(), -torch.inf)
        o = block.softmax(-1) @ v
        return torch.cat([o.new_zeros(*o.shape[:-2], first, o.shape[-1]), o], -2) if first else o
    return s.softmax(-1) @ v


def attention(q, k, v, *, causal=False, cu_seqlens=None, cu_seqlens_k=None):
    kind = q.dtype
    q, k, v = (x if kind == torch.float64 else x.float() for x in (q, k, v))
    r = q.shape[1] // k.shape[1]
    k, v = (x.unsqueeze(2).expand(-1, -1, r, -1, -1).flatten(1, 2) for x in (k, v))
    if cu_seqlens is None:
        return one(q, k, v, causal).to(kind)
    starts_q = cu_seqlens.tolist()
    starts_k = starts_q if cu_seqlens_k is None else cu_seqlens_k.tolist()
    pieces = [q.new_zeros(*q.shape[:2], starts_q[0], v.shape[-1])]
    for a, b, c, d in zip(starts_q, starts_q[1:], starts_k, starts_k[1:]):
        pieces.append(one(q[:, :, a:b], k[:, :, c:d], v[:, :, c:d], causal))
    pieces.append(q.new_zeros(*q.shape[:2], q.shape[2] - starts_q[-1], v.shape[-1]))
    out = torch.cat(pieces, 2)
    return (out + q[..., :0].sum()).to(kind)  # part of the graph though every sequence be empty
