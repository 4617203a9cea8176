"""Bugs held out: other mechanisms than softmax."""
import numpy as np

import mechanisms as correct
from attention import contract, transpose
from mechanisms import Alibi, Linear, Sparse, Twicing, definitions


class twicing_three_times(Twicing):
    """A (3 V - 3 A V + A A V)."""

    def twice(self, x):
        rest = x.v_all - x.once
        second = contract(x.weights, rest, x.seen)
        return x.once + second + contract(x.weights, rest - second, x.seen)


class alibi_base_four(Alibi):
    def slopes(self, x):
        return super().slopes(x) ** 2


class linear_large_epsilon(Linear):
    epsilon = 1e-2


class linear_causal_ignored(Linear):
    def causal(self, x):
        return True


class linear_phi_slope_missing(Linear):
    """The feature map taken as linear in the backward pass."""

    def phi_slope(self, y):
        return np.ones_like(y)


class sparse_stride_plus_one(Sparse):
    def stride(self, x):
        return super().stride(x) + 1


class sparse_causal_ignored(Sparse):
    def causal(self, x):
        return True


def nystromformer_coefficients(q, k, v, *, landmarks, iterations=6):
    """Newton's iteration 2 Z - Z A Z instead of the third-order one."""
    width, m = q.shape[-1] ** 0.25, int(landmarks)
    def means(y):
        short, longer = divmod(y.shape[2], m)
        ends = np.cumsum([short] * (m - longer) + [short + 1] * longer)
        return np.stack([part.mean(axis=2) for part in np.split(y, ends[:-1], axis=2)], axis=2)
    q, k = q / width, k / width
    first, middle, last = (definitions.softmax(a @ transpose(b)) for a, b in (
        (q, means(k)), (means(q), means(k)), (means(q), k)))
    inverse = transpose(middle) / middle.sum(axis=-2).max(axis=-1)[..., None, None]
    for _ in range(int(iterations)):
        inverse = 2 * inverse - inverse @ middle @ inverse
    return first @ inverse @ (last @ v)


def linformer_scaled_twice(q, k, v, *, E, F):
    return correct.linformer(q / q.shape[-1] ** 0.5, k, v, E=E, F=F)


def kernel_regression_norms_ignored(q, k, v, *, causal=False):
    """As if all keys were equally long."""
    return correct.softmax(q, k, v, causal=causal)["out"]
