"""Bugs, most of them in attentions beyond softmax, that leave the values of one call right: only calls compared with each other show them."""
import numpy as np

import mechanisms as correct
from attention import Attention, transpose
from mechanisms import Alibi, GraphDiffusion, Linear, Sparse, Twicing, definitions


class twicing_hidden_value_times_zero(Twicing):
    """0 times NaN, in both products."""

    def mixed(self, x):
        x.once = x.weights @ x.v_all
        return x.once + x.weights @ (x.v_all - x.once)


class alibi_hidden_key_plus_mask(Alibi):
    """The mask is added, so that NaN in a hidden key stays."""

    def softmax(self, x, logits):
        logits = self.biased(x, x.scores) + np.where(x.seen, 0, -np.inf)
        weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
        total = weights.sum(axis=-1, keepdims=True)
        return weights / total, np.log(total[..., 0])


class alibi_hidden_key_raises_maximum(Alibi):
    """The maximum is taken over all keys: a huge hidden logit underflows the row."""

    def softmax(self, x, logits):
        largest = self.biased(x, np.where(np.isnan(x.scores), -np.inf, x.scores)).max(axis=-1, keepdims=True)
        weights = np.where(x.seen, np.exp(logits - np.where(np.isfinite(largest), largest, 0)), 0)
        total = weights.sum(axis=-1, keepdims=True)
        return weights / total, np.log(total[..., 0])


class linear_causal_scaled_by_all(Linear):
    """Values are scaled by the largest of all tokens before they are summed: the roundings tell of tokens to come."""

    def mixed(self, x):
        largest = np.abs(x.v_all).max(axis=-2, keepdims=True) * x.real(1.1)
        return x.weights @ (x.v_all / largest) * largest


class sparse_causal_halves_by_all(Sparse):
    """Keys are summed in two halves by their first feature, those to come counted too."""

    def mixed(self, x):
        rank = np.argsort(np.argsort(x.k_all[..., 0], axis=-1), axis=-1)[..., None, :]
        low = rank < x.keys // 2
        return np.where(low, x.weights, 0) @ x.v_all + np.where(low, 0, x.weights) @ x.v_all


class linear_sums_in_any_order(Linear):
    """Atomic additions: another order of the keys in each call."""

    def mixed(self, x):
        order = np.random.default_rng().permutation(x.keys)
        return np.cumsum(x.weights[..., order, None] * x.v_all[..., None, order, :], axis=-2)[..., -1, :]


class graph_diffusion_parts_by_batch(GraphDiffusion):
    """The keys are cut in as many parts as there are sequences."""

    def mixed(self, x):
        parts = np.array_split(np.arange(x.keys), min(x.batch, x.keys))
        return sum(np.where(x.seen[..., part], x.weights[..., part], 0) @ x.v_all[..., part, :] for part in parts) - x.v_all


def kernel_regression_maximum_of_batch(q, k, v, *, causal=False, bandwidth=None):
    """One maximum for all sequences: rows underflow beside one with small distances."""
    sigma = q.shape[-1] ** 0.25 if bandwidth is None else np.asarray(bandwidth)
    distances = ((q[:, :, :, None] - k[:, :, None]) ** 2).sum(axis=-1)
    logits = -distances / (2 * np.reshape(sigma, (-1, 1, 1)) ** 2)
    seen = definitions.visible_keys({"q": q, "k": k}, causal)
    weights = np.where(seen, np.exp(logits - logits.max()), 0)
    total = weights.sum(axis=-1, keepdims=True)
    return weights / np.where(total == 0, 1, total) @ v


def bilateral_maximum_of_heads(q, k, v, *, qp, kp, causal=False, h_p2=None, h_y2=None):
    """One maximum for the rows of all heads."""
    width = np.sqrt(q.shape[-1])
    by_position, by_token = (np.reshape(width if h is None else h, (-1, 1, 1)) for h in (h_p2, h_y2))
    logits = qp @ transpose(kp) / by_position + q @ transpose(k) / by_token
    seen = definitions.visible_keys({"q": q, "k": k}, causal)
    logits = np.where(seen, logits, -np.inf)
    weights = np.exp(logits - logits.max(axis=(1, 3), keepdims=True))
    return weights / weights.sum(axis=-1, keepdims=True) @ v


def neutreno_values_clipped(q, k, v, *, v0, causal=False):
    """Values beyond 6 are cut."""
    return correct.neutreno(q, k, np.clip(v, -6, 6), v0=np.clip(v0, -6, 6), causal=causal)


class twicing_strides_ignored(Twicing):
    """Memory is read as if it were contiguous."""

    def prepared(self, x):
        for name in ("q", "k", "v"):
            a = getattr(x, name)
            strides = np.cumprod([a.itemsize, *a.shape[:0:-1]])[::-1]
            if min(a.strides) > 0 and sum((n - 1) * s for n, s in zip(a.shape, a.strides)) + a.itemsize >= a.nbytes:
                setattr(x, name, np.lib.stride_tricks.as_strided(a, strides=strides))
        return super().prepared(x)


def _offset_of_31_bits(a):
    """The heads where an offset in entries that lost its upper bits leads to."""
    strides = list(a.strides)
    strides[1] = strides[1] // a.itemsize % 2 ** 31 * a.itemsize
    return np.lib.stride_tricks.as_strided(a, strides=strides)


class ShortOffsets:
    """The offset of a head is a 32-bit number."""

    def prepared(self, x):
        for name in ("q", "k", "v"):
            setattr(x, name, _offset_of_31_bits(getattr(x, name)))
        return super().prepared(x)


class alibi_offsets_of_31_bits(ShortOffsets, Alibi):
    pass


class offsets_of_31_bits(ShortOffsets, Attention):
    pass
