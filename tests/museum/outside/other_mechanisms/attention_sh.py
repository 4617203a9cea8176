# judge: --as attention-sh --torch --set masked_nan=spreads
"""Keys and values pooled by torch's avg_pool1d, a factor per head. The last window averages what it has, or is dropped."""
import torch
import torch.nn.functional as F


def attention(q, k, v, *, factors, remainder="ceil"):
    if isinstance(factors, str):
        factors = [int(x) for x in factors.split(",")]
    factors = [int(x) for x in (factors if hasattr(factors, "__len__") else [factors])]
    heads = q.shape[1]
    if len(factors) == 1:
        factors = factors * heads
    t = q.dtype if q.dtype == torch.float64 else torch.float32
    outs = []
    for h in range(heads):
        s = factors[h % len(factors)]
        Q, K, V = (x[:, h].to(t) for x in (q, k, v))
        n = K.shape[1]
        if s > 1:
            if remainder == "ceil":
                full = n // s * s

                def pool(x):
                    parts = [F.avg_pool1d(x[:, :full].transpose(1, 2), s).transpose(1, 2)] if full else []
                    return torch.cat(parts + ([x[:, full:].mean(1, keepdim=True)] if full < n else []), 1)

            else:
                pool = lambda x: F.avg_pool1d(x.transpose(1, 2), s).transpose(1, 2) if n >= s else x[:, :0]
            K, V = pool(K), pool(V)
        outs.append(((Q @ K.transpose(1, 2)) * Q.shape[-1] ** -0.5).softmax(-1) @ V)
    return torch.stack(outs, 1).to(q.dtype)
