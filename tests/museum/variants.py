"""The same attention by other algorithms: tiles with an online softmax, split keys combined by lse, packed sequences one by
one, and the roundings of 16-bit kernels with float32 accumulation."""
import numpy as np

from attention import Attention, contract, transpose


def to_bfloat16(x):
    """float32 rounded to 8 significant bits, nearest even, as float32."""
    x = np.ascontiguousarray(x, dtype=np.float32)
    bits = x.view(np.uint32)
    rounded = (bits + (0x7FFF + ((bits >> 16) & 1)).astype(np.uint32)) & np.uint32(0xFFFF0000)
    return np.where(np.isfinite(x), rounded.view(np.float32), x)


def to_float16(x):
    return np.asarray(x, dtype=np.float16).astype(np.float32)


class Online(Attention):
    """One pass over tiles of keys, the backward pass from lse as the fused kernels do it."""

    tile = 16
    last_first = False

    def tiles(self, x):
        tiles = [slice(first, min(first + self.tile, x.keys)) for first in range(0, x.keys, self.tile)]
        return tiles[::-1] if self.last_first else tiles

    def start(self, x):
        return np.broadcast_to(self.sinks(x), (x.batch, x.heads, x.queries, 1)).astype(x.real)

    def forward(self, x):
        x.seen = self.seen(x)
        x.capped = self.capped(x, self.scores(x))
        x.logits = np.where(x.seen, self.biased(x, x.capped), -np.inf).astype(x.real)
        x.keep = np.broadcast_to(self.dropout(x), x.seen.shape)
        x.largest = self.start(x)
        x.total = np.exp(x.largest - self.finite(x.largest)) * (x.sinks is not None)
        x.out = np.zeros((*x.q.shape[:3], x.v.shape[3]), x.real)
        for tile in self.tiles(x):
            self.take(x, tile)
        self.finish(x)

    def finite(self, largest):
        return np.where(np.isneginf(largest), 0, largest)

    def take(self, x, tile):
        seen = x.seen[..., tile]
        larger = np.maximum(x.largest, x.logits[..., tile].max(axis=-1, keepdims=True))
        weights = np.where(seen, np.exp(x.logits[..., tile] - self.finite(larger)), 0)
        correction = self.correction(x, larger)
        x.total = x.total * correction + weights.sum(axis=-1, keepdims=True)
        x.out = x.out * self.correction_of_out(x, larger) + self.product(
            x, weights * x.keep[..., tile], x.v_all[..., tile, :], seen)
        x.largest = larger

    def product(self, x, weights, values, seen):
        return contract(weights, values, seen)

    def correction(self, x, larger):
        return np.exp(x.largest - self.finite(larger))

    def correction_of_out(self, x, larger):
        return self.correction(x, larger)

    def finish(self, x):
        x.out = x.out / np.where(x.total == 0, 1, x.total)
        x.lse = (self.finite(x.largest) + np.log(x.total))[..., 0]

    def backward(self, x):
        lse = self.finite(x.lse)[..., None]
        x.weights = np.where(x.seen, np.exp(x.logits - lse), 0)
        x.sink_weight = np.exp(self.sinks(x) - lse)
        super().backward(x)

    def row_dot(self, x):
        return (x.dout * x.out).sum(axis=-1, keepdims=True)


class SplitKeys(Attention):
    """Parts of the keys each on their own, combined by their lse."""

    parts = 3

    def split(self, x):
        return np.array_split(np.arange(x.keys), min(self.parts, x.keys))

    def forward(self, x):
        super().forward(x)  # what the backward pass needs
        outs, lses = [], []
        for part in self.split(x):
            seen, logits = x.seen[..., part], x.logits[..., part]
            largest = logits.max(axis=-1, keepdims=True)
            largest = np.where(np.isneginf(largest), 0, largest)
            weights = np.where(seen, np.exp(logits - largest), 0)
            total = weights.sum(axis=-1, keepdims=True)
            keep = np.broadcast_to(x.keep, x.seen.shape)[..., part]
            outs.append(contract(weights * keep, x.v_all[..., part, :], seen) / np.where(total == 0, 1, total))
            lses.append((largest + np.log(total))[..., 0])
        x.out, x.lse = self.combined(x, outs, lses)

    def combined(self, x, outs, lses):
        sinks = np.broadcast_to(self.sinks(x)[..., 0], lses[0].shape)
        lse = np.logaddexp.reduce([*lses, *self.sink_terms(sinks)], axis=0).astype(x.real)
        shares = [np.where(np.isneginf(part), 0, np.exp(part - lse))[..., None] for part in lses]
        return sum(np.where(share > 0, share * out, 0) for share, out in zip(shares, outs)), lse

    def sink_terms(self, sinks):
        return [sinks]


class OneByOne(Attention):
    """Packed sequences cut out and computed one after the other."""

    def __call__(self, q, k, v, *, causal=False, alignment="top_left", scale=None, cu_seqlens=None, cu_seqlens_k=None,
                 dout=None, dlse=None):
        q_bounds = np.asarray([0, q.shape[2]] if cu_seqlens is None else cu_seqlens)
        k_bounds = np.asarray(([0, k.shape[2]] if cu_seqlens is None else cu_seqlens)
                              if cu_seqlens_k is None else cu_seqlens_k)
        results = {"out": np.zeros((*q.shape[:3], v.shape[3]), q.dtype),
                   "lse": np.zeros(q.shape[:3], np.float64 if q.dtype == np.float64 else np.float32)}
        if dout is not None:
            results.update(dq=np.zeros(q.shape, q.dtype), dk=np.zeros(k.shape, k.dtype), dv=np.zeros(v.shape, v.dtype))
        for i in range(len(q_bounds) - 1):
            of_q, of_k = slice(q_bounds[i], q_bounds[i + 1]), slice(k_bounds[i], k_bounds[i + 1])
            one = super().__call__(
                q[:, :, of_q], k[:, :, of_k], v[:, :, of_k], causal=causal, alignment=alignment, scale=scale,
                dout=None if dout is None else dout[:, :, of_q], dlse=None if dlse is None else dlse[:, :, of_q])
            for name, part in one.items():
                results[name][:, :, of_k if name in ("dk", "dv") else of_q] = part
        return results


class Rounded(Attention):
    """Operands of every product in the 16-bit type of the arrays, sums and softmax in float32, as in tensor cores. Arrays of
    wider types are left as they are."""

    def rounded(self, x, a):
        return to_float16(a) if x.dtype == np.float16 else a

    def mixed(self, x):
        return contract(self.rounded(x, x.weights * x.keep), x.v_all, x.seen)

    def value_gradient(self, x):
        return contract(self.rounded(x, transpose(x.weights * x.keep)), x.dout, transpose(x.seen))

    def query_gradient(self, x):
        return contract(self.rounded(x, x.dscores), x.k_all, x.seen) * x.scale

    def key_gradient(self, x):
        return contract(self.rounded(x, transpose(x.dscores)), x.q, transpose(x.seen)) * x.scale


class RoundedTensors(Rounded):
    """The same on PyTorch's tensors, which know bfloat16 where NumPy does not."""

    def __call__(self, q, k, v, *, mask=None, causal=False, alignment="top_left", scale=None, window=None, softcap=None,
                 cu_seqlens=None, cu_seqlens_k=None, bias=None, alibi_slopes=None, sinks=None, dropout_mask=None,
                 dropout_rate=0.0, dout=None, dlse=None):
        import torch
        given = {name: a for name, a in locals().items() if name not in ("self", "torch", "__class__")}
        for name, a in given.items():
            if isinstance(a, torch.Tensor):
                given[name] = (a.float() if a.dtype == torch.bfloat16 else a).numpy()
        self.rounds = q.dtype == torch.bfloat16
        results = super().__call__(given.pop("q"), given.pop("k"), given.pop("v"), **given)
        tensors = {name: torch.from_numpy(np.ascontiguousarray(a)) for name, a in results.items()}
        return {name: a if name == "lse" else a.to(q.dtype) for name, a in tensors.items()}

    def rounded(self, x, a):
        return to_bfloat16(a) if self.rounds else a
