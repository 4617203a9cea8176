"""Every attention mechanism in plain NumPy, written from the papers and the conventions alone: one function a mechanism.

Arrays are [B][H][N][D]. All functions also work on complex numbers, where the imaginary part carries a derivative
(the complex-step method): comparisons and maxima look at real parts only, and nothing is conjugated.
"""
import numpy as np


def transpose(x):
    return np.swapaxes(x, -1, -2)


def visible_keys(x, causal):
    """[B][1][N_q][N_k]: which keys a query sees."""
    batch, queries, keys = x["q"].shape[0], x["q"].shape[2], x["k"].shape[2]
    seen = np.ones((batch, 1, queries, keys), dtype=bool)
    if causal:
        seen &= np.tril(np.ones((queries, keys), dtype=bool))
    if "mask" in x:
        seen &= x["mask"]
    if "key_lengths" in x:
        seen &= (np.arange(keys) < x["key_lengths"][:, None])[:, None, None, :]
    return seen


def softmax(logits, seen=True):
    seen = np.broadcast_to(seen, logits.shape)
    largest = np.where(seen, logits.real, -np.inf).max(axis=-1, keepdims=True)
    weights = np.where(seen, np.exp(np.where(seen, logits - np.where(np.isfinite(largest), largest, 0), 0)), 0)
    total = weights.sum(axis=-1, keepdims=True)
    return weights / np.where(total == 0, 1, total)


def weights_of(x, causal=False, bias=0):
    logits = x["q"] @ transpose(x["k"]) / np.sqrt(x["q"].shape[-1])
    return softmax(logits + bias + x.get("bias", 0), visible_keys(x, causal))


def twice(weights, v):
    once = weights @ v
    return once + weights @ (v - once)


def plain(x, causal=False):
    return weights_of(x, causal) @ x["v"]


def twicing(x, causal=False):
    return twice(weights_of(x, causal), x["v"])


def alibi_slopes(heads):
    """The published rule: a geometric sequence for powers of two, otherwise filled up from the next power's odd terms."""
    def geometric(n):
        return [2 ** (-8 * h / n) for h in range(1, n + 1)]
    power = 2 ** int(np.floor(np.log2(heads)))
    return np.array(geometric(power) + geometric(2 * power)[0::2][:heads - power])


def alibi_biases(x):
    heads, queries, keys = x["q"].shape[1], x["q"].shape[2], x["k"].shape[2]
    distance = np.abs(np.arange(queries)[:, None] - np.arange(keys)[None, :])
    return -alibi_slopes(heads)[:, None, None] * distance


def alibi(x, causal=False):
    return weights_of(x, causal, alibi_biases(x)) @ x["v"]


def bilateral(x, causal=False, h_p2=None, h_y2=None):
    def bandwidth(name, setting):  # an input of one number or one per head, a setting, or the default
        value = x.get(name, setting or np.sqrt(x["q"].shape[-1]))
        return np.reshape(value, (-1, 1, 1))
    logits = (x["qp"] @ transpose(x["kp"]) / bandwidth("h_p2", h_p2)
              + x["q"] @ transpose(x["k"]) / bandwidth("h_y2", h_y2))
    return softmax(logits, visible_keys(x, causal)) @ x["v"]


def key_statistics(k, lengths, eps):
    """Mean and 1/sqrt(biased variance + eps) over the real keys of each sequence and head."""
    real = np.ones((k.shape[0], 1, k.shape[2], 1))
    if lengths is not None:
        real = (np.arange(k.shape[2]) < np.asarray(lengths)[:, None])[:, None, :, None] * 1.0
    count = real.sum(axis=2, keepdims=True)
    mean = (k * real).sum(axis=2, keepdims=True) / count
    variance = ((k - mean) ** 2 * real).sum(axis=2, keepdims=True) / count
    return mean, 1 / np.sqrt(variance + eps)


def recentred(x, beta=1, eps=1e-5, normalised=True):
    """Queries and keys by Eq 22 (normalised) or Eq 26 of the primal-dual paper; beta may be an input, one number a head."""
    mean, inverse = key_statistics(x["k"], x.get("key_lengths"), eps)
    mean = mean * np.reshape(x.get("beta", beta), (-1, 1, 1))
    inverse = inverse if normalised else 1
    return {**x, "q": (x["q"] - mean) * inverse, "k": (x["k"] - mean) * inverse}


def attention_bn(x, beta=1, eps=1e-5, normalised=True, causal=False):
    if not causal:
        return plain(recentred(x, beta, eps, normalised))
    # The statistics of query i run over keys 0..i, for the query and for the keys that it meets.
    out = []
    for i in range(x["q"].shape[2]):
        one = {**x, "q": x["q"][:, :, i:i + 1], "k": x["k"][:, :, :i + 1], "v": x["v"][:, :, :i + 1]}
        out.append(plain(recentred(one, beta, eps, normalised)))
    return np.concatenate(out, axis=2)


def pooled(y, factor, remainder):
    """Averages of successive `factor` tokens of [N][D]."""
    tokens = y.shape[0] - (y.shape[0] % factor if remainder == "floor" else 0)
    return np.stack([y[start:min(start + factor, tokens)].mean(axis=0) for start in range(0, tokens, factor)])


def attention_sh(x, factors, remainder="ceil", each=lambda one, factor: plain(one)):
    """Heads one by one, each sequence cut to its real keys, since each has its own number of keys."""
    out = np.zeros(x["q"].shape[:3] + x["v"].shape[3:], dtype=np.result_type(*(x[name] for name in x if name != "R")))
    for b in range(x["q"].shape[0]):
        length = x["key_lengths"][b] if "key_lengths" in x else x["k"].shape[2]
        for h, factor in enumerate(factors):
            one = {"q": x["q"][b:b + 1, h:h + 1]}
            for name in ("k", "v"):
                one[name] = pooled(x[name][b, h, :length], factor, remainder)[None, None]
            if "beta" in x:
                one["beta"] = x["beta"][h] if np.ndim(x["beta"]) else x["beta"]
            out[b:b + 1, h:h + 1] = each(one, factor)
    return out


def correlate_tokens(y, kernel):
    """sum_t kernel[h][t] y[n + t - (s - 1) // 2], zero beyond the ends."""
    size, tokens = kernel.shape[-1], y.shape[2]
    result = np.zeros(y.shape, dtype=np.result_type(y, kernel))
    for n in range(tokens):
        for t in range(size):
            source = n + t - (size - 1) // 2
            if 0 <= source < tokens:
                result[:, :, n] += kernel[None, :, t, None] * y[:, :, source]
    return result


def conv1d(x):  # without wk: one kernel for both
    wk = x.get("wk", x["wq"])
    return plain({**x, "q": correlate_tokens(x["q"], x["wq"]), "k": correlate_tokens(x["k"], wk)})


def correlate_grid(y, kernel, rows, columns):
    """The same over a grid of tokens, row by row; a token before the grid (the class token) is left as it is."""
    size, before = kernel.shape[-1], y.shape[2] - rows * columns
    result = np.array(y, dtype=np.result_type(y, kernel))
    result[:, :, before:] = 0
    half = (size - 1) // 2
    for r in range(rows):
        for c in range(columns):
            for i in range(size):
                for j in range(size):
                    a, b = r + i - half, c + j - half
                    if 0 <= a < rows and 0 <= b < columns:
                        result[:, :, before + r * columns + c] += (kernel[None, :, i, j, None]
                                                                   * y[:, :, before + a * columns + b])
    return result


def conv2d(x, grid):
    wk = x.get("wk", x["wq"])
    return plain({**x, "q": correlate_grid(x["q"], x["wq"], *grid), "k": correlate_grid(x["k"], wk, *grid)})


def feature_map(y):
    """elu + 1."""
    return np.where(y.real > 0, y + 1, np.exp(np.where(y.real > 0, 0, y)))


def linear_weights(x, causal):
    similarity = np.where(visible_keys(x, causal), feature_map(x["q"]) @ transpose(feature_map(x["k"])), 0)
    return similarity / (similarity.sum(axis=-1, keepdims=True) + 1e-6)


def linear(x, causal=False):
    return linear_weights(x, causal) @ x["v"]


def linear_twicing(x, causal=False):
    return twice(linear_weights(x, causal), x["v"])


def sparse_pairs(queries, keys, causal=False, pattern="strided", stride=None, summary=1):
    """The two patterns of Child et al. 2019, Section 4.2, both parts in one head; symmetric when not causal."""
    stride = stride or int(np.sqrt(keys))
    i, j = np.arange(queries)[:, None], np.arange(keys)[None, :]
    if pattern == "strided":
        seen = (np.abs(i - j) <= stride) | ((i - j) % stride == 0)
    else:
        seen = (i // stride == j // stride) | (j % stride >= stride - summary)
    return seen & (j <= i) if causal else seen


def sparse(x, **pattern):
    seen = visible_keys(x, pattern.get("causal", False))
    if "mask" not in x:
        seen = seen & sparse_pairs(x["q"].shape[2], x["k"].shape[2], **pattern)
    return softmax(x["q"] @ transpose(x["k"]) / np.sqrt(x["q"].shape[-1]), seen) @ x["v"]


def sparse_pooled(one, factor, tokens):
    """A pooled key is seen where any of its tokens is."""
    seen = sparse_pairs(one["q"].shape[2], tokens)
    windows = one["k"].shape[2]
    seen = np.stack([seen[:, w * factor:(w + 1) * factor].any(axis=1) for w in range(windows)], axis=1)
    return softmax(one["q"] @ transpose(one["k"]) / np.sqrt(one["q"].shape[-1]), seen) @ one["v"]


def nystromformer(x, landmarks, iterations=6, batch_maximum=False, biases=None):
    root = x["q"].shape[-1] ** 0.25
    q, k = x["q"] / root, x["k"] / root
    def means(y):  # where the segments cannot be equal, the later ones have one token more, as in the authors' code
        short, longer = divmod(y.shape[2], landmarks)
        ends = np.cumsum([short] * (landmarks - longer) + [short + 1] * longer)
        return np.stack([part.mean(axis=2) for part in np.split(y, ends[:-1], axis=2)], axis=2)
    q_mark, k_mark = means(q), means(k)
    first, middle, last = q @ transpose(k_mark), q_mark @ transpose(k_mark), q_mark @ transpose(k)
    if biases is not None:  # [H][N][N], averaged over the segments as queries and keys are
        of_keys = transpose(means(transpose(biases)[None]))
        first, middle, last = first + of_keys, middle + means(of_keys), last + means(biases[None])
    first, middle, last = softmax(first), softmax(middle), softmax(last)
    sums = middle.sum(axis=-2)
    if batch_maximum:  # as the authors' code
        largest = sums.reshape(-1)[sums.real.argmax()]
    else:
        largest = np.take_along_axis(sums, sums.real.argmax(axis=-1)[..., None], axis=-1)[..., None]
    inverse, identity = transpose(middle) / largest, np.eye(landmarks)
    for _ in range(iterations):
        product = middle @ inverse
        inverse = inverse @ (13 * identity - product @ (15 * identity - product @ (7 * identity - product))) / 4
    return first @ inverse @ (last @ x["v"])


def linformer(x, biases=0):  # E and F are [N][r], or [H][N][r]; biases [H][N][N]
    logits = x["q"] @ transpose(x["k"]) / np.sqrt(x["q"].shape[-1]) + biases
    return softmax(logits @ x["E"]) @ (transpose(x["F"]) @ x["v"])


def graph_diffusion(x, causal=False):
    return plain(x, causal) - x["v"]


def neutreno(x, causal=False, lam=0.6):  # without v0: the first layer
    return plain(x, causal) + (lam * (x["v0"] - x["v"]) if "v0" in x else 0)


def elliptical(x, causal=False):
    """Boosting paper, Eq 6.2, with the metric of Nielsen et al. 2024: the values' mean change, its largest entry 1."""
    change = x["v"] - x["v_previous"]
    change = np.where(change.real > 0, change, -change)
    if causal:  # query i knows the tokens 0..i
        metric = np.cumsum(change, axis=2) / np.arange(1, change.shape[2] + 1)[:, None]
    else:
        metric = change.mean(axis=2, keepdims=True)
    metric = metric / np.take_along_axis(metric, metric.real.argmax(axis=-1)[..., None], axis=-1)
    return plain({**x, "q": x["q"] * metric}, causal)


def featscale(x):
    """Wang et al. 2022: the mean over the tokens and the rest weighted apart."""
    out = plain(x)
    mean = out.mean(axis=2, keepdims=True)
    return out + x["s"][:, None] * mean + x["t"][:, None] * (out - mean)


def independent_positions(x, causal=False):
    """Boosting paper, Eq 6.1."""
    positions = (x["p"] @ transpose(x["hq"])) @ transpose(x["p"] @ transpose(x["hk"]))
    logits = (x["q"] @ transpose(x["k"]) + positions) / np.sqrt(2 * x["q"].shape[-1])
    return softmax(logits, visible_keys(x, causal)) @ x["v"]


def kernel_regression(x, bandwidth=None, causal=False):
    """Twicing paper, Eq 28: Nadaraya-Watson with a Gaussian kernel."""
    sigma = np.reshape(x.get("bandwidth", bandwidth or x["q"].shape[-1] ** 0.25), (-1, 1, 1))
    squares = ((x["q"][:, :, :, None, :] - x["k"][:, :, None, :, :]) ** 2).sum(axis=-1)
    return softmax(-squares / (2 * sigma ** 2), visible_keys(x, causal)) @ x["v"]
