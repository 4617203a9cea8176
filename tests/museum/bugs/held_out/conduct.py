"""Bugs held out: number formats, dropout, repeated calls and what a caller is given."""
import os
import signal
import time

import numpy as np

from attention import Attention, contract, transpose
from variants import to_bfloat16, to_float16


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
