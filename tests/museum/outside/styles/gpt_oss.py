# judge: --torch --set masked_nan=spreads
import torch


def sdpa(Q, K, V, S, sm_scale, sliding_window=None, causal=True):
    """GPT-OSS: a sink logit is concatenated, takes part in the softmax and is dropped after it."""
    kind = torch.float64 if Q.dtype == torch.float64 else torch.float32
    dtype = Q.dtype
    b, n_heads, n_q, d = Q.shape
    n_kv, n_k = K.shape[1], K.shape[2]
    q_mult = n_heads // n_kv
    Q = Q.to(kind).reshape(b, n_kv, q_mult, n_q, d)
    K = K.to(kind)[:, :, None]
    V = V.to(kind)[:, :, None]
    own = torch.arange(n_q)[:, None] + n_k - n_q
    key = torch.arange(n_k)[None]
    hidden = torch.zeros(n_q, n_k, dtype=torch.bool)
    if causal:
        hidden = hidden | (key > own)
    if sliding_window is not None:
        before, after = sliding_window
        if before >= 0:
            hidden = hidden | (key < own - before)
        if after >= 0:
            hidden = hidden | (key > own + after)
    QK = torch.einsum("bhmqd,bhmkd->bhmqk", Q, K.expand(b, n_kv, q_mult, n_k, d))
    QK = QK * sm_scale
    QK = QK.masked_fill(hidden, torch.finfo(kind).min)
    if S is not None:
        S = S.to(kind).reshape(1, n_kv, q_mult, 1, 1).expand(b, -1, -1, n_q, -1)
        QK = torch.cat([QK, S], dim=-1)
    W = torch.softmax(QK, dim=-1)
    W = W[..., :n_k].masked_fill(hidden, 0)
    attn = torch.einsum("bhmqk,bhmkd->bhmqd", W, V.expand(b, n_kv, q_mult, n_k, V.shape[-1]))
    return attn.reshape(b, n_heads, n_q, -1).to(dtype)


def attention(q, k, v, *, causal=True, window=None, sinks=None, scale=None):
    return sdpa(q, k, v, sinks, q.shape[-1] ** -0.5 if scale is None else scale, window, causal)
