"""Bugs in attentions beyond softmax."""
import numpy as np

import mechanisms as correct
from attention import contract, transpose
from mechanisms import Alibi, GraphDiffusion, Linear, Sparse, Twicing, definitions


class twicing_sign(Twicing):
    """A (2 V + A V)."""

    def twice(self, x):
        return 2 * x.once + contract(x.weights, x.once, x.seen)


class twicing_once(Twicing):
    """2 A V - V: twicing of the values instead of the weights."""

    def twice(self, x):
        return 2 * x.once - x.v_all


class twicing_gradient_of_first_factor(Twicing):
    """The inner A taken as a constant."""

    def weight_gradient(self, x):
        x.dout_once = contract(transpose(x.weights), x.dout, transpose(x.seen))
        return np.where(x.seen, x.dout @ transpose(2 * x.v_all - x.once), 0)


class twicing_dv_once(Twicing):
    def value_gradient(self, x):
        return 2 * x.dout_once


class twicing_causal_ignored(Twicing):
    def causal(self, x):
        return True


class graph_diffusion_without_minus(GraphDiffusion):
    def mixed(self, x):
        return super().mixed(x) + x.v_all


class graph_diffusion_sign(GraphDiffusion):
    def mixed(self, x):
        return -super().mixed(x)


class alibi_order(Alibi):
    """The steepest slope for the last head."""

    def slopes(self, x):
        return super().slopes(x)[::-1]


class alibi_any_heads_as_power(Alibi):
    """The geometric rule for a number of heads that is not a power of two."""

    def slopes(self, x):
        return 2.0 ** (-8 * np.arange(1, x.heads + 1) / x.heads)


class alibi_from_zero(Alibi):
    """The first slope is 1."""

    def slopes(self, x):
        return super().slopes(x) * 2 ** (8 / x.heads)


class alibi_signed(Alibi):
    """Not symmetric."""

    def distance(self, x):
        return (x.q_position - x.k_position).astype(x.real)


class alibi_mirrored(Alibi):
    """Slopes added, not subtracted."""

    def slopes(self, x):
        return -super().slopes(x)


class linear_causal_off_by_one(Linear):
    """The state is updated after the query has read it."""

    def causal(self, x):
        return x.k_position < x.q_position


class linear_causal_next(Linear):
    def causal(self, x):
        return x.k_position <= x.q_position + 1


class linear_causal_total_of_all(Linear):
    """A causal numerator over the denominator of all keys."""

    def total(self, x, similar):
        return (self.phi(x.q) @ transpose(self.phi(x.k_all))).sum(axis=-1, keepdims=True) + x.real(self.epsilon)


class linear_plain_elu(Linear):
    """elu without 1."""

    def phi(self, y):
        return super().phi(y) - 1


class linear_relu(Linear):
    def phi(self, y):
        return np.maximum(y, 0)

    def phi_slope(self, y):
        return (y > 0).astype(y.dtype)


class linear_not_normalised(Linear):
    def total(self, x, similar):
        return np.ones_like(super().total(x, similar))


class linear_gradient_without_total(Linear):
    """The denominator taken as a constant."""

    def row_dot(self, x):
        return x.real(0)


class linear_state_between_batches(Linear):
    """The state of the sequence before is not cleared."""

    def mixed(self, x):
        out = super().mixed(x)
        for b in range(1, x.batch):
            out[b] += (self.phi(x.q[b]) @ (transpose(self.phi(x.k_all[b - 1])) @ x.v_all[b - 1])) / x.total[b]
        return out


class linear_chunks_apart(Linear):
    """Chunks of 16 tokens do not hand their state on."""

    def causal(self, x):
        return super().causal(x) & (x.k_position // 16 == x.q_position // 16)


class sparse_local_part_narrow(Sparse):
    """The local part ends two tokens early."""

    def pattern(self, x):
        distance, stride = x.q_position - x.k_position, self.stride(x)
        return (np.abs(distance) < stride - 1) | (distance % stride == 0)


class sparse_columns_missing(Sparse):
    """The local part alone."""

    def pattern(self, x):
        return np.abs(x.q_position - x.k_position) <= self.stride(x)


class sparse_columns_shifted(Sparse):
    def pattern(self, x):
        distance, stride = x.q_position - x.k_position, self.stride(x)
        return (np.abs(distance) <= stride) | ((distance + 1) % stride == 0)


class sparse_duplicates_in_gradient(Sparse):
    """Keys that several queries share get the gradient of the last one."""

    def value_gradient(self, x):
        sees = np.where(x.seen, np.arange(x.queries)[:, None], -1)
        last = sees == sees.max(axis=-2, keepdims=True)
        return contract(transpose(np.where(last & x.seen, x.weights, 0)), x.dout, transpose(x.seen))


def nystromformer_iterations(q, k, v, *, landmarks, iterations=6, maximum="own"):
    """One step less."""
    return correct.nystromformer(q, k, v, landmarks=landmarks, iterations=int(iterations) - 1, maximum=maximum)


def nystromformer_maximum(q, k, v, *, landmarks, iterations=6):
    """The first guess of the inverse divided by the largest sum of the batch."""
    return correct.nystromformer(q, k, v, landmarks=landmarks, iterations=iterations, maximum="batch")


def nystromformer_scaled_twice(q, k, v, *, landmarks, iterations=6, maximum="own"):
    return correct.nystromformer(q / q.shape[-1] ** 0.25, k / q.shape[-1] ** 0.25, v, landmarks=landmarks,
                                 iterations=iterations, maximum=maximum)


def nystromformer_first_tokens(q, k, v, *, landmarks, iterations=6, maximum="own"):
    """Landmarks from whole segments of N // landmarks tokens; the tokens that remain have no part in them."""
    def cut(y):
        whole = y.shape[2] // int(landmarks) * int(landmarks)
        y = y.copy()
        y[:, :, whole:] = y[:, :, whole - 1:whole]
        return y
    return correct.nystromformer(cut(q), cut(k), v, landmarks=landmarks, iterations=iterations, maximum=maximum)


def linformer_projections_swapped(q, k, v, *, E, F):
    return correct.linformer(q, k, v, E=F, F=E)


def linformer_after_softmax(q, k, v, *, E, F):
    """The weights are projected, not the logits."""
    weights = definitions.weights_of({"q": q, "k": k, "v": v})
    return (weights @ E) @ (transpose(F) @ v)


def bilateral_one_bandwidth(q, k, v, *, qp, kp, causal=False, h_p2=None, h_y2=None):
    """The positions' bandwidth for both terms."""
    return correct.bilateral(q, k, v, qp=qp, kp=kp, causal=causal, h_p2=h_p2, h_y2=h_p2)


def bilateral_positions_ignored(q, k, v, *, qp, kp, causal=False, h_p2=None, h_y2=None):
    return correct.bilateral(q, k, v, qp=0 * qp, kp=kp, causal=causal, h_p2=h_p2, h_y2=h_y2)


def attention_bn_unbiased_variance(q, k, v, *, causal=False):
    """N - 1 where N belongs."""
    unbiased = (k.shape[2] - 1) / k.shape[2] if k.shape[2] > 1 and not causal else 1
    mean, inverse = definitions.key_statistics(k, None, 1e-5)
    x = {"q": (q - mean) * inverse, "k": (k - mean) * inverse, "v": v}
    return definitions.plain({**x, "q": x["q"] * unbiased}) if not causal else correct.attention_bn(q, k, v, causal=True)


def attention_bn_causal_statistics_of_all(q, k, v, *, causal=False):
    """Statistics over all keys, those after the query too."""
    x = definitions.recentred({"q": q, "k": k, "v": v})
    return definitions.plain(x, causal)


def kernel_regression_bandwidth_not_squared(q, k, v, *, causal=False, bandwidth=None):
    sigma = q.shape[-1] ** 0.25 if bandwidth is None else np.asarray(bandwidth)
    return correct.kernel_regression(q, k, v, causal=causal, bandwidth=np.sqrt(sigma))


def neutreno_sign(q, k, v, *, v0, causal=False):
    """v - v0."""
    return 2 * correct.softmax(q, k, v, causal=causal)["out"] - correct.neutreno(q, k, v, v0=v0, causal=causal)
