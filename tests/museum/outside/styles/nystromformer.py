# judge: --as nystromformer --torch
import torch


def attention(q, k, v, *, landmarks=64, iterations=6):
    """Segment means, six iterations from K2' / c with the head's own largest column sum."""
    kind = torch.float64 if q.dtype == torch.float64 else torch.float32
    b, h, nq, d = q.shape
    nk = k.shape[2]
    if nq % landmarks or nk % landmarks:
        raise NotImplementedError("lengths that the landmarks do not divide")
    Q, K, V = q.to(kind) * d**-0.25, k.to(kind) * d**-0.25, v.to(kind)
    if nq == landmarks and nk == landmarks:
        return (torch.softmax(Q @ K.transpose(-1, -2), -1) @ V).to(q.dtype)
    QL = Q.reshape(b, h, landmarks, nq // landmarks, d).mean(-2)
    KL = K.reshape(b, h, landmarks, nk // landmarks, d).mean(-2)
    k1 = torch.softmax(Q @ KL.transpose(-1, -2), -1)
    k2 = torch.softmax(QL @ KL.transpose(-1, -2), -1)
    k3 = torch.softmax(QL @ K.transpose(-1, -2), -1)
    c = k2.sum(-2).max(-1).values[..., None, None]
    Z = k2.transpose(-1, -2) / c
    I = torch.eye(landmarks, dtype=kind)
    for _ in range(iterations):
        KZ = k2 @ Z
        Z = 0.25 * Z @ (13 * I - KZ @ (15 * I - KZ @ (7 * I - KZ)))
    return ((k1 @ Z) @ (k3 @ V)).to(q.dtype)
