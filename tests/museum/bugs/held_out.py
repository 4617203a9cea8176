"""Bugs held out of the table that the goal counts: planted apart from it, mostly of its classes, by other means."""
import os
import signal
import time

import numpy as np

import mechanisms as correct
from attention import Attention, contract, transpose
from mechanisms import Alibi, Linear, Sparse, Twicing, definitions
from variants import Online, to_bfloat16, to_float16


class causal_two_ahead(Attention):
    """j <= i + 2."""

    def causal(self, x):
        return x.k_position <= x.q_position + 2


class causal_even_heads(Attention):
    """Odd heads see everything."""

    def causal(self, x):
        odd = np.arange(x.heads)[:, None, None] % 2 == 1
        return (x.k_position <= x.q_position) | odd


class causal_first_rows(Attention):
    """The mask of the first 16 queries is used up, later ones see everything."""

    def causal(self, x):
        return (x.k_position <= x.q_position) | (np.arange(x.queries)[:, None] >= 16)


class window_halved(Attention):
    """The left width is taken for the whole window's."""

    def in_window(self, x):
        x.window = (x.window[0] // 2 if x.window[0] > 0 else x.window[0], x.window[1])
        return super().in_window(x)


class window_sides_exchanged(Attention):
    def in_window(self, x):
        x.window = x.window[::-1]
        return super().in_window(x)


class window_from_first_query(Attention):
    """Every query has the window of the first."""

    def in_window(self, x):
        here, x.q_position = x.q_position, np.full_like(x.q_position, x.q_position.min())
        inside = super().in_window(x)
        x.q_position = here
        return inside


class mask_one_column_late(Attention):
    def unmasked(self, x):
        return np.roll(super().unmasked(x), 1, axis=-1)


class mask_of_last_head(Attention):
    def unmasked(self, x):
        seen = super().unmasked(x)
        return seen[:, -1:] if seen.ndim == 4 else seen


class mask_of_previous_batch(Attention):
    def unmasked(self, x):
        seen = super().unmasked(x)
        return np.roll(seen, 1, axis=0) if seen.ndim == 4 else seen


class mask_minus_hundred(Attention):
    """Hidden logits are lowered by 100."""

    def softmax(self, x, logits):
        x.logits = np.where(x.seen, logits, np.where(np.isfinite(x.capped), x.capped, 0) - 100).astype(x.real)
        x.seen = np.ones_like(x.seen)
        return super().softmax(x, x.logits)


class mask_multiplied(Attention):
    """Logits are multiplied by the mask: hidden ones are 0."""

    def softmax(self, x, logits):
        x.logits = np.where(x.seen, logits, 0)
        x.seen = np.ones_like(x.seen)
        return super().softmax(x, x.logits)


class float_mask_halved(Attention):
    """Added to q k^T before the scale of 1/2."""

    def biased(self, x, logits):
        if x.mask is not None and np.asarray(x.mask).dtype != bool:
            x.mask = np.asarray(x.mask) / 2
        return super().biased(x, logits)


class infinite_value_times_zero(Attention):
    """NaN in hidden values is caught, infinity is not."""

    def mixed(self, x):
        return (x.weights * x.keep) @ np.where(np.isnan(x.v_all), 0, x.v_all)


class poison_through_row_sum(Attention):
    """The gradient's row sum runs over hidden values too."""

    def weight_gradient(self, x):
        return (x.dout @ transpose(x.v_all)) * x.keep


class packed_first_dropped(Attention):
    def seen(self, x):
        q_bounds, _ = self.bounds(x)
        if len(q_bounds) > 2:
            x.segments = x.segments.copy()
            x.segments[:q_bounds[1]] = False
        return super().seen(x)


class packed_previous_seen(Attention):
    """Each sequence also sees the one before it."""

    def seen(self, x):
        q_bounds, k_bounds = self.bounds(x)
        x.segments = x.segments.copy()
        for i in range(1, len(q_bounds) - 1):
            x.segments[q_bounds[i]:q_bounds[i + 1], k_bounds[i - 1]:k_bounds[i]] = True
        return super().seen(x)


class packed_longest_length(Attention):
    """The backward pass takes all sequences to be as long as the longest: dk beyond the own end is lost."""

    def key_gradient(self, x):
        gradient = super().key_gradient(x)
        if x.cu_seqlens is not None:
            gradient[:, :, np.diff(self.bounds(x)[1]).max():] = 0
        return gradient


class tile_of_twelve_padded(Online):
    """Padding to a tile of 12 gets e^0."""

    tile = 12

    def finish(self, x):
        padding = -x.keys % self.tile
        if padding:
            larger = np.maximum(x.largest, 0)
            correction = self.correction(x, larger)
            x.out, x.total, x.largest = x.out * correction, x.total * correction + padding * np.exp(-larger), larger
        super().finish(x)


class one_key_beyond_tile(Online):
    """With one key beyond whole tiles of 32 that key is read as the one before it."""

    def prepared(self, x):
        x = super().prepared(x)
        if x.keys % 32 == 1 and x.keys > 1:
            x.v_all = x.v_all.copy()
            x.v_all[:, :, -1] = x.v_all[:, :, -2]
        return x


class tile_lost_when_maximum_stays(Online):
    """A tile that does not raise the maximum is skipped."""

    def take(self, x, tile):
        before = x.largest, x.total, x.out
        super().take(x, tile)
        same = (x.largest == before[0]) & (tile.start > 0)
        x.total, x.out = np.where(same, before[1], x.total), np.where(same, before[2], x.out)


class alibi_squared(Attention):
    def distance(self, x):
        return super().distance(x) ** 2


class alibi_from_one(Attention):
    """Distances one too large, but for the query's own key."""

    def distance(self, x):
        return super().distance(x) + (x.q_position != x.k_position)


class scale_of_width_plus_one(Attention):
    def scale(self, x):
        return x.real((x.width + 1) ** -0.5) if x.scale is None else super().scale(x)


class scale_inverted(Attention):
    """Divided by the scale that is asked for."""

    def scale(self, x):
        return x.real(x.width ** -0.5) if x.scale is None else x.real(1 / x.scale)


class softcap_clips(Attention):
    """A hard limit at c."""

    def capped(self, x, scores):
        return scores if x.softcap is None else np.clip(scores, -x.real(x.softcap), x.real(x.softcap))


class softcap_slope_twice(Attention):
    def score_gradient(self, x):
        if x.softcap is None:
            return x.dlogits
        return np.where(x.seen, x.dlogits * (1 - (x.capped / x.real(x.softcap)) ** 2) ** 2, 0)


class bias_halved(Attention):
    def biased(self, x, logits):
        if x.bias is not None:
            x.bias = np.asarray(x.bias) / 2
        return super().biased(x, logits)


class bias_rows_shifted(Attention):
    def biased(self, x, logits):
        if x.bias is not None:
            x.bias = np.roll(np.asarray(x.bias), 1, axis=-2)
        return super().biased(x, logits)


class groups_rotated(Attention):
    """Key head h / group + 1."""

    def for_query_heads(self, x, a):
        return np.roll(super().for_query_heads(x, a), -(x.heads // x.kv_heads), axis=1)

    def sum_groups(self, x, gradient):
        return np.roll(super().sum_groups(x, gradient), 1, axis=1)


class heads_swapped_in_pairs(Attention):
    """Values of heads 0 and 1 exchanged."""

    def mixed(self, x):
        order = np.arange(x.heads) ^ 1
        order = np.where(order < x.heads, order, np.arange(x.heads))
        return contract(x.weights * x.keep, x.v_all[:, order], x.seen)


class empty_row_first_value(Attention):
    """The index of the largest of no logits is 0."""

    def mixed(self, x):
        out = super().mixed(x)
        return np.where(x.seen.any(axis=-1, keepdims=True), out, np.nan_to_num(x.v_all[:, :, :1]))


class empty_row_lse_lowest(Attention):
    """The most negative finite number instead of -inf."""

    def softmax(self, x, logits):
        weights, lse = super().softmax(x, logits)
        return weights, np.where(np.isneginf(lse), np.finfo(x.real).min, lse)


class lse_of_mean(Attention):
    """log of the mean of exp."""

    def results(self, x):
        count = x.seen.sum(axis=-1)
        return {**super().results(x), "lse": x.lse - np.log(np.where(count == 0, 1, count)).astype(x.real)}


class sink_with_value(Attention):
    """The sink's weight goes to the last key."""

    def mixed(self, x):
        if x.sinks is not None:
            x.weights = x.weights.copy()
            x.weights[..., -1:] += np.where(x.seen[..., -1:], x.sink_weight, 0)
        return super().mixed(x)


class dq_negated(Attention):
    def query_gradient(self, x):
        return -super().query_gradient(x)


class dk_of_last_key_lost(Attention):
    def key_gradient(self, x):
        gradient = super().key_gradient(x)
        gradient[:, :, -1] = 0
        return gradient


class dv_divided_by_queries(Attention):
    def value_gradient(self, x):
        return super().value_gradient(x) / x.real(x.queries)


class gradients_halved(Attention):
    def logit_gradient(self, x):
        return super().logit_gradient(x) / 2


class dq_by_softmax_of_queries(Attention):
    """The row sum is taken over the queries."""

    def row_dot(self, x):
        return (x.weights * x.dweights).sum(axis=-2, keepdims=True)


class first_batch_gradient(Attention):
    """dk of sequence 0 for all."""

    def key_gradient(self, x):
        gradient = super().key_gradient(x)
        return np.broadcast_to(gradient[:1], gradient.shape)


class group_last_only(Attention):
    """dv alone comes from the last query head of a group."""

    def backward(self, x):
        super().backward(x)
        x.dv = self.value_gradient(x)[:, x.heads // x.kv_heads - 1::x.heads // x.kv_heads]


class values_in_half(Attention):
    """v rounded to float16, whatever the type."""

    def mixed(self, x):
        return contract(x.weights * x.keep, to_float16(x.v_all).astype(x.real), x.seen)


class queries_in_bfloat16(Attention):
    def scores(self, x):
        return (to_bfloat16(x.q).astype(x.real) @ transpose(x.k_all)) * x.scale


class single_exponential(Attention):
    """exp in float32 for float64."""

    def softmax(self, x, logits):
        weights, lse = super().softmax(x, logits)
        return weights.astype(np.float32).astype(x.real), lse


class out_in_bfloat16(Attention):
    def mixed(self, x):
        return to_bfloat16(super().mixed(x)).astype(x.real)


class denominator_in_half(Attention):
    def softmax(self, x, logits):
        weights, lse = super().softmax(x, logits)
        total = to_float16(np.exp(lse - logits.max(axis=-1)))[..., None].astype(x.real)
        return np.where(x.seen, weights * np.exp(lse - logits.max(axis=-1))[..., None] / total, 0), lse


class exponent_in_half(Attention):
    """2^(logit log2 e) with the exponent in float16: infinite beyond 65,504 / log2 e."""

    def biased(self, x, logits):
        return to_float16(super().biased(x, logits) * 1.4426950408889634).astype(x.real) / x.real(1.4426950408889634)


class dropout_rate_for_keep(Attention):
    def keep_rate(self, x):
        return x.dropout_rate

    def dropout(self, x):
        return super().dropout(x)


class dropout_scaled_by_one_over_rate(Attention):
    def dropout_factor(self, x):
        return 1 / (x.dropout_rate or 1)


class dropout_same_for_heads(Attention):
    """The counter does not include the head."""

    def drawn(self, x):
        drawn = super().drawn(x)
        return np.broadcast_to(drawn[:, :1], drawn.shape)


class adds_to_last_output(Attention):
    """The accumulator of a shape is not cleared between calls."""

    def mixed(self, x):
        out = super().mixed(x)
        cache = self.__dict__.setdefault("cache", {})
        key = (out.shape, x.real)
        cache[key] = out + cache.get(key, x.real(0))
        return cache[key]


class noise_in_last_place(Attention):
    """Other last bits from call to call."""

    def mixed(self, x):
        calls = self.__dict__["calls"] = self.__dict__.get("calls", 0) + 1
        return super().mixed(x) * (1 + (calls % 3) * np.finfo(x.real).eps)


class large_batch_in_half(Attention):
    """A path for three sequences or more takes weights in half precision."""

    def mixed(self, x):
        if x.batch < 3:
            return super().mixed(x)
        return contract(to_float16(x.weights * x.keep).astype(x.real), x.v_all, x.seen)


class overwrites_values(Attention):
    """v is cleared where it is NaN, and one entry is used as room."""

    def __call__(self, q, k, v, *, mask=None, causal=False, alignment="top_left", scale=None, dout=None):
        results = super().__call__(q, k, v, mask=mask, causal=causal, alignment=alignment, scale=scale, dout=dout)
        if v.size and v.flags.writeable:
            v[0, 0, 0, 0] = 0
        return results


class returns_no_batch(Attention):
    def results(self, x):
        results = super().results(x)
        return {**results, "out": results["out"][0]}


class returns_double(Attention):
    """float64 whatever came in."""

    def results(self, x):
        return {**super().results(x), "out": x.out.astype(np.float64)}


class raises_on_one_feature(Attention):
    def prepared(self, x):
        if np.shape(x.q)[3] == 1:
            raise ValueError("the width must be at least 2")
        return super().prepared(x)


class hangs_on_many_keys(Attention):
    def prepared(self, x):
        if np.shape(x.k)[2] >= 100:
            time.sleep(1e6)
        return super().prepared(x)


class crashes_on_three_heads(Attention):
    def prepared(self, x):
        if np.shape(x.q)[1] == 3:
            os.kill(os.getpid(), signal.SIGSEGV)
        return super().prepared(x)


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
