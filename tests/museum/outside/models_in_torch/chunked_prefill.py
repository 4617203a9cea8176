# judge: --torch --set causal=always --set masked_nan=spreads
"""Serving: the prompt in chunks of 48 queries over a key cache that grows; each chunk sees the cache up to itself, so most
hidden keys are never touched."""
import torch

CHUNK = 48


class Cache:
    def __init__(self):
        self.k = self.v = None

    def extend(self, k, v):
        self.k = k if self.k is None else torch.cat([self.k, k], 2)
        self.v = v if self.v is None else torch.cat([self.v, v], 2)
        return self.k, self.v


def step(q, k, v):
    n, m = q.shape[2], k.shape[2]  # query t of the chunk is key m - n + t
    later = torch.arange(m)[None] > torch.arange(m - n, m)[:, None]
    s = torch.matmul(q, k.mT) / q.shape[-1] ** 0.5
    return torch.matmul(torch.softmax(s.masked_fill(later, -torch.inf), -1), v)


def attention(q, k, v):
    kind = q.dtype
    wide = torch.promote_types(kind, torch.float32)
    q, k, v = q.to(wide), k.to(wide), v.to(wide)
    k, v = (x.repeat_interleave(q.shape[1] // x.shape[1], 1) for x in (k, v))
    nq, nk = q.shape[2], k.shape[2]
    blind = max(0, nq - nk)
    cache = Cache()
    history = max(0, nk - nq)
    outs = [q.new_zeros(*q.shape[:2], blind, v.shape[-1])] if blind else []
    if history:
        cache.extend(k[:, :, :history], v[:, :, :history])
    for at in range(0, nq - blind, CHUNK):
        to = min(at + CHUNK, nq - blind)
        keys, values = cache.extend(k[:, :, history + at : history + to], v[:, :, history + at : history + to])
        outs.append(step(q[:, :, blind + at : blind + to], keys, values))
    return torch.cat(outs, 2).to(kind)
