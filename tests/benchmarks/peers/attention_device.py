#!/usr/bin/env python3
"""What a CUDA device reaches through PyTorch: copy bandwidth, matrix product, and fused and eager attention, in JSON lines.

These are the floors and the peers that Attest's device kernels are held against. bfloat16, one sequence of 16 heads of
128 features, forward and backward; times are the medians of 20 runs between events of the device.
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


def eager(q, k, v):
    return torch.softmax(q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1]), dim=-1) @ v


def main():
    print(json.dumps({"device": torch.cuda.get_device_name(), "torch": torch.__version__}))
    source = torch.empty(1 << 30, dtype=torch.uint8, device="cuda")
    target = torch.empty_like(source)
    print(json.dumps({"case": "copy", "bytes_per_second": 2 * source.numel() / seconds(lambda: target.copy_(source))}))
    for name, dtype in (("float64", torch.float64), ("float32", torch.float32), ("bfloat16", torch.bfloat16)):
        a = torch.randn(8192, 8192, device="cuda", dtype=dtype)
        print(json.dumps({"case": f"product {name}", "flops": 2 * 8192**3 / seconds(lambda a=a: a @ a)}))
    for n in (1024, 4096, 16384):
        shape = (1, 16, n, 128)
        q, k, v = (torch.randn(shape, device="cuda", dtype=torch.bfloat16, requires_grad=True) for _ in range(3))
        gradient = torch.randn(shape, device="cuda", dtype=torch.bfloat16)
        for name, attention in (("fused", torch.nn.functional.scaled_dot_product_attention), ("eager", eager)):
            if name == "eager" and n > 4096:
                continue

            def step(attention=attention):
                attention(q, k, v).backward(gradient)
            time = seconds(step)
            print(json.dumps({"case": f"attention {name}", "tokens": n, "seconds": time,
                              "flops": 14 * 16 * n * n * 128 / time}))


main()
