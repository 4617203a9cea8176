# judge: --torch --set masked_nan=spreads
"""gpt-oss: the sink is a further column of logits, dropped after the softmax."""
import torch


def attention(q, k, v, *, sinks=None, causal=False, window=None, scale=None):
    B, H, N, D = q.shape
    M = k.shape[2]
    dt = q.dtype
    f = torch.float64 if dt == torch.float64 else torch.float32
    rep = H // k.shape[1]
    key = k.to(f).repeat_interleave(rep, 1)
    val = v.to(f).repeat_interleave(rep, 1)
    qk = torch.matmul(q.to(f), key.transpose(2, 3)) * (scale if scale is not None else D ** -0.5)
    i = torch.arange(N, device=q.device)[:, None] + M - N
    j = torch.arange(M, device=q.device)[None]
    drop = torch.zeros(N, M, dtype=torch.bool, device=q.device)
    if causal:
        drop = drop | (j > i)
    if window is not None:
        if window[0] >= 0:
            drop = drop | (j < i - window[0])
        if window[1] >= 0:
            drop = drop | (j > i + window[1])
    qk = qk.masked_fill(drop, torch.finfo(f).min)
    if sinks is not None:
        qk = torch.cat([qk, sinks.to(f).reshape(1, -1, 1, 1).expand(B, H, N, 1)], dim=-1)
    w = torch.softmax(qk, dim=-1)[..., :M].masked_fill(drop, 0.0)
    return torch.matmul(w, val).to(dt)
