"""Bugs held out: who sees what, by causal masks, windows, masks and packed sequences."""
import numpy as np

from attention import Attention, transpose


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
