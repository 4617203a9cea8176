# judge: --as linear --torch --dtype bfloat16
import torch
import torch.nn.functional as F


def attention(q, k, v, *, eps=1e-6):
    """bfloat16: each array between the steps is stored in the type, sums in float32."""
    r = lambda x: x.to(q.dtype).float()
    Q, K = r(F.elu(q.float()) + 1), r(F.elu(k.float()) + 1)
    KV = r(K.transpose(-1, -2) @ v.float())
    Z = r(K.sum(2, keepdim=True))
    return (r(Q @ KV) / (r((Q * Z).sum(-1, keepdim=True)) + eps)).to(q.dtype)
