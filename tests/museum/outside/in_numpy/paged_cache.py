# judge: --set masked_nan=spreads
"""vLLM-like: keys and values in pages of 16 tokens at shuffled places, read through a block table."""
import numpy as np

PAGE = 16


def build_cache(x, rng):
    hk, n, d = x.shape
    pages = -(-n // PAGE)
    table = rng.permutation(pages + 3)[:pages]
    pool = np.zeros((pages + 3, PAGE, hk, d), x.dtype)
    for p in range(pages):
        chunk = x[:, p * PAGE:(p + 1) * PAGE]
        pool[table[p], :chunk.shape[1]] = chunk.transpose(1, 0, 2)
    return pool, table


def attention(q, k, v, *, causal=False, scale=None):
    B, H, N, D = q.shape
    Hk, M = k.shape[1:3]
    acc = np.promote_types(q.dtype, "f4")
    scale = acc.type(1 / D ** 0.5 if scale is None else scale)
    out = np.zeros((B, H, N, v.shape[3]), q.dtype)
    for b in range(B):
        kc, table = build_cache(k[b], np.random.default_rng(5))
        vc, _ = build_cache(v[b], np.random.default_rng(5))
        qb = q[b].astype(acc).reshape(Hk, H // Hk, N, D)
        m = np.full((Hk, H // Hk, N), -np.inf, acc)
        l = np.zeros_like(m)
        o = np.zeros(m.shape + (v.shape[3],), acc)
        for n, block in enumerate(table):
            used = min(PAGE, M - n * PAGE)
            kp = kc[block, :used].astype(acc).transpose(1, 2, 0)[:, None]
            vp = vc[block, :used].astype(acc).transpose(1, 0, 2)[:, None]
            s = qb @ kp * scale
            if causal:
                s = np.where(np.arange(N)[:, None] + M - N >= n * PAGE + np.arange(used), s, -np.inf)
            new = np.maximum(m, s.max(-1))
            base = np.where(new == -np.inf, 0, new)
            p = np.exp(s - base[..., None])
            fade = np.exp(m - base)
            l = l * fade + p.sum(-1)
            o = o * fade[..., None] + p @ vp
            m = new
        out[b] = (o / np.where(l == 0, 1, l)[..., None]).reshape(H, N, -1).astype(q.dtype)
    return out
