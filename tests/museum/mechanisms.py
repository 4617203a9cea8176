"""Correct implementations of attentions beyond softmax, in which the museum plants bugs too: those with a backward pass by
stages, the others as functions from the definitions in tests/cli/attention_in_numpy.py."""
import pathlib
import sys

import numpy as np

from attention import Attention, contract, transpose

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "cli"))
import attention_in_numpy as definitions  # noqa: E402


class Plain(Attention):
    """What the mechanisms below take: the other options are softmax attention's."""

    def __call__(self, q, k, v, *, mask=None, causal=False, bias=None, dout=None):
        return {name: a for name, a in super().__call__(q, k, v, mask=mask, causal=causal, bias=bias, dout=dout).items()
                if name in ("out", "dq", "dk", "dv")}


class Twicing(Plain):
    """A (2 V - A V)."""

    def mixed(self, x):
        x.once = contract(x.weights, x.v_all, x.seen)
        return self.twice(x)

    def twice(self, x):
        return x.once + contract(x.weights, x.v_all - x.once, x.seen)

    def weight_gradient(self, x):
        x.dout_once = contract(transpose(x.weights), x.dout, transpose(x.seen))
        gradient = x.dout @ transpose(2 * x.v_all - x.once) - x.dout_once @ transpose(x.v_all)
        return np.where(x.seen, gradient, 0)

    def value_gradient(self, x):
        return 2 * x.dout_once - contract(transpose(x.weights), x.dout_once, transpose(x.seen))


class GraphDiffusion(Plain):
    """A V - V."""

    def mixed(self, x):
        return super().mixed(x) - x.v_all

    def value_gradient(self, x):
        return super().value_gradient(x) - x.dout


class Alibi(Plain):
    """Biases -slope |i - j| by the published slopes."""

    def biased(self, x, logits):
        return super().biased(x, logits) - self.slopes(x)[:, None, None].astype(x.real) * self.distance(x)

    def slopes(self, x):
        return definitions.alibi_slopes(x.heads)


class Linear(Plain):
    """phi(Q) phi(K)^T V over its row sums, phi = elu + 1."""

    epsilon = 1e-6

    def __call__(self, q, k, v, *, causal=False, dout=None):
        return super().__call__(q, k, v, causal=causal, dout=dout)

    def phi(self, y):
        return np.where(y > 0, y + 1, np.exp(np.minimum(y, 0)))

    def phi_slope(self, y):
        return np.where(y > 0, 1, np.exp(np.minimum(y, 0)))

    def forward(self, x):
        x.seen, x.keep = self.seen(x), x.real(1)
        similar = np.where(x.seen, self.phi(x.q) @ transpose(self.phi(x.k_all)), 0)
        x.total = self.total(x, similar)
        x.weights = similar / x.total
        x.lse = np.log(x.total[..., 0])
        x.out = self.mixed(x)

    def total(self, x, similar):
        return similar.sum(axis=-1, keepdims=True) + x.real(self.epsilon)

    def logit_gradient(self, x):
        return np.where(x.seen, (x.dweights - self.row_dot(x)) / x.total, 0)

    def score_gradient(self, x):
        return x.dlogits

    def query_gradient(self, x):
        return contract(x.dscores, self.phi(x.k_all), x.seen) * self.phi_slope(x.q)

    def key_gradient(self, x):
        return contract(transpose(x.dscores), self.phi(x.q), transpose(x.seen)) * self.phi_slope(x.k_all)


class Sparse(Plain):
    """The strided pattern; a mask takes its place."""

    def __call__(self, q, k, v, *, mask=None, causal=False, dout=None):
        return super().__call__(q, k, v, mask=mask, causal=causal, dout=dout)

    def seen(self, x):
        seen = super().seen(x)
        return seen if x.mask is not None else seen & self.pattern(x)

    def stride(self, x):
        return int(np.sqrt(x.keys))

    def pattern(self, x):
        distance, stride = x.q_position - x.k_position, self.stride(x)
        return (np.abs(distance) <= stride) | (distance % stride == 0)


def nystromformer(q, k, v, *, landmarks, iterations=6, maximum="own"):
    return definitions.nystromformer({"q": q, "k": k, "v": v}, int(landmarks), int(iterations), maximum == "batch")


def linformer(q, k, v, *, E, F):
    return definitions.linformer({"q": q, "k": k, "v": v, "E": E, "F": F})


def bilateral(q, k, v, *, qp, kp, causal=False, h_p2=None, h_y2=None):
    x = {"q": q, "k": k, "v": v, "qp": qp, "kp": kp}
    return definitions.bilateral(x, causal, *(None if h is None else np.asarray(h) for h in (h_p2, h_y2)))


def attention_bn(q, k, v, *, causal=False):
    return definitions.attention_bn({"q": q, "k": k, "v": v}, causal=causal)


def kernel_regression(q, k, v, *, causal=False, bandwidth=None):
    return definitions.kernel_regression({"q": q, "k": k, "v": v}, bandwidth, causal)


def neutreno(q, k, v, *, v0, causal=False):
    return definitions.neutreno({"q": q, "k": k, "v": v, "v0": v0}, causal)


softmax = Attention().__call__
twicing = Twicing().__call__
graph_diffusion = GraphDiffusion().__call__
alibi = Alibi().__call__
linear = Linear().__call__
sparse = Sparse().__call__
