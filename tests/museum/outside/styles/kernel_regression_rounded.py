# judge: --as kernel-regression --torch --dtype bfloat16
import torch


def attention(q, k, v, *, bandwidth=None):
    """Differences written out and stored, squares summed in float32, distances stored."""
    r = lambda x: x.to(q.dtype).float()
    if q.shape[2] * k.shape[2] * q.shape[3] > 2**22:
        raise NotImplementedError
    sigma = q.shape[-1] ** 0.25 if bandwidth is None else bandwidth
    if torch.is_tensor(sigma):
        sigma = sigma.float().reshape(-1, 1, 1)
    d = r(q.float()[:, :, :, None] - k.float()[:, :, None])
    s = r(-r((d * d).sum(-1)) / (2 * sigma**2))
    return (r(s.softmax(-1)) @ v.float()).to(q.dtype)
