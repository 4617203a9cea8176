"""Small cases from one line of text, as in the column `shows` of bugs.tsv: "B=2 N_q=3 causal mask=bool:NN grad".

Extents: B, H, H_kv, N_q, N_k, D, D_v. Entries: type, times (factor of q and k), large_v, saturated, negative, ties, positive (v in
[1/2, 1], and the mean error is looked at). Options of a call: causal, alignment, scale, window, softcap, mask=bool or float
and :NN, :B1NN or :BHNN, empty (query 1 sees nothing), bias, alibi, sinks, packed and packed_keys (lengths), dropout (rate,
with a given mask), drawn (rate, drawn by the target), grad (dout), dlse. What is looked at besides the results: poison=q, k,
v, inf_v or huge, strided, far (heads more than 2^31 entries apart), again, mates, other_head, later (the last token changed),
inputs.
"""
import mmap

import numpy as np

DEFAULTS = {"B": 1, "H": 1, "N_q": 4, "D": 4, "type": "float64", "times": 1.0}


def parsed(text):
    spec = dict(DEFAULTS)
    for token in text.split():
        name, _, value = token.partition("=")
        spec[name] = value if value else True
    for name in ("B", "H", "N_q", "D"):
        spec[name] = int(spec[name])
    for name, other in (("H_kv", "H"), ("N_k", "N_q"), ("D_v", "D")):
        spec[name] = int(spec.get(name, spec[other]))
    return spec


def entries(spec, random):
    """q, k, v."""
    kind = spec["type"]
    q = random.standard_normal((spec["B"], spec["H"], spec["N_q"], spec["D"])) * float(spec["times"])
    k = random.standard_normal((spec["B"], spec["H_kv"], spec["N_k"], spec["D"])) * float(spec["times"])
    v = random.standard_normal((spec["B"], spec["H_kv"], spec["N_k"], spec["D_v"]))
    if "saturated" in spec:
        k[..., 0], q[..., 0] = -100, 400 * spec["D"] ** 0.5
    if "negative" in spec:
        k[..., 0], q[..., 0] = -100, 100
    if "positive" in spec:
        v = random.random(v.shape) / 2 + 0.5
    if "large_v" in spec:
        v *= 8
    if "ties" in spec:
        k[:, :, 1:] = k[:, :, :1]
    return q.astype(kind), k.astype(kind), v.astype(kind)


def mask_of(spec, random):
    kind, _, shape = spec["mask"].partition(":")
    extents = {"NN": (), "B1NN": (spec["B"], 1), "BHNN": (spec["B"], spec["H"])}[shape]
    shown = random.random((*extents, spec["N_q"], spec["N_k"])) < 0.6
    shown[..., 0] = True
    if "empty" in spec:
        shown[..., 1, :] = False
    if kind == "bool":
        return shown
    return np.where(shown, random.standard_normal(shown.shape), -np.inf).astype(spec["type"])


def options(spec, random):
    given, kind = {}, spec["type"]
    pairs = (spec["B"], spec["H"], spec["N_q"], spec["N_k"])
    if "causal" in spec:
        given["causal"] = True
    if "alignment" in spec:
        given["alignment"] = spec["alignment"]
    for name in ("scale", "softcap", "h_p2"):
        if name in spec:
            given[name] = float(spec[name])
    if "window" in spec:
        given["window"] = tuple(int(side) for side in spec["window"].split(","))
    if "mask" in spec:
        given["mask"] = mask_of(spec, random)
    if "bias" in spec:
        given["bias"] = random.standard_normal(pairs[1:]).astype(kind)
    if "alibi" in spec:
        given["alibi_slopes"] = (2.0 ** -np.arange(1, spec["H"] + 1)).astype(kind)
    if "sinks" in spec:
        given["sinks"] = random.standard_normal(spec["H"]).astype(kind)
    for name, option in (("packed", "cu_seqlens"), ("packed_keys", "cu_seqlens_k")):
        if name in spec:
            given[option] = np.cumsum([0] + [int(length) for length in spec[name].split(",")])
    if "dropout" in spec:
        given["dropout_rate"] = float(spec["dropout"])
        given["dropout_mask"] = random.random(pairs) >= given["dropout_rate"]
    if "drawn" in spec:
        given.update(dropout_rate=float(spec["drawn"]), seed=7)
    if "grad" in spec:
        given["dout"] = random.standard_normal((*pairs[:3], spec["D_v"])).astype(kind)
    if "dlse" in spec:
        given["dlse"] = random.standard_normal(pairs[:3]).astype(kind)
    return given


def inputs_of(mechanism, spec, random):
    """What mechanisms beyond softmax take."""
    token = (spec["B"], spec["H"], spec["N_q"], spec["D"])
    if mechanism == "bilateral":
        return {"qp": random.standard_normal(token), "kp": random.standard_normal(token)}
    if mechanism == "neutreno":
        return {"v0": random.standard_normal(token)}
    if mechanism == "linformer":
        return {name: random.standard_normal((spec["H"], spec["N_q"], 3)) for name in "EF"}
    return {"landmarks": int(spec["landmarks"])} if mechanism == "nystromformer" else {}


def poisoned(spec, arrays):
    """A key, value or query that not all rows may be reached by: the last key of a causal case, or its first query."""
    q, k, v = (a.copy() for a in arrays)
    if spec["poison"] == "q":
        q[:, :, 0, 0] = np.nan
    elif spec["poison"] in ("v", "inf_v"):
        v[:, :, -1, 0] = np.nan if spec["poison"] == "v" else np.inf
    else:
        k[:, :, -1] = {"k": np.inf, "huge": 1e30}[spec["poison"]] * np.where(spec["poison"] == "k", 1, np.sign(
            q[:, :, :1].repeat(k.shape[1] // q.shape[1] or 1, axis=1)[:, :, 0]))
    return q, k, v


def strided(a):
    """The same numbers with heads and tokens the other way round in memory."""
    return np.ascontiguousarray(np.swapaxes(a, 1, 2)).swapaxes(1, 2)


def far(a):
    """The same numbers with heads 2^31 + 64 entries apart, in address space of which little is used."""
    stride, size = 2 ** 31 + 64, a.itemsize
    private_and_not_reserved = 0x02 | 0x20 | 0x4000  # MAP_PRIVATE, MAP_ANONYMOUS, MAP_NORESERVE, as Linux numbers them
    space = mmap.mmap(-1, a.shape[0] * a.shape[1] * stride * size, flags=private_and_not_reserved)
    spread = np.ndarray(a.shape, a.dtype, buffer=space,
                        strides=(a.shape[1] * stride * size, stride * size, a.shape[3] * size, size))
    spread[...] = a
    return spread


def case(text, mechanism="softmax", seed=1):
    """(spec, [q, k, v], options)"""
    spec, random = parsed(text), np.random.default_rng(seed)
    arrays = entries(spec, random)
    given = {**options(spec, random), **inputs_of(mechanism, spec, random)}
    if "poison" in spec:
        arrays = poisoned(spec, arrays)
    if "strided" in spec:
        arrays = [strided(a) for a in arrays]
    if "far" in spec:
        arrays = [far(a) for a in arrays]
    return spec, list(arrays), given
