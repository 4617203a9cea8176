"""The reference of the museum's own test: softmax attention from its definition, entry by entry in double precision, with
nothing shared with attention.py."""
import math

import numpy as np


def sequence_of(bounds, position):
    return max(i for i in range(len(bounds) - 1) if bounds[i] <= position)


def sees(b, h, i, j, n_q, n_k, o):
    """Whether query i sees key j, and how far j is after the diagonal."""
    first_q, last_q, first_k, last_k = 0, n_q, 0, n_k
    if o.get("cu_seqlens") is not None:
        bounds = [int(x) for x in o["cu_seqlens"]]
        of_keys = [int(x) for x in (o["cu_seqlens_k"] if o.get("cu_seqlens_k") is not None else bounds)]
        s = sequence_of(bounds, i)
        first_q, last_q, first_k, last_k = bounds[s], bounds[s + 1], of_keys[s], of_keys[s + 1]
        if not first_k <= j < last_k:
            return False, 0
    after = (j - first_k) - (i - first_q)
    if o.get("alignment") == "bottom_right":
        after -= (last_k - first_k) - (last_q - first_q)
    seen = not (o.get("causal") and after > 0)
    if o.get("window") is not None:
        left, right = o["window"]
        seen = seen and (left < 0 or -after <= left) and (right < 0 or after <= right)
    if o.get("mask") is not None:
        entry = entry_of(o["mask"], b, h, i, j)
        seen = seen and (bool(entry) if np.asarray(o["mask"]).dtype == bool else entry != -math.inf)
    return seen, after


def entry_of(a, b, h, i, j):
    a = np.asarray(a)
    if a.ndim == 4:
        return a[b % a.shape[0], h % a.shape[1], i, j]
    return a[h, i, j] if a.ndim == 3 else a[i, j]


def logit(q, k, b, h, i, j, after, o):
    """Its value, and its derivative by the dot product."""
    scale = o.get("scale") or 1 / math.sqrt(q.shape[3])
    key = k[b, h // (q.shape[1] // k.shape[1]), j]
    z, slope = scale * math.fsum(float(x) * float(y) for x, y in zip(q[b, h, i], key)), scale
    if o.get("softcap"):
        t = math.tanh(z / o["softcap"])
        z, slope = o["softcap"] * t, slope * (1 - t * t)
    if o.get("bias") is not None:
        z += float(entry_of(o["bias"], b, h, i, j))
    if o.get("mask") is not None and np.asarray(o["mask"]).dtype != bool:
        z += float(entry_of(o["mask"], b, h, i, j))
    if o.get("alibi_slopes") is not None:
        z -= float(o["alibi_slopes"][h]) * abs(after)
    return z, slope


def attention(q, k, v, **o):
    """{"out", "lse"}, and with dout also "dq", "dk", "dv"."""
    (B, H, n_q, d), (_, h_kv, n_k, _), d_v = q.shape, k.shape, v.shape[3]
    group, rate = H // h_kv, o.get("dropout_rate", 0.0)
    r = {"out": np.zeros((B, H, n_q, d_v)), "lse": np.full((B, H, n_q), -np.inf)}
    if o.get("dout") is not None:
        r.update(dq=np.zeros(q.shape), dk=np.zeros(k.shape), dv=np.zeros(v.shape))
    for b in range(B):
        for h in range(H):
            for i in range(n_q):
                row(r, q, k, v, o, b, h, i, h // group, rate)
    return r


def row(r, q, k, v, o, b, h, i, g, rate):
    seen = [(j, after) for j in range(k.shape[2])
            for visible, after in [sees(b, h, i, j, q.shape[2], k.shape[2], o)] if visible]
    logits = [logit(q, k, b, h, i, j, after, o) for j, after in seen]
    terms = [z for z, _ in logits] + ([float(o["sinks"][h])] if o.get("sinks") is not None else [])
    if not terms:
        return
    largest = max(terms)
    lse = largest + math.log(math.fsum(math.exp(z - largest) for z in terms))
    r["lse"][b, h, i] = lse
    weights = [math.exp(z - lse) for z, _ in logits]
    keep = [1.0 if o.get("dropout_mask") is None else float(o["dropout_mask"][b, h, i, j]) / (1 - rate) for j, _ in seen]
    for (j, _), p, m in zip(seen, weights, keep):
        r["out"][b, h, i] += p * m * v[b, g, j].astype(float)
    if o.get("dout") is None:
        return
    dout = o["dout"][b, h, i].astype(float)
    dweights = [m * float(dout @ v[b, g, j].astype(float)) for (j, _), m in zip(seen, keep)]
    mean = math.fsum(p * dp for p, dp in zip(weights, dweights))
    dlse = float(o["dlse"][b, h, i]) if o.get("dlse") is not None else 0.0
    for (j, _), p, m, dp, (_, slope) in zip(seen, weights, keep, dweights, logits):
        dz = p * (dp - mean + dlse) * slope
        r["dq"][b, h, i] += dz * k[b, g, j].astype(float)
        r["dk"][b, g, j] += dz * q[b, h, i].astype(float)
        r["dv"][b, g, j] += p * m * dout
