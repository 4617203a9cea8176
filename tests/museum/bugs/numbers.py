"""Bugs in precision: sums, weights and logits in less than the type promises, and answers that a loose tolerance passes."""
import numpy as np

from attention import Attention, contract, transpose
from variants import to_bfloat16, to_float16


class zeros(Attention):
    def results(self, x):
        return {name: np.zeros_like(a) for name, a in super().results(x).items()}


class mean_of_values(Attention):
    def mixed(self, x):
        count = x.seen.sum(axis=-1, keepdims=True)
        return contract(np.where(x.seen, 1 / np.where(count == 0, 1, count), 0).astype(x.real), x.v_all, x.seen)


class double_in_single(Attention):
    """float64 computed in float32."""

    def computing_type(self, x):
        return np.float32


class sums_in_half(Attention):
    """float16 inputs, and P V summed in float16."""

    def mixed(self, x):
        if x.dtype != np.float16:
            return super().mixed(x)
        total = np.zeros((*x.q.shape[:3], x.v.shape[-1]), np.float16)
        for j in range(x.keys):
            term = contract((x.weights * x.keep)[..., j:j + 1], x.v_all[..., j:j + 1, :], x.seen[..., j:j + 1])
            total = (total + term.astype(np.float16)).astype(np.float16)
        return total.astype(x.real)


class sums_in_bfloat16(Attention):
    """P V summed in bfloat16, whatever the type."""

    def mixed(self, x):
        total = np.zeros((*x.q.shape[:3], x.v.shape[-1]), np.float32)
        for j in range(x.keys):
            term = contract((x.weights * x.keep)[..., j:j + 1], x.v_all[..., j:j + 1, :], x.seen[..., j:j + 1])
            total = to_bfloat16(total + to_bfloat16(term))
        return total.astype(x.real)


class weights_in_bfloat16(Attention):
    """P rounded to bfloat16 before P V, in float32."""

    def mixed(self, x):
        return contract(to_bfloat16(x.weights * x.keep).astype(x.real), x.v_all, x.seen)


class weights_cut_off(Attention):
    """P of float16 arrays cut off instead of rounded: every weight comes out too small."""

    def mixed(self, x):
        weights = (x.weights * x.keep).astype(x.real)
        if x.dtype == np.float16:
            near = weights.astype(np.float16)
            weights = np.where(near > weights, np.nextafter(near, np.float16(0)), near).astype(x.real)
        return contract(weights, x.v_all, x.seen)


class logits_in_bfloat16(Attention):
    """Visible where inputs are large: the error of a logit grows with it."""

    def scores(self, x):
        return to_bfloat16(super().scores(x)).astype(x.real)


class logits_in_half(Attention):
    """Beyond 65,504 they are infinite."""

    def scores(self, x):
        return to_float16(super().scores(x)).astype(x.real)


class products_in_tensor_float(Attention):
    """Operands of q k^T cut to 11 significant bits."""

    def scores(self, x):
        q, k = ((a.astype(np.float32).view(np.uint32) & np.uint32(0xFFFFE000)).view(np.float32) for a in (x.q, x.k_all))
        return (q @ transpose(k)).astype(x.real) * x.scale


class short_exponential(Attention):
    """exp by a polynomial good to 1e-3."""

    def softmax(self, x, logits):
        largest = np.where(x.seen.any(axis=-1, keepdims=True), logits.max(axis=-1, keepdims=True), 0)
        power = np.maximum((logits - largest) * x.real(1.4426950408889634), -126)
        whole = np.floor(power)
        part = power - whole
        weights = np.where(x.seen, np.ldexp(1 + part * (x.real(0.6565) + part * x.real(0.3435)), whole.astype(int)), 0)
        total = weights.sum(axis=-1, keepdims=True)
        return weights / np.where(total == 0, 1, total), (largest + np.log(total))[..., 0]


class lse_in_half(Attention):
    def results(self, x):
        return {**super().results(x), "lse": x.lse.astype(np.float16).astype(x.real)}


class small_weights_flushed(Attention):
    """Weights below 1e-3 set to 0."""

    def softmax(self, x, logits):
        weights, lse = super().softmax(x, logits)
        return np.where(weights < 1e-3, 0, weights), lse


class gradient_sums_in_half(Attention):
    """dk and dv summed in the input's type."""

    def value_gradient(self, x):
        if x.dtype != np.float16:
            return super().value_gradient(x)
        total = np.zeros_like(x.v_all, dtype=np.float16)
        weights = x.weights * x.keep
        for i in range(x.queries):
            total = (total + (weights[..., i, :, None] * x.dout[..., i, None, :]).astype(np.float16)).astype(np.float16)
        return total.astype(x.real)
