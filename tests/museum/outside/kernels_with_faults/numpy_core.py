"""Attention with hand-written gradients in NumPy. `wrong` is the one thing done wrongly, None for nothing."""
import numpy as np

INF = np.inf


def computed(q, k, v, mask, causal, scale, window, softcap, bias, alibi_slopes, sinks, dropout_mask, cu_seqlens, cu_seqlens_k,
              alignment, dout, dlse, wrong=None):
    dtype = q.dtype
    if dtype not in (np.float16, np.float32, np.float64):
        raise NotImplementedError('element type')
    real = np.float64 if dtype == np.float64 else np.float32
    if wrong == 'inplace':
        q = np.ascontiguousarray(q, dtype=real)
        q *= real(q.shape[-1] ** -0.5 if scale is None else scale)
        scale = 1.0
    q, k, v = (x.astype(real) for x in (q, k, v))
    B, H, nq, D = q.shape
    hk, nk, Dv = k.shape[1], k.shape[2], v.shape[3]
    g = H // hk
    scale = real(D ** -0.5 if scale is None else scale)
    out, lse = np.zeros((B, H, nq, Dv), real), np.full((B, H, nq), -INF, real)
    dq, dk, dv = np.zeros_like(q), np.zeros_like(k), np.zeros_like(v)
    cq = [0, nq] if cu_seqlens is None else [int(x) for x in cu_seqlens]
    ck = ([0, nk] if cu_seqlens is None else cq) if cu_seqlens_k is None else [int(x) for x in cu_seqlens_k]
    left, right = (-1, -1) if window is None else window
    for b in range(B):
        for h in range(H):
            kv = h // g
            for q0, q1, k0, k1 in zip(cq, cq[1:], ck, ck[1:]):
                if q1 == q0 or k1 == k0:
                    if sinks is not None:
                        lse[b, h, q0:q1] = sinks[h]
                    continue
                shift = 0 if alignment == 'top_left' else (k1 - k0) - (q1 - q0)
                if wrong == 'global offset' and alignment != 'top_left':
                    shift = nk - nq
                j = np.arange(k1 - k0)[None]
                block = 8 if wrong == 'narrow sums' else 64
                for i0 in range(q0, q1, block):
                    i1 = min(i0 + block, q1)
                    p = np.arange(i0 - q0, i1 - q0)[:, None] + shift
                    seen = np.ones((i1 - i0, k1 - k0), bool)
                    if causal:
                        seen &= j <= p
                    if left >= 0:
                        seen &= j >= p - left
                    if right >= 0:
                        seen &= j <= p + right
                    Q, K, V = q[b, h, i0:i1], k[b, kv, k0:k1], v[b, kv, k0:k1]
                    x = Q @ K.T * scale
                    slope = real(1)
                    if softcap:
                        t = np.tanh(x / real(softcap))
                        x = real(softcap) * t
                        slope = 1 - t * t
                    if bias is not None:
                        x = x + bias[kv if wrong == 'bias head' else h, i0:i1, k0:k1].astype(real)
                    if alibi_slopes is not None:
                        x = x - real(alibi_slopes[h]) * np.abs(p - j).astype(real)
                    if mask is not None:
                        m = mask if mask.ndim == 2 else mask[b if mask.shape[0] > 1 else 0, h if mask.shape[1] > 1 else 0]
                        m = m[i0:i1, k0:k1]
                        if m.dtype == bool:
                            seen &= m
                        else:
                            x = x + m.astype(real)
                    if wrong == 'cap of biased' and softcap:
                        slope = 1 - np.clip(x / real(softcap), -1, 1) ** 2
                    x = np.where(seen, x, -INF)
                    top = x.max(1, keepdims=True)
                    if sinks is not None:
                        top = np.maximum(top, real(sinks[h]))
                    top = np.where(top == -INF, 0, top)
                    e = np.exp(x - top)
                    total = e.sum(1, keepdims=True)
                    alone = total
                    if sinks is not None:
                        total = total + np.exp(real(sinks[h]) - top)
                    empty = total == 0
                    total = np.where(empty, 1, total)
                    w = e / total
                    named = alone if wrong == 'lse without sinks' else total
                    with np.errstate(divide='ignore'):
                        lse[b, h, i0:i1] = np.where(empty, -INF, np.log(named) + top)[:, 0]
                    f = real(1) if dropout_mask is None else dropout_mask[b, h, i0:i1, k0:k1].astype(real)
                    out[b, h, i0:i1] = (w * f) @ V
                    if dout is None:
                        continue
                    dO = dout[b, h, i0:i1].astype(real)
                    dp = dO @ V.T
                    if wrong != 'undropped':
                        dp = dp * f
                    delta = (w * dp).sum(1, keepdims=True)
                    if wrong == 'delta of keys' and sinks is not None:
                        delta = delta / np.maximum(w.sum(1, keepdims=True), np.finfo(real).tiny)
                    ds = w * (dp - delta)
                    if dlse is not None and wrong != 'no dlse':
                        ds = ds + w * dlse[b, h, i0:i1, None].astype(real)
                    ds = np.where(seen, ds * slope, 0)
                    dq[b, h, i0:i1] = ds @ K * scale
                    factor = real(1) if wrong == 'dk unscaled' and softcap else scale
                    step = ds.T @ Q * factor
                    if wrong == 'last head' and h % g:
                        step = step - (0 if i0 > q0 else dk[b, kv, k0:k1])
                    dk[b, kv, k0:k1] += step
                    dv[b, kv, k0:k1] += (w * f).T @ dO
                    if wrong == 'narrow sums':
                        dk[b, kv, k0:k1] = dk[b, kv, k0:k1].astype(dtype)
                        dv[b, kv, k0:k1] = dv[b, kv, k0:k1].astype(dtype)
    r = {'out': out.astype(dtype), 'lse': lse}
    if dout is not None:
        r.update(dq=dq.astype(dtype), dk=dk.astype(dtype), dv=dv.astype(dtype))
    return r


def with_fault(fault=None):
    """It with the options of the contract, as a function of its own."""
    def attention(q, k, v, *, mask=None, causal=False, scale=None, window=None, softcap=0, bias=None, alibi_slopes=None, sinks=None,
                  dropout_mask=None, cu_seqlens=None, cu_seqlens_k=None, alignment="bottom_right", dout=None, dlse=None):
        return computed(q, k, v, mask, causal, scale, window, softcap, bias, alibi_slopes, sinks, dropout_mask, cu_seqlens,
                        cu_seqlens_k, alignment, dout, dlse, fault)
    return attention
