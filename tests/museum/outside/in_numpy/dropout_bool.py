# judge: --set masked_nan=spreads
"""Dropout by a boolean keep mask and a rate, hand-written gradients."""
import numpy as np


def attention(q, k, v, *, causal=False, dropout_mask=None, dropout_p=0.0, dout=None):
    io = q.dtype
    cd = np.promote_types(io, np.float32)
    B, H, N, D = q.shape
    Hk, M = k.shape[1], k.shape[2]
    Q = q.astype(cd)
    K = np.repeat(k, H // Hk, 1).astype(cd)
    V = np.repeat(v, H // Hk, 1).astype(cd)
    sm = cd.type(D ** -0.5)
    S = Q @ K.transpose(0, 1, 3, 2) * sm
    vis = np.tri(N, M, M - N, dtype=bool) if causal else np.ones((N, M), bool)
    S = np.where(vis, S, np.finfo(cd).min)
    P = np.exp(S - S.max(-1, keepdims=True)) * vis
    P /= np.maximum(P.sum(-1, keepdims=True), np.finfo(cd).tiny)
    if dropout_mask is None:
        keep = cd.type(1)
    elif dropout_mask.dtype == bool:
        keep = np.where(dropout_mask, cd.type(1 / (1 - dropout_p)), cd.type(0))
    else:
        keep = dropout_mask.astype(cd)
    O = (P * keep) @ V
    if dout is None:
        return O.astype(io)
    dO = dout.astype(cd)
    dP = dO @ V.transpose(0, 1, 3, 2) * keep
    dS = np.where(vis, P * (dP - (dP * P).sum(-1, keepdims=True)), 0) * sm
    dK = (dS.transpose(0, 1, 3, 2) @ Q).reshape(B, Hk, -1, M, D).sum(2)
    dV = ((P * keep).transpose(0, 1, 3, 2) @ dO).reshape(B, Hk, H // Hk, M, -1).sum(2)
    return dict(out=O.astype(io), dq=(dS @ K).astype(io), dk=dK.astype(io), dv=dV.astype(io))
