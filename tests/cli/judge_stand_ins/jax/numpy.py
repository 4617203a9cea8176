"""jax.numpy over PyTorch."""
import torch

asarray = torch.as_tensor
einsum = torch.einsum
finfo = torch.finfo
tril = torch.tril
where = torch.where


def ones(shape, dtype):
    return torch.ones(tuple(shape), dtype={bool: torch.bool}[dtype])
