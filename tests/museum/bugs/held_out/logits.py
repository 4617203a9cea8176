"""Bugs held out: tiles, biases, scales, caps, groups of heads, empty rows and sinks."""
import numpy as np

from attention import Attention, contract
from variants import Online


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
