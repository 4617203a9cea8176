# judge: --as linear-twicing --torch --dtype bfloat16 --dtype float16
import torch
import torch.nn.functional as F


def attention(q, k, v, *, eps=1e-6):
    """16 bits: A stored in the type, sums in float32."""
    r = lambda x: x.to(q.dtype).float()
    Q, K = r(F.elu(q.float()) + 1), r(F.elu(k.float()) + 1)
    w = Q @ K.mT
    A = r(w / (w.sum(-1, keepdim=True) + eps))
    AV = r(A @ v.float())
    return (AV + r(A @ r(v.float() - AV))).to(q.dtype)
