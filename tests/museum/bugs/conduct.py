"""Bugs in dropout, in what a call leaves behind, in repeatability, and in what is returned."""
import os
import signal
import time

import numpy as np

from attention import Attention, contract, transpose


class dropout_mask_inverted(Attention):
    def dropout(self, x):
        if x.dropout_mask is not None:
            x.dropout_mask = ~np.asarray(x.dropout_mask).astype(bool)
        return super().dropout(x)


class dropout_not_rescaled(Attention):
    def dropout_factor(self, x):
        return 1


class dropout_scaled_by_rate(Attention):
    """Multiplied by the rate in the backward pass, where 1/(1 - rate) belongs."""

    def weight_gradient(self, x):
        return super().weight_gradient(x) * x.real((1 - x.dropout_rate) * (x.dropout_rate or 1))


class dropout_before_softmax(Attention):
    """Weights are normalised again after dropout."""

    def mixed(self, x):
        kept = x.weights * x.keep
        total = kept.sum(axis=-1, keepdims=True)
        return contract(kept / np.where(total == 0, 1, total), x.v_all, x.seen)


class dropout_lost_in_dv(Attention):
    def value_gradient(self, x):
        return contract(transpose(x.weights), x.dout, transpose(x.seen))


class dropout_dropped_weights_in_row_dot(Attention):
    """The softmax's backward pass takes the weights after dropout."""

    def logit_gradient(self, x):
        x.weights, kept = x.weights * x.keep, x.weights
        gradient = super().logit_gradient(x)
        x.weights = kept
        return gradient


class dropout_other_mask_in_backward(Attention):
    """Rows and columns are counted the other way round when the mask is drawn again."""

    def backward(self, x):
        if np.ndim(x.keep) == 4:
            x.keep = x.keep[..., ::-1, :]
        super().backward(x)


class dropout_of_first_head(Attention):
    """Every head has the pattern of the first."""

    def dropout(self, x):
        keep = super().dropout(x)
        return np.broadcast_to(keep[:, :1], keep.shape) if np.ndim(keep) == 4 else keep


class dropout_drops_everything(Attention):
    def drawn(self, x):
        return np.zeros((x.batch, x.heads, x.queries, x.keys), dtype=bool)


class dropout_keeps_too_many(Attention):
    """A threshold of few bits: .9 becomes .977 (three of 128 dropped)."""

    def keep_rate(self, x):
        return 1 - 3 / 128 if x.dropout_rate > 0 else 1


class dropout_same_for_pairs(Attention):
    """One random number for two successive keys."""

    def drawn(self, x):
        return np.repeat(super().drawn(x)[..., ::2], 2, axis=-1)[..., :x.keys]


class dropout_same_for_rows(Attention):
    """The counter does not include the query."""

    def drawn(self, x):
        drawn = super().drawn(x)
        return np.broadcast_to(drawn[..., :1, :], drawn.shape)


class dropout_ignores_seed(Attention):
    def drawn(self, x):
        x.seed = 0
        return super().drawn(x)


class remembers_last_call(Attention):
    """Keys are cached by shape."""

    def prepared(self, x):
        x = super().prepared(x)
        cache = self.__dict__.setdefault("cache", {})
        shape = (x.k_all.shape, x.v_all.shape, x.real)
        x.k_all = cache.setdefault(shape, x.k_all)
        return x


class order_by_clock(Attention):
    """Products are summed in an order that changes from call to call, as atomic additions do."""

    def mixed(self, x):
        calls = self.__dict__["calls"] = self.__dict__.get("calls", 0) + 1
        order = np.roll(np.arange(x.keys), calls)
        weights = np.broadcast_to(x.weights * x.keep, x.seen.shape)
        out = np.zeros((*x.q.shape[:3], x.v.shape[-1]), x.real)
        for j in order:
            out = out + contract(weights[..., j:j + 1], x.v_all[..., j:j + 1, :], x.seen[..., j:j + 1])
        return out


class gradient_order_by_clock(Attention):
    """dK is summed over the queries in an order that changes from call to call."""

    def key_gradient(self, x):
        calls = self.__dict__["calls"] = self.__dict__.get("calls", 0) + 1
        dk = np.zeros((x.batch, x.heads, *x.k.shape[2:]), x.real)
        for i in np.roll(np.arange(x.queries), calls):
            dk = dk + contract(transpose(x.dscores[..., i:i + 1, :]), x.q[..., i:i + 1, :], transpose(x.seen[..., i:i + 1, :]))
        return dk * x.scale


class split_by_batch(Attention):
    """The number of splits of the keys depends on the number of sequences."""

    def mixed(self, x):
        weights = np.broadcast_to(x.weights * x.keep, x.seen.shape)
        out = np.zeros((*x.q.shape[:3], x.v.shape[-1]), x.real)
        for part in np.array_split(np.arange(x.keys), 1 + x.batch % 4):
            out = out + contract(weights[..., part], x.v_all[..., part, :], x.seen[..., part])
        return out


class scale_of_batch(Attention):
    """Logits are shifted by the largest of the whole batch: rows far below it underflow."""

    def softmax(self, x, logits):
        largest = np.max(logits, initial=-np.inf, where=np.isfinite(logits))
        largest = 0 if np.isneginf(largest) else largest
        weights = np.where(x.seen, np.exp(logits - largest), 0)
        total = weights.sum(axis=-1, keepdims=True)
        return weights / np.where(total == 0, 1, total), (largest + np.log(total))[..., 0]


class overwrites_queries(Attention):
    """The scale is multiplied into q in place."""

    def __call__(self, q, k, v, *, causal=False, alignment="top_left", scale=None, window=None, dout=None):
        results = super().__call__(q, k, v, causal=causal, alignment=alignment, scale=scale, window=window, dout=dout)
        if q.flags.writeable:
            q *= q.dtype.type(q.shape[-1] ** -0.5 if scale is None else scale)
        return results


class returns_tokens_first(Attention):
    """[B][N][H][D]."""

    def results(self, x):
        return {**super().results(x), "out": np.swapaxes(x.out.astype(x.dtype), 1, 2)}


class returns_single(Attention):
    """float32 whatever came in."""

    def results(self, x):
        return {**super().results(x), "out": x.out.astype(np.float32)}


class returns_nothing(Attention):
    def results(self, x):
        return None


class raises_on_one_key(Attention):
    def prepared(self, x):
        if np.shape(x.k)[2] == 1:
            raise IndexError("index 1 is out of bounds for axis 2 with size 1")
        return super().prepared(x)


class raises_on_empty_sequence(Attention):
    """A packed sequence of length zero has no shape."""

    def prepared(self, x):
        if x.cu_seqlens is not None and (np.diff(x.cu_seqlens) == 0).any():
            raise ValueError("cannot reshape array of size 0")
        return super().prepared(x)


class hangs_on_prime_length(Attention):
    """The tile loop never reaches the end."""

    def prepared(self, x):
        if np.shape(x.k)[2] in (5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47):
            time.sleep(1e6)
        return super().prepared(x)


class crashes_on_long_keys(Attention):
    def prepared(self, x):
        if np.shape(x.k)[2] > 40:
            os.kill(os.getpid(), signal.SIGSEGV)
        return super().prepared(x)
