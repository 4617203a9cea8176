import torch

INF = float('inf')


def wide(x):
    return x.float() if x.dtype in (torch.float16, torch.bfloat16) else x


def positions(q, k, alignment='bottom_right', cu_seqlens=None, cu_seqlens_k=None):
    """Position of every query, of every key in its sequence, and whether both are of one sequence."""
    nq, nk = q.shape[2], k.shape[2]
    if cu_seqlens is None:
        p = torch.arange(nq) + (0 if alignment == 'top_left' else nk - nq)
        return p, torch.arange(nk), torch.ones(nq, nk, dtype=torch.bool)
    cq = [int(x) for x in cu_seqlens]
    ck = cq if cu_seqlens_k is None else [int(x) for x in cu_seqlens_k]
    p, j = torch.zeros(nq, dtype=torch.long), torch.zeros(nk, dtype=torch.long)
    same = torch.zeros(nq, nk, dtype=torch.bool)
    for a, b, c, d in zip(cq, cq[1:], ck, ck[1:]):
        p[a:b] = torch.arange(b - a) + (0 if alignment == 'top_left' else (d - c) - (b - a))
        j[c:d] = torch.arange(d - c)
        same[a:b, c:d] = True
    return p, j, same


def band(p, j, causal, window):
    p, j = p[:, None], j[None]
    seen = (p == p) & (j == j)
    if causal:
        seen = seen & (j <= p)
    if window is not None:
        left, right = window
        if left >= 0:
            seen = seen & (j >= p - left)
        if right >= 0:
            seen = seen & (j <= p + right)
    return seen


def added(mask, bias, alibi_slopes, p, j, like):
    """What is added to the logits, and the boolean part of the mask."""
    x, seen = 0, None
    if bias is not None:
        x = x + bias.to(like.dtype)
    if alibi_slopes is not None:
        x = x - alibi_slopes.to(like.dtype)[:, None, None] * (p[:, None] - j[None]).abs().to(like.dtype)
    if mask is not None:
        if mask.dtype == torch.bool:
            seen = mask
        else:
            x = x + mask.to(like.dtype)
    return x, seen


def softmax(x, seen, sinks=None):
    """Weights and log sum exp, without NaN in rows that see nothing."""
    seen = seen & ~(x.detach() == -INF)
    x = x.masked_fill(~seen, torch.finfo(x.dtype).min)
    n = x.shape[-1]
    empty = ~seen.any(-1)
    if sinks is not None:
        s = sinks.to(x.dtype)[None, :, None, None].expand(x.shape[:3] + (1,))
        empty = empty & (s[..., 0] == -INF)
        x = torch.cat([x, s.clamp(min=torch.finfo(x.dtype).min)], -1)
    w = x.softmax(-1)[..., :n] * seen
    return w, torch.logsumexp(x, -1).masked_fill(empty, -INF)
