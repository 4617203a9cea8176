"""A tiled attention in NumPy with online softmax. bug=None is right; every other value plants one fault."""
import numpy as np

BQ, BK = 64, 64
_random = np.random.default_rng()


def product(w, seen, x):
    """sum over j of w[i, j] x[j]; what is not seen is not touched, were it NaN."""
    bad = ~np.isfinite(x).all(axis=1)
    if not bad.any():
        return w @ x
    r = np.ascontiguousarray(w[:, ~bad]) @ x[~bad]
    for j in np.flatnonzero(bad):
        r += np.where(seen[:, j, None], w[:, j, None] * x[j], 0)
    return r


def _fast_exp(x):
    x = np.maximum(x * 1.4426950408889634, -1000)
    n = np.floor(x)
    f = x - n
    return np.where(np.isneginf(x) | (x <= -1000), 0, np.ldexp((0.33718944 * f + 0.65763628) * f + 1.0017247, n.astype(int)))


@np.errstate(all="ignore")
def core(q, k, v, bug, *, mask, causal, alignment, scale, window, softcap, bias, alibi_slopes, sinks, cu_seqlens,
         cu_seqlens_k, dropout_mask, dout, dlse):
    B, H, Nq, D = q.shape
    Hk, Nk, Dv = k.shape[1], k.shape[2], v.shape[3]
    group = H // Hk
    wide = q.dtype in (np.float32, np.float64)
    t = np.float64 if wide else np.float32
    narrow = q.dtype if wide else np.float32
    bk = BK
    if bug == "batch_split":  # the split of the keys is chosen from the batch size, partial sums in the type of the input
        t = q.dtype.type if wide else np.float32
        bk = 128 if B == 1 else 32
    if bug == "scale_or":
        scale = scale or D ** -0.5
    scale = D ** -0.5 if scale is None else float(scale)
    given_scale, dscale = scale, scale
    if bug == "grad_default_scale":
        dscale = D ** -0.5
    if bug == "inputs_in_place":
        np.multiply(q, scale, out=q, casting="unsafe")
    if bug == "memory_order":
        k, v = (np.ravel(x, order="K").reshape(x.shape) for x in (k, v))
    if bug == "causal_ignored_with_mask" and mask is not None:
        causal = False
    if bug == "decode_no_softcap" and Nq == 1:
        softcap = None
    full = (B, H, Nq, Nk)
    if mask is not None:
        mask = np.broadcast_to(mask, full)
        if bug == "mask_batch0":
            mask = np.broadcast_to(mask[:1], full)
        if bug == "mask_transposed" and Nq == Nk:
            mask = mask.swapaxes(2, 3)
    if bias is not None:
        bias = np.broadcast_to(bias, full)
        if bug == "bias_head0":
            bias = np.broadcast_to(bias[:, :1], full)
    drop = None if dropout_mask is None else np.broadcast_to(dropout_mask, full)
    backward = dout is not None or dlse is not None
    out = np.zeros((B, H, Nq, Dv), t)
    raw = np.zeros((B, H, Nq, Dv), t)
    lse = np.full((B, H, Nq), -np.inf, t)  # what the backward pass uses
    lse_out = lse.copy()
    segments = back_segments = [(0, Nq, 0, Nk)]
    if cu_seqlens is not None:
        cq = [int(c) for c in cu_seqlens]
        ck = cq if cu_seqlens_k is None else [int(c) for c in cu_seqlens_k]
        segments = back_segments = list(zip(cq[:-1], cq[1:], ck[:-1], ck[1:]))
        if bug == "cu_last_dropped":
            segments = back_segments = segments[:-1]
        if bug == "cu_k_ignored_backward":
            back_segments = [(a, e, min(a, Nk), min(e, Nk)) for a, e in zip(cq[:-1], cq[1:])]

    def key_tiles(segment, i0, i1):
        qs, qe, ks, ke = segment
        first, end = ks, ke
        if bug == "cu_leak_neighbour" and cu_seqlens is not None:
            end = min(ke + 1, Nk)
        if bug == "multiple_128":
            n = ke - ks
            end = ks + (n - 1) // 128 * 128 + n % 128 if n else ks
        if bug == "window_tile_skip" and window is not None and window[0] >= 0:
            low = i0 - qs + (ke - ks) - (qe - qs) - window[0]
            if low > 0:
                first = ks + -(-low // bk) * bk
        tiles = [(j, min(end, j + bk)) for j in range(first, end, bk)]
        if bug == "nondeterministic":
            _random.shuffle(tiles)
        return tiles

    def keys(x, b, g, j0, j1):
        if bug == "uint16_index":
            j0, j1 = j0 & 0xFFFF, (j0 & 0xFFFF) + j1 - j0
        return np.ascontiguousarray(x[b, g, j0:j1], dtype=t)

    def logits(b, h, segment, i0, i1, j0, j1, Q, K):
        """The logits, which of them are seen, the derivative of the softcap and what would be seen without the causal mask."""
        qs, qe, ks, ke = segment
        at = (b, h, slice(i0, i1), slice(j0, j1))
        offset = 0 if alignment == "top_left" else (ke - ks) - (qe - qs)
        row = np.arange(i0 - qs, i1 - qs)[:, None]
        own = row + offset
        j = np.arange(j0 - ks, j1 - ks)[None, :]
        seen = np.ones((i1 - i0, j1 - j0), bool)
        d = D
        if bug == "d_over_128":
            d = min(D, 128)
        if bug == "d_tail_8" and D > 8:
            d = D // 8 * 8
        s = Q[:, :d] @ K[:, :d].T
        factor = scale
        if bug == "inputs_in_place":
            factor = 1.0
        if bug == "odd_last_head" and H % 2 and H > 1 and h == H - 1:
            factor = D ** -0.5
        s = s * factor
        if bug == "softcap_after_bias" and softcap and bias is not None:
            s = s + bias[at].astype(t)
        inner = np.ones_like(s)
        if softcap:
            th = np.tanh(s / softcap)
            s = softcap * th
            if bug != "softcap_grad_missing":
                inner = 1 - th * th
        if bias is not None:
            if bug == "bias_before_scale":
                s = s + bias[at].astype(t) * scale
            elif not (bug == "softcap_after_bias" and softcap):
                s = s + bias[at].astype(t)
            seen &= bias[at] != -np.inf
        if alibi_slopes is not None:
            slope = t(alibi_slopes[h // group if bug == "alibi_slope_kv_head" else h])
            distance = (row if bug == "alibi_top_left" else own) - j
            s = s - slope * (distance if bug == "alibi_signed" else np.abs(distance))
        if mask is not None:
            if mask.dtype == bool:
                seen &= mask[at]
            else:
                s = s + mask[at].astype(t)
                seen &= mask[at] != -np.inf
        if window is not None:
            before, after = window
            middle = row if bug == "window_ignores_offset" else own
            if before > 0 or before == 0 and bug != "window_zero_means_all":
                seen &= j >= middle - before - (bug == "window_before_wide")
            if after >= 0:
                seen &= j <= middle + after - (bug == "window_after_exclusive")
        without = seen.copy()
        if causal:
            seen &= j <= (row if bug == "causal_top_left" else own) + (bug == "causal_leak_next")
        return np.where(seen, s, t(-1e4) if bug == "fill_minus_1e4" else -np.inf), seen, inner, without, s

    exp = _fast_exp if bug == "fast_exp" else np.exp
    for b in range(B):
        for h in range(H):
            g = h % Hk if bug == "gqa_tiled" else h // group
            for segment in segments:
                qs, qe, ks, ke = segment
                for i0 in range(qs, qe, BQ):
                    i1 = min(qe, i0 + BQ)
                    n = i1 - i0
                    Q = np.ascontiguousarray(q[b, h, i0:i1], dtype=t)
                    sink = -np.inf if sinks is None else float(sinks[h])
                    m = np.full((n, 1), sink, t)
                    if bug == "max_init_zero":
                        m = np.maximum(m, 0)
                    if bug == "no_max":
                        m = np.zeros_like(m)
                    l = np.exp(sink - m) if np.isfinite(sink) else np.zeros((n, 1), t)
                    acc = np.zeros((n, Dv), t)
                    any_seen = np.zeros((n, 1), bool)
                    for number, (j0, j1) in enumerate(key_tiles(segment, i0, i1)):
                        K, V = keys(k, b, g, j0, j1), keys(v, b, g, j0, j1)
                        s, seen, _, _, _ = logits(b, h, segment, i0, i1, j0, j1, Q, K)
                        any_seen |= seen.any(axis=1, keepdims=True)
                        new = np.maximum(m, s.max(axis=1, keepdims=True))
                        padded = bug == "tail_zero_logits" and j1 - j0 < bk and not causal and mask is None and window is None
                        if padded:
                            new = np.maximum(new, 0)
                        if bug == "no_max":
                            new = m
                        safe = np.where(np.isneginf(new), 0, new)
                        p = exp(s - safe)
                        if bug != "fill_minus_1e4":
                            p = np.where(seen, p, 0)
                        if bug == "weight_cutoff":
                            p = np.where(p < 1e-3, 0, p)
                        old = np.where(np.isneginf(m), 0, np.exp(m - safe))
                        w = p
                        if drop is not None:
                            factor = drop[b, h, i0:i1, j0:j1].astype(t)
                            w = p * factor * (factor if bug == "dropout_twice" else 1)
                        l = l * old + (w if bug == "dropout_before_norm" else p).sum(axis=1, keepdims=True)
                        if padded:
                            l = l + (bk - (j1 - j0)) * np.exp(-safe)
                        if bug == "sinks_per_block" and number and np.isfinite(sink):
                            l = l + np.exp(sink - safe)
                        keep = bug == "no_acc_rescale" or bug == "tail_no_rescale" and j1 - j0 < bk
                        acc = acc * (1 if keep else old) + product(w, seen | (w != 0), V)
                        if bug == "half_accumulator" and not wide:
                            acc, l = (x.astype(q.dtype).astype(t) for x in (acc, l))
                        m = new
                    done = any_seen & (l > 0) | np.isnan(l)
                    m = np.where(done, m, 0)
                    l = np.where(done, l, 1)
                    o = np.where(done, acc / l, 0)
                    if bug == "empty_mean" and ke > ks:
                        o = np.where(any_seen, o, np.asarray(v[b, g, ks:ke], dtype=t).mean(axis=0))
                    out[b, h, i0:i1] = o
                    raw[b, h, i0:i1] = acc
                    lse[b, h, i0:i1] = np.where(done, m + np.log(l), -np.inf)[:, 0]
                    top = m / scale if bug == "lse_unscaled" and scale else m
                    lse_out[b, h, i0:i1] = np.where(done, top + np.log(l), -np.inf)[:, 0]
    if bug == "lse_base2":
        lse_out = lse_out / np.log(2)
    kind = np.float64 if bug == "returns_float64" and q.dtype == np.float32 else q.dtype
    answer = {"out": out.astype(kind), "lse": lse_out.astype(narrow)}
    if not backward:
        return answer

    dq, dk, dv = (np.zeros(x.shape, t) for x in (q, k, v))
    for b in range(B):
        for h in range(H):
            g = h % Hk if bug == "gqa_tiled" else h // group
            dkh, dvh = np.zeros((Nk, D), t), np.zeros((Nk, Dv), t)
            for segment in back_segments:
                qs, qe, ks, ke = segment
                for i0 in range(qs, qe, BQ):
                    i1 = min(qe, i0 + BQ)
                    Q = np.ascontiguousarray(q[b, h, i0:i1], dtype=t)
                    dO = np.zeros((i1 - i0, Dv), t) if dout is None else np.ascontiguousarray(dout[b, h, i0:i1], dtype=t)
                    delta = (dO * (raw if bug == "delta_unnormalised" else out)[b, h, i0:i1]).sum(axis=1, keepdims=True)
                    dl = np.zeros((i1 - i0, 1), t)
                    if dlse is not None and bug != "dlse_ignored":
                        dl = np.asarray(dlse[b, h, i0:i1], dtype=t)[:, None]
                    total = lse[b, h, i0:i1, None]
                    for j0, j1 in key_tiles(segment, i0, i1):
                        if bug == "backward_causal_skip" and causal and i1 - qs <= j0 - ks:
                            continue
                        K, V = keys(k, b, g, j0, j1), keys(v, b, g, j0, j1)
                        s, seen, inner, without, bare = logits(b, h, segment, i0, i1, j0, j1, Q, K)
                        seen = seen & ~np.isneginf(total)
                        p = np.where(seen, exp(s - total), 0)
                        if bug == "weight_cutoff":
                            p = np.where(p < 1e-3, 0, p)
                        w, dp = p, dO @ V.T
                        if drop is not None:
                            factor = drop[b, h, i0:i1, j0:j1].astype(t)
                            if bug == "dropout_twice":
                                factor = factor * factor
                            if bug != "dv_undropped":
                                w = p * factor
                            dp = dp * factor
                        dvh[j0:j1] += product(w.T, seen.T, dO)
                        ds = np.where(seen, p * (dp - delta + dl) * inner * dscale, 0)
                        if bug == "nan_leak_grad":
                            dq[b, h, i0:i1] += ds @ K
                        else:
                            dq[b, h, i0:i1] += product(ds, seen, K)
                        if bug == "dk_without_causal" and causal:
                            visible = without & ~np.isneginf(total)
                            pf = np.where(visible, np.exp(bare - total), 0)
                            dkh[j0:j1] += product(np.where(visible, pf * (dp - delta + dl) * inner * dscale, 0).T, visible.T, Q)
                        elif bug == "inputs_in_place":
                            dkh[j0:j1] += product(ds.T / dscale if dscale else ds.T, seen.T, Q)
                        elif bug == "dk_scale_missing":
                            dkh[j0:j1] += product(np.where(seen, p * (dp - delta + dl) * inner, 0).T, seen.T, Q)
                        else:
                            dkh[j0:j1] += product(ds.T, seen.T, Q)
            if bug == "gqa_grad_overwrite":
                dk[b, g], dv[b, g] = dkh, dvh
            else:
                dk[b, g] += dkh
                dv[b, g] += dvh
    answer.update(dq=dq.astype(kind), dk=dk.astype(kind), dv=dv.astype(kind))
    return answer
