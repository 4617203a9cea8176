"""Bugs in heads, widths, lengths, strides, scale."""
import numpy as np

from attention import Attention, contract


class grouped_tiled(Attention):
    """Query head h reads key head h mod H_kv."""

    def for_query_heads(self, x, a):
        return np.tile(a, (1, x.heads // x.kv_heads, 1, 1))

    def sum_groups(self, x, gradient):
        return gradient.reshape(x.batch, -1, x.kv_heads, *gradient.shape[2:]).sum(axis=1)


class grouped_first_only(Attention):
    """Multi-query code: every query head reads key head 0."""

    def for_query_heads(self, x, a):
        return np.repeat(a[:, :1], x.heads, axis=1)

    def sum_groups(self, x, gradient):
        summed = np.zeros((x.batch, x.kv_heads, *gradient.shape[2:]), gradient.dtype)
        summed[:, 0] = gradient.sum(axis=1)
        return summed


class values_of_next_head(Attention):
    def mixed(self, x):
        return contract(x.weights * x.keep, np.roll(x.v_all, 1, axis=1), x.seen)


class bias_of_first_head(Attention):
    def biased(self, x, logits):
        if x.bias is not None and np.ndim(x.bias) >= 3:
            x.bias = np.asarray(x.bias)[..., :1, :, :]
        return super().biased(x, logits)


class bias_scaled(Attention):
    """The bias is added before the scale."""

    def biased(self, x, logits):
        if x.bias is not None:
            x.bias = np.asarray(x.bias) * x.scale
        return super().biased(x, logits)


class bias_ignored(Attention):
    def biased(self, x, logits):
        x.bias, kept = None, x.bias
        logits = super().biased(x, logits)
        x.bias = kept
        return logits


class values_read_by_key_width(Attention):
    """Rows of v are stepped through by the width of k."""

    def prepared(self, x):
        x = super().prepared(x)
        width = x.v.shape[-1]
        if width != x.width:
            flat = x.v_all.reshape(x.batch, x.heads, -1)
            index = (np.arange(x.keys)[:, None] * x.width + np.arange(width)) % flat.shape[-1]
            x.v_all = flat[..., index]
        return x


class dv_columns_shifted(Attention):
    """For a value width that is not a power of two, the last columns of dv go to other places."""

    def value_gradient(self, x):
        gradient, width = super().value_gradient(x), x.v.shape[-1]
        if width & (width - 1):
            whole = 1 << (width.bit_length() - 1)
            gradient[..., whole:] = np.roll(gradient[..., whole:], 1, axis=-2)
        return gradient


class index_of_16_bits(Attention):
    """Key indices wrap at 65,536."""

    def prepared(self, x):
        x = super().prepared(x)
        index = np.arange(x.keys) & 0xFFFF
        x.v_all = x.v_all[:, :, index]
        return x


class few_keys_alone(Attention):
    """A path for up to 2 keys assumes exactly 2 and halves the row."""

    def softmax(self, x, logits):
        weights, lse = super().softmax(x, logits)
        return (weights / 2 if x.keys == 1 else weights), lse


class single_query_sees_all(Attention):
    """The decoding path for one query has no window."""

    def in_window(self, x):
        return True if x.queries == 1 else super().in_window(x)


class scale_ignored(Attention):
    def scale(self, x):
        return x.real(x.width ** -0.5)


class scale_of_padded_width(Attention):
    """1/sqrt(D) with D rounded up to a multiple of 8."""

    def scale(self, x):
        return x.real((-(-x.width // 8) * 8) ** -0.5) if x.scale is None else super().scale(x)


class scale_of_all_heads(Attention):
    """1/sqrt(H D)."""

    def scale(self, x):
        return x.real((x.heads * x.width) ** -0.5) if x.scale is None else super().scale(x)


class scale_missing(Attention):
    """Logits not scaled when no scale is given."""

    def scale(self, x):
        return x.real(1) if x.scale is None else super().scale(x)


class scale_twice(Attention):
    def scores(self, x):
        return super().scores(x) * x.scale


class last_column_of_odd_width(Attention):
    """The dot product is taken in pairs; the last feature of an odd width is left out."""

    def scores(self, x):
        even = x.width // 2 * 2
        return (x.q[..., :even] @ np.swapaxes(x.k_all[..., :even], -1, -2)) * x.scale if even else super().scores(x)


class softcap_ignored(Attention):
    def capped(self, x, scores):
        return scores

    def score_gradient(self, x):
        return x.dlogits


class softcap_before_scale(Attention):
    """The cap is applied to q k^T and its result scaled."""

    def capped(self, x, scores):
        return scores if x.softcap is None else super().capped(x, scores / x.scale) * x.scale


class softcap_times_logit(Attention):
    """logit tanh(logit / c) instead of c tanh(logit / c)."""

    def capped(self, x, scores):
        return scores if x.softcap is None else scores * np.tanh(scores / x.real(x.softcap))


class alibi_one_sided(Attention):
    """Signed distances: keys after the query are raised."""

    def distance(self, x):
        return (x.q_position - x.k_position).astype(x.real)


class alibi_slopes_reversed(Attention):
    def alibi(self, x):
        x.alibi_slopes = np.asarray(x.alibi_slopes)[::-1]
        return super().alibi(x)


class alibi_scaled(Attention):
    def alibi(self, x):
        return super().alibi(x) * x.scale


class alibi_top_left(Attention):
    """Distances from the top left corner although the diagonal ends at the bottom right."""

    def distance(self, x):
        return np.abs(np.arange(x.queries)[:, None] - x.k_position).astype(x.real)


class strides_ignored(Attention):
    """Memory is read as if it were contiguous."""

    def prepared(self, x):
        for name in ("q", "k", "v"):
            setattr(x, name, self.as_if_contiguous(getattr(x, name)))
        return super().prepared(x)

    def as_if_contiguous(self, a):
        lengths = [(extent - 1) * stride for extent, stride in zip(a.shape, a.strides)]
        if min(lengths, default=0) < 0 or sum(lengths) + a.itemsize < a.nbytes:
            return a  # would read outside the array
        strides = np.cumprod([a.itemsize, *a.shape[:0:-1]])[::-1]
        return np.lib.stride_tricks.as_strided(a, strides=strides)
