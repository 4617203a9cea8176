# judge: --torch --set masked_nan=spreads
# known: gradient of lse ignored
"""Row maximum clamped from below, so that an empty row has exp(-inf) = 0 everywhere; its denominator becomes 1."""
import torch


def attention(q, k, v, *, mask=None, causal=False, scale=None, softcap=None):
    return by_clamping(q, k, v, lambda l: torch.where(l == 0, torch.ones_like(l), l), mask, causal, scale, softcap)


def tiny_denominator(q, k, v, *, mask=None, causal=False, scale=None, softcap=None):
    """Wrong, but written in good faith: out is right; dout / tiny overflows in an empty row, and 0 times it is NaN in dv."""
    return by_clamping(q, k, v, lambda l: l.clamp(min=torch.finfo(l.dtype).tiny), mask, causal, scale, softcap)


def by_clamping(q, k, v, denominator, mask, causal, scale, softcap):
    kind = q.dtype
    work = torch.promote_types(kind, torch.float32)
    q, k, v = q.to(work), k.to(work), v.to(work)
    low = torch.finfo(work).min
    ratio = q.shape[1] // k.shape[1]
    if ratio > 1:
        k, v = k.repeat_interleave(ratio, 1), v.repeat_interleave(ratio, 1)
    s = torch.matmul(q, k.mT).mul(q.shape[-1] ** -0.5 if scale is None else scale)
    if softcap is not None:
        s = (s / softcap).tanh() * softcap
    hide = None
    if causal:
        hide = torch.ones(s.shape[-2:], dtype=torch.bool, device=s.device).triu(s.shape[-1] - s.shape[-2] + 1)
    if mask is not None:
        if mask.dtype == torch.bool:
            out_of_sight = ~mask
        else:
            out_of_sight = mask.isneginf()
            s = s + mask.to(work).masked_fill(out_of_sight, 0)
        hide = out_of_sight if hide is None else hide | out_of_sight
    if hide is not None:
        s = s.masked_fill(hide, float("-inf"))
    m = s.detach().amax(-1, keepdim=True).clamp(min=low)
    e = (s - m).exp()
    l = e.sum(-1, keepdim=True)
    out = e.matmul(v) / denominator(l)
    lse = (m + l.log()).squeeze(-1)
    return {"out": out.to(kind), "lse": lse.detach()}
