# judge: --as attention-bn --torch --dtype bfloat16
import torch


def attention(q, k, v, *, eps=1e-5):
    """bfloat16: sums in float32, every array between the steps stored in the type."""
    r = lambda x: x.to(q.dtype).float()
    Q, K = q.float(), k.float()
    mu = r(K.mean(2, keepdim=True))
    c = r(K - mu)
    inv = r(torch.rsqrt(r((c * c).mean(2, keepdim=True)) + eps))
    s = r((r(r(Q - mu) * inv) @ r(c * inv).mT) * q.shape[-1] ** -0.5)
    return (r(s.softmax(-1)) @ v.float()).to(q.dtype)
