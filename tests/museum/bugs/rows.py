"""Bugs in the softmax: rows that see nothing, normalisation, overflow, tiles, sinks, lse."""
import numpy as np

from attention import Attention, contract
from variants import Online, SplitKeys


class empty_row_nan(Attention):
    """exp(-inf - -inf)."""

    def softmax(self, x, logits):
        weights, lse = super().softmax(x, logits)
        return np.where(np.isneginf(lse)[..., None], np.nan, weights), lse

    def mixed(self, x):
        return (x.weights * x.keep) @ np.where(np.isfinite(x.v_all), x.v_all, 0)


class empty_row_mean(Attention):
    """The most negative number instead of -inf: a row without keys becomes the mean of all values."""

    def softmax(self, x, logits):
        empty = ~x.seen.any(axis=-1, keepdims=True)
        x.logits = np.where(empty, 0, logits)
        x.seen = x.seen | empty
        return super().softmax(x, x.logits)


class empty_row_lse_zero(Attention):
    def softmax(self, x, logits):
        weights, lse = super().softmax(x, logits)
        return weights, np.where(np.isneginf(lse), 0, lse)


class empty_row_keeps_previous(Attention):
    """The output of a row that sees nothing is the row's before it: the buffer is not cleared."""

    def mixed(self, x):
        out = super().mixed(x)
        for i in np.flatnonzero(~x.seen.any(axis=(0, 1, 3))):
            out[:, :, i] = out[:, :, i - 1]
        return out


class empty_row_gradient_nan(Attention):
    """The backward pass recomputes weights as exp(logits - lse), -inf minus -inf in an empty row."""

    def backward(self, x):
        x.weights = np.where(np.isneginf(x.lse)[..., None], np.nan, x.weights)
        super().backward(x)


class empty_row_poisons_batch(Attention):
    """NaN rows summed into dk and dv of every key."""

    def logit_gradient(self, x):
        return np.where(np.isneginf(x.lse)[..., None], np.nan, super().logit_gradient(x))

    def key_gradient(self, x):
        return np.swapaxes(x.dscores, -1, -2) @ x.q * x.scale


class wrong_axis(Attention):
    """Normalised over the queries."""

    def softmax(self, x, logits):
        weights, lse = super().softmax(x, logits)
        largest = logits.max(axis=-2, keepdims=True)
        weights = np.where(x.seen, np.exp(logits - np.where(np.isneginf(largest), 0, largest)), 0)
        total = weights.sum(axis=-2, keepdims=True)
        return weights / np.where(total == 0, 1, total), lse


class epsilon_in_denominator(Attention):
    def softmax(self, x, logits):
        weights, lse = super().softmax(x, logits)
        return weights / (1 + x.real(1e-3)), lse


class not_normalised_after_mask(Attention):
    """The denominator counts every key of the row, seen or not."""

    def softmax(self, x, logits):
        weights, lse = super().softmax(x, logits)
        raw = np.where(np.isfinite(x.capped), x.capped, -np.inf)
        largest = raw.max(axis=-1, keepdims=True)
        hidden = np.where(x.seen, 0, np.exp(raw - largest)).sum(axis=-1, keepdims=True)
        seen = np.where(x.seen, np.exp(raw - largest), 0).sum(axis=-1, keepdims=True)
        return weights * seen / (seen + hidden), lse


class no_maximum(Attention):
    """exp of the logits as they are."""

    def softmax(self, x, logits):
        weights = np.where(x.seen, np.exp(logits), 0)
        x.sink_weight = np.exp(self.sinks(x))
        total = weights.sum(axis=-1, keepdims=True) + x.sink_weight
        divisor = np.where(total == 0, 1, total)
        x.sink_weight = x.sink_weight / divisor
        return weights / divisor, np.log(total)[..., 0]


class maximum_from_zero(Attention):
    """The maximum starts at 0, so that rows of very negative logits underflow."""

    def softmax(self, x, logits):
        largest = np.maximum(logits.max(axis=-1, keepdims=True), 0)
        weights = np.where(x.seen, np.exp(logits - largest), 0)
        x.sink_weight = np.exp(self.sinks(x) - largest)
        total = weights.sum(axis=-1, keepdims=True) + x.sink_weight
        divisor = np.where(total == 0, 1, total)
        return weights / divisor, (largest + np.log(total))[..., 0]


class logits_clipped(Attention):
    """Clipped at 50 against overflow."""

    def biased(self, x, logits):
        return np.clip(super().biased(x, logits), -50, 50)


class ties_shared_wrongly(Attention):
    """Keys that equal the maximum are counted once in the denominator."""

    def softmax(self, x, logits):
        weights, lse = super().softmax(x, logits)
        best = (logits == logits.max(axis=-1, keepdims=True)) & x.seen
        again = best & (np.cumsum(best, axis=-1) > 1)
        total = 1 - np.where(again, weights, 0).sum(axis=-1, keepdims=True)
        return weights / np.where(total == 0, 1, total), lse


class out_not_rescaled(Online):
    """A larger maximum rescales the sum but not the output."""

    def correction_of_out(self, x, larger):
        return np.exp(np.minimum(0, np.where(np.isneginf(x.largest), -np.inf, 0)))


class total_not_rescaled(Online):
    def correction(self, x, larger):
        return np.where(np.isneginf(x.largest), 0, x.real(1))

    def correction_of_out(self, x, larger):
        return np.exp(x.largest - self.finite(larger))


class tile_maximum_only(Online):
    """The running maximum starts anew in every tile."""

    def take(self, x, tile):
        before, x.largest = x.largest, np.full_like(x.largest, -np.inf)
        kept_out, kept_total = x.out, x.total
        x.out, x.total = np.zeros_like(x.out), np.zeros_like(x.total)
        super().take(x, tile)
        scale = np.exp(np.where(np.isneginf(before), -np.inf, before - self.finite(before)))
        x.out, x.total = kept_out * scale + x.out, kept_total * scale + x.total


class tail_dropped(Online):
    """Keys after the last full tile are dropped; with fewer keys than one tile, none is."""

    def tiles(self, x):
        tiles = super().tiles(x)
        return tiles[:-1] if len(tiles) > 1 and x.keys % self.tile else tiles


class first_tile_twice(Online):
    """The prefetched first tile is taken again."""

    def tiles(self, x):
        tiles = super().tiles(x)
        return tiles[:1] + tiles if len(tiles) > 1 else tiles


class two_tiles_at_most(Online):
    """A buffer for two tiles: with more of them the second one is overwritten by the third."""

    def tiles(self, x):
        tiles = super().tiles(x)
        return [tiles[0]] + tiles[2:] if len(tiles) > 2 else tiles


class split_by_largest(SplitKeys):
    """Parts are averaged without weights."""

    def combined(self, x, outs, lses):
        _, lse = super().combined(x, outs, lses)
        present = sum(~np.isneginf(part) * 1.0 for part in lses)[..., None]
        return sum(outs) / np.where(present == 0, 1, present), lse


class split_lse_base_two(SplitKeys):
    """Parts are weighted by 2^lse while lse is natural."""

    def combined(self, x, outs, lses):
        _, lse = super().combined(x, outs, lses)
        largest = np.maximum.reduce(lses)
        shares = [np.where(np.isneginf(part), 0, np.exp2(part - np.where(np.isneginf(largest), 0, largest)))
                  for part in lses]
        total = sum(shares)
        return sum(out * (share / np.where(total == 0, 1, total))[..., None] for share, out in zip(shares, outs)), lse


class split_empty_part_nan(SplitKeys):
    """A part without a visible key has lse -inf, and -inf minus -inf is NaN."""

    def combined(self, x, outs, lses):
        out, lse = super().combined(x, outs, lses)
        empty = np.any([np.isneginf(part) for part in lses], axis=0)
        return np.where(empty[..., None], np.nan, out), lse


class split_sink_twice(SplitKeys):
    def sink_terms(self, sinks):
        return [sinks, sinks]


class sinks_ignored(Attention):
    def sinks(self, x):
        return np.full((x.heads, 1, 1), -np.inf, x.real)


class sinks_scaled(Attention):
    """The sink is multiplied by the scale as if it were a dot product."""

    def sinks(self, x):
        return super().sinks(x) * x.scale


class sink_of_first_head(Attention):
    def sinks(self, x):
        return np.broadcast_to(super().sinks(x)[:1], (x.heads, 1, 1))


class sink_takes_first_key(Attention):
    """The sink is added to the first key's logit."""

    def softmax(self, x, logits):
        sinks, x.sinks = super().sinks(x), None
        if np.isfinite(sinks).all():
            x.logits = logits = np.concatenate([logits[..., :1] + sinks, logits[..., 1:]], axis=-1)
        return super().softmax(x, logits)


class lse_base_two(Attention):
    def results(self, x):
        return {**super().results(x), "lse": x.lse / x.real(np.log(2))}


class lse_without_maximum(Attention):
    def results(self, x):
        largest = x.logits.max(axis=-1)
        return {**super().results(x), "lse": np.where(np.isneginf(largest), x.lse, x.lse - largest)}


class lse_of_unscaled(Attention):
    def results(self, x):
        return {**super().results(x), "lse": x.lse / x.scale}


class lse_with_dropout(Attention):
    """The denominator is summed after dropout."""

    def results(self, x):
        return {**super().results(x), "lse": x.lse + np.log((x.weights * x.keep).sum(axis=-1))}
