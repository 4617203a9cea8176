"""Bugs in the backward pass alone: the forward pass of every one of these is right."""
import numpy as np

from attention import Attention, contract, transpose
from variants import OneByOne


class lse_gradient_ignored(Attention):
    def lse_gradient(self, x):
        return x.real(0)


class lse_gradient_sign(Attention):
    def lse_gradient(self, x):
        return -super().lse_gradient(x)


class row_dot_missing(Attention):
    """dS = P dP, without the softmax's own term."""

    def row_dot(self, x):
        return x.real(0)


class row_dot_is_mean(Attention):
    """The mean over the keys instead of the weighted one."""

    def row_dot(self, x):
        return x.dweights.mean(axis=-1, keepdims=True)


class row_dot_before_softcap(Attention):
    """1 - tanh^2 multiplies dP but not its weighted mean."""

    def logit_gradient(self, x):
        return x.weights * (x.dweights * self.slope(x) - self.row_dot(x) + self.lse_gradient(x))

    def slope(self, x):
        return 1 if x.softcap is None else np.where(x.seen, 1 - (x.capped / x.real(x.softcap)) ** 2, 0)

    def score_gradient(self, x):
        return x.dlogits


class softcap_without_slope(Attention):
    def score_gradient(self, x):
        return x.dlogits


class softcap_slope_of_scores(Attention):
    """1 - tanh^2 at the cap's output instead of its input's tanh."""

    def score_gradient(self, x):
        if x.softcap is None:
            return x.dlogits
        return np.where(x.seen, x.dlogits * (1 - np.tanh(x.capped / x.real(x.softcap)) ** 2), 0)


class dq_without_scale(Attention):
    def query_gradient(self, x):
        return contract(x.dscores, x.k_all, x.seen)


class dk_scaled_by_default(Attention):
    """dk takes 1/sqrt(D) whatever scale was asked for."""

    def key_gradient(self, x):
        return super().key_gradient(x) / x.scale * x.real(x.width ** -0.5)


class dk_dv_swapped(Attention):
    def backward(self, x):
        super().backward(x)
        if x.dk.shape == x.dv.shape:
            x.dk, x.dv = x.dv, x.dk


class dv_by_logit_gradient(Attention):
    """dv takes P as normalised over the queries."""

    def value_gradient(self, x):
        total = x.weights.sum(axis=-2, keepdims=True)
        return contract(transpose(x.weights / np.where(total == 0, 1, total)), x.dout, transpose(x.seen))


class dk_last_query_tile(Attention):
    """Each tile of queries overwrites dk instead of adding to it."""

    def key_gradient(self, x):
        last = np.arange(x.queries) >= (x.queries - 1) // 8 * 8
        return contract(transpose(x.dscores)[..., last], x.q[:, :, last], transpose(x.seen)[..., last]) * x.scale


class dv_lost_updates(Attention):
    """Queries that share a key write its gradient one over the other."""

    def value_gradient(self, x):
        shared = np.where(x.weights > 0, np.arange(x.queries)[:, None], -1)
        last = shared.max(axis=-2, keepdims=True)
        kept = np.where((shared == last) | (shared % 2 == 0), x.weights * x.keep, 0)
        return contract(transpose(kept), x.dout, transpose(x.seen))


class dq_misses_diagonal(Attention):
    """The backward pass takes a causal mask that hides the query's own key."""

    def query_gradient(self, x):
        if not x.causal:
            return super().query_gradient(x)
        return contract(np.where(x.q_position == x.k_position, 0, x.dscores), x.k_all, x.seen) * x.scale


class backward_top_left(Attention):
    """The forward pass aligns at the bottom right, the backward pass at the top left."""

    def backward(self, x):
        if x.causal:
            seen = x.seen & (x.k_position <= np.arange(x.queries)[:, None])
            x.weights = np.where(seen, x.weights, 0)
        super().backward(x)


class backward_without_bias(Attention):
    """Weights are recomputed without the bias."""

    def backward(self, x):
        if x.bias is not None:
            x.weights, _ = self.softmax(x, np.where(x.seen, x.capped, -np.inf))
        super().backward(x)


class backward_without_window(Attention):
    def backward(self, x):
        if x.window is not None:
            x.window, kept = None, x.window
            x.seen = self.seen(x)
            x.weights, _ = self.softmax(x, np.where(x.seen, self.biased(x, x.capped), -np.inf))
            x.window = kept
        super().backward(x)


class backward_without_sinks(Attention):
    """The backward pass recomputes weights that sum to 1 without the sink."""

    def backward(self, x):
        total = x.weights.sum(axis=-1, keepdims=True)
        x.weights = x.weights / np.where(total == 0, 1, total)
        super().backward(x)


class backward_rounds_weights(Attention):
    """The output from which the weighted mean is taken is stored in half precision."""

    def row_dot(self, x):
        return (x.dout * x.out.astype(np.float16).astype(x.real)).sum(axis=-1, keepdims=True)


class grouped_not_summed(Attention):
    """dk and dv of a shared head come from the first query head of its group."""

    def sum_groups(self, x, gradient):
        return gradient[:, ::x.heads // x.kv_heads]


class grouped_mean(Attention):
    def sum_groups(self, x, gradient):
        return super().sum_groups(x, gradient) / x.real(x.heads // x.kv_heads)


class first_head_in_backward(Attention):
    """The head's offset is missing when keys are read again."""

    def query_gradient(self, x):
        return contract(x.dscores, np.broadcast_to(x.k_all[:, :1], x.k_all.shape), x.seen) * x.scale


class batch_summed_dv(Attention):
    """dv is summed over the batch."""

    def value_gradient(self, x):
        gradient = super().value_gradient(x)
        return np.broadcast_to(gradient.sum(axis=0, keepdims=True), gradient.shape)


class packed_backward_fixed_offsets(OneByOne):
    """The backward pass steps by the first sequence's length."""

    def __call__(self, q, k, v, *, causal=False, alignment="top_left", scale=None, cu_seqlens=None, cu_seqlens_k=None,
                 dout=None, dlse=None):
        options = dict(causal=causal, alignment=alignment, scale=scale, cu_seqlens=cu_seqlens,
                       cu_seqlens_k=cu_seqlens_k)
        results = super().__call__(q, k, v, **options, dout=dout, dlse=dlse)
        if dout is not None and cu_seqlens is not None and len(cu_seqlens) > 2:
            length = int(cu_seqlens[1])
            bounds = [min(i * length, q.shape[2]) for i in range(len(cu_seqlens) - 1)] + [q.shape[2]]
            options.update(cu_seqlens=bounds, cu_seqlens_k=bounds if cu_seqlens_k is None else cu_seqlens_k)
            wrong = super().__call__(q, k, v, **options, dout=dout, dlse=dlse)
            results.update({name: wrong[name] for name in ("dq", "dk", "dv")})
        return results


class packed_dv_summed(Attention):
    """dv of a packed batch is multiplied by the number of sequences."""

    def value_gradient(self, x):
        return super().value_gradient(x) * (len(self.bounds(x)[0]) - 1)


class packed_empty_rows_nan(Attention):
    """With causal and fewer keys than queries, rows without keys give NaN in dq."""

    def query_gradient(self, x):
        empty = ~x.seen.any(axis=-1, keepdims=True)
        return np.where(empty & (x.cu_seqlens is not None), np.nan, super().query_gradient(x))
