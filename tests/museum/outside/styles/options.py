# judge: --torch --set masked_nan=spreads
import torch


def attention(q, k, v, **options):
    """Takes what **options promises: mask causal scale window softcap cu_seqlens bias dropout_mask; dout declined (autograd does it)."""
    known = {"mask", "causal", "scale", "window", "softcap", "cu_seqlens", "cu_seqlens_k", "bias", "dropout_mask", "alignment"}
    if set(options) - known:
        raise NotImplementedError(str(set(options) - known))
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    get = options.get
    g = q.shape[1] // k.shape[1]
    Q, K, V = q.to(kind), k.to(kind).repeat_interleave(g, 1), v.to(kind).repeat_interleave(g, 1)
    nq, nk = q.shape[2], k.shape[2]
    s = Q @ K.transpose(-1, -2) * (q.shape[-1] ** -0.5 if get("scale") is None else get("scale"))
    if get("softcap"):
        s = get("softcap") * torch.tanh(s / get("softcap"))
    if get("bias") is not None:
        s = s + get("bias").to(kind)
    i, j = torch.arange(nq)[:, None], torch.arange(nk)[None]
    see = torch.ones(nq, nk, dtype=torch.bool)
    own = i + nk - nq
    if get("cu_seqlens") is not None:
        cq = get("cu_seqlens").long()
        ck = cq if get("cu_seqlens_k") is None else get("cu_seqlens_k").long()
        sq, sk = torch.bucketize(i[:, 0], cq[1:], right=True), torch.bucketize(j[0], ck[1:], right=True)
        see &= sq[:, None] == sk[None]
        own = i + (ck[1:][sq] - cq[1:][sq])[:, None]
    if get("alignment") == "top_left":
        own = i if get("cu_seqlens") is None else i + (ck[:-1][sq] - cq[:-1][sq])[:, None]
    if get("causal"):
        see = see & (j <= own)
    if get("window") is not None:
        a, b = get("window")
        if a >= 0:
            see = see & (j >= own - a)
        if b >= 0:
            see = see & (j <= own + b)
    if get("mask") is not None:
        m = get("mask")
        if m.dtype == torch.bool:
            see = see & m
        else:
            see = see & ~torch.isneginf(m)
            s = s + m.to(kind).masked_fill(torch.isneginf(m), 0)
    s = s.masked_fill(~see, torch.finfo(kind).min)
    p = s.softmax(-1).masked_fill(~see, 0)
    if get("dropout_mask") is not None:
        p = p * get("dropout_mask").to(kind)
    return (p @ V).to(q.dtype)
