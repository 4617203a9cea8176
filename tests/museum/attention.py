"""Softmax attention, forward and backward, in NumPy: the correct implementation in which the museum plants its bugs.

Every stage is a method of its own, so that a bug is a class that overrides one of them. Arrays are [B][H][N][D]; k and v
may have fewer heads, each of which then serves H / H_kv successive query heads, and v another width.

Options, all by keyword:
    mask          boolean, true where a query sees a key, or floating point, added to the logits (-inf hides a key);
                  [N_q][N_k] or [B or 1][H or 1][N_q][N_k]
    causal        query i sees keys j <= i (alignment top_left) or j <= i + N_k - N_q (bottom_right)
    alignment     "top_left" or "bottom_right": the corner at which the diagonals of causal, window and alibi_slopes end
    scale         factor of q k^T, 1/sqrt(D) where absent
    window        (left, right): query i sees keys from i - left to i + right, counted from the same diagonal; -1: all
    softcap       c tanh(logit / c), before bias and mask
    cu_seqlens    bounds of the packed sequences of queries, 0 first and N_q last; cu_seqlens_k those of keys where they
                  differ. Positions are counted in each sequence
    bias          added to the logits, of a shape that broadcasts to [B][H][N_q][N_k]
    alibi_slopes  [H]: -slope |distance to the diagonal| is added to the logits
    sinks         [H]: logits that join each row's denominator and nothing else
    dropout_mask  boolean [B][H][N_q][N_k], true where a weight is kept; kept ones are divided by 1 - dropout_rate.
                  Without it and with dropout_rate > 0, drawn from seed
    dout, dlse    gradients of a loss in out and lse; with dout, the gradients dq, dk, dv are returned

A row that sees no key gives out = 0 and lse = -inf (its sink, if there is one). What a query does not see cannot reach its
output, NaN and infinity included. float64 is computed in float64, everything else in float32; lse comes back in the type
of the computation, all else in the type of the input.
"""
from types import SimpleNamespace

import numpy as np


def transpose(x):
    return np.swapaxes(x, -1, -2)


def contract(weights, values, seen):
    """weights @ values in which a weight that is not `seen` contributes nothing, whatever the value is."""
    finite = np.isfinite(values).all(axis=-1)
    out = weights @ np.where(finite[..., None], values, 0)
    for b, h, j in np.argwhere(~finite):
        rows = seen[b, h, :, j]
        out[b, h, rows] += weights[b, h, rows, j, None] * values[b, h, j]
    return out


def reduced_to(gradient, shape):
    """Sums over the axes along which an array of `shape` was broadcast."""
    while gradient.ndim > len(shape):
        gradient = gradient.sum(axis=0)
    for axis, extent in enumerate(shape):
        if extent == 1:
            gradient = gradient.sum(axis=axis, keepdims=True)
    return gradient


class Attention:
    """f(q, k, v, **options); see above."""

    def __call__(self, q, k, v, *, mask=None, causal=False, alignment="top_left", scale=None, window=None, softcap=None,
                 cu_seqlens=None, cu_seqlens_k=None, bias=None, alibi_slopes=None, sinks=None, dropout_mask=None,
                 dropout_rate=0.0, seed=0, dout=None, dlse=None):
        given = dict(locals())
        given.pop("self")
        with np.errstate(all="ignore"):
            x = self.prepared(SimpleNamespace(**given))
            self.forward(x)
            if dout is not None:
                self.backward(x)
            return self.results(x)

    # ---- what is given ----

    def prepared(self, x):
        x.dtype = x.q.dtype
        x.real = self.computing_type(x)
        x.batch, x.heads, x.queries, x.width = x.q.shape
        x.kv_heads, x.keys = x.k.shape[1:3]
        x.q, x.k, x.v = (np.asarray(a).astype(x.real) for a in (x.q, x.k, x.v))
        x.k_all, x.v_all = self.for_query_heads(x, x.k), self.for_query_heads(x, x.v)
        if x.dout is not None:
            x.dout = np.asarray(x.dout).astype(x.real)
        x.scale = self.scale(x)
        x.segments, x.q_position, x.k_position = self.positions(x)
        return x

    def computing_type(self, x):
        return np.float64 if x.q.dtype == np.float64 else np.float32

    def for_query_heads(self, x, a):
        return np.repeat(a, x.heads // x.kv_heads, axis=1)

    def scale(self, x):
        return x.real(x.width ** -0.5 if x.scale is None else x.scale)

    def bounds(self, x):
        """Of the packed sequences, in queries and in keys."""
        if x.cu_seqlens is None:
            return np.array([0, x.queries]), np.array([0, x.keys])
        of_queries = np.asarray(x.cu_seqlens)
        return of_queries, of_queries if x.cu_seqlens_k is None else np.asarray(x.cu_seqlens_k)

    def positions(self, x):
        """Whether query and key are of one sequence; the positions on one axis, so that the diagonal is where they agree."""
        q_bounds, k_bounds = self.bounds(x)
        q_sequence = np.repeat(np.arange(len(q_bounds) - 1), np.diff(q_bounds))
        k_sequence = np.repeat(np.arange(len(k_bounds) - 1), np.diff(k_bounds))
        q_position = np.arange(x.queries) - q_bounds[q_sequence]
        k_position = np.arange(x.keys) - k_bounds[k_sequence]
        if self.alignment(x) == "bottom_right":
            q_position = q_position + (np.diff(k_bounds) - np.diff(q_bounds))[q_sequence]
        return q_sequence[:, None] == k_sequence[None, :], q_position[:, None], k_position[None, :]

    def alignment(self, x):
        return x.alignment

    # ---- who sees whom ----

    def seen(self, x):
        seen = np.ones((x.batch, x.heads, x.queries, x.keys), dtype=bool)
        seen &= x.segments
        if x.causal:
            seen &= self.causal(x)
        if x.window is not None:
            seen &= self.in_window(x)
        if x.mask is not None:
            seen &= self.unmasked(x)
        return seen

    def causal(self, x):
        return x.k_position <= x.q_position

    def in_window(self, x):
        left, right = x.window
        inside = np.ones((x.queries, x.keys), dtype=bool)
        if left >= 0:
            inside &= x.k_position >= x.q_position - left
        if right >= 0:
            inside &= x.k_position <= x.q_position + right
        return inside

    def unmasked(self, x):
        mask = np.asarray(x.mask)
        return mask if mask.dtype == bool else mask != -np.inf

    # ---- forward ----

    def forward(self, x):
        x.seen = self.seen(x)
        x.scores = self.scores(x)
        x.capped = self.capped(x, x.scores)
        x.logits = np.where(x.seen, self.biased(x, x.capped), -np.inf).astype(x.real)
        x.weights, x.lse = self.softmax(x, x.logits)
        x.keep = self.dropout(x)
        x.out = self.mixed(x)

    def scores(self, x):
        return (x.q @ transpose(x.k_all)) * x.scale

    def capped(self, x, scores):
        return scores if x.softcap is None else x.real(x.softcap) * np.tanh(scores / x.real(x.softcap))

    def biased(self, x, logits):
        if x.bias is not None:
            logits = logits + np.asarray(x.bias).astype(x.real)
        if x.mask is not None and np.asarray(x.mask).dtype != bool:
            logits = logits + np.asarray(x.mask).astype(x.real)
        if x.alibi_slopes is not None:
            logits = logits + self.alibi(x)
        return logits

    def alibi(self, x):
        return -np.asarray(x.alibi_slopes).astype(x.real)[:, None, None] * self.distance(x)

    def distance(self, x):
        return np.abs(x.q_position - x.k_position).astype(x.real)

    def sinks(self, x):
        """[H][1][1], -inf where there are none."""
        return np.full((x.heads, 1, 1), -np.inf, x.real) if x.sinks is None else \
            np.asarray(x.sinks).astype(x.real)[:, None, None]

    def softmax(self, x, logits):
        sinks = self.sinks(x)
        largest = np.maximum(logits.max(axis=-1, keepdims=True, initial=-np.inf), sinks)
        largest = np.where(np.isneginf(largest), 0, largest)
        weights = np.where(x.seen, np.exp(logits - largest), 0)
        x.sink_weight = np.exp(sinks - largest)
        total = weights.sum(axis=-1, keepdims=True) + x.sink_weight
        divisor = np.where(total == 0, 1, total)
        x.sink_weight = x.sink_weight / divisor
        return np.where(x.seen, weights / divisor, 0), (largest + np.log(total))[..., 0]

    def keep_rate(self, x):
        return 1 - x.dropout_rate

    def drawn(self, x):
        return np.random.Generator(np.random.Philox(key=x.seed)).random((x.batch, x.heads, x.queries, x.keys)) < \
            self.keep_rate(x)

    def dropout(self, x):
        """The factor of each weight."""
        if x.dropout_mask is None and x.dropout_rate == 0:
            return x.real(1)
        kept = self.drawn(x) if x.dropout_mask is None else np.asarray(x.dropout_mask)
        return kept.astype(x.real) * x.real(self.dropout_factor(x))

    def dropout_factor(self, x):
        return 1 / (1 - x.dropout_rate)

    def mixed(self, x):
        return contract(x.weights * x.keep, x.v_all, x.seen)

    # ---- backward ----

    def backward(self, x):
        x.dweights = self.weight_gradient(x)
        x.dlogits = self.logit_gradient(x)
        x.dscores = self.score_gradient(x)
        x.dq = self.query_gradient(x)
        x.dk = self.sum_groups(x, self.key_gradient(x))
        x.dv = self.sum_groups(x, self.value_gradient(x))

    def weight_gradient(self, x):
        return np.where(x.seen, (x.dout @ transpose(x.v_all)) * x.keep, 0)

    def lse_gradient(self, x):
        return x.real(0) if x.dlse is None else np.asarray(x.dlse).astype(x.real)[..., None]

    def row_dot(self, x):
        """Of each row, the weights times their gradients."""
        return (x.weights * x.dweights).sum(axis=-1, keepdims=True)

    def logit_gradient(self, x):
        return np.where(x.seen, x.weights * (x.dweights - self.row_dot(x) + self.lse_gradient(x)), 0)

    def score_gradient(self, x):
        if x.softcap is None:
            return x.dlogits
        return np.where(x.seen, x.dlogits * (1 - (x.capped / x.real(x.softcap)) ** 2), 0)

    def query_gradient(self, x):
        return contract(x.dscores, x.k_all, x.seen) * x.scale

    def key_gradient(self, x):
        return contract(transpose(x.dscores), x.q, transpose(x.seen)) * x.scale

    def value_gradient(self, x):
        return contract(transpose(x.weights * x.keep), x.dout, transpose(x.seen))

    def sum_groups(self, x, gradient):
        return gradient.reshape(x.batch, x.kv_heads, x.heads // x.kv_heads, *gradient.shape[2:]).sum(axis=2)

    # ---- what is returned ----

    def results(self, x):
        results = {"out": x.out.astype(x.dtype), "lse": x.lse}
        if x.dout is not None:
            results.update({name: getattr(x, name).astype(x.dtype) for name in ("dq", "dk", "dv")})
            if x.bias is not None:
                results["dbias"] = reduced_to(x.dlogits, np.shape(x.bias)).astype(x.dtype)
            if x.sinks is not None:
                results["dsinks"] = (x.sink_weight * (self.lse_gradient(x) - self.row_dot(x))).sum(axis=(0, 2, 3))
        return results


attention = Attention().__call__
