# judge: --as elliptical --torch --set masked_nan=spreads
"""The metric of the values' change, of prefixes under a causal mask; gradient through it or not."""
import torch


def attention(q, k, v, *, v_previous=None, causal=False, mask=None, normalise="max", delta=1.0, gradient="through"):
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    Q, K, V = q.to(kind), k.to(kind), v.to(kind)
    n = q.shape[2]
    if v_previous is not None:
        m = (V - v_previous.to(kind)).abs() / delta
        # Under a causal mask query i has the metric of tokens 0..i.
        m = m.cumsum(2) / torch.arange(1, n + 1, dtype=kind)[:, None] if causal else m.mean(2, keepdim=True)
        if normalise == "max":
            m = m / m.amax(-1, keepdim=True)
        elif normalise == "mean":
            m = m / m.mean(-1, keepdim=True)
        Q = Q * (m.detach() if gradient == "stop" else m)
    logits = Q @ K.transpose(-1, -2) * q.shape[-1] ** -0.5
    see = torch.ones(n, n, dtype=torch.bool)
    if causal:
        see = see.tril()
    if mask is not None:
        if mask.dtype != torch.bool:
            raise NotImplementedError
        see = see & mask
    A = logits.masked_fill(~see, torch.finfo(kind).min).softmax(-1).masked_fill(~see, 0)
    return (A @ V).to(q.dtype)
