"""Bugs in who sees whom: corners, off by one, options forgotten, masks misread, leaks."""
import numpy as np

from attention import Attention, contract, transpose
from variants import Online


class top_left_for_bottom_right(Attention):
    def alignment(self, x):
        return "top_left"


class bottom_right_for_top_left(Attention):
    def alignment(self, x):
        return "bottom_right"


class window_top_left_for_bottom_right(Attention):
    def in_window(self, x):
        shift = x.keys - x.queries if x.alignment == "bottom_right" and x.cu_seqlens is None else 0
        x.q_position = x.q_position - shift
        inside = super().in_window(x)
        x.q_position = x.q_position + shift
        return inside


class cached_context_dropped(Attention):
    """The new chunk attends to itself alone."""

    def causal(self, x):
        past = max(0, x.keys - x.queries) if x.alignment == "bottom_right" else 0
        return super().causal(x) & (x.k_position >= past)


class keys_before_start_skipped(Attention):
    """The loop over keys starts at the tile of the first query, not at the first key of the window."""

    def in_window(self, x):
        of_tile = x.q_position - np.arange(x.queries)[:, None] % 4
        return super().in_window(x) & (x.k_position >= of_tile)


class causal_sees_next(Attention):
    def causal(self, x):
        return x.k_position <= x.q_position + 1


class causal_hides_self(Attention):
    def causal(self, x):
        return x.k_position < x.q_position


class causal_transposed(Attention):
    def causal(self, x):
        return x.k_position >= x.q_position


class causal_needs_mask(Attention):
    """The branch that applies the causal mask is inside the one for a mask."""

    def causal(self, x):
        return super().causal(x) if x.mask is not None else True


class causal_lost_with_mask(Attention):
    def causal(self, x):
        return True if x.mask is not None else super().causal(x)


class causal_by_tiles(Attention):
    """The tile on the diagonal is taken whole."""

    def causal(self, x):
        return x.k_position // 4 <= x.q_position // 4


class causal_first_batch_only(Attention):
    def causal(self, x):
        seen = np.broadcast_to(super().causal(x), (x.batch, 1, x.queries, x.keys)).copy()
        seen[1:] = True
        return seen


class causal_position_in_batch(Attention):
    """Packed queries counted from the start of the buffer."""

    def causal(self, x):
        if x.cu_seqlens is None:
            return super().causal(x)
        return x.k_position <= np.arange(x.queries)[:, None]


class window_left_short(Attention):
    """A window of w keys, self included, where w keys before self were asked for."""

    def in_window(self, x):
        left, right = x.window
        x.window = (left - 1 if left > 0 else left, right)
        return super().in_window(x)


class window_left_long(Attention):
    def in_window(self, x):
        left, right = x.window
        x.window = (left + 1 if left >= 0 else left, right)
        return super().in_window(x)


class window_both_sides(Attention):
    """The same width after as before."""

    def in_window(self, x):
        x.window = (x.window[0], x.window[0])
        return super().in_window(x)


class window_ignored(Attention):
    def in_window(self, x):
        return True


class window_right_capped(Attention):
    """A right bound beyond the number of keys is cut to it, although the diagonal begins before the first key."""

    def in_window(self, x):
        left, right = x.window
        x.window = (left, min(right, x.keys))
        return super().in_window(x)


class window_zero_is_all(Attention):
    """0 taken for absent."""

    def in_window(self, x):
        x.window = tuple(side or -1 for side in x.window)
        return super().in_window(x)


class mask_ignored(Attention):
    def unmasked(self, x):
        return True


class mask_inverted(Attention):
    """True taken for hidden, as another framework has it."""

    def unmasked(self, x):
        mask = np.asarray(x.mask)
        return ~mask if mask.dtype == bool else super().unmasked(x)


class mask_transposed(Attention):
    def unmasked(self, x):
        seen = super().unmasked(x)
        return transpose(seen) if x.queries == x.keys else seen


class mask_of_first_head(Attention):
    def unmasked(self, x):
        seen = super().unmasked(x)
        return seen[:, :1] if seen.ndim == 4 else seen


class mask_of_first_batch(Attention):
    def unmasked(self, x):
        seen = super().unmasked(x)
        return seen[:1] if seen.ndim == 4 else seen


class float_mask_as_boolean(Attention):
    """A float mask cast to bool: 0 hides, everything else shows, and nothing is added."""

    def unmasked(self, x):
        return np.asarray(x.mask).astype(bool)

    def biased(self, x, logits):
        x.mask, kept = None, x.mask
        logits = super().biased(x, logits)
        x.mask = kept
        return logits


class mask_minus_ten_thousand(Attention):
    """Hidden keys get -10,000 instead of no weight."""

    fill = -1e4

    def softmax(self, x, logits):
        x.logits = np.where(x.seen, logits, x.real(self.fill))
        x.seen = np.ones_like(x.seen)
        return super().softmax(x, x.logits)


class mask_after_softmax(Attention):
    """Weights of hidden keys set to 0, the rest not normalised again."""

    def forward(self, x):
        visible = self.seen(x)
        self.seen_all(x, visible)

    def seen_all(self, x, visible):
        x.seen = np.ones_like(visible)
        x.scores = self.scores(x)
        x.capped = self.capped(x, x.scores)
        x.logits = np.where(np.isneginf(self.biased(x, x.capped)), 0, self.biased(x, x.capped))
        x.weights, x.lse = self.softmax(x, x.logits)
        x.weights = np.where(visible, x.weights, 0)
        x.keep, x.seen = self.dropout(x), visible
        x.out = self.mixed(x)


class softcap_after_mask(Attention):
    """The cap turns -inf into -c: hidden keys get e^-c."""

    def forward(self, x):
        hidden = ~self.seen(x)
        x.seen = np.ones_like(hidden) if x.softcap is not None else ~hidden
        x.scores = np.where(hidden, -np.inf, self.scores(x)).astype(x.real)
        x.capped = self.capped(x, x.scores)
        x.logits = self.biased(x, x.capped)
        x.weights, x.lse = self.softmax(x, x.logits)
        x.keep = self.dropout(x)
        x.out = self.mixed(x)


class softcap_after_bias(Attention):
    def forward(self, x):
        x.seen = self.seen(x)
        x.scores = np.where(x.seen, self.biased(x, self.scores(x)), 0)
        x.capped = self.capped(x, x.scores)
        x.logits = np.where(x.seen, x.capped, -np.inf).astype(x.real)
        x.weights, x.lse = self.softmax(x, x.logits)
        x.keep = self.dropout(x)
        x.out = self.mixed(x)


class hidden_value_times_zero(Attention):
    """0 times NaN."""

    def mixed(self, x):
        return (x.weights * x.keep) @ x.v_all


class hidden_key_plus_mask(Attention):
    """The mask is added, so that NaN and infinity in a hidden key stay."""

    def softmax(self, x, logits):
        logits = x.capped + np.where(x.seen, self.biased(x, np.zeros_like(x.capped)), -np.inf)
        largest = logits.max(axis=-1, keepdims=True)
        largest = np.where(np.isneginf(largest), 0, largest)
        weights = np.exp(logits - largest)
        total = weights.sum(axis=-1, keepdims=True)
        x.sink_weight = np.zeros_like(total)
        return weights / np.where(total == 0, 1, total), (largest + np.log(total))[..., 0]

    def sinks(self, x):
        return np.full((x.heads, 1, 1), -np.inf, x.real)


class hidden_key_raises_maximum(Online):
    """The running maximum is taken before the mask: a huge hidden logit underflows the row."""

    def take(self, x, tile):
        raw = np.where(np.isnan(x.capped[..., tile]), -np.inf, x.capped[..., tile])
        if tile.start == 0:
            raised = np.maximum(x.largest, raw.max(axis=-1, keepdims=True))
            x.total = x.total * np.exp(x.largest - self.finite(raised))  # what a sink has put there
            x.largest = raised
        super().take(x, tile)


class hidden_row_in_gradient(Attention):
    """dk and dv take 0 times a NaN query or gradient of a row that does not see the key."""

    def key_gradient(self, x):
        return transpose(x.dscores) @ x.q * x.scale


class padded_tile_gets_weight(Online):
    """Keys are padded with zeros to a whole tile and the padding is not masked."""

    def forward(self, x):
        super().forward(x)
        padding = -x.keys % self.tile
        larger = np.maximum(x.largest, 0) if padding else x.largest
        correction = self.correction(x, larger)
        total = x.total * correction + padding * np.exp(-self.finite(larger))
        x.out = x.out * x.total * correction / np.where(total == 0, 1, total)
        x.largest, x.total = larger, total
        x.lse = (self.finite(larger) + np.log(total))[..., 0]


class packed_bounds_ignored(Attention):
    def bounds(self, x):
        return np.array([0, x.queries]), np.array([0, x.keys])


class packed_bounds_shifted(Attention):
    """The end of a sequence taken for its last element: the first key of the next one is seen too."""

    def seen(self, x):
        q_bounds, k_bounds = self.bounds(x)
        segments = x.segments.copy()
        for i in range(len(q_bounds) - 1):
            if k_bounds[i + 1] < x.keys:
                segments[q_bounds[i]:q_bounds[i + 1], k_bounds[i + 1]] = True
        x.segments = segments
        return super().seen(x)


class packed_last_dropped(Attention):
    """The last sequence is left out of the loop."""

    def seen(self, x):
        q_bounds, _ = self.bounds(x)
        if len(q_bounds) > 2:
            x.segments = x.segments.copy()
            x.segments[q_bounds[-2]:] = False
        return super().seen(x)


class packed_keys_by_query_bounds(Attention):
    def bounds(self, x):
        of_queries, of_keys = super().bounds(x)
        if x.cu_seqlens_k is not None:
            of_keys = np.append(np.minimum(of_queries[:-1], x.keys), x.keys)
        return of_queries, of_keys


class sees_other_batch(Attention):
    """The values' batch stride is missing."""

    def mixed(self, x):
        return contract(x.weights * x.keep, np.broadcast_to(x.v_all[:1], x.v_all.shape), x.seen)
