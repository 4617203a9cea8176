# judge: --torch --set masked_nan=spreads
"""As first kernels are: whole tiles of 64 tokens alone, keys in a loop with a running maximum."""
import torch

TILE = 64


def attention(q, k, v, *, causal=False):
    n, m, d = q.shape[2], k.shape[2], q.shape[3]
    if n % TILE or m % TILE or d not in (32, 64):
        raise NotImplementedError("whole tiles of 64 tokens, 32 or 64 features")
    group = q.shape[1] // k.shape[1]
    wide = torch.promote_types(q.dtype, torch.float32)
    q, k, v, given = q.to(wide), k.repeat_interleave(group, 1).to(wide), v.repeat_interleave(group, 1).to(wide), q.dtype
    place = torch.arange(n)[:, None] + m - n
    largest = torch.full(q.shape[:3], float("-inf"), dtype=wide)
    total = torch.zeros(q.shape[:3], dtype=wide)
    out = torch.zeros(*q.shape[:3], v.shape[3], dtype=wide)
    for first in range(0, m, TILE):
        logits = q @ k[:, :, first:first + TILE].transpose(-1, -2) * d ** -0.5
        if causal:
            logits = logits.masked_fill(torch.arange(first, first + TILE)[None] > place, float("-inf"))
        raised = torch.maximum(largest, logits.amax(-1))
        # Rows that have seen nothing yet: exp(-inf - 0) is 0 and exp(-inf + inf) is not a number.
        safe = raised.masked_fill(raised == float("-inf"), 0).detach()
        weights, rescale = torch.exp(logits - safe[..., None]), torch.exp(largest - safe)
        total = total * rescale + weights.sum(-1)
        out = out * rescale[..., None] + weights @ v[:, :, first:first + TILE]
        largest = raised.detach()
    return (out / total.masked_fill(total == 0, 1)[..., None]).to(given)
