"""`attest apply` beside PyTorch's autograd of the textbook formulas, over many shapes.

Usage: apply_against_torch.py ATTEST_PROGRAM. Exits 77 when PyTorch is not installed.
"""
import math
import os
import subprocess
import sys
import tempfile

try:
    import numpy as np
    import torch
except ImportError as missing:
    print(f"skipped: {missing.name} is not installed")
    sys.exit(77)

TOLERANCE = {"float64": 1e-12, "float32": 2e-6}


def attention(q, k, v, mechanism, causal):
    logits = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    if causal:
        hidden = torch.ones(q.shape[2], k.shape[2], dtype=torch.bool).triu(1)
        logits = logits.masked_fill(hidden, -math.inf)
    a = torch.softmax(logits, -1)
    once = a @ v
    return once if mechanism == "softmax" else once + a @ (v - once)


def worst_error(attest, folder, generator, mechanism, shape, scale, causal, dtype):
    heads, n_q, n_k, d = shape
    draw = lambda n: generator.standard_normal((1, heads, n, d))
    arrays = {"q": scale * draw(n_q), "k": draw(n_k), "v": draw(n_k), "R": draw(n_q)}
    if dtype == "float32":  # both sides are given the same, rounded, inputs
        arrays = {name: a.astype(np.float32).astype(np.float64) for name, a in arrays.items()}
    source, target = os.path.join(folder, "in.npz"), os.path.join(folder, "out.npz")
    np.savez(source, **arrays)
    subprocess.run([attest, "apply", mechanism, "--input", source, "--output", target, "--grad", "--dtype", dtype,
                    "--set", f"causal={'true' if causal else 'false'}"], check=True, stdout=subprocess.DEVNULL)
    tensors = {n: torch.tensor(arrays[n], requires_grad=True) for n in "qkv"}
    out = attention(*(tensors[n] for n in "qkv"), mechanism, causal)
    (out * torch.tensor(arrays["R"])).sum().backward()
    ours = np.load(target)
    pairs = [(ours["out"], out.detach())] + [(ours[f"grad.{n}"], tensors[n].grad) for n in "qkv"]
    # A gradient that vanishes by cancellation (N_k = 1) is compared on the scale of its terms.
    sizes = [1.0, *(float(np.abs(arrays["R"]).max()) * max(1.0, scale),) * 3]
    return max(float(np.abs(a - b.numpy()).max()) / max(float(b.abs().max()), s) for (a, b), s in zip(pairs, sizes))


def main():
    attest, cases, failures = sys.argv[1], 0, 0
    generator = np.random.default_rng(20261121)
    lengths = [(n, n) for n in (1, 2, 3, 12, 16, 17, 64, 257)] + [(3, 17), (64, 12)]
    with tempfile.TemporaryDirectory() as folder:
        for index, (n_q, n_k) in enumerate(lengths):
            for mechanism in ("softmax", "twicing"):
                if mechanism == "twicing" and n_q != n_k:
                    continue
                for causal in (False, True):
                    for dtype in TOLERANCE:
                        heads, scale = 1 + index % 8, (1, 30, 1000)[index % 3] if dtype == "float64" else 1
                        error = worst_error(attest, folder, generator, mechanism, (heads, n_q, n_k, 8), scale, causal, dtype)
                        cases += 1
                        if not error <= TOLERANCE[dtype]:
                            failures += 1
                            print(f"{mechanism} {dtype} heads {heads} N_q {n_q} N_k {n_k} scale {scale} causal {causal}: {error:.2e}")
    print(f"{cases} cases, {failures} failures")
    return 1 if failures or not cases else 0


sys.exit(main())
