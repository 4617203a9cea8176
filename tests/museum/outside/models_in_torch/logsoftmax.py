# judge: --torch --set masked_nan=spreads
"""Weights as exp(logits - logsumexp(logits)), all in log space; biases and added masks are log-weights of keys."""
import torch


def attention(q, k, v, *, causal=False, bias=None, mask=None, scale=None):
    dtype = torch.float64 if q.dtype == torch.float64 else torch.float32
    k, v = k.to(dtype), v.to(dtype)
    if q.shape[1] != k.shape[1]:
        k = torch.cat([k[:, i // (q.shape[1] // k.shape[1])].unsqueeze(1) for i in range(q.shape[1])], 1)
        v = torch.cat([v[:, i // (q.shape[1] // v.shape[1])].unsqueeze(1) for i in range(q.shape[1])], 1)
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    log_w = scale * torch.einsum("bhid,bhjd->bhij", q.to(dtype), k)
    off = torch.zeros(log_w.shape[-2:], dtype=torch.bool)
    if causal:
        i = torch.arange(q.shape[2]).unsqueeze(1) + (k.shape[2] - q.shape[2])
        off = off | (torch.arange(k.shape[2]).unsqueeze(0) > i)
    for extra in (bias, mask):
        if extra is None:
            continue
        if extra.dtype == torch.bool:
            off = off | torch.logical_not(extra)
        else:
            off = off | torch.isneginf(extra)
            log_w = log_w + torch.nan_to_num(extra.to(dtype), neginf=0.0)
    off = off.expand_as(log_w)
    void = off.all(-1, keepdim=True)
    log_w = log_w.masked_fill(off, -torch.inf).masked_fill(void, 0)
    lse = torch.logsumexp(log_w, -1, keepdim=True)
    w = torch.exp(torch.log_softmax(log_w, -1)).masked_fill(void, 0)
    return {"out": torch.matmul(w, v).to(q.dtype), "lse": lse.masked_fill(void, -torch.inf).squeeze(-1)}
