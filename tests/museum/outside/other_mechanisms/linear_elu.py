# judge: --as linear --torch --set masked_nan=spreads
"""Linear attention with the feature map as everyone writes it."""
import torch

import linear


def phi(x):
    return torch.nn.functional.elu(x) + 1


def attention(q, k, v, *, causal=False, mask=None, eps=1e-6):
    return linear.by_features(q, k, v, phi, causal, mask, eps)
