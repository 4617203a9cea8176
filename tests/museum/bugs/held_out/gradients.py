"""Bugs held out: the way back."""
import numpy as np

from attention import Attention


class dq_negated(Attention):
    def query_gradient(self, x):
        return -super().query_gradient(x)


class dk_of_last_key_lost(Attention):
    def key_gradient(self, x):
        gradient = super().key_gradient(x)
        gradient[:, :, -1] = 0
        return gradient


class dv_divided_by_queries(Attention):
    def value_gradient(self, x):
        return super().value_gradient(x) / x.real(x.queries)


class gradients_halved(Attention):
    def logit_gradient(self, x):
        return super().logit_gradient(x) / 2


class dq_by_softmax_of_queries(Attention):
    """The row sum is taken over the queries."""

    def row_dot(self, x):
        return (x.weights * x.dweights).sum(axis=-2, keepdims=True)


class first_batch_gradient(Attention):
    """dk of sequence 0 for all."""

    def key_gradient(self, x):
        gradient = super().key_gradient(x)
        return np.broadcast_to(gradient[:1], gradient.shape)


class group_last_only(Attention):
    """dv alone comes from the last query head of a group."""

    def backward(self, x):
        super().backward(x)
        x.dv = self.value_gradient(x)[:, x.heads // x.kv_heads - 1::x.heads // x.kv_heads]
