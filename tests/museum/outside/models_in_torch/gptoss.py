# judge: --torch --set masked_nan=spreads
"""GPT-OSS: a learned sink per head concatenated to the logits, then dropped; sliding windows on every other layer."""
import torch
import torch.nn.functional as F


def sdpa(Q, K, V, S, sm_scale, hidden):
    # Q [b][q][h][m][d], K and V [b][k][h][d] as there
    QK = torch.einsum("bqhmd,bkhd->bhmqk", Q, K) * sm_scale
    QK = QK.masked_fill(hidden, torch.finfo(QK.dtype).min)
    if S is not None:
        QK = torch.cat([QK, S.reshape(1, QK.shape[1], QK.shape[2], 1, 1).expand(*QK.shape[:-1], 1)], dim=-1)
    combined = QK - QK.max(dim=-1, keepdim=True).values.detach()
    W = F.softmax(combined, dim=-1)
    if S is not None:
        W = W[..., :-1]
    W = W.masked_fill(hidden, 0)
    return torch.einsum("bhmqk,bkhd->bqhmd", W, V)


def attention(q, k, v, *, causal=False, sinks=None, window=None, scale=None):
    dtype = q.dtype
    if dtype in (torch.float16, torch.bfloat16):
        q, k, v = q.float(), k.float(), v.float()
        sinks = None if sinks is None else sinks.float()
    b, h, nq, d = q.shape
    g, nk = k.shape[1], k.shape[2]
    Q = q.permute(0, 2, 1, 3).reshape(b, nq, g, h // g, d)
    pos_q = torch.arange(nk - nq, nk)[:, None]
    pos_k = torch.arange(nk)[None, :]
    hidden = torch.zeros(nq, nk, dtype=torch.bool)
    if causal:
        hidden |= pos_k > pos_q
    if window is not None:
        before, after = window
        if before >= 0:
            hidden |= pos_k < pos_q - before
        if after >= 0:
            hidden |= pos_k > pos_q + after
    out = sdpa(Q, k.permute(0, 2, 1, 3), v.permute(0, 2, 1, 3), sinks, d**-0.5 if scale is None else scale, hidden)
    return out.reshape(b, nq, h, -1).permute(0, 2, 1, 3).to(dtype)
