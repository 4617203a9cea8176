# judge: --torch --set masked_nan=spreads
import torch


def attention(q, k, v, *, causal=False, window=None, softcap=None, scale=None, mask=None):
    """Gemma 2: scores capped by tanh, local layers with a sliding window; float32 inside."""
    group = q.shape[1] // k.shape[1]
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    xq = q.to(kind) * (q.shape[-1] ** -0.5 if scale is None else scale)
    key = torch.repeat_interleave(k.to(kind), group, dim=1)
    value = torch.repeat_interleave(v.to(kind), group, dim=1)
    scores = torch.matmul(xq, key.transpose(2, 3))
    if softcap:
        scores = scores / softcap
        scores = torch.tanh(scores)
        scores = scores * softcap
    nq, nk = scores.shape[-2:]
    own = torch.arange(nq)[:, None] + (nk - nq)
    j = torch.arange(nk)[None]
    keep = torch.ones(nq, nk, dtype=torch.bool)
    if causal:
        keep &= j <= own
    if window is not None:
        before, after = window
        if before >= 0:
            keep &= j >= own - before
        if after >= 0:
            keep &= j <= own + after
    if mask is not None:
        if mask.dtype == torch.bool:
            keep = keep & mask
        else:
            keep = keep & ~torch.isneginf(mask)
            scores = scores + torch.where(torch.isneginf(mask), torch.zeros_like(mask), mask)
    scores = torch.where(keep, scores, torch.full_like(scores, -2.3819763e38 if kind == torch.float32 else -1e300))
    probs = torch.softmax(scores, dim=-1)
    probs = torch.where(keep, probs, torch.zeros_like(probs))
    return torch.matmul(probs, value).type_as(q)
