# judge: --as elliptical --torch --dtype bfloat16
"""bfloat16: the metric, logits and weights stored in the type."""
import torch


def attention(q, k, v, *, v_previous=None):
    r = lambda x: x.to(q.dtype).float()
    Q = q.float()
    if v_previous is not None:
        m = r(r(v.float() - v_previous.float()).abs().mean(2, keepdim=True))
        m = r(m / m.amax(-1, keepdim=True))
        Q = r(Q * m)
    s = r((Q @ k.float().mT) * q.shape[-1] ** -0.5)
    return (r(s.softmax(-1)) @ v.float()).to(q.dtype)
