# judge: --as attention-sh --torch
import torch
import torch.nn.functional as F


def attention(q, k, v, *, factors, remainder="ceil"):
    """Average pooling by avg_pool1d, head by head. Queries are not pooled."""
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    h = q.shape[1]
    factors = (factors,) if isinstance(factors, int) else tuple(factors)
    if len(factors) == 1:
        factors = factors * h
    out = []
    for a, f in enumerate(factors):
        if remainder == "floor" and k.shape[2] < f:
            raise NotImplementedError
        pool = lambda x: F.avg_pool1d(x[:, a].to(kind).transpose(1, 2), f, f, ceil_mode=remainder == "ceil").transpose(1, 2)
        K, V = pool(k), pool(v)
        p = torch.softmax(q[:, a].to(kind) @ K.transpose(1, 2) / q.shape[-1] ** 0.5, -1)
        out.append(p @ V)
    return torch.stack(out, 1).to(q.dtype)
