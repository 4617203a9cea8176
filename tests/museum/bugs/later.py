"""Bugs planted after the judge's way of naming was made, and judged once before anybody looked at what it says of them."""
import numpy as np

from attention import Attention, contract, transpose
from mechanisms import Linear, Sparse, Twicing
from variants import Online, to_float16


class causal_odd_rows_see_next(Attention):
    def causal(self, x):
        return x.k_position <= x.q_position + np.arange(x.queries)[:, None] % 2


class causal_not_in_last_sequence(Attention):
    def causal(self, x):
        last = np.arange(x.batch)[:, None, None, None] == x.batch - 1
        return (x.k_position <= x.q_position) | (last & (x.batch > 1))


class window_right_two_more(Attention):
    def in_window(self, x):
        left, right = x.window
        x.window = (left, right + 2 if right >= 0 else right)
        return super().in_window(x)


class mask_last_column_open(Attention):
    def unmasked(self, x):
        seen = super().unmasked(x).copy()
        seen[..., -1] = True
        return seen


class mask_of_first_query(Attention):
    def unmasked(self, x):
        seen = super().unmasked(x)
        return np.broadcast_to(seen[..., :1, :], seen.shape)


class float_mask_clipped(Attention):
    """Amounts beyond 1/2 are cut."""

    def biased(self, x, logits):
        if x.mask is not None and np.asarray(x.mask).dtype != bool:
            mask = np.asarray(x.mask)
            x.mask = np.where(np.isneginf(mask), mask, np.clip(mask, -0.5, 0.5))
        return super().biased(x, logits)


class packed_last_two_joined(Attention):
    def bounds(self, x):
        q_bounds, k_bounds = super().bounds(x)
        return (np.delete(q_bounds, -2), np.delete(k_bounds, -2)) if len(q_bounds) > 2 else (q_bounds, k_bounds)


class tail_of_24_dropped(Online):
    tile = 24

    def tiles(self, x):
        tiles = super().tiles(x)
        return tiles[:-1] if len(tiles) > 1 and x.keys % self.tile else tiles


class last_tile_of_20_twice(Online):
    tile = 20

    def tiles(self, x):
        tiles = super().tiles(x)
        return tiles + tiles[-1:] if len(tiles) > 1 else tiles


class scale_of_next_power(Attention):
    """D rounded up to a power of two."""

    def scale(self, x):
        return super().scale(x) if x.scale is not None else x.real(2.0 ** (-0.5 * np.ceil(np.log2(x.width))))


class softcap_twice(Attention):
    def capped(self, x, scores):
        return super().capped(x, super().capped(x, scores))


class bias_of_next_key(Attention):
    def biased(self, x, logits):
        if x.bias is not None:
            x.bias = np.roll(np.asarray(x.bias), -1, axis=-1)
        return super().biased(x, logits)


class alibi_halved(Attention):
    def alibi(self, x):
        return super().alibi(x) / 2


class sinks_negated(Attention):
    def sinks(self, x):
        return -super().sinks(x) if x.sinks is not None else super().sinks(x)


class groups_reversed_within(Attention):
    """The last head of a group reads the next group."""

    def for_query_heads(self, x, a):
        group = x.heads // x.kv_heads
        index = np.arange(x.heads) // group
        index[group - 1::group] = (index[group - 1::group] + (group > 1)) % x.kv_heads
        return a[:, index]


class values_of_previous_sequence(Attention):
    def mixed(self, x):
        return contract(x.weights * x.keep, np.roll(x.v_all, 1, axis=0), x.seen)


class lse_without_sink(Attention):
    def results(self, x):
        return {**super().results(x), "lse": x.lse + np.log1p(-x.sink_weight[..., 0]) if x.sinks is not None else x.lse}


class weights_in_half_always(Attention):
    def mixed(self, x):
        return contract(to_float16(x.weights * x.keep).astype(x.real), x.v_all, x.seen)


class dk_without_first_query(Attention):
    def key_gradient(self, x):
        return contract(transpose(x.dscores[..., 1:, :]), x.q[..., 1:, :], transpose(x.seen[..., 1:, :])) * x.scale


class dq_of_first_tile(Attention):
    """Keys beyond 16 have no part."""

    def query_gradient(self, x):
        return contract(x.dscores[..., :16], x.k_all[..., :16, :], x.seen[..., :16]) * x.scale


class dv_of_first_head(Attention):
    def value_gradient(self, x):
        gradient = super().value_gradient(x)
        return np.broadcast_to(gradient[:, :1], gradient.shape)


class backward_without_alibi(Attention):
    def backward(self, x):
        logits = np.where(x.seen, self.capped(x, x.scores), -np.inf)
        if x.alibi_slopes is not None and x.bias is None and x.mask is None and x.sinks is None:
            x.weights = self.softmax(x, logits.astype(x.real))[0]
        super().backward(x)


class linear_values_one_late(Linear):
    def mixed(self, x):
        return contract(x.weights, np.roll(x.v_all, 1, axis=2), x.seen)


class twicing_half(Twicing):
    """A (1.5 V - A V / 2)."""

    def twice(self, x):
        return x.once + contract(x.weights, x.v_all - x.once, x.seen) / 2


class sparse_own_key_missing(Sparse):
    def pattern(self, x):
        return super().pattern(x) & (x.q_position != x.k_position)
