"""A correct attention in PyTorch: blocks of queries, online softmax over tiles of keys, gradients by autograd.

bug=None is right; every other value of core's bug plants one fault. Hidden NaN spreads as in every whole product.
"""
import torch

CHUNK, TILE = 256, 128


def core(q, k, v, bug, *, mask, causal, scale, window, softcap):
    B, H, Nq, D = q.shape
    Nk, Dv = k.shape[2], v.shape[3]
    kind = q.dtype
    t = torch.float32 if kind in (torch.float16, torch.bfloat16) or bug == "f32_for_f64" else kind
    if Nk == 0 or Nq == 0:
        return {"out": q @ k.repeat_interleave(H // k.shape[1], 1).transpose(-1, -2) @ v.repeat_interleave(H // v.shape[1], 1),
                "lse": torch.full((B, H, Nq), -torch.inf, dtype=t, device=q.device)}
    scale = D ** -0.5 if scale is None else scale
    q, k, v = (x.to(t) for x in (q, k, v))
    if bug == "half_logits":
        q, k = (x.to(torch.bfloat16).to(t) for x in (q, k))
    k, v = (x.repeat_interleave(H // x.shape[1], 1) for x in (k, v))
    if mask is not None:
        while mask.dim() < 4:
            mask = mask[None]
        if bug == "mask_head0":
            mask = mask[:, :1]
    outs, lses = [], []
    exp = torch.exp
    if bug == "log2e_truncated":
        exp = lambda x: torch.exp2(x * 1.4427)
    for i0 in range(0, Nq, CHUNK):
        i1 = min(Nq, i0 + CHUNK)
        own = torch.arange(i0, i1, device=q.device)[:, None] + Nk - Nq
        if bug == "query_chunk_offset":
            own = own - i0
        m = torch.full((B, H, i1 - i0, 1), -torch.inf, dtype=t, device=q.device)
        l = torch.zeros_like(m)
        o = torch.zeros((B, H, i1 - i0, Dv), dtype=t, device=q.device)
        any_seen = torch.zeros((B, H, i1 - i0, 1), dtype=torch.bool, device=q.device)
        tile = Nk if bug == "empty_row_nan_grad" else TILE
        for j0 in range(0, Nk, tile):
            j1 = min(Nk, j0 + tile)
            j = torch.arange(j0, j1, device=q.device)[None, :]
            seen = torch.ones((B, H, i1 - i0, j1 - j0), dtype=torch.bool, device=q.device)
            if causal:
                seen = seen & (j <= own)
            if window is not None:
                before, after = window
                if bug == "window_symmetric":
                    after = before
                if before >= 0:
                    seen = seen & (j >= own - before)
                if after >= 0:
                    seen = seen & (j <= own + after)
            s = q[:, :, i0:i1] @ k[:, :, j0:j1].transpose(-1, -2) * scale
            if bug == "clamp":
                s = s.clamp(-50, 50)
            if softcap and bug != "softcap_after_mask":
                s = softcap * torch.tanh(s / softcap)
            if mask is not None:
                part = mask[:, :, i0:i1, j0:j1]
                if mask.dtype == torch.bool:
                    seen = seen & part
                else:
                    seen = seen & (part != -torch.inf)
                    part = part.to(t).masked_fill(part == -torch.inf, 0)
                    s = s + (part * scale if bug == "additive_mask_scaled" else part)
            s = s.masked_fill(~seen, -torch.inf)
            if softcap and bug == "softcap_after_mask":
                s = softcap * torch.tanh(s / softcap)
            any_seen = any_seen | seen.any(-1, keepdim=True)
            new = torch.maximum(m, s.amax(-1, keepdim=True)).detach()
            safe = new if bug == "empty_row_nan_grad" else new.masked_fill(new == -torch.inf, 0)
            p = exp(s - safe)
            old = exp(m - safe).masked_fill(m == -torch.inf, 0)
            l = l * old + p.sum(-1, keepdim=True)
            o = o * old + p @ v[:, :, j0:j1]
            m = new
        if bug == "empty_row_nan_grad":
            out = (o / l).masked_fill(~any_seen, 0)  # after the softmax: its gradient is 0 * NaN
        else:
            l = l.masked_fill(~any_seen, 1)
            d = l.detach() if bug == "normaliser_detached" else l + 1e-6 if bug == "eps_denominator" else l
            out = (o / d).masked_fill(~any_seen, 0)
        outs.append(out)
        lses.append((m.masked_fill(~any_seen, 0) + l.masked_fill(~any_seen, 1).log()).masked_fill(~any_seen, -torch.inf)[..., 0])
    out, lse = torch.cat(outs, 2), torch.cat(lses, 2)
    if bug == "lse_detached":
        lse = lse.detach()
    return {"out": out.to(kind), "lse": lse.to(t)}


def attention(q, k, v, *, mask=None, causal=False, scale=None, window=None, softcap=None):
    return core(q, k, v, None, mask=mask, causal=causal, scale=scale, window=window, softcap=softcap)
