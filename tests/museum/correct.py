"""Right implementations in which a judge must find nothing.

Those in NumPy take the arrays as they come; those that end in _torch take tensors (`attest judge --torch`). What PyTorch's
own functions do not offer is not in their signatures.
"""
import numpy as np

from attention import Attention
from variants import Online, OneByOne, Rounded, RoundedTensors, SplitKeys


class OtherOrder(Online):
    """Tiles of 5 keys, the last one first."""

    tile = 5
    last_first = True


class ManyParts(SplitKeys):
    parts = 7


naive = Attention().__call__
online = Online().__call__
online_last_first = OtherOrder().__call__
split_keys = SplitKeys().__call__
many_parts = ManyParts().__call__
one_by_one = OneByOne().__call__
float16_operands = Rounded().__call__
bfloat16_operands_torch = RoundedTensors().__call__

IN_NUMPY = {"naive": naive, "online": online, "online_last_first": online_last_first, "split_keys": split_keys,
            "many_parts": many_parts, "one_by_one": one_by_one, "float16_operands": float16_operands}


def textbook(q, k, v, *, causal=False, alignment="top_left", scale=None, mask=None, bias=None):
    """Six lines, as people write it for a first look: everything in the type that came in."""
    logits = q @ np.swapaxes(k, -1, -2) * q.dtype.type(q.shape[-1] ** -0.5 if scale is None else scale)
    if bias is not None:
        logits = logits + bias
    seen = np.ones(logits.shape, dtype=bool)
    if causal:
        seen &= np.tril(seen[0, 0], k.shape[2] - q.shape[2] if alignment == "bottom_right" else 0)
    if mask is not None and mask.dtype == bool:
        seen &= mask
    elif mask is not None:
        logits, seen = logits + np.where(np.isneginf(mask), 0, mask), seen & ~np.isneginf(mask)
    largest = np.where(seen, logits, -np.inf).max(axis=-1, keepdims=True)
    weights = np.exp(np.where(seen, logits - np.where(np.isneginf(largest), 0, largest), -np.inf))
    total = weights.sum(axis=-1, keepdims=True)
    return np.where(total == 0, 0, weights / np.where(total == 0, 1, total)) @ v


def eager_torch(q, k, v, *, causal=False, alignment="top_left", scale=None, mask=None, bias=None):
    """Eager PyTorch; gradients by autograd."""
    import torch
    logits = q @ k.transpose(-1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale)
    seen = torch.ones(logits.shape[-2:], dtype=torch.bool)
    if causal:
        seen = seen.tril(k.shape[2] - q.shape[2] if alignment == "bottom_right" else 0)
    for added in (bias, None if mask is None or mask.dtype == torch.bool else mask):
        if added is not None:
            logits = logits + added
    if mask is not None:
        seen = seen & (mask if mask.dtype == torch.bool else mask != -torch.inf)
    # A row that sees nothing is filled before the softmax: after it, NaN would be gone from out but not from the gradients.
    empty = ~seen.any(dim=-1, keepdim=True)
    weights = logits.masked_fill(~seen, -torch.inf).masked_fill(empty, 0).softmax(dim=-1).masked_fill(~seen, 0)
    return weights @ v


def packaged_torch(q, k, v, *, causal=False, mask=None):
    """PyTorch's own function: torch.nn.functional.scaled_dot_product_attention, in PyTorch 1 under another name."""
    import torch
    functional = torch.nn.functional
    if mask is not None and causal:
        seen = torch.ones(mask.shape[-2:], dtype=torch.bool).tril()
        mask = mask & seen if mask.dtype == torch.bool else mask.masked_fill(~seen, -torch.inf)
        causal = False
    if hasattr(functional, "scaled_dot_product_attention"):
        return functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=causal)
    return functional._scaled_dot_product_attention(q, k, v, mask, 0.0, False, causal)[0]


def multihead_torch(q, k, v):
    """torch.nn.MultiheadAttention with identities as projections."""
    import torch
    batch, heads, queries, width = q.shape
    def joined(a):
        return a.transpose(1, 2).reshape(batch, a.shape[2], heads * a.shape[3])
    identity = torch.eye(heads * width, dtype=q.dtype)
    out, _ = torch.nn.functional.multi_head_attention_forward(
        *(joined(a).transpose(0, 1) for a in (q, k, v)), heads * width, heads, identity.repeat(3, 1), None, None, None,
        False, 0.0, identity, None, need_weights=False)
    return out.transpose(0, 1).reshape(batch, queries, heads, width).transpose(1, 2)
