# judge: --torch --set masked_nan=spreads
"""Falcon: multi-query; all query heads of a key head are rows of one matrix product."""
import torch


def attention(q, k, v, *, causal=False, mask=None, dropout_mask=None):
    B, H, M, D = q.shape
    G, N = k.shape[1:3]
    R = H // G
    up = (lambda x: x.float()) if q.dtype in (torch.half, torch.bfloat16) else (lambda x: x)
    rows = up(q).reshape(B * G, R * M, D)
    keys = up(k).reshape(B * G, N, D)
    values = up(v).reshape(B * G, N, -1)
    scores = torch.bmm(rows, keys.transpose(1, 2)).div(D**0.5).view(B, H, M, N)
    attend = scores.new_ones((1, 1, M, N), dtype=torch.bool)
    if causal:
        attend = attend.tril(N - M)
    if mask is not None and mask.dtype != torch.bool:
        scores, mask = scores + up(mask), mask > -torch.inf
    if mask is not None:
        attend = attend & mask
    peak = scores.detach().masked_fill(~attend, -torch.inf).amax(-1, keepdim=True)
    peak = torch.where(torch.isinf(peak), torch.zeros_like(peak), peak)
    weights = torch.exp((scores - peak).masked_fill(~attend, -torch.inf))
    weights = weights / weights.sum(-1, keepdim=True).clamp_min(torch.finfo(weights.dtype).tiny)
    if dropout_mask is not None:
        weights = weights * up(dropout_mask)
    return torch.bmm(weights.reshape(B * G, R * M, N), values).view(B, H, M, -1).to(q.dtype)
