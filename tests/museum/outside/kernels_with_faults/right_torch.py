"""Right implementations: dense, hand-written backward, chunks of keys, chunks of queries, gathered windows, ALiBi."""
import math
import torch
from common_torch import wide, positions, band, added, softmax, INF


def dense(q, k, v, *, mask=None, causal=False, scale=None, window=None, softcap=0, bias=None, alibi_slopes=None, sinks=None,
          dropout_mask=None, cu_seqlens=None, cu_seqlens_k=None, alignment='bottom_right'):
    dtype = q.dtype
    q, k, v = wide(q), wide(k), wide(v)
    g = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
    p, j, same = positions(q, k, alignment, cu_seqlens, cu_seqlens_k)
    x = q @ k.transpose(-1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale)
    if softcap:
        x = softcap * torch.tanh(x / softcap)
    more, seen = added(mask, bias, alibi_slopes, p, j, x)
    x = x + more
    visible = band(p, j, causal, window) & same
    visible = (visible if seen is None else visible & seen).expand(x.shape)
    w, lse = softmax(x, visible, sinks)
    if dropout_mask is not None:
        w = w * dropout_mask.to(w.dtype)
    return {'out': (w @ v).to(dtype), 'lse': lse}


class Attention(torch.autograd.Function):
    """`fault`: None, or one of those of bugs_torch.py."""

    @staticmethod
    def forward(ctx, q, k, v, more, visible, scale, softcap, dropout, fault):
        g = q.shape[1] // k.shape[1]
        kk, vv = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
        x = q @ kk.transpose(-1, -2) * scale
        t = None
        if softcap:
            t = torch.tanh(x / softcap)
            x = softcap * t
        w, lse = softmax(x + more, visible)
        ctx.save_for_backward(q, k, v, w, t, dropout)
        ctx.scale, ctx.fault = scale, fault
        if fault == "in place" and dropout is not None:
            return w.mul_(dropout) @ vv, lse
        return (w if dropout is None else w * dropout) @ vv, lse

    @staticmethod
    def backward(ctx, dout, dlse):
        q, k, v, w, t, dropout = ctx.saved_tensors
        B, H, n, D = q.shape
        hk, nk = k.shape[1:3]
        g = H // hk
        y = w if dropout is None else w * dropout
        dv = y.transpose(-1, -2) @ dout
        dp = dout @ v.repeat_interleave(g, 1).transpose(-1, -2)
        if dropout is not None:
            dp = dp * dropout
        ds = w * (dp - (dp * w).sum(-1, keepdim=True) + dlse[..., None])
        if t is not None and ctx.fault != "cap":
            ds = ds * (1 - t * t)
        ds = ds * ctx.scale
        dq = ds @ k.repeat_interleave(g, 1)
        dk = ds.transpose(-1, -2) @ q
        dk = dk.view(B, g, hk, nk, D).sum(1) if ctx.fault == "groups" else dk.view(B, hk, g, nk, D).sum(2)
        return (dq, dk, dv.view(B, hk, g, nk, -1).sum(2)) + (None,) * 6


def custom(q, k, v, *, mask=None, causal=False, scale=None, window=None, softcap=0, bias=None, dropout_mask=None):
    return by_function(q, k, v, mask, causal, scale, window, softcap, bias, dropout_mask)


def by_function(q, k, v, mask, causal, scale, window, softcap, bias, dropout_mask, fault=None):
    dtype = q.dtype
    q, k, v = wide(q), wide(k), wide(v)
    p, j, _ = positions(q, k)
    more, seen = added(mask, bias, None, p, j, q)
    visible = band(p, j, causal, window)
    visible = (visible if seen is None else visible & seen).expand(q.shape[:3] + k.shape[2:3])
    out, lse = Attention.apply(q, k, v, more, visible, q.shape[-1] ** -0.5 if scale is None else scale, softcap,
                              None if dropout_mask is None else dropout_mask.to(q.dtype), fault)
    return {'out': out.to(dtype), 'lse': lse}


def chunked(q, k, v, *, mask=None, causal=False, scale=None, window=None):
    """Chunks of 128 keys, merged by their log sum exp."""
    return merged(q, k, v, mask, causal, scale, window)


def merged(q, k, v, mask, causal, scale, window, fault=None):
    dtype = q.dtype
    q, k, v = wide(q), wide(k), wide(v)
    g = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
    p, j, _ = positions(q, k)
    more, seen = added(mask, None, None, p, j, q)
    x = q @ k.transpose(-1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale) + more
    visible = band(p, j, causal, window)
    visible = (visible if seen is None else visible & seen).expand(x.shape) & ~(x.detach() == -INF)
    x = x.masked_fill(~visible, torch.finfo(x.dtype).min / 2)
    out = lse = None
    for c in range(0, k.shape[2], 128):
        y = x[..., c:c + 128]
        o, l = (y.softmax(-1) * visible[..., c:c + 128]) @ v[:, :, c:c + 128], torch.logsumexp(y, -1)
        if out is None:
            out, lse = o, l
            continue
        new = torch.logaddexp(lse, l)
        out = out * (lse - new).exp()[..., None] + o * (l - new).exp()[..., None]
        if fault != "weights of the first chunk":
            lse = new
    return {'out': out.to(dtype), 'lse': lse.masked_fill(~visible.any(-1), -INF)}


def query_blocks(q, k, v, *, causal=False, scale=None, block=64):
    """Blocks of 64 queries against the keys that they may see."""
    dtype = q.dtype
    q, k, v = wide(q), wide(k), wide(v)
    g = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
    nq, nk = q.shape[2], k.shape[2]
    outs = []
    for i in range(0, nq, block):
        x = q[:, :, i:i + block] @ k.transpose(-1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale)
        p = torch.arange(i, min(i + block, nq)) + nk - nq
        seen = band(p, torch.arange(nk), causal, None).expand(x.shape)
        outs.append(softmax(x, seen)[0] @ v)
    return torch.cat(outs, 2).to(dtype)


def window_gather(q, k, v, *, causal=False, scale=None, window=None):
    """Each query gathers the keys of its window."""
    if window is None or min(window) < 0:
        return dense(q, k, v, causal=causal, scale=scale, window=window)
    dtype = q.dtype
    q, k, v = wide(q), wide(k), wide(v)
    g = q.shape[1] // k.shape[1]
    k, v = k.repeat_interleave(g, 1), v.repeat_interleave(g, 1)
    nq, nk = q.shape[2], k.shape[2]
    left, right = window[0], 0 if causal else window[1]
    left, right = min(left, nq + nk), min(right, nq + nk)
    at = torch.arange(nq)[:, None] + nk - nq + torch.arange(-left, right + 1)[None]
    seen = (at >= 0) & (at < nk)
    at = at.clamp(0, nk - 1)
    kk, vv = k[:, :, at], v[:, :, at]
    x = (q[:, :, :, None] * kk).sum(-1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    w, lse = softmax(x, seen.expand(x.shape))
    return {'out': (w[..., None] * vv).sum(3).to(dtype), 'lse': lse}


def slopes(H):
    n = 2 ** int(math.floor(math.log2(H)))
    first = [2.0 ** (-8.0 * h / n) for h in range(1, n + 1)]
    return first + [2.0 ** (-8.0 * h / (2 * n)) for h in range(1, 2 * n + 1, 2)][:H - n]


def alibi(q, k, v, *, mask=None, causal=False, scale=None, slopes=slopes):
    if q.shape[2] != k.shape[2]:
        raise NotImplementedError
    return dense(q, k, v, mask=mask, causal=causal, scale=scale,
                 alibi_slopes=torch.tensor(slopes(q.shape[1]), dtype=wide(q).dtype))
