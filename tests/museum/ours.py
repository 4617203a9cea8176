"""Softmax attention of the library itself, through `attest apply`, for tensors of four types: a process for every call.

The environment variable ATTEST_PROGRAM names the program."""
import json
import os
import pathlib
import struct
import subprocess
import tempfile

import numpy as np
import torch

TYPES = {torch.float64: "float64", torch.float32: "float32", torch.float16: "float16", torch.bfloat16: "bfloat16"}
STORED = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16}


def numbers(x):
    """Exactly the tensor's entries: float64 holds those of every type, NumPy not every type."""
    return x.double().numpy() if x.is_floating_point() else x.numpy()


def read(path):
    """The tensors of a .safetensors file: the one format of `attest apply` that knows bfloat16."""
    data = bytearray(path.read_bytes())
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8:8 + length])
    header.pop("__metadata__", None)
    return {name: torch.frombuffer(data, dtype=STORED[a["dtype"]], offset=8 + length + a["data_offsets"][0],
                                   count=max(1, torch.Size(a["shape"]).numel())).reshape(a["shape"])
            for name, a in header.items()}


def set_options(causal, alignment, scale, window, softcap):
    given = {"causal": "true" if causal else None, "alignment": alignment.replace("_", "-"), "scale": scale,
             "window": window and ",".join(map(str, window)), "softcap": softcap}
    return [word for name, value in given.items() if value is not None for word in ("--set", f"{name}={value}")]


def attention(q, k, v, *, causal=False, alignment="top_left", scale=None, window=None, softcap=None, mask=None, bias=None,
              alibi_slopes=None, sinks=None, cu_seqlens=None, cu_seqlens_k=None, dropout_mask=None, dout=None, dlse=None):
    keys = {"cu_seqlens_q": cu_seqlens, "cu_seqlens_k": cu_seqlens_k} if cu_seqlens_k is not None else {"cu_seqlens": cu_seqlens}
    if mask is not None and mask.is_floating_point() and bias is not None:
        mask, bias = mask.double() + bias.double(), None  # the program takes one of them, per sequence and head
        mask = mask.expand(q.shape[0], *mask.shape[-3:])
    inputs = {"q": q, "k": k, "v": v, "mask": mask, "bias": bias, "slopes": alibi_slopes, "sinks": sinks,
              "dropout_mask": dropout_mask, "R": dout, "R_lse": dlse, **keys}
    with tempfile.TemporaryDirectory() as folder:
        given, answer = pathlib.Path(folder) / "in.npz", pathlib.Path(folder) / "out.safetensors"
        np.savez(given, **{name: numbers(x) for name, x in inputs.items() if x is not None})
        ended = subprocess.run(
            [os.environ["ATTEST_PROGRAM"], "apply", "softmax", "--input", given, "--output", answer, "--lse", "--dtype",
             TYPES[q.dtype], "--threads", "1", *(["--grad"] if dout is not None else []),
             *set_options(causal, alignment, scale, window, softcap)], capture_output=True, text=True)
        if ended.returncode:
            raise RuntimeError(ended.stderr)
        names = {"out": "out", "lse": "lse", "grad.q": "dq", "grad.k": "dk", "grad.v": "dv"}
        return {names[name]: x.to(q.dtype) for name, x in read(answer).items() if name in names}
