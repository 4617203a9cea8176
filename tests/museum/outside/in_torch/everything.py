# judge: --torch --set masked_nan=spreads
"""Eager reference with all options, 16-bit inputs raised to float32."""
import torch


def attention(q, k, v, *, mask=None, causal=False, alignment="bottom_right", scale=None, window=None, softcap=None,
              bias=None, alibi_slopes=None, sinks=None, cu_seqlens=None, cu_seqlens_k=None, dropout_mask=None):
    dtype, dev = q.dtype, q.device
    wide = torch.float64 if dtype == torch.float64 else torch.float32
    q, k, v = q.to(wide), k.to(wide), v.to(wide)
    B, H, Nq, D = q.shape
    Nk = k.shape[2]
    k = k.repeat_interleave(H // k.shape[1], 1)
    v = v.repeat_interleave(H // v.shape[1], 1)

    if cu_seqlens is None:
        cq, ck = [0, Nq], [0, Nk]
    else:
        cq = [int(x) for x in cu_seqlens]
        ck = cq if cu_seqlens_k is None else [int(x) for x in cu_seqlens_k]
    seen = torch.zeros(Nq, Nk, dtype=torch.bool, device=dev)
    rel = torch.zeros(Nq, Nk, dtype=torch.long, device=dev)  # key's position minus the query's own
    for a0, a1, b0, b1 in zip(cq, cq[1:], ck, ck[1:]):
        shift = (b1 - b0) - (a1 - a0) if alignment == "bottom_right" else 0
        seen[a0:a1, b0:b1] = True
        rel[a0:a1, b0:b1] = torch.arange(b1 - b0, device=dev)[None] - torch.arange(a1 - a0, device=dev)[:, None] - shift
    if causal:
        seen = seen & (rel <= 0)
    if window is not None:
        before, after = window
        if before >= 0:
            seen = seen & (rel >= -before)
        if after >= 0:
            seen = seen & (rel <= after)

    s = q @ k.mT * (D ** -0.5 if scale is None else scale)
    if softcap is not None:
        s = softcap * torch.tanh(s / softcap)
    if bias is not None:
        s = s + bias.to(wide)
    if alibi_slopes is not None:
        s = s - alibi_slopes.to(wide)[:, None, None] * rel.abs().to(wide)
    if mask is not None:
        if mask.dtype == torch.bool:
            seen = seen & mask
        else:
            seen = seen & (mask != float("-inf"))
            s = s + mask.to(wide).masked_fill(mask == float("-inf"), 0.0)
    hide = ~seen.expand(B, H, Nq, Nk)
    s = s.masked_fill(hide, float("-inf"))
    top = s.detach().amax(-1, keepdim=True)
    if sinks is not None:
        sink = sinks.to(wide).reshape(1, H, 1, 1)
        top = torch.maximum(top, sink.detach())
    top = top.masked_fill(top == float("-inf"), 0.0)
    e = torch.exp(s - top)
    total = e.sum(-1, keepdim=True)
    if sinks is not None:
        total = total + torch.exp(sink - top)
    none = total == 0
    p = e / total.masked_fill(none, 1.0)
    lse = (top + torch.log(total.masked_fill(none, 1.0))).masked_fill(none, float("-inf"))[..., 0]
    if dropout_mask is not None:
        p = p * dropout_mask.to(wide)
    return {"out": (p @ v).to(dtype), "lse": lse}
