# judge: --torch --set masked_nan=spreads
"""Gemma 2: logits capped by tanh, query_pre_attn_scalar as scale, grouped heads, padding masks."""
import torch


def attention(q, k, v, *, causal=False, scale=None, softcap=None, mask=None):
    b, n_heads, q_len, head_dim = q.shape
    n_kv = k.shape[1]
    acc = torch.float64 if q.dtype == torch.float64 else torch.float32
    scaling = head_dim**-0.5 if scale is None else scale
    queries = q.to(acc) * scaling
    queries = queries.view(b, n_kv, n_heads // n_kv, q_len, head_dim) if queries.is_contiguous() else queries.reshape(b, n_kv, n_heads // n_kv, q_len, head_dim)
    scores = torch.matmul(queries, k.to(acc).unsqueeze(2).transpose(-1, -2)).reshape(b, n_heads, q_len, -1)
    if softcap:
        scores = scores / softcap
        scores = torch.tanh(scores)
        scores = scores * softcap
    hide = torch.zeros(q_len, k.shape[2], dtype=torch.bool)
    if causal:
        hide = torch.ones_like(hide).triu(1 + k.shape[2] - q_len)
    if mask is not None:
        if mask.is_floating_point():
            scores = scores + mask.to(acc)
            hide = hide | (mask == float("-inf"))
        else:
            hide = hide | ~mask
    scores = scores.masked_fill(hide, -2.3819763e38)
    probs = torch.softmax(scores, -1)
    probs = torch.where(hide, torch.zeros((), dtype=acc), probs)
    out = torch.matmul(probs.view(b, n_kv, n_heads // n_kv, q_len, -1), v.to(acc).unsqueeze(2))
    return out.reshape(b, n_heads, q_len, -1).to(q.dtype)
