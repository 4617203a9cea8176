# judge: --torch --set masked_nan=spreads
"""FlashAttention's layout inside: [B][N][H][D]."""
import torch


def flash_like(q, k, v, causal, window_size, softmax_scale, alibi):
    b, n, h, d = q.shape
    m = k.shape[1]
    k = k.repeat_interleave(h // k.shape[2], dim=2)
    v = v.repeat_interleave(h // v.shape[2], dim=2)
    scores = torch.einsum("bthd,bshd->bhts", q * softmax_scale, k)
    row = torch.arange(n, device=q.device).view(-1, 1) + m - n
    col = torch.arange(m, device=q.device).view(1, -1)
    left, right = window_size
    if causal:
        right = 0
    hidden = torch.zeros(n, m, dtype=torch.bool, device=q.device)
    if left >= 0:
        hidden |= col < row - left
    if right >= 0:
        hidden |= col > row + right
    if alibi is not None:
        scores = scores - alibi.view(1, h, 1, 1) * (row - col).abs().to(scores.dtype)
    scores = scores.masked_fill(hidden, float("-inf"))
    dead = hidden.all(-1, keepdim=True)
    scores = scores.masked_fill(dead, 0.0)
    attn = torch.softmax(scores, dim=-1).masked_fill(hidden, 0.0)
    return torch.einsum("bhts,bshd->bthd", attn, v)


def attention(q, k, v, *, causal=False, window=(-1, -1), scale=None, alibi_slopes=None):
    dtype = q.dtype
    if dtype != torch.float64:
        q, k, v = q.float(), k.float(), v.float()
    if alibi_slopes is not None:
        alibi_slopes = alibi_slopes.to(q.dtype)
    out = flash_like(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2), causal, window,
                     q.shape[-1] ** -0.5 if scale is None else scale, alibi_slopes)
    return out.transpose(1, 2).to(dtype)
