#!/usr/bin/env python3
"""What a CUDA device reaches through PyTorch: copy bandwidth, matrix product, and fused and eager attention, in JSON lines.

These are the floors and the peers that bench_device's times are held against: bfloat16, one sequence of 2048/D heads of
D features, forward and backward; times are the medians of 20 runs (5 of the longest) between events of the device.
"""
import json
import math
import statistics

import torch


def seconds(step, runs=20):
    for _ in range(3):
        step()
    times = []
    for _ in range(runs):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        step()
        end.record()
        end.synchronize()
        times.append(1e-3 * begin.elapsed_time(end))
    return statistics.median(times)


def eager(q, k, v, causal):
    logits = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    if causal:
        logits = logits.masked_fill(torch.ones(logits.shape[-2:], device="cuda", dtype=torch.bool).triu(1), -math.inf)
    return torch.softmax(logits, dim=-1) @ v


def eager_alibi(q, k, v, causal):
    n, heads = q.shape[-2], q.shape[1]
    slopes = torch.exp2(-8 * torch.arange(1, heads + 1, device="cuda") / heads).to(q.dtype).view(-1, 1, 1)
    place = torch.arange(n, device="cuda")
    logits = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1]) - slopes * (place[:, None] - place).abs()
    if causal:
        logits = logits.masked_fill(torch.ones((n, n), device="cuda", dtype=torch.bool).triu(1), -math.inf)
    return torch.softmax(logits, dim=-1) @ v


def eager_dropout(q, k, v, causal):
    logits = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1])
    if causal:
        logits = logits.masked_fill(torch.ones(logits.shape[-2:], device="cuda", dtype=torch.bool).triu(1), -math.inf)
    return torch.nn.functional.dropout(torch.softmax(logits, dim=-1), 0.2) @ v


def fused(backend):
    def attention(q, k, v, causal):
        with torch.nn.attention.sdpa_kernel(backend):
            return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=causal)
    return attention


def main():
    print(json.dumps({"device": torch.cuda.get_device_name(), "torch": torch.__version__}))
    source = torch.empty(1 << 30, dtype=torch.uint8, device="cuda")
    target = torch.empty_like(source)
    print(json.dumps({"case": "copy", "bytes_per_second": 2 * source.numel() / seconds(lambda: target.copy_(source))}))
    for name, dtype in (("float64", torch.float64), ("float32", torch.float32), ("bfloat16", torch.bfloat16)):
        a = torch.randn(8192, 8192, device="cuda", dtype=dtype)
        print(json.dumps({"case": f"product {name}", "flops": 2 * 8192**3 / seconds(lambda a=a: a @ a, runs=5)}))
    torch.utils.deterministic.fill_uninitialized_memory = False
    backends = torch.nn.attention.SDPBackend
    kinds = {"flash": fused(backends.FLASH_ATTENTION), "flash repeatable": fused(backends.FLASH_ATTENTION),
             "cudnn": fused(backends.CUDNN_ATTENTION), "eager": eager}
    for dim in (64, 128):
        q, k, v = (torch.randn((1, 2048 // dim, 4096, dim), device="cuda", dtype=torch.bfloat16, requires_grad=True)
                   for _ in range(3))
        for name, attention in (("alibi", eager_alibi), ("dropout", eager_dropout)):
            measure(name, attention, q, k, v, torch.randn_like(q), True)
        for n in (1024, 4096, 16384):
            for causal in (False, True):
                heads = 2048 // dim
                q, k, v = (torch.randn((1, heads, n, dim), device="cuda", dtype=torch.bfloat16, requires_grad=True)
                           for _ in range(3))
                gradient = torch.randn_like(q)
                for name, attention in kinds.items():
                    if name == "eager" and n > 4096:
                        continue
                    # Attest's gradients have the same bits in every run; FlashAttention's have them when asked.
                    torch.use_deterministic_algorithms(name == "flash repeatable")
                    try:
                        measure(name, attention, q, k, v, gradient, causal)
                    except RuntimeError as error:
                        print(json.dumps({"attention": name, "tokens": n, "features": dim, "error": str(error)[:200]}))
                    torch.use_deterministic_algorithms(False)


def measure(name, attention, q, k, v, gradient, causal):
    _, heads, n, dim = q.shape
    runs = 5 if n > 8192 else 20
    with torch.no_grad():
        forward = seconds(lambda: attention(q, k, v, causal), runs)
    out = attention(q, k, v, causal)
    backward = seconds(lambda: torch.autograd.grad(out, (q, k, v), gradient, retain_graph=True), runs)
    products = heads * n * n * dim * (0.5 if causal else 1)
    print(json.dumps({"attention": name, "heads": heads, "tokens": n, "features": dim, "causal": causal,
                      "forward_seconds": forward, "forward_flops": 4 * products / forward,
                      "backward_seconds": backward, "backward_flops": 10 * products / backward}))


main()
