#include "simulations/judge/record/wrappers.hpp"

#include <stdexcept>

namespace attest::judge {
namespace {

constexpr std::string_view for_torch =
    R"(# attest judge python:this_file.py:attention --as softmax --torch --set masked_nan=spreads
import torch


def attention(q, k, v, *, causal=False, alignment="bottom_right", scale=None, mask=None):
    """q [B][H][N_q][D], k and v [B][H][N_k][D]; gradients come by autograd. Leave out options that you do not have."""
    seen = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool)
    if causal:
        seen = seen.tril(k.shape[2] - q.shape[2] if alignment == "bottom_right" else 0)
    if mask is not None:
        seen = seen & (mask if mask.dtype == torch.bool else mask != -torch.inf)
    # Your kernel in the place of these lines:
    logits = q @ k.transpose(-1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale)
    if mask is not None and mask.dtype != torch.bool:
        logits = logits + mask
    return (logits.masked_fill(~seen, torch.finfo(q.dtype).min).softmax(-1) * seen) @ v
)";

constexpr std::string_view for_jax =
    R"(# attest judge python:this_file.py:attention --as softmax --set masked_nan=spreads
import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)


def forward(q, k, v, causal, scale):
    # Your kernel in the place of these lines:
    logits = jnp.einsum("bhid,bhjd->bhij", q, k) * (q.shape[-1] ** -0.5 if scale is None else scale)
    seen = jnp.tril(jnp.ones(logits.shape[-2:], bool), k.shape[2] - q.shape[2] if causal else k.shape[2])
    # A row that sees nothing gives 0, and gradients of 0.
    weights = jax.nn.softmax(jnp.where(seen, logits, jnp.finfo(logits.dtype).min)) * seen
    return jnp.einsum("bhij,bhjd->bhid", weights, v)


def attention(q, k, v, *, causal=False, scale=None, dout=None):
    out, backward = jax.vjp(lambda *x: forward(*x, causal, scale), *map(jnp.asarray, (q, k, v)))
    results = {"out": np.asarray(out)}
    if dout is not None:
        results.update(zip(("dq", "dk", "dv"), map(np.asarray, backward(jnp.asarray(dout)))))
    return results
)";

constexpr std::string_view for_triton =
    R"(# attest judge python:this_file.py:attention --as softmax --torch --dtype float16 --dtype float32
import torch

from my_kernels import my_triton_attention  # yours: takes contiguous CUDA tensors [B][H][N][D]


def attention(q, k, v, *, causal=False, dout=None):
    """Tensors come on the host; leave out options that you do not have."""
    q, k, v = (x.cuda().requires_grad_(dout is not None) for x in (q, k, v))
    out = my_triton_attention(q, k, v, causal)
    results = {"out": out}
    if dout is not None:
        out.backward(dout.cuda())
        results.update(dq=q.grad, dk=k.grad, dv=v.grad)
    return results
)";

constexpr std::string_view for_c =
    R"(/* cc -O2 -shared -fPIC -o libmine.so this_file.c -lm && attest judge ./libmine.so --as softmax */
#include <math.h>
#include <string.h>

#include "attest_judge.h"

static double* at(const attest_judge_array* a, long b, long h, long n, long d) {
  return (double*)a->data + b * a->strides[0] + h * a->strides[1] + n * a->strides[2] + d * a->strides[3];
}

int attest_judge_attention(attest_judge_call* c) {
  if (c->version != ATTEST_JUDGE_VERSION) return ATTEST_JUDGE_FAILED;
  /* What this kernel does not take is skipped. */
  if (c->q.type != ATTEST_JUDGE_FLOAT64 || *c->options || c->mask.data || c->bias.data || c->cu_seqlens.data || c->dout.data ||
      c->sinks.data || c->alibi_slopes.data || c->dropout_mask.data || c->k.shape[1] != c->q.shape[1])
    return ATTEST_JUDGE_UNSUPPORTED;
  const long keys = c->k.shape[2], width = c->q.shape[3], value_width = c->v.shape[3];
  /* Your kernel in the place of these loops: */
  for (long b = 0; b < c->q.shape[0]; ++b)
    for (long h = 0; h < c->q.shape[1]; ++h)
      for (long i = 0; i < c->q.shape[2]; ++i) {
        double largest = -INFINITY, sum = 0;
        for (long d = 0; d < value_width; ++d) *at(&c->out, b, h, i, d) = 0;
        for (long j = 0; j < keys; ++j) {
          double s = 0;
          for (long d = 0; d < width; ++d) s += *at(&c->q, b, h, i, d) * *at(&c->k, b, h, j, d);
          s /= sqrt((double)width);
          const double top = s > largest ? s : largest, kept = exp(largest - top), weight = exp(s - top);
          sum = sum * kept + weight;
          for (long d = 0; d < value_width; ++d)
            *at(&c->out, b, h, i, d) = *at(&c->out, b, h, i, d) * kept + weight * *at(&c->v, b, h, j, d);
          largest = top;
        }
        for (long d = 0; d < value_width; ++d) *at(&c->out, b, h, i, d) /= sum;
      }
  return ATTEST_JUDGE_DONE;
}
)";

}  // namespace

std::string_view wrapper(const std::string& kind) {
  if (kind == "torch") return for_torch;
  if (kind == "jax") return for_jax;
  if (kind == "triton") return for_triton;
  if (kind == "c") return for_c;
  throw std::invalid_argument("unknown --emit-wrapper '" + kind + "': use torch, jax, triton or c");
}

}  // namespace attest::judge
