# judge: --as alibi --torch --set masked_nan=spreads
import math
import torch


def get_slopes(n):
    """The published recipe (Press et al.), for any number of heads."""

    def get_slopes_power_of_2(n):
        start = 2 ** (-(2 ** -(math.log2(n) - 3)))
        return [start * start**i for i in range(n)]

    if math.log2(n).is_integer():
        return get_slopes_power_of_2(n)
    closest = 2 ** math.floor(math.log2(n))
    return get_slopes_power_of_2(closest) + get_slopes(2 * closest)[0::2][: n - closest]


def attention(q, k, v, *, causal=False, alignment="bottom_right", mask=None, scale=None):
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    b, h, nq, d = q.shape
    nk = k.shape[2]
    if k.shape[1] != h:
        raise NotImplementedError
    own = torch.arange(nq)[:, None] + (nk - nq if alignment == "bottom_right" else 0)
    distance = own - torch.arange(nk)[None]
    slopes = torch.tensor(get_slopes(h), dtype=kind)[:, None, None]
    logits = q.to(kind) @ k.to(kind).transpose(-1, -2) * (d**-0.5 if scale is None else scale) - slopes * distance.abs().to(kind)
    see = distance >= 0 if causal else torch.ones(nq, nk, dtype=torch.bool)
    if mask is not None:
        if mask.dtype != torch.bool:
            raise NotImplementedError
        see = see & mask
    logits = logits.masked_fill(~see, torch.finfo(kind).min)
    return (logits.softmax(-1).masked_fill(~see, 0) @ v.to(kind)).to(q.dtype)
