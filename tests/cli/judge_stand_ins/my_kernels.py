"""The kernel that the wrapper of `attest judge --emit-wrapper triton` calls, in PyTorch on the host, without a GPU."""
import torch

torch.Tensor.cuda = lambda self: self.clone()


def attend(q, k, v):
    return (q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5).softmax(-1) @ v


def my_triton_attention(q, k, v, causal):
    """Causal aligned at the bottom right; 16-bit inputs, sums in float32; what a query does not see is never read."""
    group = q.shape[1] // k.shape[1]
    queries, keys, values = q.float(), *(x.float().repeat_interleave(group, 1) for x in (k, v))
    if not causal:
        return attend(queries, keys, values).to(q.dtype)
    rows, surplus = [], k.shape[2] - q.shape[2]
    for i in range(q.shape[2]):
        seen = max(0, i + surplus + 1)
        rows.append(attend(queries[:, :, i : i + 1], keys[:, :, :seen], values[:, :, :seen]))
    return torch.cat(rows, 2).to(q.dtype)
