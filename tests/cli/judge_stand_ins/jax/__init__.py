"""What the JAX wrapper of `attest judge --emit-wrapper jax` uses of JAX, over PyTorch: Debian packages no JAX."""
import types

import torch

from . import numpy  # noqa: F401  (jax.numpy)

# float64 is PyTorch's own; JAX has to be asked for it.
config = types.SimpleNamespace(update=lambda name, value: None)
nn = types.SimpleNamespace(softmax=lambda x: torch.softmax(x, -1))


def vjp(function, *primals):
    """(function(*primals), its vector-Jacobian product), as jax.vjp."""
    inputs = [x.detach().requires_grad_() for x in primals]
    out = function(*inputs)

    def backward(cotangent):
        gradients = torch.autograd.grad(out, inputs, torch.as_tensor(cotangent), allow_unused=True)
        return tuple(torch.zeros_like(x) if g is None else g for x, g in zip(inputs, gradients))
    return out.detach(), backward
