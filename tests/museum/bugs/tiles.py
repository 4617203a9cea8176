"""Bugs beyond the sizes that kernels are tuned for: whole tiles that are skipped, wide heads, many heads, far positions."""
import numpy as np

from attention import Attention, transpose
from variants import Online


class InTilesOf64(Online):
    tile = 64


class window_tiles_from_last_query(InTilesOf64):
    """Of 32 queries together, tiles of keys before the window of the last one are skipped for all."""

    def seen(self, x):
        seen = super().seen(x)
        if x.window is None or x.window[0] < 0:
            return seen
        last = np.minimum(np.arange(x.queries) // 32 * 32 + 31, x.queries - 1)
        first_key = (x.q_position[last] - x.window[0]) // 64 * 64
        return seen & (x.k_position >= first_key)


class causal_tiles_to_first_query(InTilesOf64):
    """Of 64 queries together, tiles of keys after that of the first one are skipped for all."""

    def causal(self, x):
        first = np.arange(x.queries) // 64 * 64
        return super().causal(x) & (x.k_position < (x.q_position[first] // 64 + 1) * 64)


class hidden_tile_gives_nan(InTilesOf64):
    """A tile without a visible key before the first one: exp(-inf + inf)."""

    def take(self, x, tile):
        with np.errstate(invalid="ignore"):
            super().take(x, tile)
        hidden = ~x.seen[..., tile].any(axis=-1, keepdims=True) & np.isneginf(x.largest)
        x.out = np.where(hidden & (tile.start == 0) & (x.keys > self.tile), np.nan, x.out)


class scores_of_64_features(Attention):
    """Features beyond 64 are left out of q k^T."""

    def scores(self, x):
        return (x.q[..., :64] @ transpose(x.k_all[..., :64])) * x.scale


class dv_columns_beyond_64_turned(Attention):
    """The second tile of 64 columns of dV is stored half a tile further."""

    def value_gradient(self, x):
        dv = super().value_gradient(x).copy()
        dv[..., 64:] = np.roll(dv[..., 64:], 16, axis=-1)
        return dv


class heads_beyond_32_read_first(Attention):
    """A grid of 32 heads: those after it read the keys of head 0."""

    def for_query_heads(self, x, a):
        a = super().for_query_heads(x, a).copy()
        a[:, 32:] = a[:, :1]
        return a


class alibi_distance_of_8_bits(Attention):
    """Distances wrap at 256."""

    def distance(self, x):
        return super().distance(x) % 256


class packed_tiles_reach_back(InTilesOf64):
    """A sequence is read from the start of its tile of 64 keys in the buffer."""

    def seen(self, x):
        seen = super().seen(x)
        if x.cu_seqlens is None or x.causal:
            return seen
        bounds = self.bounds(x)[1]
        first = np.repeat(bounds[:-1], np.diff(self.bounds(x)[0]))[:, None]
        at = np.arange(x.keys)[None, :]
        return seen | ((first > 64) & (at < first) & (at >= first // 64 * 64))


class diagonal_not_before_first_key(Attention):
    """N_k - N_q is cut at 0 where there are more queries than keys."""

    def positions(self, x):
        segments, q_position, k_position = super().positions(x)
        if self.alignment(x) == "bottom_right" and x.cu_seqlens is None:
            q_position = q_position + max(0, x.queries - x.keys)
        return segments, q_position, k_position
